/*
 * The second pass over the CPU rows of `top`: durations of the groups that are shown.
 */
#include "analyze/measure/optree_walk.h"
#include "analyze/answer/top/top_task.h"
#include "analyze/answer/top/top_rank.h"

/* A walk that samples by phase. */
struct sampling {
	struct top *t;
	struct top_samples *s;
};

static void sample(struct top *t, struct filter_view *view, struct top_samples *s, uint32_t row,
	uint32_t group)
{
	const struct events *ev = &t->at->run->events;

	if (group == TOP_NO_GROUP || !t->ops.g[group].slot || !filter_host(view, row) ||
		!filter_name(view, ev->name[row]) ||
		t->at->run->lanes.lane[ev->lane[row]].is_device)
		return;
	top_samples_add(s, t->ops.g[group].slot, ev->dur[row]);
}

static void sample_enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct sampling *p = ctx;
	struct optree_node *node = &path[depth];

	node->mark = phases_of(&p->t->phases, node->name,
		(enum kind)p->t->at->run->events.kind[node->row],
		depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER);
	sample(p->t, &p->t->at->view, p->s, node->row,
		top_groups_find(&p->t->ops, top_id(0, (enum phase)node->mark, 0)));
}

/*
 * By sym: the slot of the one shown group of that name, 0 where none is shown, or SLOT_ASK where
 * the group takes more than the name to find.
 */
struct quick {
	uint32_t slot;
	uint32_t kind;
};
#define SLOT_ASK UINT32_MAX

static const struct quick *quick_slots(struct top *t)
{
	size_t n = t->at->run->strings.n, i;
	struct quick *q = arena_array(&t->at->mem, n, sizeof(*q));

	for (i = 0; i < t->ops.n; i++) {
		const struct top_group *g = &t->ops.g[i];
		struct quick *at = &q[top_id_a(g->id)];

		if (!g->slot)
			continue;
		*at = (struct quick){ at->slot || t->by == TOP_BY_SHAPE ? SLOT_ASK : g->slot,
			(uint32_t)g->id.kind };
	}
	for (i = 0; i < n; i++)
		q[i] = q[t->canon[i]];
	return q;
}

static void sample_quickly(struct top *t, struct filter_view *view, struct top_samples *s)
{
	const struct events *ev = &t->at->run->events;
	const struct lane *lane = t->at->run->lanes.lane;
	const struct quick *quick = quick_slots(t);
	size_t i;

	for (i = 0; i < ev->n; i++) {
		struct quick q = quick[ev->name[i]];

		if (!q.slot || !(KIND_BIT(ev->kind[i]) & t->tree))
			continue;
		if (q.slot == SLOT_ASK)
			sample(t, view, s, (uint32_t)i, top_ops_find(t, (uint32_t)i));
		else if (q.kind == ev->kind[i] && filter_host(view, (uint32_t)i) &&
			!lane[ev->lane[i]].is_device)
			top_samples_add(s, q.slot, ev->dur[i]);
	}
}

/* In file order, which is faster than in the tree's where that does not matter. */
void top_ops_sample(struct top *t, struct top_samples *s)
{
	struct filter_view view = t->at->view;
	struct sampling p = { t, s };
	struct optree_visitor v = { .ctx = &p, .enter = sample_enter };
	const struct events *ev = &t->at->run->events;
	size_t i;

	if (t->by == TOP_BY_PHASE)
		optree_walk(t->at->run, t->tree, NULL, &v);
	else if (t->by != TOP_BY_CATEGORY)
		sample_quickly(t, &view, s);
	else
		for (i = 0; i < ev->n; i++)
			if (KIND_BIT(ev->kind[i]) & t->tree)
				sample(t, &view, s, (uint32_t)i, top_ops_find(t, (uint32_t)i));
}
