/*
 * The table of CPU rows of `top`.
 */
#include <math.h>

#include "analyze/answer/top/top.h"
#include "analyze/answer/top/top_quantiles.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/costmodel/shapes.h"
#include "base/ratio.h"
#include "base/saturate.h"

/* What the rows are about: the time in the first column. */
struct main_time {
	enum top_key key; /* one of the four times */
	uint8_t col;
	nsec all;
	bool is_additive; /* self times: their sum means something */
};

struct fill {
	struct top *t;
	struct table *out;
	const struct top_columns *c;
	struct main_time main;
	int64_t sum;
	size_t nstep;
};

static struct main_time main_of(const struct top *t, enum top_key key)
{
	const struct top_totals *all = &t->totals;

	switch (key) {
	case TOP_CPU_TOTAL:
	case TOP_CPU_AVG: return (struct main_time){ TOP_CPU_TOTAL, CPUOP_TOTAL, all->cpu, false };
	case TOP_SELF_DEVICE:
		return (struct main_time){ key, CPUOP_DEVICE_SELF, all->device, true };
	case TOP_DEVICE_TOTAL:
	case TOP_DEVICE_AVG:
		return (struct main_time){ TOP_DEVICE_TOTAL, CPUOP_DEVICE_TOTAL, all->device,
			false };
	default: return (struct main_time){ TOP_SELF_CPU, CPUOP_SELF, all->cpu, true };
	}
}

static bool is_device_key(enum top_key key)
{
	return key == TOP_SELF_DEVICE || key == TOP_DEVICE_TOTAL || key == TOP_DEVICE_AVG;
}

/* The key asked for, or the default; without device events never a device time. */
static enum top_key key_of(struct top *t)
{
	enum top_key key = t->key;

	if (key == TOP_KEY_NONE)
		key = t->by == TOP_BY_DEFAULT || t->by == TOP_BY_CATEGORY ? TOP_SELF_CPU
									  : TOP_SELF_DEVICE;
	if (!is_device_key(key) || t->has_device)
		return key;
	result_note(t->at->out, t->key == TOP_KEY_NONE ? NOTE_INFO : NOTE_WARNING, "sort_fallback",
		t->at->input, -1,
		"ops are sorted by self CPU time: there is no device time to sort by");
	return TOP_SELF_CPU;
}

static struct span group_name(const struct top *t, const struct top_group *g)
{
	if (t->by == TOP_BY_CATEGORY)
		return span_of(kind_word((enum kind)g->id.kind));
	if (t->by == TOP_BY_PHASE)
		return span_of(phase_word((enum phase)top_id_b(g->id)));
	return top_name(t, top_id_a(g->id));
}

static size_t visible_columns(const struct fill *f, const struct top *t, uint8_t *v)
{
	size_t n = 0;
	bool by_step = t->per == TOP_PER_STEP && f->nstep;

	v[n++] = by_step ? CPUOP_PER_STEP : t->per == TOP_PER_CALL ? CPUOP_PER_CALL : f->main.col;
	v[n++] = CPUOP_SHARE;
	if (t->key == TOP_FLOPS && t->flops)
		v[n++] = CPUOP_FLOPS;
	if (f->main.is_additive)
		v[n++] = CPUOP_CUMULATIVE;
	if (v[0] != f->main.col)
		v[n++] = f->main.col;
	if (f->nstep && !by_step)
		v[n++] = CPUOP_PER_STEP;
	v[n++] = CPUOP_CALLS;
	if (t->at->run->replay)
		v[n++] = CPUOP_REPLAYS;
	v[n++] = CPUOP_MEAN;
	v[n++] = CPUOP_P95;
	if (f->main.col != CPUOP_DEVICE_SELF && t->has_device)
		v[n++] = CPUOP_DEVICE_SELF;
	if (f->main.col != CPUOP_SELF)
		v[n++] = CPUOP_SELF;
	if (t->flops && t->key != TOP_FLOPS)
		v[n++] = CPUOP_FLOPS;
	if (t->has_memory) {
		v[n++] = CPUOP_SELF_CPU_BYTES;
		v[n++] = CPUOP_SELF_DEVICE_BYTES;
	}
	if (t->roof.any) {
		v[n++] = CPUOP_ROOF_TFLOPS;
		v[n++] = CPUOP_ROOF_RATIO;
		v[n++] = CPUOP_ROOF_BOUND;
		v[n++] = CPUOP_ROOF_FLOP;
	}
	if (t->by == TOP_BY_SHAPE)
		v[n++] = CPUOP_SHORT_SHAPES;
	v[n++] = CPUOP_NAME;
	return n;
}

