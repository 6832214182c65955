/*
 * `top` in the layout of torch's key_averages().table(): operators and device work as rows of one
 * table, by torch's rules, defects included.
 *
 * What torch does and `top` otherwise does not: some names are left out of the tree, annotations on
 * the device are rows, an op and its kernels both carry the kernels' time, and rows without --sort
 * stand in the order of their first event.  Source: torch/autograd/profiler_util.py.
 */
#include <stdlib.h>

#include "analyze/trace/columns/order.h"
#include "analyze/answer/top/top.h"
#include "analyze/answer/top/top_rank.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/ratio.h"
#include "base/saturate.h"
#include "base/unit.h"

/* A row of torch's table, from a group of either side. */
struct entry {
	int64_t value;   /* sort key, descending */
	nsec start, end; /* of its first event: torch's own order */
	const struct top_group *g;
	struct top_use use;
	bool is_device;
};

struct fill {
	struct top *t;
	struct table *out;
	struct top_columns c;
	nsec cpu_sum;
	bool has_device;
	const char *flops_title;
	double flops_unit; /* 1e6 where the heading is MFLOPs; 0: nothing has any */
};

/* "CUDA", "XPU", "MTIA", "HPU", "PRIVATEUSE1": how torch would call the device of this run. */
static const char *device_word(const struct run *r)
{
	static const struct {
		const char *cat, *word;
	} words[] = {
		{ "xpu_runtime", "XPU" },
		{ "mtia_runtime", "MTIA" },
		{ "hpu_op", "HPU" },
		{ "privateuse1_runtime", "PRIVATEUSE1" },
	};
	size_t i, k;

	for (i = 0; i < r->ncat; i++)
		for (k = 0; k < COUNT_OF(words); k++)
			if (span_is_nocase(strings_get(&r->strings, r->cat[i].cat), words[k].cat))
				return words[k].word;
	return "CUDA";
}

/* Whether row a comes before b in torch's list of events. */
static bool is_earlier(const struct events *ev, uint32_t a, uint32_t b)
{
	nsec a_end = events_end(ev, a), b_end = events_end(ev, b);

	if (ev->start[a] != ev->start[b])
		return ev->start[a] < ev->start[b];
	return a_end != b_end ? a_end > b_end : a < b;
}

/* Annotations on the device are rows there, though no device work. */
static void add_annotations(struct top *t)
{
	const struct events *ev = &t->at->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		struct top_group *g;
		uint32_t row = (uint32_t)i;

		if (ev->kind[i] != KIND_GPU_ANNOTATION || !filter_device(&t->at->view, row) ||
			!filter_name(&t->at->view, ev->name[i]))
			continue;
		g = top_groups_at(&t->device, top_id(t->canon[ev->name[i]], 0, ev->kind[i]), row);
		if (is_earlier(ev, row, g->row))
			g->row = row;
		g->calls++;
		saturate_onto(&g->total, ev->dur[i]);
	}
}

/* torch counts only what is left after the dedup. */
static struct entry entry_of(struct top *t, const struct top_groups *groups, size_t i)
{
	const struct top_group *g = &groups->g[i];
	bool is_device = groups == &t->device;
	const struct events *ev = &t->at->run->events;
	struct top_group v = *g;
	struct entry e = { .g = g, .is_device = is_device };

	e.start = ev->start[g->row];
	e.end = events_end(ev, g->row);
	if (is_device) {
		v.device_self = v.device_total = g->total;
		v.self = v.total = 0;
	} else {
		v.calls = g->calls_dedup;
		v.self = g->self_dedup;
		v.total = g->total_dedup;
	}
	if (groups->use)
		e.use = groups->use[i];
	e.value = t->key == TOP_KEY_NONE ? 0 : top_use_value(&e.use, &v, t->key);
	return e;
}

static int compare(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;

	return COMPARE_BY(compare3(b->value, a->value), compare3(a->start, b->start),
		compare3(b->end, a->end), compare3(a->g->row, b->g->row));
}

/* Groups got their rows lane by lane; torch goes by time over all lanes. */
static void find_first_rows(struct top *t)
{
	const struct order *o = t->at->run->order;
	const struct events *ev = &t->at->run->events;
	size_t nhost = o->host_begin[t->at->run->lanes.n], i;
	size_t ndevice = o->device_begin[t->at->run->lanes.n];

	for (i = 0; i < nhost + ndevice; i++) {
		uint32_t row = i < nhost ? o->host[i] : o->device[i - nhost];
		struct top_groups *groups = i < nhost ? &t->ops : &t->device;
		uint32_t at = i < nhost ? top_ops_find(t, row) : top_device_find(t, row);

		if (at != TOP_NO_GROUP && is_earlier(ev, row, groups->g[at].row))
			groups->g[at].row = row;
	}
}

