/* `stages`: the nn.Module tree, from Python functions that are calls of modules; where there are
 * none, from the Module Hierarchy that operators carry. */
#include "analyze/answer/stages/stages.h"
#include "analyze/measure/host/frames.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/graphs/replay.h"

#define MODULE "nn.Module: "

struct modules {
	struct stages *s;
	struct calltree tree;
	struct strings names; /* of the parts of a hierarchy */
	uint32_t *node_of;    /* by sym of a hierarchy: its node, or 0 */
	bool is_hierarchy;
};

static bool is_module(void *ctx, uint32_t row)
{
	const struct run *r = ((const struct modules *)ctx)->s->at->run;

	return r->events.kind[row] == KIND_PYTHON && span_starts(run_name(r, row), MODULE);
}

static void enter_module(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct modules *m = ctx;
	struct stages *s = m->s;
	struct frames_node *node = &path[depth];

	if (s->has_device)
		node->sum = devtime_get(&s->launched, node->row);
	stages_enter(s, &m->tree, node, up, is_module, m);
}

static void leave_module(void *ctx, struct frames_node *path, size_t depth)
{
	struct modules *m = ctx;
	const struct frames_node *node = &path[depth];

	if (!node->tag)
		return;
	stages_call(m->s, &m->tree, node->mark, node->dur);
	struct calltree_node *v = &m->tree.v[node->mark];
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

/* Device work of a module and all around it. */
static void add_device(struct modules *m, uint32_t at, nsec device)
{
	for (; at; at = m->tree.v[at].parent)
		saturate_onto(&m->tree.v[at].device, device);
}

/* The node of the hierarchy that an op carries, or 0. */
static uint32_t node_of_op(struct modules *m, uint32_t row)
{
	const struct run *r = m->s->at->run;
	uint32_t side = r->events.args[row];
	sym hierarchy = r->events.kind[row] == KIND_OP && side != NO_ARGS
		? args_sym(&r->args, ARG_OP_MODULES, side - 1)
		: 0;

	if (!hierarchy)
		return 0;
	if (!m->node_of[hierarchy])
		m->node_of[hierarchy] = node_of(m, hierarchy);
	return m->node_of[hierarchy];
}

/* A kernel of a graph replay is of the captured op's module, not of that of the op around the
 * launch. */
static void move_kernel(void *ctx, const struct replayed *k)
{
	struct modules *m = ctx;
	const struct run *r = m->s->at->run;
	uint32_t host = r->replay->op[r->events.args[k->row] - 1];

	if (k->nown == 0)
		return;
	uint32_t to = node_of_op(m, k->call[k->nown - 1]);
	if (!to)
		return;
	m->tree.v[to].replays += k->nown > k->nseen;
	if (host != NO_ROW && filter_host(&m->s->at->view, host))
		add_device(m, node_of_op(m, host), -k->dur);
	add_device(m, to, k->dur);
}

static void enter_op(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct modules *m = ctx;
	struct frames_node *node = &path[depth];

	node->mark = up;
	if (!filter_host(&m->s->at->view, node->row))
		return;
	if (replays_has(&m->s->replays, node->row))
		replays_of(&m->s->replays, node->row, move_kernel, m);
	uint32_t own = node_of_op(m, node->row);
	if (!own)
		return;
	node->mark = own;
	if (m->tree.v[node->mark].row == NO_ROW)
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
	add_device(m, at, device);
	for (; at; at = m->tree.v[at].parent)
		saturate_onto(&m->tree.v[at].total, self);
}

/* What kernels of CUDA graphs are annotated with: a module's name, or that of a region. */
static sym annotation_of(const struct run *r, uint32_t row)
{
	uint32_t side = r->events.args[row];
	sym module = side == NO_ARGS ? 0 : args_sym(&r->args, ARG_DEVICE_MODULE, side - 1);

	return module || side == NO_ARGS ? module : args_sym(&r->args, ARG_DEVICE_REGION, side - 1);
}

static void walk(struct modules *m)
{
	const struct run *r = m->s->at->run;
	const struct frames_visitor by_call = { m, enter_module, leave_module };
	const struct frames_visitor by_op = { m, enter_op, leave_op };
	unsigned kinds = optree_kinds(r);

	if (r->kind_count[KIND_PYTHON] > 0 || r->replay)
		(void)frames_walk(r, kinds | KIND_BIT(KIND_PYTHON), &by_call);
	if (m->tree.n > 1)
		return;
	m->is_hierarchy = true;
	m->node_of = arena_array(&m->s->at->mem, r->strings.n, sizeof(*m->node_of));
	if (args_any_text(&r->args, ARG_OP_MODULES))
		(void)frames_walk(r, kinds, &by_op);
	if (m->tree.n == 1) {
		for (EACH_DEVICE_ROW(row, r)) {
			sym text = filter_device(&m->s->at->view, row) ? annotation_of(r, row) : 0;

			if (!text || !filter_name(&m->s->at->view, text))
				continue;
			if (!m->node_of[text])
				m->node_of[text] = node_of(m, text);
			add_device(m, m->node_of[text], r->events.dur[row]);
			if (m->tree.v[m->node_of[text]].row == NO_ROW)
				m->tree.v[m->node_of[text]].row = row;
		}
	}
}

void stages_put_modules(struct stages *s)
{
	struct modules m = { .s = s };

	calltree_init(&m.tree);
	strings_init(&m.names, 0);
	walk(&m);
	stages_find_self(&m.tree);
	if (m.tree.n > 1)
		stages_put_table(s, &stages_docs[STAGES_MODULES],
			&(struct stages_view){ .tree = &m.tree,
				.names = m.is_hierarchy ? &m.names : &s->at->run->strings,
				.prefix = MODULE,
				.device = -1,
				.has_device = s->has_device });
	strings_clear(&m.names);
	calltree_clear(&m.tree);
}
