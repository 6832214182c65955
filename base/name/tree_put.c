/* What of a name is left out first, and the name at each of these levels. */
#include <assert.h>

#include "base/base.h"
#include "base/name/tree.h"

/* What is left out, the first first; of one rank, what is further right.  Those that are done at
 * once are one level. */
enum rank {
	RANK_SCOPES_OF_ARGUMENTS, /* at once */
	RANK_SCOPES,
	RANK_DEEP, /* arguments of arguments' arguments */
	RANK_HELPERS,
	RANK_TAILS, /* of which type it is, mostly */
	RANK_INNER, /* arguments of arguments */
	RANK_FRAMES,
	RANK_ARGUMENTS,
	RANK_FIRST_ARGUMENT
};

struct cut {
	enum rank rank;
	size_t place;
	int32_t *level;
};

struct cuts {
	struct cut *v;
	size_t n, cap;
	struct arena *mem;
	bool is_frame; /* the function is one */
};

static void add(struct cuts *c, enum rank rank, size_t place, int32_t *level)
{
	ARENA_PUSH(c->mem, c->v, c->n, c->cap, (struct cut){ rank, place, level });
}

/* A kernel that says nothing without its arguments. */
static bool is_frame(struct span ident)
{
	return span_in(ident,
		       "kernel|Kernel|Kernel2|kentry|kernel_impl|device_kernel|reduce_kernel|"
		       "cutlass_kernel|transform_kernel|kernel_agent|_kernel_agent") ||
		span_has(ident, "elementwise") || span_has(ident, "pointwise") ||
		span_has(ident, "_apply_kernel");
}

/* The first argument that tells most, within those that are but frames. */
static struct name_node *core_of(struct name_part *p)
{
	return FIND_VALUE(
		i, p->narg, p->arg[i]->npart && p->arg[i]->sort >= NAME_FRAME, p->arg[i], NULL);
}

static enum rank rank_of(const struct cuts *c, const struct name_node *a, size_t i, unsigned depth)
{
	if (a->sort == NAME_HELPER && (depth > 1 || c->is_frame))
		return RANK_HELPERS;
	if (depth > 2)
		return RANK_DEEP;
	if (depth > 1)
		return RANK_INNER;
	return i > 0 ? RANK_ARGUMENTS : RANK_FIRST_ARGUMENT;
}

/* is_core: it is what the function is known by. */
static void rank_node(struct cuts *c, struct name_node *node, unsigned depth, bool is_core)
{
	assert(node);
	if (node->main > 0)
		add(c, depth ? RANK_SCOPES_OF_ARGUMENTS : RANK_SCOPES, node->place,
			&node->hide_scopes);
	if (node->main + 1 < node->npart)
		add(c, node->sort == NAME_FRAME ? RANK_SCOPES_OF_ARGUMENTS : RANK_TAILS,
			node->place, &node->hide_tail);
	if (is_core && (depth == 0 || node->sort == NAME_FRAME) && node->npart)
		node->core = core_of(&node->part[node->main]);
	if (node->core && depth > 0)
		add(c, RANK_FRAMES, node->place, &node->hide_frame);
	for (EACH(const struct name_part, part, node->part, node->npart)) {
		for (size_t i = 0; i < part->narg; i++) {
			struct name_node *a = part->arg[i];

			if (a != node->core)
				add(c, rank_of(c, a, i, depth + 1), a->place, &a->hide);
			rank_node(c, a, depth + 1, a == node->core);
		}
	}
}

ORDER(by_rank, struct cut, compare3(a->rank, b->rank),
	(a->place < b->place) - (a->place > b->place))

