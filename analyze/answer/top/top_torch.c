/* `top` in the layout of torch's key_averages().table(): operators and device work as rows of one
 * table, by torch's rules, defects included.
 *
 * What torch does and `top` otherwise does not: some names are left out of the tree, annotations on
 * the device are rows, an op and its kernels both carry the kernels' time, and rows without --sort
 * stand in the order of their first event.  Source: torch/autograd/profiler_util.py. */
#include "analyze/answer/top/top.h"
#include "analyze/trace/producers.h"
#include "base/unit.h"

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

	for (size_t i = 0; i < ev->n; i++) {
		uint32_t row = (uint32_t)i;
		struct top_id id = top_id(t->canon[ev->name[i]], 0, ev->kind[i]);

		if (ev->kind[i] != KIND_GPU_ANNOTATION || !filter_device(&t->at->view, row) ||
			!filter_name(&t->at->view, ev->name[i]))
			continue;
		struct top_group *g = top_group(&t->device, top_groups_add(&t->device, id, row));
		if (is_earlier(ev, row, g->row))
			g->row = row;
		g->calls++;
		saturate_onto(&g->total, ev->dur[i]);
	}
}

/* torch counts only what is left after the dedup. */
static struct top_torch_row row_of(const struct top *t, const struct top_group *g, bool is_device)
{
	const struct events *ev = &t->at->run->events;
	const struct strings *names = &t->at->run->strings;
	struct top_group v = *g;
	struct top_torch_row row = { .is_device = is_device };

	if (is_device) {
		v.device_self = v.device_total = g->total;
		v.self = v.total = 0;
	} else {
		v.calls = g->calls_dedup;
		v.self = g->self_dedup;
		v.total = g->total_dedup;
	}
	v.all_calls = v.calls;
	v.has_use = t->has_memory;
	v.has_device = t->totals.device > 0;
	v.name = top_name(t, top_id_a(g->id));
	row.group = v;
	row.shapes = top_id_b(g->id) ? strings_get(names, top_id_b(g->id)) : SPAN("[]");
	row.start = ev->start[g->row];
	row.end = events_end(ev, g->row);
	row.cpu_sum = t->totals.cpu;
	row.device_sum = t->totals.device;
	row.device_calls = v.has_device ? v.calls : 0;
	return row;
}

/* Where the sort key has none: in the order of their first event. */
static void place(const void *ctx UNUSED, const void *item, struct groupby_place *to)
{
	const struct top_torch_row *row = item;

	to->a[0] = row->start;
	to->a[1] = saturate_sub(0, row->end);
	to->b[0] = row->group.row;
}

static struct top_torch_row *list_rows(struct top *t, size_t *n)
{
	struct top_torch_row *v = arena_array(&t->at->mem, t->ops.n + t->device.n, sizeof(*v));

	*n = 0;
	for (size_t i = 0; i < t->ops.n; i++)
		if (top_group(&t->ops, i)->calls_dedup)
			v[(*n)++] = row_of(t, top_group(&t->ops, i), false);
	for (size_t i = 0; i < t->device.n; i++)
		v[(*n)++] = row_of(t, top_group(&t->device, i), true);
	return v;
}

/* torch's auto_scale_flops: the unit is that of the least.  The heading; NULL: nothing has any. */
static const char *scale_flops(struct top *t, struct top_torch_row *v, size_t n)
{
	static const char *const words[] = { "FLOPs", "KFLOPs", "MFLOPs", "GFLOPs", "TFLOPs",
		"PFLOPs" };
	double least = 0, scale = 1;
	size_t unit = 0;

	for (EACH(const struct top_torch_row, row, v, n))
		if (row->group.flops > 0 && (!(least > 0) || row->group.flops < least))
			least = row->group.flops;
	if (!(least > 0))
		return NULL;
	for (; least >= 1000 && unit + 1 < COUNT_OF(words); least /= 1000, unit++)
		scale *= 1000;
	for (EACH(struct top_torch_row, r, v, n)) {
		r->flops = r->group.flops > 0 ? r->group.flops : NAN;
		r->flops_unit = scale;
	}
	return arena_printf(&t->at->out->mem, "Total %s", words[unit]);
}

