/*
 * `top --tree`: the op tree, calls of the same path merged into one row.
 *
 * A path is its parent path, a name and a kind.  Threads share paths, so that eight data loader
 * workers are one row.  Rows are the largest paths by the sort key; since a path is never larger
 * than its parent by the default key, what is shown hangs together; where it would not, parents are
 * added.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/measure/host/optree_walk.h"
#include "analyze/answer/top/top.h"
#include "analyze/answer/top/top_rank.h"
#include "analyze/measure/device/replays.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/graphs/replay.h"
#include "base/minmax.h"
#include "base/ratio.h"
#include "base/saturate.h"

enum { NO_PATH = 0, INDENT_MAX = 40 };

/* Paths are groups: id.a the name, id.b the parent path (group index + 1), id.kind the kind. */
struct paths {
	struct top *t;
	struct top_groups groups;
	uint32_t *depth; /* by group */
	size_t cap;
	size_t limit; /* levels */
	struct replays replays;
	const struct optree_node *owner; /* of kernels of the graph launch that is looked at */
};

/* The path of that name and kind below `up`, new or old; or `up` where it would be too deep. */
static uint32_t path_below(struct paths *p, uint32_t up, sym name, uint32_t kind, uint32_t row)
{
	size_t before = p->groups.n;
	uint32_t at;

	if (up != NO_PATH && p->depth[up - 1] + 1 >= p->limit)
		return up;
	at = top_groups_add(&p->groups, top_id(p->t->canon[name], up, kind), row);
	if (p->groups.n > before) {
		p->depth = array_grow(p->depth, &p->cap, p->groups.n, sizeof(*p->depth));
		p->depth[at] = up == NO_PATH ? 0 : p->depth[up - 1] + 1;
	}
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
	size_t i;

	if (p->owner && p->owner->tag && k->nown) {
		g = &p->groups.g[up - 1];
		g->device_self = saturate_sub(g->device_self, k->dur);
	}
	for (i = 0; i < k->nown; i++) {
		uint32_t call = k->call[i], at = up;

		if (top_replay_takes(p->t, call))
			at = path_below(p, up, ev->name[call], ev->kind[call], call);
		if (at == up)
			continue;
		up = at;
		g = &p->groups.g[up - 1];
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
	uint32_t row = path[depth].row, op;

	if (!replays_has(&p->replays, row) ||
		(p->t->at->view.step && !filter_host_step(&p->t->at->view, row)))
		return;
	op = r->links->op_of_launch[r->events.args[row] - 1];
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

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct paths *p = ctx;
	struct optree_node *node = &path[depth];
	struct top_group *g;

	(void)dup;
	add_replay(p, path, depth);
	if (depth && path[depth - 1].tag && node->device_ns) {
		g = &p->groups.g[path[depth - 1].mark - 1];
		g->device_self = saturate_sub(g->device_self, node->device_ns);
	}
	if (!node->tag)
		return;
	g = &p->groups.g[node->mark - 1];
	g->calls++;
	saturate_onto(&g->total, node->dur);
	saturate_onto(&g->self, saturate_sub(node->dur, node->child_ns));
	g->min = MIN(node->dur, g->min);
	g->max = MAX(node->dur, g->max);
	saturate_onto(&g->device_self, node->device_ns);
	saturate_onto(&g->device_total, node->device_ns);
}

/* By group: first child and next sibling, index + 1. */
struct row {
	uint32_t child, next;
};

static struct span group_name(const struct top *t, const struct top_group *g)
{
	return top_name(t, top_id_a(g->id));
}

/* Marks the first `shown` paths and their ancestors; by group: 1, or 0. */
static uint32_t *choose(struct paths *p, const struct top_rank *r)
{
	uint32_t *chosen = arena_array(&p->t->at->mem, r->n, sizeof(*chosen));
	size_t i;

	for (i = 0; i < r->shown; i++) {
		uint32_t at = r->place[i].group;

		for (;;) {
			if (chosen[at])
				break;
			chosen[at] = 1;
			if (top_id_b(p->groups.g[at].id) == NO_PATH)
				break;
			at = top_id_b(p->groups.g[at].id) - 1;
		}
	}
	return chosen;
}

struct fill {
	struct paths *p;
	struct table *out;
	const struct top_columns *c;
	size_t nstep;
};

static void put_name(struct fill *f, const struct top_group *g, uint32_t depth)
{
	struct top *t = f->p->t;
	struct span name = group_name(t, g);
	size_t indent = 2 * (size_t)MIN(depth, INDENT_MAX);
	char *text;

	if (!t->at->q->for_people)
		indent = 0;
	text = arena_alloc(&t->at->out->mem, indent + name.n + 1);
	memset(text, ' ', indent);
	if (name.n)
		memcpy(text + indent, name.p, name.n);
	table_text(f->out, f->c->at[TREE_NAME], (struct span){ text, indent + name.n });
}

static void put_row(struct fill *f, uint32_t group)
{
	const struct top_columns *c = f->c;
	struct top *t = f->p->t;
	const struct top_group *g = &f->p->groups.g[group];
	uint32_t depth = f->p->depth[group];

	table_row(f->out);
	put_name(f, g, depth);
	table_text(f->out, c->at[TREE_KIND], span_of(kind_word((enum kind)g->id.kind)));
	table_int(f->out, c->at[TREE_DEPTH], depth);
	table_int(f->out, c->at[TREE_PATH], (int64_t)group + 1);
	if (top_id_b(g->id) != NO_PATH)
		table_int(f->out, c->at[TREE_PARENT], top_id_b(g->id));
	table_int(f->out, c->at[TREE_CALLS], (int64_t)g->calls + g->replays);
	table_int(f->out, c->at[TREE_SELF], g->self);
	table_int(f->out, c->at[TREE_TOTAL], g->total);
	table_real(f->out, c->at[TREE_SHARE], ratio_of((double)g->total, (double)t->totals.cpu));
	if (f->nstep)
		table_real(f->out, c->at[TREE_PER_STEP], (double)g->total / (double)f->nstep);
	table_real(f->out, c->at[TREE_MEAN], ratio_of((double)g->total, g->calls));
	if (g->calls > 0) {
		table_int(f->out, c->at[TREE_MIN], g->min);
		table_int(f->out, c->at[TREE_MAX], g->max);
	}
	if (t->at->run->replay)
		table_int(f->out, c->at[TREE_REPLAYS], g->replays);
	if (t->has_device && g->id.kind != KIND_RUNTIME) {
		table_int(f->out, c->at[TREE_DEVICE_SELF], g->device_self);
		table_int(f->out, c->at[TREE_DEVICE_TOTAL], g->device_total);
	}
}

/*
 * Writes the chosen paths depth first, siblings in rank order.  Children are chained in front of
 * each other, so they are added from the last rank to the first.
 */
static size_t put_rows(struct fill *f, const struct top_rank *r, const uint32_t *chosen)
{
	struct top *t = f->p->t;
	struct row *row = arena_array(&t->at->mem, r->n, sizeof(*row));
	uint32_t *stack = arena_array(&t->at->mem, r->n, sizeof(*stack));
	uint32_t roots = 0, at;
	size_t depth = 0, n = 0, i;

	for (i = r->n; i-- > 0;) {
		uint32_t *first;

		at = r->place[i].group;
		if (!chosen[at])
			continue;
		first = top_id_b(f->p->groups.g[at].id) == NO_PATH
			? &roots
			: &row[top_id_b(f->p->groups.g[at].id) - 1].child;
		row[at].next = *first;
		*first = at + 1;
	}
	for (at = roots; at || depth;) {
		if (!at) {
			at = stack[--depth];
			continue;
		}
		put_row(f, at - 1);
		n++;
		stack[depth++] = row[at - 1].next;
		at = row[at - 1].child;
	}
	return n;
}

static size_t visible_columns(const struct fill *f, const struct top *t, uint8_t *v)
{
	size_t n = 0;

	v[n++] = TREE_TOTAL;
	v[n++] = TREE_SHARE;
	v[n++] = TREE_SELF;
	if (f->nstep)
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

static void put_table(struct paths *p)
{
	struct top *t = p->t;
	struct fill f = { .p = p, .nstep = top_steps(t) };
	struct top_columns c;
	struct top_rank r;
	uint8_t visible[TREE_COLUMNS];
	enum top_key key = t->key == TOP_KEY_NONE ? TOP_CPU_TOTAL : t->key;
	size_t n;

	top_columns_init(&c, &t->at->out->mem, top_docs[TOP_TREE].col,
		TREE_COLUMNS - !t->at->run->replay, visible, visible_columns(&f, t, visible));
	f.c = &c;
	f.out = result_table(t->at->out, "tree", "op tree", c.col, c.n);
	f.out->input = t->at->input;
	top_rank_init(&r, t, &p->groups, key, group_name);
	n = put_rows(&f, &r, choose(p, &r));
	rows_cut_of(f.out, c.at[TREE_NAME], r.n - n, "path");
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
	top_groups_clear(&p.groups);
	free(p.depth);
}
