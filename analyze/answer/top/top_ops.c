/* CPU rows of `top`: operators, annotations and runtime calls, from one walk over the op tree, in
 * pieces of the host order that are walked side by side. */
#include "analyze/answer/top/top.h"

/* At most so many pieces, each but the last of at least so many rows. */
enum { PIECES_MAX = 16, PIECE_ROWS = 100000 };

/* An open node of the tree of ops and annotations only. */
struct top_ops_node {
	nsec end;
	uint32_t tag;
};

/* A walk of some places of the host order, with sums of its own. */
struct top_piece {
	struct top *t;
	size_t from, end; /* its places */
	struct filter_view *view;
	struct groups ops;
	struct top_totals totals;  /* while rows are counted: of those that are in no group */
	bool is_open;              /* the filter passes every row */
	bool is_cut;               /* a runtime call cuts an operator off */
	struct top_ops_node *open; /* if so */
	size_t nopen, cap;
	struct top_use *use; /* by depth: total, and in `self` that of the direct children */
	size_t use_cap;
};

static void sub(nsec *sum, nsec v)
{
	*sum = saturate_sub(*sum, v);
}

/* Tags of nodes: what the filter said, or which group they are in. */
enum { TAG_OUT, TAG_UNNAMED, TAG_GROUP };

struct top_id top_ops_id(const struct top *t, uint32_t row, enum phase phase)
{
	const struct run *r = t->at->run;
	const struct events *ev = &r->events;

	switch (t->by) {
	case TOP_BY_CATEGORY: return top_id(0, 0, ev->kind[row]);
	case TOP_BY_PHASE: return top_id(0, phase, 0);
	case TOP_BY_SHAPE:
		if (ev->args[row] != NO_ARGS && args_table_of((enum kind)ev->kind[row]) == ARGS_OP)
			return top_id(t->canon[ev->name[row]],
				args_sym(&r->args, ARG_OP_DIMS, ev->args[row] - 1), ev->kind[row]);
		/* fall through */
	default: return top_id(t->canon[ev->name[row]], 0, ev->kind[row]);
	}
}

HOT_INLINE struct top_group *group_of(struct top_piece *c, uint32_t tag)
{
	return top_group(&c->ops, tag - TAG_GROUP);
}

HOT_INLINE void add_self(struct top_piece *c, uint32_t tag, nsec dur)
{
	if (LIKELY(tag >= TAG_GROUP))
		saturate_onto(&group_of(c, tag)->self, dur);
	else if (tag == TAG_UNNAMED)
		saturate_onto(&c->totals.cpu, dur);
}

static void add_self_ops(struct top_piece *c, uint32_t tag, nsec dur)
{
	if (LIKELY(tag >= TAG_GROUP))
		saturate_onto(&group_of(c, tag)->self_ops, dur);
	else if (tag == TAG_UNNAMED)
		saturate_onto(&c->totals.cpu_ops, dur);
}

/* The innermost operator or annotation around path[depth]; NULL: there is none. */
static const struct optree_node *op_around(const struct optree_node *path, size_t depth)
{
	while (depth > 0 && path[depth - 1].kind == KIND_RUNTIME)
		depth--;
	return depth > 0 ? &path[depth - 1] : NULL;
}

/* Self times are durations less those of direct children, in the tree and in the tree without
 * runtime calls.  The second is the first without the nodes of these calls, so while rows are
 * counted self_ops is what it has more than self. */
HOT_INLINE void count_self(struct top_piece *c, const struct optree_node *path, size_t depth)
{
	const struct optree_node *node = &path[depth], *up = depth ? node - 1 : NULL;
	bool is_call = node->kind == KIND_RUNTIME;

	add_self(c, node->tag, node->dur);
	if (up)
		add_self(c, up->tag, -node->dur);
	if (is_call)
		add_self_ops(c, node->tag, -node->dur);
	if (!up || (!is_call && up->kind != KIND_RUNTIME))
		return;
	add_self_ops(c, up->tag, node->dur);
	up = is_call ? NULL : op_around(path, depth);
	if (up)
		add_self_ops(c, up->tag, -node->dur);
}

