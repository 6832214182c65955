/*
 * CPU rows of `top`: operators, annotations and runtime calls, from one walk over the op tree.
 */
#include "analyze/top_task.h"

#include <stdlib.h>

#include "analyze/saturate.h"
#include "analyze/store/order.h"
#include "analyze/top_rank.h"

/* An open node of the tree of ops and annotations only. */
struct ops_node {
	nsec end;
	uint32_t tag;
};

/* A walk of some lanes, with sums of its own. */
struct top_piece {
	struct top *t;
	size_t first, end; /* its lanes */
	struct filter_view *view;
	struct top_groups ops;
	struct top_totals totals;
	bool is_open;    /* the filter passes every row */
	bool is_by_name; /* a group is a name and a kind */
	struct ops_node *open;
	size_t nopen, cap;
	uint32_t lane;       /* of the open ones */
	struct top_use *use; /* by depth: total, and in `self` that of the direct children */
	size_t use_cap;
};

/* At most so many pieces, each but the last of at least so many rows. */
enum { PIECES_MAX = 16, PIECE_ROWS = 100000 };

static void add(nsec *sum, nsec v)
{
	*sum = saturate_add(*sum, v);
}

static void sub(nsec *sum, nsec v)
{
	*sum = saturate_sub(*sum, v);
}

/* Tags of nodes: what the filter said, or which group they are in. */
enum { TAG_OUT, TAG_UNNAMED, TAG_GROUP };

static struct top_id id_of(const struct top *t, uint32_t row, enum phase phase)
{
	const struct run *r = t->run;
	const struct events *ev = &r->events;
	const sym *dims = r->args.col[ARG_OP_DIMS].sym;

	switch (t->by) {
	case TOP_BY_CATEGORY: return top_id(0, 0, ev->kind[row]);
	case TOP_BY_PHASE: return top_id(0, phase, 0);
	case TOP_BY_SHAPE:
		if (dims && ev->args[row] != NO_ARGS &&
			args_table_of((enum kind)ev->kind[row]) == ARGS_OP)
			return top_id(
				t->canon[ev->name[row]], dims[ev->args[row] - 1], ev->kind[row]);
		/* fall through */
	default: return top_id(t->canon[ev->name[row]], 0, ev->kind[row]);
	}
}

/* The tree without runtime calls: its self times are durations less those of direct children. */
static void enter_ops_tree(struct top_piece *c, const struct optree_node *node, nsec start)
{
	uint32_t lane = c->t->run->events.lane[node->row];
	const struct ops_node *up;

	if (lane != c->lane)
		c->nopen = 0;
	c->lane = lane;
	while (c->nopen &&
		(start >= c->open[c->nopen - 1].end || node->end > c->open[c->nopen - 1].end))
		c->nopen--;
	if (c->nopen) {
		up = &c->open[c->nopen - 1];
		if (up->tag != TAG_OUT)
			sub(&c->totals.cpu_ops, node->dur);
		if (up->tag >= TAG_GROUP)
			sub(&c->ops.g[up->tag - TAG_GROUP].self_ops, node->dur);
	}
	if (node->tag != TAG_OUT)
		add(&c->totals.cpu_ops, node->dur);
	if (node->tag >= TAG_GROUP)
		add(&c->ops.g[node->tag - TAG_GROUP].self_ops, node->dur);
	if (c->nopen == c->cap)
		c->open = array_grow(c->open, &c->cap, c->nopen + 1, sizeof(*c->open));
	c->open[c->nopen++] = (struct ops_node){ node->end, node->tag };
}

static void enter_memory(struct top_piece *c, const struct optree_node *node, size_t depth)
{
	const struct top *t = c->t;
	const struct events *ev = &t->run->events;

	c->use = array_grow(c->use, &c->use_cap, depth + 1, sizeof(*c->use));
	c->use[depth].total =
		top_memory_in(&t->memory, ev->lane[node->row], ev->start[node->row], node->end);
	c->use[depth].self = (struct top_bytes){ 0, 0 };
	if (depth)
		c->use[depth - 1].self = top_bytes_add(c->use[depth - 1].self, c->use[depth].total);
}

