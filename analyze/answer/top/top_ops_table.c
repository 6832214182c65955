/* The table of CPU rows of `top`. */
#include "analyze/answer/top/top.h"

/* What the rows are about: the time in the first column. */
struct main_time {
	enum top_key key; /* one of the four times */
	uint8_t col;
	nsec all;
	bool is_additive; /* self times: their sum means something */
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
		"ops are sorted by self CPU time: there is no GPU time to sort by");
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

static size_t visible_columns(
	const struct top *t, const struct main_time *main, bool has_steps, uint8_t *v)
{
	size_t n = 0;
	bool by_step = t->per == TOP_PER_STEP && has_steps;

	v[n++] = by_step ? CPUOP_PER_STEP : t->per == TOP_PER_CALL ? CPUOP_PER_CALL : main->col;
	v[n++] = CPUOP_SHARE;
	if (t->key == TOP_FLOPS && t->flops)
		v[n++] = CPUOP_FLOPS;
	if (main->is_additive)
		v[n++] = CPUOP_CUMULATIVE;
	if (v[0] != main->col)
		v[n++] = main->col;
	if (has_steps && !by_step)
		v[n++] = CPUOP_PER_STEP;
	v[n++] = CPUOP_CALLS;
	if (t->at->run->replay)
		v[n++] = CPUOP_REPLAYS;
	v[n++] = CPUOP_MEAN;
	v[n++] = CPUOP_P95;
	if (main->col != CPUOP_DEVICE_SELF && t->has_device)
		v[n++] = CPUOP_DEVICE_SELF;
	if (main->col != CPUOP_SELF)
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

	for (int i = CPUOP_ROOF_TFLOPS; i <= CPUOP_SHORT_SHAPES && !t->roof.sum; i++)
		v |= COLUMN_BIT(i);
	return v;
}

/* What of the row's own work is known: as roofline_ops.c puts it. */
static void put_roof(const struct groupby *g, const struct top_group *of, const struct roof_sum *s)
{
	enum roof_reason why = roof_sum_why(s);

	if (s->calls == 0 && of->device_self > 0)
		groupby_text(g, CPUOP_ROOF_WHY, SPAN("its work is that of an op that called it"));
	if (s->calls == 0)
		return;
	groupby_int(g, CPUOP_ROOF_BUSY, s->busy);
	groupby_real(g, CPUOP_ROOF_KNOWN, roof_sum_known(s));
	if (why != ROOF_WHY_KNOWN)
		groupby_text(g, CPUOP_ROOF_WHY, span_of(roof_reason_words[why]));
	if (s->flop_busy > 0)
		groupby_int(g, CPUOP_ROOF_FLOP, s->flop);
	groupby_real(g, CPUOP_ROOF_TFLOPS, roof_sum_tflops(s));
	groupby_real(g, CPUOP_ROOF_RATIO, roof_sum_ratio(s));
	if (roof_sum_bound(s))
		groupby_text(g, CPUOP_ROOF_BOUND, span_of(roof_sum_bound(s)));
}

static void put(const struct groupby *g, const void *item, uint32_t i)
{
	const struct top_group *of = item;
	const struct top *t = g->ctx;
	struct span dims;

	if (t->by == TOP_BY_SHAPE && top_id_b(of->id)) {
		dims = strings_get(g->of.names, top_id_b(of->id));
		groupby_text(g, CPUOP_SHAPES, dims);
		if (t->roof.sum)
			groupby_text(g, CPUOP_SHORT_SHAPES, roof_shapes_text(dims, g->t->mem));
	}
	if (t->roof.sum)
		put_roof(g, of, &t->roof.sum[i]);
}

/* FLOP of the groups of rows from there on: of the figures against roofs the one that adds up. */
static void put_sum(const struct groupby *g, const void *sum, size_t from)
{
	const struct top *t = g->ctx;
	struct roof_sum all = { 0 };

	(void)sum;
	for (size_t i = from; t->roof.sum && i < g->nrow; i++)
		roof_sum_join(&all, &t->roof.sum[g->row[i]]);
	if (all.flop_busy > 0)
		groupby_int(g, CPUOP_ROOF_FLOP, all.flop);
}

static const struct grouping ops = { .name = CPUOP_NAME,
	.calls = CPUOP_CALLS,
	.put = put,
	.join = top_group_join,
	.put_sum = put_sum };

/* Which time rows are about. */
static void set_main(struct top *t, const struct main_time *main)
{
	bool of_device = is_device_key(main->key);

	for (size_t i = 0; i < t->ops.n; i++) {
		struct top_group *g = top_group(&t->ops, i);

		g->main = fields_number(top_sort(main->key), g, &t->ops_table.of).whole;
		g->main_calls = of_device ? g->all_calls : g->calls;
		g->has_main = true;
		g->is_additive = main->is_additive;
		if (t->by == TOP_BY_PHASE)
			g->kind = NULL;
	}
}

void top_ops_rank(struct top *t)
{
	struct groupby *g = &t->ops_table;
	uint8_t *visible = arena_alloc(&t->at->mem, CPUOP_COLUMNS);
	enum top_key key = key_of(t);
	struct main_time main = main_of(t, key);

	top_groups_finish(t, &t->ops, group_name);
	set_main(t, &main);
	*g = groupby_of(&ops, t->at, &top_docs[TOP_OPS], &t->ops, t);
	g->by = top_sort(key);
	g->of.whole = (double)main.all;
	g->of.steps = (double)top_steps(t);
	g->limit = t->limit;
	g->order = visible;
	g->norder = visible_columns(t, &main, g->of.steps > 0, visible);
	g->without = left_out(t);
	groupby_rank(g);
	groupby_table(g);
	g->t->footnote = main.col == CPUOP_SELF || main.col == CPUOP_TOTAL
		? "% is of all self CPU time, runtime calls included; avg and p95 are of whole calls"
		: "% is of all GPU time (a sum, overlaps count twice); avg and p95 are of "
		  "whole calls";
}

void top_ops_put(struct top *t)
{
	groupby_put(&t->ops_table);
}