/* As in the tree, the only child is still in the slot above. */
static void leave_memory(struct top_piece *c, const struct optree_node *node, size_t depth,
	const struct optree_node *dup)
{
	struct top_use *own = &c->use[depth], *g;

	if (dup && dup->tag >= TAG_GROUP) {
		g = &group_of(c, dup->tag)->use;
		g->total = top_bytes_sub(g->total, own[1].total);
		g->self = top_bytes_sub(g->self, top_bytes_sub(own[1].total, own[1].self));
	}
	if (dup)
		own->self = own[1].self;
	if (node->tag < TAG_GROUP)
		return;
	g = &group_of(c, node->tag)->use;
	g->total = top_bytes_add(g->total, own->total);
	g->self = top_bytes_add(g->self, top_bytes_sub(own->total, own->self));
}

static bool is_hidden(void *ctx, uint32_t row)
{
	const struct top *t = ((const struct top_piece *)ctx)->t;

	return t->hidden && t->hidden[t->at->run->events.name[row]];
}

/* Which group a node is in, or why it is in none. */
static uint32_t tag_of(struct top_piece *c, const struct optree_node *node)
{
	const struct top *t = c->t;

	if (!c->is_open && !filter_host(c->view, node->row))
		return TAG_OUT;
	if (t->at->view.name && !filter_name(c->view, node->name))
		return TAG_UNNAMED;
	return TAG_GROUP +
		top_groups_add(
			&c->ops, top_ops_id(t, node->row, (enum phase)node->mark), node->row);
}

static void set_tag(struct top_piece *c, struct optree_node *path, size_t depth)
{
	struct optree_node *node = &path[depth];

	if (c->t->by == TOP_BY_PHASE)
		node->mark = phases_of(&c->t->phases, node->name, (enum kind)node->kind,
			depth ? (enum phase)path[depth - 1].mark : PHASE_OTHER);
	node->tag = tag_of(c, node);
}

/* Counts what is known of a node before its children. */
HOT_INLINE void count_node(struct top_piece *c, const struct optree_node *path, size_t depth)
{
	const struct optree_node *node = &path[depth];

	count_self(c, path, depth);
	if (UNLIKELY(node->tag < TAG_GROUP)) {
		c->totals.nhost += node->tag == TAG_UNNAMED;
		return;
	}
	struct top_group *g = group_of(c, node->tag);
	g->calls++;
	saturate_onto(&g->total, node->dur);
	g->min = MIN(node->dur, g->min);
	g->max = MAX(node->dur, g->max);
}

/* Floating point operations that the trace gives an op: few have any. */
double top_ops_flops(const struct top *t, uint32_t row)
{
	const struct events *ev = &t->at->run->events;
	double v = t->flops && ev->kind[row] == KIND_OP && ev->args[row] != NO_ARGS
		? t->flops[ev->args[row] - 1]
		: 0;

	return MAX(v, 0);
}

static void add_flops(struct top_piece *c, const struct optree_node *node, double sign)
{
	if (node->tag >= TAG_GROUP)
		group_of(c, node->tag)->flops += sign * top_ops_flops(c->t, node->row);
}

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct top_piece *c = ctx;

	set_tag(c, path, depth);
	count_node(c, path, depth);
	if (c->t->flops)
		add_flops(c, &path[depth], 1);
	if (c->t->has_memory) {
		const struct top *t = c->t;
		const struct events *ev = &t->at->run->events;
		c->use = array_grow(c->use, &c->use_cap, depth + 1, sizeof(*c->use));
		c->use[depth].total = top_memory_in(&t->memory, ev->lane[path[depth].row],
			ev->start[path[depth].row], path[depth].end);
		c->use[depth].self = (struct top_bytes){ 0, 0 };
		if (depth)
			c->use[depth - 1].self =
				top_bytes_add(c->use[depth - 1].self, c->use[depth].total);
	}
}

/* The same where every row is taken, by name and kind, without memory: most of the time. */
HOT_INLINE void enter_plain(void *ctx, struct optree_node *path, size_t depth)
{
	struct top_piece *c = ctx;
	struct optree_node *node = &path[depth];

	node->tag = TAG_GROUP +
		top_groups_add(&c->ops, top_id(c->t->canon[node->name], 0, node->kind), node->row);
	count_node(c, path, depth);
}

static void note_cut(void *ctx, const struct optree_node *node, uint32_t row)
{
	struct top_piece *c = ctx;

	if (node->kind != KIND_RUNTIME && c->t->at->run->events.kind[row] == KIND_RUNTIME)
		c->is_cut = true;
}

