/* `stacks`: Python functions by name, whatever called them. */
#include "analyze/analysis/row_limit.h"
#include "analyze/answer/stacks/stacks.h"
#include "analyze/measure/host/frames.h"
#include "analyze/trace/run.h"

struct functions {
	struct stacks *s;
	struct groups groups; /* of struct stacks_function */
};

static void enter(void *ctx, struct frames_node *path, size_t depth, uint32_t up)
{
	struct functions *f = ctx;
	struct perrun *at = f->s->at;
	sym name = at->run->events.name[path[depth].row];

	(void)up;
	if (!filter_host(&at->view, path[depth].row) || !filter_name(&at->view, name))
		return;
	path[depth].mark = groups_of(&f->groups, name) + 1;
	struct stacks_function *g = groups_item(&f->groups, path[depth].mark - 1);
	g->open++;
}

/* Of calls within a call of the same function the outermost counts. */
static void leave(void *ctx, struct frames_node *path, size_t depth)
{
	struct functions *f = ctx;
	const struct frames_node *node = &path[depth];

	if (!node->mark)
		return;
	struct stacks_function *g = groups_item(&f->groups, node->mark - 1);
	durations_add(&g->calls, node->dur);
	saturate_onto(&g->self, saturate_sub(node->dur, node->child_ns));
	if (--g->open == 0)
		saturate_onto(&g->total, node->dur);
}

static const struct grouping functions = { .sort = FUNCTION_TOTAL, .name = FUNCTION_NAME };

void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit)
{
	static const struct stacks_function fresh = { .calls = NO_DURATIONS };
	struct functions f = { .s = s };
	const struct frames_visitor visitor = { &f, enter, leave };

	groups_init(&f.groups, sizeof(sym), sizeof(fresh), &fresh, s->at->run->strings.n);
	(void)frames_walk(s->at->run, KIND_BIT(KIND_PYTHON), &visitor);
	struct groupby g = groupby_of(&functions, s->at, doc, &f.groups, s);
	g.limit = limit;
	groupby_table(&g);
	rows_cut(g.t, FUNCTION_NAME, groupby_put_rows(&g));
	groups_clear(&f.groups);
}
