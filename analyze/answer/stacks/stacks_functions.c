/*
 * `stacks`: Python functions by name, whatever called them.
 */
#include <stdlib.h>

#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/frames.h"
#include "analyze/query/rows.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

struct functions {
	struct stacks *s;
	struct calltree tree; /* all of them below the root */
};

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct functions *f = ctx;
	struct perrun *at = f->s->at;
	sym name = at->run->events.name[path[depth].row];

	(void)up;
	if (filter_host(&at->view, path[depth].row) && filter_name(&at->view, name))
		path[depth].mark = calltree_child(&f->tree, 0, name);
}

static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct functions *f = ctx;
	const struct frames_node *node = &path[depth];

	if (node->mark)
		calltree_count(
			&f->tree, node->mark, node->dur, saturate_sub(node->dur, node->child_ns));
}

void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit)
{
	struct functions f = { .s = s };
	const struct frames_visitor visitor = { &f, enter, leave };
	const struct strings *names = &s->at->run->strings;
	struct table *t;
	uint32_t *order;
	size_t i;

	calltree_init(&f.tree);
	(void)frames_walk(s->at->run, KIND_BIT(KIND_PYTHON), &visitor);
	order = calltree_order(&f.tree, names, &s->at->mem);
	t = perrun_table(s->at, doc);
	for (i = 0; i + 1 < f.tree.n && i < limit; i++) {
		const struct calltree_node *v = &f.tree.v[order[i]];

		table_row(t);
		table_int(t, FUNCTION_TOTAL, v->total);
		table_int(t, FUNCTION_SELF, v->self);
		table_int(t, FUNCTION_CALLS, v->calls);
		table_real(t, FUNCTION_MEAN, (double)v->total / (double)v->calls);
		table_int(t, FUNCTION_MIN, v->min);
		table_int(t, FUNCTION_MAX, v->max);
		table_text(t, FUNCTION_NAME, strings_get(names, v->name));
	}
	rows_cut(t, FUNCTION_NAME, f.tree.n - 1 - i);
	calltree_clear(&f.tree);
}