/* The tree without runtime calls, where it is not the tree without their nodes: an own stack. */
static void enter_ops_tree(void *ctx, struct optree_node *path, size_t depth)
{
	struct top_piece *c = ctx;
	const struct optree_node *node = &path[depth];
	nsec start = c->t->at->run->events.start[node->row];

	set_tag(c, path, depth);
	if (node->kind == KIND_RUNTIME)
		return;
	while (c->nopen &&
		(start >= c->open[c->nopen - 1].end || node->end > c->open[c->nopen - 1].end))
		c->nopen--;
	if (c->nopen)
		add_self_ops(c, c->open[c->nopen - 1].tag, -node->dur);
	add_self_ops(c, node->tag, node->dur);
	PUSH(c->open, c->nopen, c->cap, (struct top_ops_node){ node->end, node->tag });
}

/* Counts self_ops again, so that it still is what that tree has more than self. */
static void walk_ops_tree(struct top_piece *c)
{
	struct optree_visitor v = { .ctx = c, .skip = is_hidden, .enter = enter_ops_tree };
	size_t end;

	for (size_t i = 0; i < c->ops.n; i++)
		top_group(&c->ops, i)->self_ops = saturate_sub(0, top_group(&c->ops, i)->self);
	c->totals.cpu_ops = saturate_sub(0, c->totals.cpu);
	for (size_t i = c->from; i < c->end; i = end) {
		end = optree_lane_end(c->t->at->run, i);
		end = MIN(end, c->end);
		c->nopen = 0;
		optree_walk_places(c->t->at->run, c->t->tree, NULL, &v, i, end);
	}
}

/* What the dedup changes: the child is gone and its children are the node's.  While rows are
 * counted the fields *_dedup hold this difference only, as few rows have one. */
static void leave_dup(
	struct top_piece *c, const struct optree_node *node, const struct optree_node *dup)
{
	if (node->tag >= TAG_GROUP)
		saturate_onto(&group_of(c, node->tag)->self_dedup,
			saturate_sub(node->child_ns, node->dedup_child_ns));
	if (dup->tag < TAG_GROUP)
		return;
	struct top_group *g = group_of(c, dup->tag);
	g->calls_dedup--;
	sub(&g->total_dedup, dup->dur);
	sub(&g->self_dedup, saturate_sub(dup->dur, dup->dedup_child_ns));
	sub(&g->device_total, dup->device_ns);
}

static void leave_device(
	struct top_piece *c, const struct optree_node *node, const struct optree_node *up)
{
	if (up && up->tag >= TAG_GROUP)
		sub(&group_of(c, up->tag)->device_self, node->device_ns);
	if (node->tag < TAG_GROUP)
		return;
	struct top_group *g = group_of(c, node->tag);
	saturate_onto(&g->device_self, node->device_ns);
	saturate_onto(&g->device_total, node->device_ns);
}

HOT_INLINE void leave_plain(
	void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct top_piece *c = ctx;
	const struct optree_node *node = &path[depth];

	if (node->device_ns)
		leave_device(c, node, depth ? node - 1 : NULL);
	if (dup)
		leave_dup(c, node, dup);
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct top_piece *c = ctx;

	leave_plain(c, path, depth, dup);
	if (dup && c->t->flops)
		add_flops(c, dup, -1);
	if (c->t->has_memory)
		leave_memory(c, &path[depth], depth, dup);
}

static bool is_plain(const struct top_piece *c)
{
	const struct top *t = c->t;

	return c->is_open && !t->at->view.name && !t->hidden && !t->has_memory && !t->flops &&
		t->by != TOP_BY_CATEGORY && t->by != TOP_BY_PHASE && t->by != TOP_BY_SHAPE;
}

/* Walks a piece; its groups' self_ops and *_dedup are still differences. */
static void walk_piece(struct top_piece *c)
{
	const struct top *t = c->t;
	const struct devtime *dev = t->has_device ? &t->devtime : NULL;
	const struct optree_visitor plain = {
		.ctx = c, .cut = note_cut, .enter = enter_plain, .leave = leave_plain
	};
	const struct optree_visitor v = {
		.ctx = c, .skip = is_hidden, .cut = note_cut, .enter = enter, .leave = leave
	};

	if (is_plain(c))
		optree_walk_inlined(t->at->run, t->tree, dev, &plain, c->from, c->end);
	else
		optree_walk_places(t->at->run, t->tree, dev, &v, c->from, c->end);
	if (c->is_cut)
		walk_ops_tree(c);
}