static struct entry *sorted(struct top *t, size_t *n)
{
	struct entry *e = arena_array(&t->at->mem, t->ops.n + t->device.n, sizeof(*e));
	size_t i;

	*n = 0;
	for (i = 0; i < t->ops.n; i++)
		if (t->ops.g[i].calls_dedup)
			e[(*n)++] = entry_of(t, &t->ops, i);
	for (i = 0; i < t->device.n; i++)
		e[(*n)++] = entry_of(t, &t->device, i);
	if (*n)
		qsort(e, *n, sizeof(*e), compare);
	return e;
}

static void put_times(struct fill *f, const struct entry *e)
{
	const uint8_t *at = f->c.at;
	const struct top_group *g = e->g;
	nsec self = e->is_device ? 0 : g->self_dedup, cpu = e->is_device ? 0 : g->total_dedup;
	nsec self_device = e->is_device ? g->total : g->device_self;
	nsec device = e->is_device ? g->total : g->device_total;
	uint32_t calls = e->is_device ? g->calls : g->calls_dedup;

	table_int(f->out, at[TORCH_CALLS], calls);
	table_real(f->out, at[TORCH_SELF_CPU_RATIO], ratio_of((double)self, (double)f->cpu_sum));
	table_int(f->out, at[TORCH_SELF_CPU], self);
	table_real(f->out, at[TORCH_CPU_RATIO], ratio_of((double)cpu, (double)f->cpu_sum));
	table_int(f->out, at[TORCH_CPU], cpu);
	table_real(f->out, at[TORCH_CPU_AVG], (double)cpu / calls);
	if (!f->has_device)
		return;
	table_int(f->out, at[TORCH_SELF_DEVICE], self_device);
	table_real(f->out, at[TORCH_SELF_DEVICE_RATIO],
		ratio_of((double)self_device, (double)f->t->totals.device));
	table_int(f->out, at[TORCH_DEVICE], device);
	table_real(f->out, at[TORCH_DEVICE_AVG], (double)device / calls);
}

static void put_memory(struct fill *f, const struct top_use *use)
{
	const uint8_t *at = f->c.at;

	table_int(f->out, at[TORCH_CPU_BYTES], use->total.cpu);
	table_int(f->out, at[TORCH_SELF_CPU_BYTES], use->self.cpu);
	table_int(f->out, at[TORCH_DEVICE_BYTES], use->total.device);
	table_int(f->out, at[TORCH_SELF_DEVICE_BYTES], use->self.device);
}

/* torch's auto_scale_flops: the unit is that of the least. */
static void choose_flops(struct fill *f, const struct entry *e, size_t n)
{
	static const char *const words[] = { "FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs",
		"PFLOPs" };
	double least = 0;
	size_t unit = 0, i;

	for (i = 0; i < n; i++)
		if (e[i].g->flops > 0 && (!(least > 0) || e[i].g->flops < least))
			least = e[i].g->flops;
	f->flops_unit = least > 0 ? 1 : 0;
	for (; least >= 1000 && unit + 1 < COUNT_OF(words); least /= 1000, unit++)
		f->flops_unit *= 1000;
	f->flops_title = arena_printf(&f->t->at->out->mem, "Total %s", words[unit]);
}

static void put_texts(struct fill *f, const struct entry *e)
{
	struct top *t = f->t;

	table_text(f->out, f->c.at[TORCH_NAME], top_name(t, top_id_a(e->g->id)));
	if (t->by == TOP_BY_SHAPE)
		table_text(f->out, f->c.at[TORCH_SHAPES],
			top_id_b(e->g->id) ? strings_get(&t->at->run->strings, top_id_b(e->g->id))
					   : SPAN("[]"));
}

