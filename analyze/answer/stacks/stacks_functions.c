/*
 * `stacks`: Python functions by name, whatever called them.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/frames.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/saturate.h"

/* What recursion is told by. */
struct recursion {
	uint32_t open; /* calls that have not ended */
	nsec inner;    /* durations of those inside another */
};

struct functions {
	struct stacks *s;
	struct calltree tree;        /* all of them below the root */
	struct recursion *recursion; /* by node */
	size_t cap;
};

static struct recursion *recursion_of(struct functions *f, uint32_t node)
{
	size_t before = f->cap;

	f->recursion = array_grow(f->recursion, &f->cap, (size_t)node + 1, sizeof(*f->recursion));
	if (f->cap > before)
		memset(f->recursion + before, 0, (f->cap - before) * sizeof(*f->recursion));
	return &f->recursion[node];
}

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct functions *f = ctx;
	struct perrun *at = f->s->at;
	sym name = at->run->events.name[path[depth].row];

	(void)up;
	if (!filter_host(&at->view, path[depth].row) || !filter_name(&at->view, name))
		return;
	path[depth].mark = calltree_child(&f->tree, 0, name);
	recursion_of(f, path[depth].mark)->open++;
}

static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct functions *f = ctx;
	const struct frames_node *node = &path[depth];

	if (!node->mark)
		return;
	calltree_count(&f->tree, node->mark, node->dur, saturate_sub(node->dur, node->child_ns));
	if (--recursion_of(f, node->mark)->open > 0)
		saturate_onto(&f->recursion[node->mark].inner, node->dur);
}

void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit)
{
	struct functions f = { .s = s };
	const struct frames_visitor visitor = { &f, enter, leave };
	const struct strings *names = &s->at->run->strings;
	struct table *t;
	uint32_t *order;
	nsec *sum; /* of the durations of all calls, by node */
	size_t i;

	calltree_init(&f.tree);
	(void)frames_walk(s->at->run, KIND_BIT(KIND_PYTHON), &visitor);
	sum = arena_array(&s->at->mem, f.tree.n, sizeof(*sum));
	for (i = 1; i < f.tree.n; i++) {
		sum[i] = f.tree.v[i].total;
		f.tree.v[i].total = saturate_sub(sum[i], f.recursion[i].inner);
	}
	order = calltree_order(&f.tree, names, &s->at->mem);
	t = perrun_table(s->at, doc);
	for (i = 0; i + 1 < f.tree.n && i < limit; i++) {
		const struct calltree_node *v = &f.tree.v[order[i]];

		table_row(t);
		table_int(t, FUNCTION_TOTAL, v->total);
		table_int(t, FUNCTION_SELF, v->self);
		table_int(t, FUNCTION_CALLS, v->calls);
		table_real(t, FUNCTION_MEAN, (double)sum[order[i]] / (double)v->calls);
		table_int(t, FUNCTION_MIN, v->min);
		table_int(t, FUNCTION_MAX, v->max);
		table_text(t, FUNCTION_NAME, strings_get(names, v->name));
	}
	rows_cut(t, FUNCTION_NAME, f.tree.n - 1 - i);
	calltree_clear(&f.tree);
	free(f.recursion);
}
