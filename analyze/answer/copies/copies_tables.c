/* `copies`: its tables. */
#include "analyze/answer/copies/copies.h"
#include "analyze/trace/run_steps.h"

/* Time of kernels that cast, over all devices. */
static nsec cast_sum(const struct copies *c)
{
	const struct copies_group *g = c->by[BY_KIND].item;
	nsec sum = 0;

	for (EACH(const struct copies_group, group, g, c->by[BY_KIND].n))
		if (copies_kind_at(c, group->key.kind)->what == MOVES_CAST)
			saturate_onto(&sum, group->calls.sum);
	return sum;
}

/* Of all devices, ns. */
static double exposed_in_steps(const struct copies *c)
{
	return SUM(double, i, c->window.ndevice, (double)c->window.device[i].ledger.exposed_memcpy);
}

static bool is_transfer(const void *ctx, const void *item)
{
	const struct copies_group *g = item;
	uint8_t what = copies_kind_at(ctx, g->key.kind)->what;

	return what == MOVES_COPY || what == MOVES_SET;
}

static bool is_kernel(const void *ctx, const void *item)
{
	return !is_transfer(ctx, item);
}

static void place(const void *ctx, const void *item, struct groupby_place *to)
{
	const struct copies *c = ctx;
	const struct copies_group *g = item;
	const struct copies_kind *k = copies_kind_at(c, g->key.kind);

	to->name = strings_get(&c->p->run->strings, g->key.op);
	to->b[0] = (int64_t)k->what << 32 | (int64_t)k->kind << 24 | (int64_t)k->direction << 16 |
		(int64_t)k->from << 8 | (int64_t)k->to;
	to->b[1] = g->key.device;
}

static const char *moves_word(uint8_t what)
{
	switch (what) {
	case MOVES_SET: return "set";
	case MOVES_CAST: return "cast";
	case MOVES_LAYOUT: return "copy";
	case MOVES_UNCLEAR: return "cast or copy";
	default: return "";
	}
}

static const char *memory_word(uint8_t memory)
{
	return copyclass_memory_word((enum copy_memory)memory);
}

static const struct copies_kind *kind_of(const struct groupby *g, const void *item)
{
	return copies_kind_at(g->ctx, ((const struct copies_group *)item)->key.kind);
}

static void put_copy(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct copies_kind *k = kind_of(g, item);

	groupby_text(g, COPY_KIND, span_of(kind_word((enum kind)k->kind)));
	groupby_text(g, COPY_DIRECTION,
		span_of(k->what == MOVES_COPY
				? copyclass_direction_word((enum copy_direction)k->direction)
				: "set"));
	if (k->what == MOVES_COPY && k->from != COPY_MEMORY_UNKNOWN)
		groupby_text(g, COPY_FROM, span_of(memory_word(k->from)));
	if (k->what == MOVES_COPY && k->to != COPY_MEMORY_UNKNOWN)
		groupby_text(g, COPY_TO, span_of(memory_word(k->to)));
}

static void put_kernel(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	groupby_text(g, CKER_MOVES, span_of(moves_word(kind_of(g, item)->what)));
}

static void put_op(const struct groupby *g, const void *item, uint32_t i UNUSED)
{
	const struct copies_kind *k = kind_of(g, item);
	struct span op = fields_text(&g->doc->col[CAUSE_OP].from, item, &g->of);

	if (k->what == MOVES_COPY)
		table_textf(g->t, CAUSE_MOVES, "%s %s -> %s",
			copyclass_direction_word((enum copy_direction)k->direction),
			memory_word(k->from), memory_word(k->to));
	else
		table_text(g->t, CAUSE_MOVES, span_of(moves_word(k->what)));
	if (op.n > 0)
		table_bool(g->t, CAUSE_IS_COPY_OP, copyclass_is_copy_op(op));
}

static const struct grouping copies = { .sort = COPY_SUM,
	.name = COPY_DIRECTION,
	.takes = is_transfer,
	.place = place,
	.put = put_copy };
static const struct grouping kernels = {
	.sort = CKER_SUM, .name = CKER_MOVES, .takes = is_kernel, .place = place, .put = put_kernel
};
static const struct grouping ops = {
	.sort = CAUSE_SUM, .name = CAUSE_OP, .people = 15, .place = place, .put = put_op
};

static void put(struct copies *c, const struct grouping *how, enum copies_table table,
	enum copies_by by, uint64_t hide)
{
	const struct steps *s = c->p->run->steps;
	struct groupby g = groupby_of(how, c->p, &copies_docs[table], &c->by[by], c);

	g.of.whole = (double)c->device_sum;
	g.of.steps = s && s->source != STEPS_WHOLE ? (double)c->p->view.nstep : 0;
	g.hide = hide;
	if (how->people)
		groupby_limit(&g, c->o->limit);
	groupby_put(&g);
}

void copies_tables(struct copies *c)
{
	bool several = c->devices.n > 1;

	if (c->device_sum > 0) {
		const struct fields_of of = { .whole = (double)c->device_sum };
		const struct copies_key key = { 0 };
		struct table *t = perrun_table(c->p, &copies_docs[COPIES_TOTALS]);
		nsec cast = cast_sum(c);
		t->layout = TABLE_LIST;
		fields_row(t, groups_at(&c->by[BY_NOTHING], &key), &of);
		TABLE_CELLS(t,
			[CTOT_PER_STEP] = CELL_IF(c->window.ndevice > 0,
				cell_real(exposed_in_steps(c) / (double)c->window.nstep)),
			[CTOT_CAST] = cell_int(cast),
			[CTOT_CAST_SHARE] = cell_ratio(cast, c->device_sum),
			[CTOT_DEVICE_SUM] = cell_int(c->device_sum));
		if (c->p->q->for_people)
			table_drop_empty(t);
	}
	put(c, &copies, COPIES_COPIES, BY_KIND, several ? 0 : UINT64_C(1) << COPY_DEVICE);
	put(c, &kernels, COPIES_KERNELS, BY_KIND, several ? 0 : UINT64_C(1) << CKER_DEVICE);
	put(c, &ops, COPIES_CAUSES, BY_OP, 0);
}