/* torch's widths come from all rows: a foot row, not printed, with the longest texts of them. */
static void put_widest(struct fill *f, const struct entry *e, size_t n)
{
	size_t name = 0, shapes = 0, i;

	for (i = 1; i < n; i++) {
		if (top_name(f->t, top_id_a(e[i].g->id)).n >
			top_name(f->t, top_id_a(e[name].g->id)).n)
			name = i;
		if (strings_get(&f->t->at->run->strings, top_id_b(e[i].g->id)).n >
			strings_get(&f->t->at->run->strings, top_id_b(e[shapes].g->id)).n)
			shapes = i;
	}
	table_row(f->out);
	put_texts(f, &e[shapes]);
	table_text(f->out, f->c.at[TORCH_NAME], top_name(f->t, top_id_a(e[name].g->id)));
	f->out->nfoot = 1;
}

static void put_footnote(struct fill *f)
{
	struct str b = { 0 };

	str_adds(&b, "Self CPU time total: ");
	unit_torch_time(&b, (double)f->cpu_sum, NULL);
	if (f->has_device) {
		str_addf(&b, "\nSelf %s time total: ", device_word(f->t->at->run));
		unit_torch_time(&b, (double)f->t->totals.device, NULL);
	}
	f->out->footnote = arena_copy(&f->t->at->out->mem, b.s, b.n);
	str_free(&b);
}

/* Titles with the device's word: "Self XPU %". */
static void arrange(struct fill *f)
{
	static const uint8_t cpu[] = { TORCH_NAME, TORCH_SELF_CPU_RATIO, TORCH_SELF_CPU,
		TORCH_CPU_RATIO, TORCH_CPU, TORCH_CPU_AVG };
	static const struct {
		uint8_t col;
		const char *before, *after;
	} titles[] = {
		{ TORCH_SELF_DEVICE, "Self ", "" },
		{ TORCH_SELF_DEVICE_RATIO, "Self ", " %" },
		{ TORCH_DEVICE, "", " total" },
		{ TORCH_DEVICE_AVG, "", " time avg" },
		{ TORCH_DEVICE_BYTES, "", " Mem" },
		{ TORCH_SELF_DEVICE_BYTES, "Self ", " Mem" },
	};
	enum { DEVICE_TIMES = 4 };
	struct arena *mem = &f->t->at->out->mem;
	uint8_t visible[TORCH_COLUMNS];
	size_t n, i;

	for (n = 0; n < COUNT_OF(cpu); n++)
		visible[n] = cpu[n];
	for (i = 0; f->has_device && i < DEVICE_TIMES; i++)
		visible[n++] = titles[i].col;
	for (i = TORCH_CPU_BYTES; f->t->has_memory && i <= TORCH_SELF_DEVICE_BYTES; i++)
		if (i < TORCH_DEVICE_BYTES || f->has_device)
			visible[n++] = (uint8_t)i;
	visible[n++] = TORCH_CALLS;
	if (f->t->by == TOP_BY_SHAPE)
		visible[n++] = TORCH_SHAPES;
	if (f->flops_unit > 0)
		visible[n++] = TORCH_FLOPS;
	top_columns_init(&f->c, mem, top_docs[TOP_KEY_AVERAGES].col, TORCH_COLUMNS, visible, n);
	f->c.col[f->c.at[TORCH_FLOPS]].title = f->flops_title;
	for (i = 0; i < COUNT_OF(titles); i++)
		f->c.col[f->c.at[titles[i].col]].title = arena_printf(mem, "%s%s%s",
			titles[i].before, device_word(f->t->at->run), titles[i].after);
}

void top_torch_table(struct top *t)
{
	struct fill f = { .t = t, .has_device = t->totals.device > 0, .cpu_sum = t->totals.cpu };
	struct entry *e;
	size_t n, shown, i;

	add_annotations(t);
	find_first_rows(t);
	e = sorted(t, &n);
	choose_flops(&f, e, n);
	arrange(&f);
	f.out = result_table(t->at->out, "key_averages", NULL, f.c.col, f.c.n);
	f.out->input = t->at->input;
	f.out->layout = TABLE_TORCH;
	shown = MIN(n, t->limit);
	for (i = 0; i < shown; i++) {
		table_row(f.out);
		put_texts(&f, &e[i]);
		put_times(&f, &e[i]);
		if (t->has_memory)
			put_memory(&f, &e[i].use);
		if (e[i].g->flops > 0)
			table_real(f.out, f.c.at[TORCH_FLOPS], e[i].g->flops / f.flops_unit);
	}
	f.out->ncut = n - shown;
	if (shown < n)
		put_widest(&f, e, n);
	put_footnote(&f);
}
