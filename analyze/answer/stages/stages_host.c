/*
 * `stages`: annotations of the CPU, nested by time.
 */
#include "analyze/answer/stages/stages.h"
#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

struct host {
	struct stages *s;
	struct calltree tree;
	uint8_t *is_stage; /* by sym, of ops: 0 not asked, 1 no, 2 yes */
};

/* Traces of 2021 have annotations as ops; these are the profiler's and torch's own. */
static bool is_stage_name(struct span name)
{
	return span_starts(name, "ProfilerStep#") || span_starts(name, "Optimizer.") ||
		span_starts(name, "enumerate(Data");
}

static bool is_stage(void *ctx, uint32_t row)
{
	struct host *h = ctx;
	const struct run *r = h->s->at->run;
	sym name = r->events.name[row];

	if (r->events.kind[row] == KIND_ANNOTATION)
		return true;
	if (r->events.kind[row] != KIND_OP)
		return false;
	if (!h->is_stage[name])
		h->is_stage[name] = is_stage_name(strings_get(&r->strings, name)) ? 2 : 1;
	return h->is_stage[name] == 2;
}

static nsec busy_within(const struct stages *s, nsec start, nsec end)
{
	nsec sum = 0;
	size_t i;

	for (i = 0; i < s->ndevice; i++)
		saturate_onto(&sum, intervals_within(&s->device[i].busy, start, end));
	return sum;
}

/* What is no stage passes on the stage around it. */
static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct host *h = ctx;
	struct stages *s = h->s;
	struct frames_node *node = &path[depth];
	sym name = s->at->run->events.name[node->row];

	if (s->has_device)
		node->sum = saturate_add(
			devtime_get(&s->launched, node->row), stages_awaited(s, node->row));
	node->mark = up;
	stages_replay(s, &h->tree, up, node->row, is_stage, h);
	if (!is_stage(h, node->row) || !filter_host(&s->at->view, node->row) ||
		!filter_name(&s->at->view, name))
		return;
	node->mark = calltree_child(&h->tree, up, stages_name(s, name));
	node->tag = 1;
	if (h->tree.v[node->mark].row == NO_ROW)
		h->tree.v[node->mark].row = node->row;
}

static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct host *h = ctx;
	const struct frames_node *node = &path[depth];
	struct calltree_node *v;

	if (!node->tag)
		return;
	stages_call(h->s, &h->tree, node->mark, node->dur);
	v = &h->tree.v[node->mark];
	saturate_onto(&v->self_cpu, saturate_sub(node->dur, node->child_ns));
	saturate_onto(&v->device, node->sum);
	saturate_onto(
		&v->device_busy, busy_within(h->s, saturate_sub(node->end, node->dur), node->end));
}

void stages_put_host(struct stages *s, const struct table_doc *doc)
{
	const struct run *r = s->at->run;
	struct host h = { .s = s };
	const struct frames_visitor visitor = { &h, enter, leave };
	struct table *t;

	calltree_init(&h.tree);
	h.is_stage = arena_array(&s->at->mem, r->strings.n, sizeof(*h.is_stage));
	(void)frames_walk(r, optree_kinds(r), &visitor);
	stages_find_self(&h.tree);
	if (h.tree.n > 1 || !s->at->q->for_people) {
		const struct stages_view v = { .tree = &h.tree,
			.names = &r->strings,
			.device = -1,
			.has_device = s->has_device,
			.has_cpu_self = true };

		t = stages_table(s, doc);
		stages_put_tree(s, t, &v);
		rows_cut(t, STAGE_NAME, t->ncut);
	}
	calltree_clear(&h.tree);
}
