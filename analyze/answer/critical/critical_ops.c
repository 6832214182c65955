/*
 * `critical`: which op most of what has a name is of.
 */
#include "analyze/answer/critical/critical.h"

#include <stdlib.h>

#include "base/saturate.h"

struct key {
	uint32_t index;
	sym op;
};

void critical_ops_init(struct critical_ops *o)
{
	*o = (struct critical_ops){ 0 };
	keymap_init(&o->keys, sizeof(struct key));
}

void critical_ops_clear(struct critical_ops *o)
{
	keymap_clear(&o->keys);
	free(o->ns);
}

void critical_ops_add(struct critical_ops *o, uint32_t index, sym op, nsec ns)
{
	const struct key key = { index, op };
	size_t n = o->keys.n;
	uint32_t at = keymap_add(&o->keys, &key);

	if (at == n) {
		o->ns = array_grow(o->ns, &o->cap, n + 1, sizeof(*o->ns));
		o->ns[at] = 0;
	}
	saturate_onto(&o->ns[at], ns);
}

sym *critical_ops_main(const struct critical_ops *o, size_t n, struct arena *mem)
{
	sym *op = arena_array(mem, n, sizeof(*op));
	nsec *most = arena_array(mem, n, sizeof(*most));
	size_t i;

	for (i = 0; i < o->keys.n; i++) {
		const struct key *key = keymap_key(&o->keys, (uint32_t)i);

		if (op[key->index] && o->ns[i] <= most[key->index])
			continue;
		most[key->index] = o->ns[i];
		op[key->index] = key->op;
	}
	return op;
}
