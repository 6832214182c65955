/* Durations of the rows `top` shows, and their quantiles: a second pass over the events, CPU rows
 * beside device rows, then the shown groups one by one. */
#include "analyze/answer/top/top.h"
#include "base/parallel.h"

static void sample_op_row(struct top *t, struct filter_view *view, uint32_t row, uint32_t group)
{
	const struct events *ev = &t->at->run->events;

	if (group == TOP_NO_GROUP || !t->ops_table.slot[group] || !filter_host(view, row) ||
		!filter_name(view, ev->name[row]) ||
		t->at->run->lanes.lane[ev->lane[row]].is_device)
		return;
	groupby_sample(&t->ops_table, 0, group, ev->dur[row]);
}

static void sample_enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct top *t = ctx;
	struct optree_node *node = &path[depth];

	node->mark =
		phases_of(&t->phases, node->name, (enum kind)t->at->run->events.kind[node->row],
			depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER);
	sample_op_row(t, &t->at->view, node->row,
		top_groups_find(&t->ops, top_id(0, (enum phase)node->mark, 0)));
}

/* By sym: the slot of the one shown group of that name, 0 where none is shown, or SLOT_ASK where
 * the group takes more than the name to find. */
struct quick {
	uint32_t slot;
	uint32_t kind;
};
#define SLOT_ASK UINT32_MAX

static const struct quick *quick_slots(struct top *t)
{
	size_t n = t->at->run->strings.n;
	struct quick *q = arena_array(&t->at->mem, n, sizeof(*q));

	for (size_t i = 0; i < t->ops.n; i++) {
		const struct top_group *g = top_group(&t->ops, i);
		struct quick *at = &q[top_id_a(g->id)];
		uint32_t slot = t->ops_table.slot[i];

		if (slot)
			*at = (struct quick){ at->slot || t->by == TOP_BY_SHAPE ? SLOT_ASK : slot,
				(uint32_t)g->id.kind };
	}
	for (size_t i = 0; i < n; i++)
		q[i] = q[t->canon[i]];
	return q;
}

static void sample_quickly(struct top *t, struct filter_view *view)
{
	const struct events *ev = &t->at->run->events;
	const struct lane *lane = t->at->run->lanes.lane;
	const struct quick *quick = quick_slots(t);

	for (size_t i = 0; i < ev->n; i++) {
		struct quick q = quick[ev->name[i]];

		if (!q.slot || !(KIND_BIT(ev->kind[i]) & t->tree))
			continue;
		if (q.slot == SLOT_ASK)
			sample_op_row(t, view, (uint32_t)i, top_ops_find(t, (uint32_t)i));
		else if (q.kind == ev->kind[i] && filter_host(view, (uint32_t)i) &&
			!lane[ev->lane[i]].is_device)
			groupby_sample_row(&t->ops_table, 0, q.slot, ev->dur[i]);
	}
}

/* In file order, which is faster than in the tree's where that does not matter. */
static void sample_ops(struct top *t)
{
	struct filter_view view = t->at->view;
	struct optree_visitor v = { .ctx = t, .enter = sample_enter };
	const struct events *ev = &t->at->run->events;

	if (t->by == TOP_BY_PHASE)
		optree_walk(t->at->run, t->tree, NULL, &v);
	else if (t->by != TOP_BY_CATEGORY)
		sample_quickly(t, &view);
	else
		for (size_t i = 0; i < ev->n; i++)
			if (KIND_BIT(ev->kind[i]) & t->tree)
				sample_op_row(t, &view, (uint32_t)i, top_ops_find(t, (uint32_t)i));
}

static void sample_device(struct top *t)
{
	const struct events *ev = &t->at->run->events;

	for (EACH_DEVICE_ROW(row, t->at->run)) {
		uint32_t at = top_device_find(t, row);

		if (at != TOP_NO_GROUP && t->device_table.slot[at] &&
			filter_device(&t->at->view, row) &&
			filter_name(&t->at->view, ev->name[row]) &&
			t->at->run->lanes.lane[ev->lane[row]].is_device)
			groupby_sample(&t->device_table, 0, at, ev->dur[row]);
	}
}

static void sample_job(void *ctx, size_t i)
{
	struct top *t = ctx;

	if (i == 0 && t->ops_table.at)
		sample_ops(t);
	if (i == 1 && t->device_table.at)
		sample_device(t);
}

void top_quantiles(struct top *t)
{
	struct groupby *tables[] = { &t->ops_table, &t->device_table };

	if (t->at->q->no_quantiles)
		return;
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		if (tables[i]->at)
			groupby_sample_begin(tables[i], 1);
	parallel_run(COUNT_OF(tables), top_threads(t), sample_job, t);
	for (size_t i = 0; i < COUNT_OF(tables); i++)
		if (tables[i]->at)
			groupby_sample_end(tables[i], top_threads(t));
}