/* torch's widths come from all rows: a foot row, not printed, with the longest texts of them. */
static void put_widest(struct groupby *g)
{
	struct span name = { 0 }, shapes = { 0 };

	for (size_t i = 0; i < g->nrow; i++) {
		const struct top_torch_row *row = groupby_item(g, g->row[i]);

		name = row->group.name.n > name.n ? row->group.name : name;
		shapes = row->shapes.n > shapes.n ? row->shapes : shapes;
	}
	table_row(g->t);
	groupby_text(g, TORCH_NAME, name);
	if (((const struct top *)g->ctx)->by == TOP_BY_SHAPE)
		groupby_text(g, TORCH_SHAPES, shapes);
	g->t->nfoot = 1;
}

static const char *footnote(struct top *t)
{
	SCOPED_STR b = { 0 };

	str_adds(&b, "Self CPU time total: ");
	unit_torch_time(&b, (double)t->totals.cpu, NULL);
	if (t->totals.device > 0) {
		str_addf(&b, "\nSelf %s time total: ", producers_device(t->at->run));
		unit_torch_time(&b, (double)t->totals.device, NULL);
	}
	return arena_copy(&t->at->out->mem, b.s, b.n);
}

/* The columns, with the device's word in titles: "Self XPU %". */
static const struct column *titled(struct top *t, const char *flops)
{
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
	struct arena *mem = &t->at->out->mem;
	struct column *col = arena_array(mem, TORCH_COLUMNS, sizeof(*col));

	memcpy(col, top_docs[TOP_KEY_AVERAGES].col, TORCH_COLUMNS * sizeof(*col));
	for (size_t i = 0; i < COUNT_OF(titles); i++)
		col[titles[i].col].title = arena_printf(mem, "%s%s%s", titles[i].before,
			producers_device(t->at->run), titles[i].after);
	col[TORCH_FLOPS].title = flops ? flops : "Total FLOPs";
	return col;
}

static size_t visible_columns(const struct top *t, bool has_flops, uint8_t *v)
{
	bool has_device = t->totals.device > 0;
	size_t n = 0;

	for (size_t i = TORCH_NAME; i <= TORCH_CPU_AVG; i++)
		v[n++] = (uint8_t)i;
	for (size_t i = TORCH_SELF_DEVICE; has_device && i <= TORCH_DEVICE_AVG; i++)
		v[n++] = (uint8_t)i;
	for (size_t i = TORCH_CPU_BYTES; t->has_memory && i <= TORCH_SELF_DEVICE_BYTES; i++)
		if (i < TORCH_DEVICE_BYTES || has_device)
			v[n++] = (uint8_t)i;
	v[n++] = TORCH_CALLS;
	if (t->by == TOP_BY_SHAPE)
		v[n++] = TORCH_SHAPES;
	if (has_flops)
		v[n++] = TORCH_FLOPS;
	return n;
}

static void put(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	if (((const struct top *)g->ctx)->by == TOP_BY_SHAPE)
		groupby_text(g, TORCH_SHAPES, ((const struct top_torch_row *)item)->shapes);
}

static const struct grouping key_averages = { .name = TORCH_NAME, .place = place, .put = put };

void top_torch_table(struct top *t)
{
	struct table_doc doc = { "key_averages", NULL, NULL, TORCH_COLUMNS };
	uint8_t visible[TORCH_COLUMNS];
	struct groupby g = { .how = &key_averages, .at = t->at, .doc = &doc, .ctx = t };

	add_annotations(t);
	/* Groups got their rows lane by lane; torch goes by time over all lanes. */
	const struct order *o = t->at->run->order;
	const struct events *ev = &t->at->run->events;
	size_t nhost = o->host_begin[t->at->run->lanes.n];
	size_t ndevice = o->device_begin[t->at->run->lanes.n];
	for (size_t i = 0; i < nhost + ndevice; i++) {
		uint32_t row = i < nhost ? o->host[i] : o->device[i - nhost];
		struct groups *groups = i < nhost ? &t->ops : &t->device;
		uint32_t at = i < nhost ? top_ops_find(t, row) : top_device_find(t, row);

		if (at != TOP_NO_GROUP && is_earlier(ev, row, top_group(groups, at)->row))
			top_group(groups, at)->row = row;
	}
	struct top_torch_row *v = list_rows(t, &g.n);
	const char *flops = scale_flops(t, v, g.n);
	doc.col = titled(t, flops);
	g.item = v;
	g.size = sizeof(*v);
	g.by = top_sort(t->key);
	g.limit = t->limit;
	g.order = visible;
	g.norder = visible_columns(t, flops != NULL, visible);
	groupby_table(&g);
	g.t->layout = TABLE_TORCH;
	g.t->ncut = groupby_put_rows(&g);
	if (g.t->ncut > 0)
		put_widest(&g);
	g.t->footnote = footnote(t);
}
