/*
 * Call trees: nodes in an array, found by a hash of parent and name.
 */
#include "analyze/measure/calltree.h"

#include <stdlib.h>

#include "analyze/measure/saturate.h"
#include "base/die.h"

enum { FIRST_SLOTS = 256 };

static uint32_t *slot_of(const struct calltree *t, uint32_t parent, sym name)
{
	uint64_t key = (uint64_t)parent << 32 | name;
	size_t i = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 24) & (t->nslot - 1);

	for (; t->slot[i]; i = (i + 1) & (t->nslot - 1)) {
		const struct calltree_node *node = &t->v[t->slot[i] - 1];

		if (node->parent == parent && node->name == name)
			break;
	}
	return &t->slot[i];
}

static void set_slots(struct calltree *t, size_t n)
{
	size_t i;

	free(t->slot);
	t->nslot = n;
	t->slot = calloc(n, sizeof(*t->slot));
	if (!t->slot)
		die_oom(n * sizeof(*t->slot));
	for (i = 1; i < t->n; i++)
		*slot_of(t, t->v[i].parent, t->v[i].name) = (uint32_t)i + 1;
}

static uint32_t add(struct calltree *t, uint32_t parent, sym name)
{
	t->v = array_grow(t->v, &t->cap, t->n + 1, sizeof(*t->v));
	t->v[t->n] = (struct calltree_node){ .name = name,
		.parent = parent,
		.depth = t->n ? t->v[parent].depth + 1 : 0,
		.row = NO_ROW,
		.min = INT64_MAX };
	return (uint32_t)t->n++;
}

void calltree_init(struct calltree *t)
{
	*t = (struct calltree){ 0 };
	(void)add(t, 0, 0);
	set_slots(t, FIRST_SLOTS);
}

void calltree_clear(struct calltree *t)
{
	free(t->v);
	free(t->slot);
	*t = (struct calltree){ 0 };
}

uint32_t calltree_child(struct calltree *t, uint32_t parent, sym name)
{
	uint32_t *slot = slot_of(t, parent, name);

	if (*slot)
		return *slot - 1;
	if (2 * t->n >= t->nslot) {
		set_slots(t, 2 * t->nslot);
		slot = slot_of(t, parent, name);
	}
	*slot = (uint32_t)t->n + 1;
	return add(t, parent, name);
}

void calltree_count(struct calltree *t, uint32_t node, nsec total, nsec self)
{
	struct calltree_node *v = &t->v[node];

	v->calls++;
	v->total = saturate_add(v->total, total);
	v->self = saturate_add(v->self, self);
	v->min = total < v->min ? total : v->min;
	v->max = total > v->max ? total : v->max;
}

struct place {
	nsec total;
	struct span name;
	uint32_t parent, at;
};

static int by_parent(const void *pa, const void *pb)
{
	const struct place *a = pa, *b = pb;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return span_cmp(a->name, b->name);
}

uint32_t *calltree_order(const struct calltree *t, const struct strings *names, struct arena *mem)
{
	size_t n = t->n - 1, i, out = 0, top = 0;
	uint32_t *order = arena_array(mem, n, sizeof(*order));
	struct place *v = arena_array(mem, n, sizeof(*v));
	size_t *begin = arena_array(mem, t->n + 1, sizeof(*begin));
	uint32_t *stack = arena_array(mem, t->n, sizeof(*stack));

	for (i = 0; i < n; i++) {
		const struct calltree_node *node = &t->v[i + 1];

		v[i] = (struct place){ node->total, strings_get(names, node->name), node->parent,
			(uint32_t)i + 1 };
		begin[node->parent + 1]++;
	}
	if (n > 1)
		qsort(v, n, sizeof(*v), by_parent);
	for (i = 0; i < t->n; i++)
		begin[i + 1] += begin[i];
	stack[top++] = 0;
	while (top > 0) {
		uint32_t node = stack[--top];

		if (node)
			order[out++] = node;
		for (i = begin[node + 1]; i-- > begin[node];)
			stack[top++] = v[i].at;
	}
	return order;
}
