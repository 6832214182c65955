/*
 * `summary`: one walk over the op tree for CPU time by phase, and for the sums the documents use.
 */
#include "analyze/devtime.h"
#include "analyze/optree.h"
#include "analyze/saturate.h"
#include "analyze/store/run.h"
#include "analyze/store/steps.h"
#include "analyze/summary.h"

struct walk {
	struct summary *s;
	struct phases phases;
	struct devtime devtime;
	bool *is_hidden; /* by sym */
	uint32_t step;   /* of the last row asked for */
};

/* Whether it starts in a step; rows that follow each other mostly share theirs. */
static bool is_in_steps(struct walk *w, uint32_t row)
{
	const struct run *r = w->s->at->run;
	const struct steps *steps = r->steps;
	nsec t = r->events.start[row];

	if (steps->source == STEPS_WHOLE)
		return true;
	if (w->step >= steps->n || t < steps->step[w->step].start || t >= steps->step[w->step].end)
		w->step = steps_at(steps, t);
	return w->step != NO_ROW;
}

static void add(nsec *sum, nsec v)
{
	*sum = saturate_add(*sum, v);
}

/* tag: 1 + the phase; mark: whether the filter takes the row. */
static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct walk *w = ctx;
	struct optree_node *node = &path[depth];
	const struct events *ev = &w->s->at->run->events;
	enum phase caller = depth > 0 ? (enum phase)(path[depth - 1].tag - 1) : PHASE_OTHER;

	node->tag = 1 +
		(uint32_t)phases_of(&w->phases, node->name, (enum kind)ev->kind[node->row], caller);
	node->mark = filter_host(&w->s->at->view, node->row);
}

/*
 * Self times count hidden rows too, so that they add up to the roots.  Totals are torch's, which
 * sums cpu_time_total and device_time_total over all rows after its dedup: what is nested counts at
 * each level.
 */
static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct walk *w = ctx;
	const struct optree_node *node = &path[depth];
	struct summary *s = w->s;
	nsec self = saturate_sub(node->dur, node->child_ns);

	if (!node->mark)
		return;
	add(&s->cpu_self, self);
	if (is_in_steps(w, node->row)) {
		add(&s->phase_cpu[node->tag - 1], self);
		add(&s->phase_device[node->tag - 1], devtime_get(&w->devtime, node->row));
	}
	if (w->is_hidden[node->name])
		return;
	add(&s->cpu_total, node->dur);
	add(&s->device_total, node->device_ns);
	if (!dup)
		return;
	s->cpu_total = saturate_sub(s->cpu_total, dup->dur);
	s->device_total = saturate_sub(s->device_total, dup->device_ns);
}

void summary_collect_host(struct summary *s)
{
	const struct run *r = s->at->run;
	struct walk w = { .s = s };
	const struct optree_visitor visitor = { .ctx = &w, .enter = enter, .leave = leave };
	size_t i;

	if (!s->has_host)
		return;
	w.is_hidden = arena_array(&s->at->mem, r->strings.n, sizeof(*w.is_hidden));
	for (i = 0; i < r->strings.n; i++)
		w.is_hidden[i] = optree_hides(strings_get(&r->strings, (sym)i));
	phases_init(&w.phases, r, &s->at->mem);
	devtime_init(&w.devtime, r, &s->at->view);
	optree_walk(r, optree_kinds(r), &w.devtime, &visitor);
	devtime_clear(&w.devtime);
}
