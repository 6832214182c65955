/* `top --tree`: the op tree, calls of the same path merged into one row.
 *
 * A path is its parent path, a name and a kind.  Threads share paths, so that eight data loader
 * workers are one row.  Rows are the largest paths by the sort key; since a path is never larger
 * than its parent by the default key, what is shown hangs together; where it would not, parents are
 * added. */

#include "analyze/answer/top/top.h"
#include "analyze/measure/device/replays.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/graphs/replay.h"

enum { NO_PATH = 0, INDENT_MAX = 40 };

/* Paths are groups: id.a the name, id.b the parent path (group index + 1), id.kind the kind. */
struct paths {
	struct top *t;
	struct groups groups;
	size_t limit; /* levels */
	struct replays replays;
	const struct optree_node *owner; /* of kernels of the graph launch that is looked at */
};

/* The path of that name and kind below `up`, new or old; or `up` where it would be too deep. */
static uint32_t path_below(struct paths *p, uint32_t up, sym name, uint32_t kind, uint32_t row)
{
	size_t before = p->groups.n;
	uint32_t depth = up == NO_PATH ? 0 : top_group(&p->groups, up - 1)->depth + 1;

	if (up != NO_PATH && depth >= p->limit)
		return up;
	uint32_t at = top_groups_add(&p->groups, top_id(p->t->canon[name], up, kind), row);
	if (p->groups.n > before)
		top_group(&p->groups, at)->depth = depth;
	return at + 1;
}

/* --- graph replays --- */

/* Below the path of the op around the graph's launch, those of the captured calls. */
static void add_kernel(void *ctx, const struct replayed *k)
{
	struct paths *p = ctx;
	const struct events *ev = &p->t->at->run->events;
	uint32_t up = p->owner ? p->owner->mark : NO_PATH;
	struct top_group *g;

	if (p->owner && p->owner->tag && k->nown) {
		g = top_group(&p->groups, up - 1);
		g->device_self = saturate_sub(g->device_self, k->dur);
	}
	for (size_t i = 0; i < k->nown; i++) {
		uint32_t call = k->call[i], at = up;

		if (top_replay_takes(p->t, call))
			at = path_below(p, up, ev->name[call], ev->kind[call], call);
		if (at == up)
			continue;
		up = at;
		g = top_group(&p->groups, up - 1);
		saturate_onto(&g->device_total, k->dur);
		if (i + 1 == k->nown)
			saturate_onto(&g->device_self, k->dur);
		g->replays += i >= k->nseen;
	}
}

/* path[depth] may be the launch of a graph; the innermost op around it owns the device's work. */
static void add_replay(struct paths *p, const struct optree_node *path, size_t depth)
{
	const struct run *r = p->t->at->run;
	uint32_t row = path[depth].row;

	if (!replays_has(&p->replays, row) ||
		(p->t->at->view.step && !filter_host_step(&p->t->at->view, row)))
		return;
	uint32_t op = r->links->op_of_launch[r->events.args[row] - 1];
	while (depth > 0 && path[depth - 1].row != op)
		depth--;
	p->owner = depth > 0 ? &path[depth - 1] : NULL;
	replays_of(&p->replays, row, add_kernel, p);
}

/* --- the tree --- */

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct paths *p = ctx;
	struct top *t = p->t;
	struct optree_node *node = &path[depth];
	uint32_t up = depth ? path[depth - 1].mark : NO_PATH;

	/* mark: the path, or the nearest one above that is kept; tag: whether it is its own */
	node->mark = up;
	if (!filter_host(&t->at->view, node->row) || !filter_name(&t->at->view, node->name))
		return;
	node->mark = path_below(p, up, node->name, t->at->run->events.kind[node->row], node->row);
	node->tag = node->mark != up;
}

static void leave(
	void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup UNUSED)
{
	struct paths *p = ctx;
	struct optree_node *node = &path[depth];
	struct top_group *g;

	add_replay(p, path, depth);
	if (depth && path[depth - 1].tag && node->device_ns) {
		g = top_group(&p->groups, path[depth - 1].mark - 1);
		g->device_self = saturate_sub(g->device_self, node->device_ns);
	}
	if (!node->tag)
		return;
	g = top_group(&p->groups, node->mark - 1);
	g->calls++;
	saturate_onto(&g->total, node->dur);
	saturate_onto(&g->self, saturate_sub(node->dur, node->child_ns));
	g->min = MIN(node->dur, g->min);
	g->max = MAX(node->dur, g->max);
	saturate_onto(&g->device_self, node->device_ns);
	saturate_onto(&g->device_total, node->device_ns);
}

static struct span group_name(const struct top *t, const struct top_group *g)
{
	return top_name(t, top_id_a(g->id));
}

/* By group, of those that are shown: first child and next sibling, index + 1. */
struct row {
	uint32_t child, next;
	bool is_chosen;
};