#define COLUMN_BIT(column) (UINT64_C(1) << (column))

/* Columns that the answer has not. */
static uint64_t left_out(const struct top *t)
{
	uint64_t v = t->at->run->replay ? 0 : COLUMN_BIT(CPUOP_REPLAYS);
	int i;

	for (i = CPUOP_ROOF_TFLOPS; i <= CPUOP_SHORT_SHAPES && !t->roof.sum; i++)
		v |= COLUMN_BIT(i);
	return v;
}

static void put_int(struct fill *f, int col, int64_t v)
{
	table_int(f->out, f->c->at[col], v);
}

static void put_real(struct fill *f, int col, double v)
{
	table_real(f->out, f->c->at[col], v);
}

/* Cells that add up: these the foot rows have too. */
static void put_sums(struct fill *f, const struct top_group *g)
{
	int64_t value = top_value(g, f->main.key);

	put_int(f, CPUOP_CALLS, (int64_t)g->calls + g->replays);
	put_int(f, CPUOP_CALLS_DEDUP, (int64_t)g->calls_dedup + g->replays);
	if (f->t->at->run->replay)
		put_int(f, CPUOP_REPLAYS, g->replays);
	put_int(f, CPUOP_SELF, g->self);
	put_int(f, CPUOP_SELF_DEDUP, g->self_dedup);
	if (g->id.kind != KIND_RUNTIME)
		put_int(f, CPUOP_SELF_OPS, g->self_ops);
	if (f->t->has_device && g->id.kind != KIND_RUNTIME)
		put_int(f, CPUOP_DEVICE_SELF, g->device_self);
	if (g->flops > 0)
		put_real(f, CPUOP_FLOPS, g->flops);
	if (!f->main.is_additive)
		return;
	put_real(f, CPUOP_SHARE, ratio_of((double)value, (double)f->main.all));
	if (f->nstep)
		put_real(f, CPUOP_PER_STEP, (double)value / (double)f->nstep);
}

static void put_use(struct fill *f, const struct top_use *use)
{
	put_int(f, CPUOP_CPU_BYTES, use->total.cpu);
	put_int(f, CPUOP_SELF_CPU_BYTES, use->self.cpu);
	put_int(f, CPUOP_DEVICE_BYTES, use->total.device);
	put_int(f, CPUOP_SELF_DEVICE_BYTES, use->self.device);
}

/* What of the row's own work is known: as roofline_ops.c puts it. */
static void put_roof(struct fill *f, const struct top_group *g, const struct roof_sum *s)
{
	enum roof_reason why = roof_sum_why(s);

	if (s->calls == 0 && g->device_self > 0)
		table_text(f->out, f->c->at[CPUOP_ROOF_WHY],
			SPAN("its work is that of an op that called it"));
	if (s->calls == 0)
		return;
	put_int(f, CPUOP_ROOF_BUSY, s->busy);
	put_real(f, CPUOP_ROOF_KNOWN, roof_sum_known(s));
	if (why != ROOF_WHY_KNOWN)
		table_text(f->out, f->c->at[CPUOP_ROOF_WHY], span_of(roof_reason_words[why]));
	if (s->flop_busy > 0)
		put_int(f, CPUOP_ROOF_FLOP, s->flop);
	put_real(f, CPUOP_ROOF_TFLOPS, roof_sum_tflops(s));
	put_real(f, CPUOP_ROOF_RATIO, roof_sum_ratio(s));
	if (roof_sum_bound(s))
		table_text(f->out, f->c->at[CPUOP_ROOF_BOUND], span_of(roof_sum_bound(s)));
}

static void put_shapes(struct fill *f, const struct top_group *g)
{
	const struct top *t = f->t;
	struct span dims;

	if (!top_id_b(g->id))
		return;
	dims = strings_get(&t->at->run->strings, top_id_b(g->id));
	table_text(f->out, f->c->at[CPUOP_SHAPES], dims);
	table_text(f->out, f->c->at[CPUOP_SHORT_SHAPES], roof_shapes_text(dims, &t->at->out->mem));
}

