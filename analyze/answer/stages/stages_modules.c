/*
 * `stages`: the nn.Module tree, from Python functions that are calls of modules; where there are
 * none, from the Module Hierarchy that operators carry.
 */
#include "analyze/answer/stages/stages.h"
#include "analyze/measure/frames.h"
#include "analyze/measure/optree.h"
#include "analyze/query/rows.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

#define MODULE "nn.Module: "

struct modules {
	struct stages *s;
	struct calltree tree;
	struct strings names; /* of the parts of a hierarchy */
	uint32_t *node_of;    /* by sym of a hierarchy: its node, or 0 */
	bool is_hierarchy;
};

static void enter_module(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct modules *m = ctx;
	struct stages *s = m->s;
	const struct run *r = s->at->run;
	struct frames_node *node = &path[depth];
	sym name = r->events.name[node->row];

	if (s->has_device)
		node->sum = devtime_get(&s->launched, node->row);
	node->mark = up;
	if (r->events.kind[node->row] != KIND_PYTHON ||
		!span_starts(strings_get(&r->strings, name), MODULE) ||
		!filter_host(&s->at->view, node->row) || !filter_name(&s->at->view, name))
		return;
	node->mark = calltree_child(&m->tree, up, name);
	node->tag = 1;
	if (m->tree.v[node->mark].row == NO_ROW)
		m->tree.v[node->mark].row = node->row;
}

static void leave_module(void *ctx, struct frames_node *path, size_t depth)
{
	struct modules *m = ctx;
	const struct frames_node *node = &path[depth];
	struct calltree_node *v;

	if (!node->tag)
		return;
	stages_call(m->s, &m->tree, node->mark, node->dur);
	v = &m->tree.v[node->mark];
	saturate_onto(&v->device, node->sum);
}

/* "Net.encoder.linear": one node for each part. */
static uint32_t node_of(struct modules *m, sym hierarchy)
{
	struct span text = strings_get(&m->s->at->run->strings, hierarchy);
	uint32_t node = 0;

	while (text.n > 0) {
		const char *dot = memchr(text.p, '.', text.n);
		size_t n = dot ? (size_t)(dot - text.p) : text.n;

		if (n > 0)
			node = calltree_child(&m->tree, node,
				strings_intern(&m->names, (struct span){ text.p, n }));
		text.p += n + (dot != NULL);
		text.n -= n + (dot != NULL);
	}
	return node;
}

static void enter_op(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct modules *m = ctx;
	const struct run *r = m->s->at->run;
	struct frames_node *node = &path[depth];
	uint32_t side = r->events.args[node->row];
	sym hierarchy;

	node->mark = up;
	if (r->events.kind[node->row] != KIND_OP || side == NO_ARGS ||
		!filter_host(&m->s->at->view, node->row))
		return;
	hierarchy = args_sym(&r->args, ARG_OP_MODULES, side - 1);
	if (!hierarchy)
		return;
	if (!m->node_of[hierarchy])
		m->node_of[hierarchy] = node_of(m, hierarchy);
	node->mark = m->node_of[hierarchy];
	if (node->mark && m->tree.v[node->mark].row == NO_ROW)
		m->tree.v[node->mark].row = node->row;
}

/* An op's own time and device work count for its module and all around that. */
static void leave_op(void *ctx, struct frames_node *path, size_t depth)
{
	struct modules *m = ctx;
	const struct frames_node *node = &path[depth];
	nsec self = saturate_sub(node->dur, node->child_ns);
	nsec device = m->s->has_device ? devtime_get(&m->s->devtime, node->row) : 0;
	uint32_t at = node->mark;

	if (!at)
		return;
	m->tree.v[at].calls++;
	for (; at; at = m->tree.v[at].parent) {
		struct calltree_node *v = &m->tree.v[at];

		saturate_onto(&v->total, self);
		saturate_onto(&v->device, device);
	}
}

static void walk(struct modules *m)
{
	const struct run *r = m->s->at->run;
	const struct frames_visitor by_call = { m, enter_module, leave_module };
	const struct frames_visitor by_op = { m, enter_op, leave_op };
	unsigned kinds = optree_kinds(r);

	if (r->kind_count[KIND_PYTHON] > 0)
		(void)frames_walk(r, kinds | KIND_BIT(KIND_PYTHON), &by_call);
	if (m->tree.n > 1 || !args_any_text(&r->args, ARG_OP_MODULES))
		return;
	m->is_hierarchy = true;
	m->node_of = arena_array(&m->s->at->mem, r->strings.n, sizeof(*m->node_of));
	(void)frames_walk(r, kinds, &by_op);
}

void stages_put_modules(struct stages *s, const struct table_doc *doc)
{
	struct modules m = { .s = s };
	struct table *t;

	calltree_init(&m.tree);
	strings_init(&m.names, 0);
	walk(&m);
	stages_find_self(&m.tree);
	if (m.tree.n > 1) {
		t = perrun_table(s->at, doc);
		stages_put_tree(s, t,
			&(struct stages_view){ .tree = &m.tree,
				.names = m.is_hierarchy ? &m.names : &s->at->run->strings,
				.prefix = MODULE,
				.device = -1,
				.has_device = s->has_device });
		rows_cut(t, STAGE_NAME, t->ncut);
	}
	strings_clear(&m.names);
	calltree_clear(&m.tree);
}