/* As in the tree, the only child is still in the slot above. */
static void leave_memory(struct top_piece *c, const struct optree_node *node, size_t depth,
	const struct optree_node *dup)
{
	struct top_use *own = &c->use[depth], *g;

	if (dup && dup->tag >= TAG_GROUP) {
		g = &c->ops.use[dup->tag - TAG_GROUP];
		g->total = top_bytes_sub(g->total, own[1].total);
		g->self = top_bytes_sub(g->self, top_bytes_sub(own[1].total, own[1].self));
	}
	if (dup)
		own->self = own[1].self;
	if (node->tag < TAG_GROUP)
		return;
	g = &c->ops.use[node->tag - TAG_GROUP];
	g->total = top_bytes_add(g->total, own->total);
	g->self = top_bytes_add(g->self, top_bytes_sub(own->total, own->self));
}

static bool is_hidden(void *ctx, uint32_t row)
{
	const struct top *t = ((const struct top_piece *)ctx)->t;

	return t->hidden[t->run->events.name[row]];
}

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct top_piece *c = ctx;
	struct top *t = c->t;
	struct optree_node *node = &path[depth];
	const struct events *ev = &t->run->events;

	if (t->by == TOP_BY_PHASE)
		node->mark = phases_of(&t->phases, node->name, (enum kind)ev->kind[node->row],
			depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER);
	if (c->is_open || filter_host(c->view, node->row)) {
		node->tag = TAG_UNNAMED;
		if (!t->view.name || filter_name(c->view, node->name))
			node->tag = TAG_GROUP +
				top_groups_hit(&c->ops,
					c->is_by_name ? top_id(t->canon[node->name], 0,
								ev->kind[node->row])
						      : id_of(t, node->row, (enum phase)node->mark),
					node->row);
	}
	if (t->has_memory)
		enter_memory(c, node, depth);
	if (ev->kind[node->row] != KIND_RUNTIME)
		enter_ops_tree(c, node, ev->start[node->row]);
}

/*
 * What the dedup changes: the child is gone and its children are the node's.  While rows are
 * counted the fields *_dedup hold this difference only, as few rows have one.
 */
static void leave_dup(
	struct top_piece *c, const struct optree_node *node, const struct optree_node *dup)
{
	struct top_group *g;

	if (node->tag >= TAG_GROUP)
		add(&c->ops.g[node->tag - TAG_GROUP].self_dedup,
			saturate_sub(node->child_ns, node->dedup_child_ns));
	if (dup->tag < TAG_GROUP)
		return;
	g = &c->ops.g[dup->tag - TAG_GROUP];
	g->calls_dedup--;
	sub(&g->total_dedup, dup->dur);
	sub(&g->self_dedup, saturate_sub(dup->dur, dup->dedup_child_ns));
	sub(&g->device_total, dup->device_ns);
}

static void leave_device(
	struct top_piece *c, const struct optree_node *node, const struct optree_node *up)
{
	struct top_group *g;

	if (up && up->tag >= TAG_GROUP)
		sub(&c->ops.g[up->tag - TAG_GROUP].device_self, node->device_ns);
	if (node->tag < TAG_GROUP)
		return;
	g = &c->ops.g[node->tag - TAG_GROUP];
	add(&g->device_self, node->device_ns);
	add(&g->device_total, node->device_ns);
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct top_piece *c = ctx;
	struct top *t = c->t;
	const struct optree_node *node = &path[depth];
	nsec self = saturate_sub(node->dur, node->child_ns);
	struct top_group *g;

	if (node->device_ns)
		leave_device(c, node, depth ? node - 1 : NULL);
	if (dup)
		leave_dup(c, node, dup);
	if (t->has_memory)
		leave_memory(c, node, depth, dup);
	if (node->tag == TAG_OUT)
		return;
	add(&c->totals.cpu, self);
	c->totals.nhost++;
	if (node->tag == TAG_UNNAMED)
		return;
	g = &c->ops.g[node->tag - TAG_GROUP];
	g->calls++;
	add(&g->total, node->dur);
	g->min = node->dur < g->min ? node->dur : g->min;
	g->max = node->dur > g->max ? node->dur : g->max;
	add(&g->self, self);
}