/* Turns the differences in *_dedup and self_ops into values, and adds the groups to the totals. */
static void finish(struct groups *ops, struct top_totals *totals)
{
	saturate_onto(&totals->cpu_ops, totals->cpu);
	for (size_t i = 0; i < ops->n; i++) {
		struct top_group *g = top_group(ops, i);

		g->calls_dedup += g->calls;
		saturate_onto(&g->total_dedup, g->total);
		saturate_onto(&g->self_dedup, g->self);
		saturate_onto(&g->self_ops, g->self);
		saturate_onto(&totals->cpu, g->self);
		saturate_onto(&totals->cpu_ops, g->self_ops);
		totals->nhost += g->calls;
	}
}

/* Adds a piece's groups behind those of the pieces before it, and its sums to theirs. */
static void add_piece(struct top *t, const struct top_piece *c)
{
	for (size_t i = 0; i < c->ops.n; i++) {
		const struct top_group *from = top_group(&c->ops, i);
		struct top_group *g =
			top_group(&t->ops, top_groups_add(&t->ops, from->id, from->row));

		top_group_join(g, from);
		g->min = MIN(from->min, g->min);
		g->max = MAX(from->max, g->max);
	}
	saturate_onto(&t->totals.cpu, c->totals.cpu);
	saturate_onto(&t->totals.cpu_ops, c->totals.cpu_ops);
	t->totals.nhost += c->totals.nhost;
}

/* Names, phases and memory are looked up in what one walk at a time may use. */
static bool can_split(const struct top *t)
{
	return !t->at->view.name && t->by != TOP_BY_PHASE && !t->has_memory;
}

/* The pieces so far and, behind them, one that reaches to `end`, if it is large enough. */
static void cut_piece(struct top *t, size_t end, size_t least)
{
	size_t from = t->npiece ? t->piece[t->npiece - 1].end : 0;

	if (end < from + least)
		return;
	t->piece[t->npiece].from = from;
	t->piece[t->npiece++].end = end;
}

/* At the beginnings of lanes and at quiet places within them, and by the number of rows alone:
 * results do not depend on threads. */
size_t top_ops_cut(struct top *t)
{
	const struct order *o = t->at->run->order;
	const size_t *begin = o->host_begin;
	size_t nlane = t->at->run->lanes.n, n = begin[nlane], least = n / PIECES_MAX + 1;

	least = MAX(PIECE_ROWS, least);
	t->piece = arena_array(&t->at->mem, PIECES_MAX + 1, sizeof(*t->piece));
	t->npiece = 0;
	for (size_t lane = 0; lane < nlane && can_split(t); lane++) {
		cut_piece(t, begin[lane], least);
		for (size_t i = begin[lane] / ORDER_STRETCH + 1;
			i * ORDER_STRETCH < begin[lane + 1]; i++)
			cut_piece(t, o->quiet[i], least);
	}
	cut_piece(t, n, 0);
	return t->npiece;
}

void top_ops_walk(struct top *t, size_t i)
{
	struct filter_view view = t->at->view;
	struct top_piece c = t->piece[i]; /* here, so that threads share no line of the cache */

	c.t = t;
	c.view = t->npiece > 1 ? &view : &t->at->view;
	top_groups_init(&c.ops, t->at->run->strings.n);
	c.is_open = !t->at->view.step && (t->tree & ~t->at->view.kinds) == 0;
	walk_piece(&c);
	FREE_ALL(c.open, c.use);
	t->piece[i].ops = c.ops;
	t->piece[i].totals = c.totals;
}

void top_ops_finish(struct top *t)
{
	for (size_t i = 0; i < t->npiece; i++) {
		struct top_piece *c = &t->piece[i];

		if (i == 0) {
			t->ops = c->ops;
			c->ops = (struct groups){ 0 };
		}
		add_piece(t, c);
		groups_clear(&c->ops);
	}
	finish(&t->ops, &t->totals);
}

uint32_t top_ops_find(struct top *t, uint32_t row)
{
	return top_groups_find(&t->ops, top_ops_id(t, row, PHASE_OTHER));
}
