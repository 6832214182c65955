/* `check`: its rules, and counting what they are about.  One pass over the host order, one over the
 * device events. */
#include "analyze/answer/check/check.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run_steps.h"

#define X(name, id_, of_, some_, percent_, beyond_, text_, doc_)           \
	const struct rule rule_##id_ = {                                   \
		.word = { #id_, text_, doc_, NULL },                       \
		.quality = &(const struct quality_limits){ .of = OF_##of_, \
			.some = SEVERITY_##some_,                          \
			.beyond = SEVERITY_##beyond_,                      \
			.percent = percent_ },                             \
	};
CHECKS(X)
#undef X

/* Counts a row and remembers the first. */
static void count_row(struct check *c, enum check_id id, size_t row)
{
	if (c->seen[id].n++ == 0)
		c->seen[id].first = (uint32_t)row;
}

/* Events that the reader had to leave out. */
static int64_t lost_events(const struct tally *t)
{
	static const enum problem lost[] = { PROBLEM_SKIPPED_EVENT, PROBLEM_NOT_AN_OBJECT,
		PROBLEM_NO_PHASE, PROBLEM_NO_TIME, PROBLEM_END_WITHOUT_BEGIN,
		PROBLEM_ZERO_TIME_KERNEL, PROBLEM_STRAY, PROBLEM_TOO_DEEP, PROBLEM_TOO_LONG };
	int64_t sum = 0;

	for (size_t i = 0; i < COUNT_OF(lost); i++)
		saturate_onto(&sum, t->count[lost[i]]);
	return sum;
}

static void count_categories(struct check *c)
{
	for (size_t i = 0; i < c->at->run->ncat; i++)
		if (!c->at->run->cat[i].has_cat)
			c->seen[CHECK_NO_CATEGORY].n += c->at->run->cat[i].count;
}

static void count_flags(struct check *c)
{
	const struct events *ev = &c->at->run->events;

	for (size_t i = 0; i < ev->n; i++) {
		if (!(ev->flags[i] & (EVENT_UNFINISHED | EVENT_CUT)))
			continue;
		if (ev->flags[i] & EVENT_UNFINISHED)
			count_row(c, CHECK_UNFINISHED, i);
		if (ev->flags[i] & EVENT_CUT)
			count_row(c, CHECK_CUT, i);
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

	for (size_t lane = 0; lane < c->at->run->lanes.n; lane++) {
		open.n = 0;
		for (size_t i = o->host_begin[lane]; i < o->host_begin[lane + 1]; i++) {
			uint32_t row = o->host[i];
			nsec end = events_end(ev, row);

			if (!(KIND_BIT(ev->kind[row]) & kinds))
				continue;
			c->host++;
			if (close_before(&open, ev->start[row], end))
				count_row(c, CHECK_OVERLAP, row);
			PUSH(open.v, open.n, open.cap, end);
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
		saturate_onto(&c->unlinked_ns, ev->dur[row]);
		if (queued)
			count_row(c, CHECK_QUEUED, row);
		else if (c->seen[CHECK_UNLINKED].first == NO_ROW)
			c->seen[CHECK_UNLINKED].first = row;
		return;
	}
	if (ev->start[row] < ev->start[launch])
		count_row(c, CHECK_BEFORE, row);
	if (l->op_of_launch[ev->args[launch] - 1] == NO_ROW) {
		c->seen[CHECK_OUTSIDE].n++;
		saturate_onto(&c->outside_ops_ns, ev->dur[row]);
	}
}

static void count_device(struct check *c)
{
	const struct run *r = c->at->run;
	const struct events *ev = &r->events;
	bool *queued = check_find_queued(r);
	struct idmap ops;

	index_op_ids(r, &ops);
	for (size_t i = 0; i < ev->n; i++) {
		uint32_t side = ev->args[i];

		if (!kind_is_device((enum kind)ev->kind[i]))
			continue;
		c->device++;
		if (ev->dur[i] == 0)
			count_row(c, CHECK_ZERO_DURATION, i);
		if (id_of(r, ARG_DEVICE_CORRELATION, side) == 0)
			count_row(c, CHECK_NO_CORRELATION, i);
		if (idmap_get(&ops, id_of(r, ARG_DEVICE_EXTERNAL_ID, side)) == NO_ROW)
			c->seen[CHECK_NO_EXTERNAL].n++;
		count_launch(c, (uint32_t)i, side, side != NO_ARGS && queued[side - 1]);
	}
	idmap_clear(&ops);
	free(queued);
}

static void count_steps(struct check *c)
{
	struct check_count *seen = &c->seen[CHECK_STEPS_INCOMPLETE];
	const struct steps *s = c->at->run->steps;
	uint32_t row;

	for (size_t i = 0; i < s->n; i++) {
		if (!s->step[i].incomplete)
			continue;
		seen->n++;
		if (seen->first == NO_ROW && step_event(&s->step[i], &row))
			seen->first = row;
	}
}

static bool window_end_missing(const struct run *r)
{
	return !r->saw_window_end && !r->is_array && r->nevent > 0 &&
		producer_named(strings_get(&r->strings, r->meta.producer)) == PRODUCER_KINETO;
}

/* What the run and its links know already. */
static void take_counts(struct check *c)
{
	const struct run *r = c->at->run;
	const struct links *l = r->links;
	const struct {
		enum check_id id;
		int64_t n;
	} known[] = {
		{ CHECK_EVENTS, r->nevent },
		{ CHECK_LOST, lost_events(&r->tally) },
		{ CHECK_WINDOW_END, window_end_missing(r) },
		{ CHECK_UNKNOWN_KIND, producers_know(r) ? 0 : r->kind_count[KIND_OTHER] },
		{ CHECK_LINKED, l->linked },
		{ CHECK_GRAPH, l->graph },
		{ CHECK_UNLINKED, l->unlinked - c->seen[CHECK_QUEUED].n },
		{ CHECK_WITH_OP, l->by_external_id },
		{ CHECK_DUPLICATE_CORRELATION, l->duplicate_correlations },
		{ CHECK_DUPLICATE_EXTERNAL, links_duplicate_external_ids(r) },
		{ CHECK_WITHOUT_DEVICE, (int64_t)l->nwithout_device },
		{ CHECK_NO_WORK, r->is_complete ? links_lost_work(r) : 0 },
		{ CHECK_NO_STEPS, r->steps->source == STEPS_WHOLE },
	};

	for (size_t i = 0; i < COUNT_OF(known); i++)
		c->seen[known[i].id].n = known[i].n;
}

void check_count(struct check *c)
{
	FILL(c->seen, CHECK_COUNT, (struct check_count){ 0, NO_ROW });
	count_categories(c);
	count_flags(c);
	count_overlaps(c);
	count_device(c);
	count_steps(c);
	take_counts(c);
}