static void put_row(struct fill *f, const struct top_group *g, const struct top_samples *s)
{
	const struct top *t = f->t;
	int64_t value = top_value(g, f->main.key);

	table_row(f->out);
	table_text(f->out, f->c->at[CPUOP_NAME], group_name(t, g));
	if (t->by != TOP_BY_PHASE)
		table_text(f->out, f->c->at[CPUOP_KIND], span_of(kind_word((enum kind)g->id.kind)));
	if (t->by == TOP_BY_SHAPE)
		put_shapes(f, g);
	put_sums(f, g);
	put_int(f, CPUOP_TOTAL, g->total);
	put_int(f, CPUOP_TOTAL_DEDUP, g->total_dedup);
	if (t->has_device && g->id.kind != KIND_RUNTIME)
		put_int(f, CPUOP_DEVICE_TOTAL, g->device_total);
	put_real(f, CPUOP_SHARE, ratio_of((double)value, (double)f->main.all));
	if (f->nstep)
		put_real(f, CPUOP_PER_STEP, (double)value / (double)f->nstep);
	put_real(f, CPUOP_PER_CALL,
		ratio_of((double)value,
			g->calls + (is_device_key(f->main.key) ? (double)g->replays : 0)));
	saturate_onto(&f->sum, value);
	if (f->main.is_additive)
		put_real(f, CPUOP_CUMULATIVE, ratio_of((double)f->sum, (double)f->main.all));
	put_real(f, CPUOP_MEAN, ratio_of((double)g->total, g->calls));
	if (g->calls > 0) {
		put_int(f, CPUOP_MIN, g->min);
		put_int(f, CPUOP_MAX, g->max);
	}
	put_real(f, CPUOP_P50, s->p50[g->slot - 1]);
	put_real(f, CPUOP_P95, s->p95[g->slot - 1]);
}

/* FLOP of the groups of places [from, n): of the figures against roofs the one that adds up. */
static void put_flop(struct fill *f, const struct top_rank *r, size_t from)
{
	struct roof_sum all = { 0 };
	size_t i;

	if (!f->t->roof.sum)
		return;
	for (i = from; i < r->n; i++)
		roof_sum_join(&all, &f->t->roof.sum[r->place[i].group]);
	if (all.flop_busy > 0)
		put_int(f, CPUOP_ROOF_FLOP, all.flop);
}

static void put_foot(struct fill *f, const struct top_rank *r)
{
	size_t cut = r->n - r->shown;

	rows_cut(f->out, f->c->at[CPUOP_NAME], cut);
	if (cut) {
		put_sums(f, &r->rest);
		put_flop(f, r, r->shown);
		if (f->main.is_additive)
			put_real(f, CPUOP_CUMULATIVE,
				ratio_of((double)top_value(&r->all, f->main.key),
					(double)f->main.all));
	}
	table_row(f->out);
	table_text(f->out, f->c->at[CPUOP_NAME], SPAN("total"));
	put_sums(f, &r->all);
	put_flop(f, r, 0);
	f->out->nfoot++;
}

void top_ops_rank(struct top *t)
{
	struct top_shown *s = t->ops_shown = arena_alloc(&t->at->mem, sizeof(*s));

	s->key = key_of(t);
	top_rank_init(&s->rank, t, &t->ops, s->key, group_name);
	top_samples_init(&s->samples, &s->rank, &t->ops);
}

void top_ops_table(struct top *t)
{
	struct fill f = { .t = t, .nstep = top_steps(t) };
	const struct top_shown *shown = t->ops_shown;
	const struct top_rank *r = &shown->rank;
	struct top_columns c;
	uint8_t visible[CPUOP_COLUMNS];
	size_t i;

	f.main = main_of(t, shown->key);
	top_columns_without(&c, &t->at->out->mem, top_docs[TOP_OPS].col, CPUOP_COLUMNS, visible,
		visible_columns(&f, t, visible), left_out(t));
	f.c = &c;
	f.out = result_table(t->at->out, "ops", "CPU ops", c.col, c.n);
	f.out->input = t->at->input;
	for (i = 0; i < r->shown; i++) {
		put_row(&f, &t->ops.g[r->place[i].group], &shown->samples);
		if (t->has_memory)
			put_use(&f, &t->ops.use[r->place[i].group]);
		if (t->roof.sum)
			put_roof(&f, &t->ops.g[r->place[i].group], &t->roof.sum[r->place[i].group]);
	}
	put_foot(&f, r);
	f.out->footnote = f.main.col == CPUOP_SELF || f.main.col == CPUOP_TOTAL
		? "% is of all self CPU time, runtime calls included; avg and p95 are of whole calls"
		: "% is of all device time (a sum, overlaps count twice); avg and p95 are of whole calls";
}