static void put(const struct groupby *g, const void *item, uint32_t i)
{
	const struct top_group *of = item;
	size_t indent = g->of.for_people ? 2 * (size_t)MIN(of->depth, INDENT_MAX) : 0;
	char *text = arena_alloc(&g->at->out->mem, indent + of->name.n + 1);

	memset(text, ' ', indent);
	if (of->name.n)
		memcpy(text + indent, of->name.p, of->name.n);
	groupby_text(g, TREE_NAME, (struct span){ text, indent + of->name.n });
	groupby_int(g, TREE_PATH, (int64_t)i + 1);
	if (top_id_b(of->id) != NO_PATH)
		groupby_int(g, TREE_PARENT, top_id_b(of->id));
}

/* Writes the chosen paths depth first, siblings in rank order.  Children are chained in front of
 * each other, so they are added from the last rank to the first. */
static size_t put_rows(struct groupby *g, const struct paths *p, struct row *row)
{
	uint32_t *stack = arena_array(&g->at->mem, g->n, sizeof(*stack));
	uint32_t roots = 0, at;
	size_t depth = 0, n = 0;

	for (size_t i = g->nrow; i-- > 0;) {
		at = g->row[i];
		if (!row[at].is_chosen)
			continue;
		uint32_t up = top_id_b(top_group(&p->groups, at)->id);
		uint32_t *first = up == NO_PATH ? &roots : &row[up - 1].child;
		row[at].next = *first;
		*first = at + 1;
	}
	for (at = roots; at || depth;) {
		if (!at) {
			at = stack[--depth];
			continue;
		}
		groupby_put_row(g, at - 1);
		n++;
		stack[depth++] = row[at - 1].next;
		at = row[at - 1].child;
	}
	return n;
}

static size_t visible_columns(const struct top *t, uint8_t *v)
{
	size_t n = 0;

	v[n++] = TREE_TOTAL;
	v[n++] = TREE_SHARE;
	v[n++] = TREE_SELF;
	if (top_steps(t))
		v[n++] = TREE_PER_STEP;
	v[n++] = TREE_CALLS;
	if (t->at->run->replay)
		v[n++] = TREE_REPLAYS;
	v[n++] = TREE_MEAN;
	if (t->has_device)
		v[n++] = TREE_DEVICE_TOTAL;
	v[n++] = TREE_NAME;
	return n;
}

static void place(const void *ctx UNUSED, const void *item, struct groupby_place *to)
{
	to->name = ((const struct top_group *)item)->name;
}

static const struct grouping tree = { .name = TREE_NAME, .place = place, .put = put };

static void put_table(struct paths *p)
{
	struct top *t = p->t;
	uint8_t visible[TREE_COLUMNS];
	struct row *row = arena_array(&t->at->mem, p->groups.n, sizeof(*row));
	const struct table_doc doc = { "tree", "op tree", top_docs[TOP_TREE].col, TREE_COLUMNS };
	struct groupby g = groupby_of(&tree, t->at, &doc, &p->groups, t);

	top_groups_finish(t, &p->groups, group_name);
	g.by = top_sort(t->key == TOP_KEY_NONE ? TOP_CPU_TOTAL : t->key);
	g.of.whole = (double)t->totals.cpu;
	g.of.steps = (double)top_steps(t);
	g.limit = t->limit;
	g.is_ordered = true;
	g.order = visible;
	g.norder = visible_columns(t, visible);
	g.without = t->at->run->replay ? 0 : UINT64_C(1) << TREE_REPLAYS;
	groupby_rank(&g);
	groupby_table(&g);
	/* Chooses the first `shown` paths and their ancestors. */
	for (size_t i = 0; i < g.shown; i++) {
		uint32_t at = g.row[i] + 1;
		for (; at != NO_PATH && !row[at - 1].is_chosen;
			at = top_id_b(top_group(&p->groups, at - 1)->id))
			row[at - 1].is_chosen = true;
	}
	rows_cut_of(g.t, groupby_column(&g, TREE_NAME), g.n - put_rows(&g, p, row), "path");
}

void top_tree_table(struct top *t)
{
	struct paths p = { .t = t };
	struct optree_visitor v = { .ctx = &p, .enter = enter, .leave = leave };

	p.limit = t->o->depth > 0 && t->o->depth < UINT32_MAX ? (size_t)t->o->depth : UINT32_MAX;
	top_groups_init(&p.groups, t->at->run->strings.n);
	replays_init(&p.replays, t->at->run, &t->at->view, TOP_REPLAY_KINDS);
	optree_walk(t->at->run, t->tree, t->has_device ? &t->devtime : NULL, &v);
	if (p.groups.n)
		put_table(&p);
	replays_clear(&p.replays);
	groups_clear(&p.groups);
}
