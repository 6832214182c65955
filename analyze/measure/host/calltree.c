/* Call trees: nodes in an array, found by parent and name. */
#include "analyze/measure/host/calltree.h"

uint32_t calltree_child(struct calltree *t, uint32_t parent, sym name)
{
	uint32_t key[] = { parent, name }, at = keymap_add(&t->by_path, key);

	if (at < t->n)
		return at;
	PUSH(t->v, t->n, t->cap,
		(struct calltree_node){ .name = name,
			.parent = parent,
			.depth = t->v[parent].depth + 1,
			.row = NO_ROW,
			.min = INT64_MAX });
	return at;
}

void calltree_init(struct calltree *t)
{
	const uint32_t nobody[] = { NO_ROW, 0 };

	*t = (struct calltree){ 0 };
	keymap_init(&t->by_path, sizeof(nobody));
	(void)keymap_add(&t->by_path, nobody);
	t->v = array_grow(t->v, &t->cap, 1, sizeof(*t->v));
	t->v[t->n++] = (struct calltree_node){ .row = NO_ROW, .min = INT64_MAX };
}

void calltree_clear(struct calltree *t)
{
	free(t->v);
	keymap_clear(&t->by_path);
	*t = (struct calltree){ 0 };
}

void calltree_count(struct calltree *t, uint32_t node, nsec total, nsec self)
{
	struct calltree_node *v = &t->v[node];

	v->calls++;
	saturate_onto(&v->total, total);
	saturate_onto(&v->self, self);
	v->min = MIN(total, v->min);
	v->max = MAX(total, v->max);
}

struct place {
	nsec total, device;
	struct span name;
	uint32_t parent, at;
};

ORDER(by_parent, struct place, compare3(a->parent, b->parent), compare3(b->total, a->total),
	compare3(b->device, a->device), span_cmp(a->name, b->name))

uint32_t *calltree_order(const struct calltree *t, const struct strings *names, struct arena *mem)
{
	size_t n = t->n - 1, out = 0, top = 0;
	uint32_t *order = arena_array(mem, n, sizeof(*order));
	struct place *v = arena_array(mem, n, sizeof(*v));
	size_t *begin = arena_array(mem, t->n + 1, sizeof(*begin));
	uint32_t *stack = arena_array(mem, t->n, sizeof(*stack));

	for (size_t i = 0; i < n; i++) {
		const struct calltree_node *node = &t->v[i + 1];

		v[i] = (struct place){ node->total, node->device, strings_get(names, node->name),
			node->parent, (uint32_t)i + 1 };
		begin[node->parent + 1]++;
	}
	sort_rows(v, n, sizeof(*v), by_parent);
	for (size_t i = 0; i < t->n; i++)
		begin[i + 1] += begin[i];
	stack[top++] = 0;
	while (top > 0) {
		uint32_t node = stack[--top];

		if (node)
			order[out++] = node;
		for (size_t i = begin[node + 1]; i-- > begin[node];)
			stack[top++] = v[i].at;
	}
	return order;
}
