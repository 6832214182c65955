/*
 * Sizes of convolutions by their backward.
 */
#include "analyze/costmodel/outputs.h"

#include <stdlib.h>

#include "analyze/costmodel/formulas.h"

/* Input and filter of a convolution.  No padding: a key of a keymap. */
struct pair {
	int64_t dims, x[ROOF_DIMS_MAX], filter[ROOF_DIMS_MAX];
};

struct outputs {
	const struct keymap *keys;
	const struct strings *texts;
	struct keymap pairs;
	struct roof_shape *shape; /* by pair; n = -1: calls do not agree */
	size_t cap;
	struct arena mem; /* of one call */
};

static bool read_call(struct outputs *u, uint32_t cost, struct roof_call *c)
{
	const struct strings *texts = u->texts;
	const struct roof_key *k = keymap_key(u->keys, cost);

	arena_clear(&u->mem);
	return roof_call_read(c, strings_get(texts, k->dims), strings_get(texts, k->types),
		strings_get(texts, k->strides), strings_get(texts, k->values), &u->mem);
}

static bool pair_of(const struct roof_call *c, int x, int filter, struct pair *p)
{
	const struct roof_arg *a = roof_call_tensor(c, x), *f = roof_call_tensor(c, filter);
	int i;

	if (!a || !f || a->shape.n < 3 || f->shape.n != a->shape.n)
		return false;
	*p = (struct pair){ .dims = a->shape.n };
	for (i = 0; i < a->shape.n; i++) {
		p->x[i] = a->shape.dim[i];
		p->filter[i] = f->shape.dim[i];
	}
	return true;
}

static bool same_shape(const struct roof_shape *a, const struct roof_shape *b)
{
	int i;

	if (a->n != b->n)
		return false;
	for (i = 0; i < a->n; i++)
		if (a->dim[i] != b->dim[i])
			return false;
	return true;
}

/* A backward call: the gradient it gets has the shape of what was written. */
static void learn(struct outputs *u, const struct roof_op *op, const struct roof_call *c)
{
	const struct roof_arg *dy = roof_call_tensor(c, op->p[0]);
	size_t before = u->pairs.n;
	struct pair p;
	uint32_t at;

	if (!dy || !pair_of(c, op->p[1], op->p[2], &p))
		return;
	at = keymap_add(&u->pairs, &p);
	if (u->pairs.n > before) {
		u->shape = array_grow(u->shape, &u->cap, u->pairs.n, sizeof(*u->shape));
		u->shape[at] = dy->shape;
	} else if (!same_shape(&u->shape[at], &dy->shape)) {
		u->shape[at].n = -1;
	}
}

static void complete(struct outputs *u, struct roof_cost *cost, const struct roof_call *c)
{
	const struct roof_op *op = cost->op;
	const struct roof_shape *out;
	struct pair p;
	uint32_t at;

	if (!pair_of(c, op->p[0], op->p[1], &p))
		return;
	at = keymap_find(&u->pairs, &p);
	out = at == KEYMAP_NONE ? NULL : &u->shape[at];
	/* A transposed one has its filters the other way round. */
	if (!out || out->n != p.dims || out->dim[1] != p.filter[0])
		return;
	cost->work.why = ROOF_WHY_KNOWN;
	roof_convolution_to(op, c, out, &cost->work);
}

void roof_outputs(struct roof_cost *cost, const struct keymap *keys, const struct strings *texts)
{
	struct outputs u = { .keys = keys, .texts = texts };
	struct roof_call call;
	uint32_t i;

	arena_init(&u.mem);
	keymap_init(&u.pairs, sizeof(struct pair));
	for (i = 0; i < keys->n; i++)
		if (cost[i].op && cost[i].op->formula == roof_convolution_half &&
			read_call(&u, i, &call))
			learn(&u, cost[i].op, &call);
	for (i = 0; i < keys->n && u.pairs.n > 0; i++)
		if (cost[i].op && cost[i].op->formula == roof_convolution &&
			cost[i].work.why == ROOF_WHY_NO_VALUES && read_call(&u, i, &call))
			complete(&u, &cost[i], &call);
	keymap_clear(&u.pairs);
	arena_clear(&u.mem);
	free(u.shape);
}
