/*
 * `check`: counting.  One pass over the host order, one over the device events.
 */
#include <stdlib.h>

#include "analyze/answer/check/check.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/columns/idmap.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run_steps.h"
#include "base/arena.h"
#include "base/saturate.h"

/* Counts a row and remembers the first. */
static void count_row(int64_t *count, uint32_t *first, size_t row)
{
	if ((*count)++ == 0)
		*first = (uint32_t)row;
}

/* Events that the reader had to leave out. */
static int64_t lost_events(const struct tally *t)
{
	static const enum problem lost[] = { PROBLEM_SKIPPED_EVENT, PROBLEM_NOT_AN_OBJECT,
		PROBLEM_NO_PHASE, PROBLEM_NO_TIME, PROBLEM_END_WITHOUT_BEGIN,
		PROBLEM_ZERO_TIME_KERNEL, PROBLEM_TOO_DEEP, PROBLEM_TOO_LONG };
	int64_t sum = 0;
	size_t i;

	for (i = 0; i < COUNT_OF(lost); i++)
		saturate_onto(&sum, t->count[lost[i]]);
	return sum;
}

static void count_categories(struct check *c)
{
	size_t i;

	for (i = 0; i < c->at->run->ncat; i++)
		if (!c->at->run->cat[i].has_cat)
			c->n.no_category += c->at->run->cat[i].count;
}

static void count_flags(struct check *c)
{
	const struct events *ev = &c->at->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++) {
		if (!(ev->flags[i] & (EVENT_UNFINISHED | EVENT_CUT)))
			continue;
		if (ev->flags[i] & EVENT_UNFINISHED)
			count_row(&c->n.unfinished, &c->n.first_unfinished, i);
		if (ev->flags[i] & EVENT_CUT)
			count_row(&c->n.cut, &c->n.first_cut, i);
	}
}

/* Open slices of one lane: their ends, the outermost first. */
struct ends {
	nsec *v;
	size_t n, cap;
};

/* Closes by the rule of the op tree; whether the new slice crosses one of those it closes. */
static bool close_before(struct ends *open, nsec start, nsec end)
{
	bool crosses = false;

	while (open->n > 0 && (start >= open->v[open->n - 1] || end > open->v[open->n - 1])) {
		crosses = crosses || start < open->v[open->n - 1];
		open->n--;
	}
	return crosses;
}

static void count_overlaps(struct check *c)
{
	const struct events *ev = &c->at->run->events;
	const struct order *o = c->at->run->order;
	unsigned kinds = optree_kinds(c->at->run);
	struct ends open = { 0 };
	size_t lane, i;

	for (lane = 0; lane < c->at->run->lanes.n; lane++) {
		open.n = 0;
		for (i = o->host_begin[lane]; i < o->host_begin[lane + 1]; i++) {
			uint32_t row = o->host[i];
			nsec end = events_end(ev, row);

			if (!(KIND_BIT(ev->kind[row]) & kinds))
				continue;
			c->n.host++;
			if (close_before(&open, ev->start[row], end))
				count_row(&c->n.overlaps, &c->n.first_overlap, row);
			if (open.n == open.cap)
				open.v = array_grow(open.v, &open.cap, open.n + 1, sizeof(*open.v));
			open.v[open.n++] = end;
		}
	}
	free(open.v);
}

/* The External ids that ops have. */
static void index_op_ids(const struct run *r, struct idmap *ops)
{
	const uint32_t *id = r->args.col[ARG_OP_EXTERNAL_ID].id;

	size_t n = id ? r->args.n[ARGS_OP] : 0, i;

	idmap_init(ops, id, n);
	for (i = 0; i < n; i++)
		if (id[i] != 0)
			*idmap_slot(ops, id[i]) = 1;
}

static uint32_t id_of(const struct run *r, enum arg arg, uint32_t side)
{
	const uint32_t *id = r->args.col[arg].id;

	return id && side != NO_ARGS ? id[side - 1] : 0;
}

static void count_launch(struct check *c, uint32_t row, uint32_t side, bool queued)
{
	const struct events *ev = &c->at->run->events;
	const struct links *l = c->at->run->links;
	uint32_t launch = side == NO_ARGS ? NO_ROW : l->launch[side - 1];

	if (launch == NO_ROW) {
		saturate_onto(&c->n.unlinked_ns, ev->dur[row]);
		if (queued)
			count_row(&c->n.queued, &c->n.first_queued, row);
		else if (c->n.first_unlinked == NO_ROW)
			c->n.first_unlinked = row;
		return;
	}
	if (ev->start[row] < ev->start[launch])
		count_row(&c->n.before_launch, &c->n.first_before, row);
	if (l->op_of_launch[ev->args[launch] - 1] == NO_ROW) {
		c->n.outside_ops++;
		saturate_onto(&c->n.outside_ops_ns, ev->dur[row]);
	}
}

static void count_device(struct check *c)
{
	const struct run *r = c->at->run;
	const struct events *ev = &r->events;
	bool *queued = check_find_queued(r);
	struct idmap ops;
	size_t i;

	index_op_ids(r, &ops);
	for (i = 0; i < ev->n; i++) {
		uint32_t side = ev->args[i];

		if (!kind_is_device((enum kind)ev->kind[i]))
			continue;
		c->n.device++;
		if (ev->dur[i] == 0)
			count_row(&c->n.zero_duration, &c->n.first_zero, i);
		if (id_of(r, ARG_DEVICE_CORRELATION, side) == 0)
			count_row(&c->n.no_correlation, &c->n.first_no_correlation, i);
		if (idmap_get(&ops, id_of(r, ARG_DEVICE_EXTERNAL_ID, side)) == NO_ROW)
			c->n.no_external_op++;
		count_launch(c, (uint32_t)i, side, side != NO_ARGS && queued[side - 1]);
	}
	idmap_clear(&ops);
	free(queued);
}

static void count_steps(struct check *c)
{
	const struct steps *s = c->at->run->steps;
	uint32_t row;
	size_t i;

	for (i = 0; i < s->n; i++) {
		if (!s->step[i].incomplete)
			continue;
		c->n.steps_incomplete++;
		if (c->n.first_incomplete == NO_ROW && step_event(&s->step[i], &row))
			c->n.first_incomplete = row;
	}
}

void check_count(struct check *c)
{
	c->n = (struct check_counts){
		.lost = lost_events(&c->at->run->tally),
		.first_unfinished = NO_ROW,
		.first_cut = NO_ROW,
		.first_overlap = NO_ROW,
		.first_zero = NO_ROW,
		.first_unlinked = NO_ROW,
		.first_queued = NO_ROW,
		.first_no_correlation = NO_ROW,
		.first_before = NO_ROW,
		.first_incomplete = NO_ROW,
	};
	count_categories(c);
	count_flags(c);
	count_overlaps(c);
	count_device(c);
	count_steps(c);
}