int32_t name_tree_rank(struct arena *mem, struct name_node *top)
{
	struct cuts c = { .mem = mem, .is_frame = is_frame(name_tree_ident(top)) };
	int32_t level = 0;

	rank_node(&c, top, 0, c.is_frame);
	if (c.n > 0)
		qsort(c.v, c.n, sizeof(*c.v), by_rank);
	for (size_t i = 0; i < c.n; i++) {
		if (i == 0 || c.v[i].rank != c.v[i - 1].rank ||
			c.v[i].rank > RANK_SCOPES_OF_ARGUMENTS)
			level++;
		*c.v[i].level = level;
	}
	return level;
}

static void put_arguments(struct str *b, const struct name_part *p, int32_t level, const char *mark)
{
	size_t from = b->n;
	bool is_less = false;

	for (size_t i = 0; i < p->narg; i++) {
		if (p->arg[i]->hide <= level) {
			is_less = true;
			continue;
		}
		str_adds(b, b->n == from ? "<" : ", ");
		name_tree_put(b, p->arg[i], level, mark);
	}
	if (b->n == from)
		return;
	if (is_less && mark[0]) {
		str_adds(b, ", ");
		str_adds(b, mark);
	}
	str_addc(b, '>');
}

static void put_part(struct str *b, const struct name_part *p, int32_t level, const char *mark)
{
	str_add(b, p->ident.p, p->ident.n);
	put_arguments(b, p, level, mark);
}

void name_tree_put(struct str *b, const struct name_node *node, int32_t level, const char *mark)
{
	if (node->npart == 0) {
		str_add(b, node->text.p, node->text.n);
		return;
	}
	if (node->core && node->hide_frame <= level) {
		name_tree_put(b, node->core, level, mark);
		return;
	}
	str_add(b, node->before.p ? node->before.p : "", node->before.n);
	for (size_t i = node->hide_scopes <= level ? node->main : 0; i < node->main; i++) {
		if (node->part[i].ident.n == 0)
			continue;
		put_part(b, &node->part[i], level, mark);
		str_adds(b, "::");
	}
	put_part(b, &node->part[node->main], level, mark);
	if (node->main + 1 < node->npart && node->hide_tail > level) {
		str_adds(b, "::");
		put_part(b, &node->part[node->npart - 1], level, mark);
	}
	str_add(b, node->after.p ? node->after.p : "", node->after.n);
}

struct span name_tree_ident(const struct name_node *top)
{
	return top->part[top->main].ident;
}

const struct name_node *name_tree_core(const struct name_node *top)
{
	return top->core;
}

struct span name_tree_label(const struct name_node *node)
{
	struct span s = node->text;

	if (node->npart)
		return node->part[node->main].ident;
	for (size_t i = s.n; i > 1; i--)
		if ((s.p[i - 1] == ':' || s.p[i - 1] == ')') && i < s.n)
			return (struct span){ s.p + i, s.n - i };
	return s;
}

/* "(float)#1" of a part that is local, "#1" without parameters; empty where nothing tells. */
static struct span tail_label(const struct name_part *p)
{
	static const char lambda[] = "{lambda";
	struct span s = p->ident;
	size_t n = sizeof(lambda) - 1;

	if (!span_starts(s, lambda) || s.n < n + 3)
		return s;
	if (s.p[n + 1] == ')')
		n += 2;
	return (struct span){ s.p + n, s.n - n - 1 };
}

static size_t labels_of(
	const struct name_node *node, struct span *v, size_t n, size_t most, bool is_top)
{
	if (n < most && !is_top)
		v[n++] = name_tree_label(node);
	for (EACH(const struct name_part, part, node->part, node->npart))
		for (size_t i = 0; i < part->narg; i++)
			n = labels_of(part->arg[i], v, n, most, false);
	for (size_t k = node->main + 1; k < node->npart && n < most; k++)
		v[n++] = tail_label(&node->part[k]);
	return n;
}

size_t name_tree_labels(const struct name_node *top, struct span *v, size_t most)
{
	size_t n = labels_of(top, v, 0, most, true);

	for (size_t i = 0; i < top->main && n < most; i++)
		v[n++] = top->part[i].ident;
	return n;
}