/* Turns the differences in *_dedup into values. */
static void finish(struct top_groups *ops)
{
	size_t i;

	for (i = 0; i < ops->n; i++) {
		struct top_group *g = &ops->g[i];

		g->calls_dedup += g->calls;
		add(&g->total_dedup, g->total);
		add(&g->self_dedup, g->self);
	}
}

/* Adds a piece's groups behind those of the pieces before it, and its sums to theirs. */
static void add_piece(struct top *t, const struct top_piece *c)
{
	size_t i;

	for (i = 0; i < c->ops.n; i++) {
		const struct top_group *from = &c->ops.g[i];
		struct top_group *g = top_groups_at(&t->ops, from->id, from->row);

		top_group_merge(g, from);
		g->min = from->min < g->min ? from->min : g->min;
		g->max = from->max > g->max ? from->max : g->max;
	}
	add(&t->totals.cpu, c->totals.cpu);
	add(&t->totals.cpu_ops, c->totals.cpu_ops);
	t->totals.nhost += c->totals.nhost;
}

/* Names, phases and memory are looked up in what one walk at a time may use. */
static bool can_split(const struct top *t)
{
	return !t->view.name && t->by != TOP_BY_PHASE && !t->has_memory;
}

/* By the number of rows alone, so that results do not depend on threads. */
size_t top_ops_cut(struct top *t)
{
	const size_t *begin = t->run->order->host_begin;
	size_t nlane = t->run->lanes.n, least = begin[nlane] / PIECES_MAX + 1, lane, from = 0;

	least = least < PIECE_ROWS ? PIECE_ROWS : least;
	t->piece = arena_array(&t->mem, PIECES_MAX + 1, sizeof(*t->piece));
	t->npiece = 0;
	for (lane = 0; lane < nlane || t->npiece == 0; lane++) {
		if (lane + 1 < nlane && (begin[lane + 1] - begin[from] < least || !can_split(t)))
			continue;
		t->piece[t->npiece].first = from;
		t->piece[t->npiece++].end = from = lane < nlane ? lane + 1 : nlane;
	}
	return t->npiece;
}

void top_ops_walk(struct top *t, size_t i)
{
	struct filter_view view = t->view;
	struct top_piece c = t->piece[i]; /* here, so that threads share no line of the cache */
	struct optree_visitor v = { .ctx = &c, .enter = enter, .leave = leave };

	c.t = t;
	c.view = t->npiece > 1 ? &view : &t->view;
	c.lane = UINT32_MAX;
	if (t->hidden)
		v.skip = is_hidden;
	top_groups_init(&c.ops, t->run->strings.n);
	if (t->has_memory)
		top_groups_use(&c.ops);
	c.is_by_name = t->by != TOP_BY_CATEGORY && t->by != TOP_BY_PHASE && t->by != TOP_BY_SHAPE;
	c.is_open = !t->view.step && (t->tree & ~t->view.kinds) == 0;
	optree_walk_lanes(t->run, t->tree, t->has_device ? &t->devtime : NULL, &v, c.first, c.end);
	free(c.open);
	free(c.use);
	t->piece[i].ops = c.ops;
	t->piece[i].totals = c.totals;
}

void top_ops_finish(struct top *t)
{
	size_t i;

	for (i = 0; i < t->npiece; i++) {
		struct top_piece *c = &t->piece[i];

		if (i == 0) {
			t->ops = c->ops;
			c->ops = (struct top_groups){ 0 };
		}
		add_piece(t, c);
		top_groups_clear(&c->ops);
	}
	finish(&t->ops);
}

uint32_t top_ops_find(struct top *t, uint32_t row)
{
	return top_groups_find(&t->ops, id_of(t, row, PHASE_OTHER));
}
