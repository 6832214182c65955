/* Lanes: a small table with a keymap in front.  A run has tens of them, a hostile file 100,000. */
#include "analyze/trace/columns/lanes.h"

#include "base/base.h"

/* What tells one lane from another. */
struct lane_key {
	int64_t pid, tid, is_device, device, stream;
};

void lanes_init(struct lanes *l)
{
	*l = (struct lanes){ 0 };
	keymap_init(&l->by_key, sizeof(struct lane_key));
}

void lanes_clear(struct lanes *l)
{
	free(l->lane);
	keymap_clear(&l->by_key);
	*l = (struct lanes){ 0 };
}

uint32_t lanes_add(struct lanes *l, const struct lane *key)
{
	struct lane_key k = { key->pid, key->tid, key->is_device, key->device, key->stream };
	uint32_t at = keymap_add(&l->by_key, &k);

	if (at < l->n)
		return at;
	l->lane = array_grow(l->lane, &l->cap, l->n + 1, sizeof(*l->lane));
	l->lane[at] = *key;
	l->lane[at].process_name = l->lane[at].process_labels = l->lane[at].thread_name = 0;
	l->n++;
	return at;
}

void lanes_restore(struct lanes *l, const struct lane *lane)
{
	PUSH(l->lane, l->n, l->cap, *lane);
}

struct lane_place lane_place(const struct lanes *l, uint32_t lane)
{
	const struct lane *of = &l->lane[lane];

	return (struct lane_place){ of->device, of->stream, of->pid_number, of->tid_number, lane };
}

ORDER(by_stream, struct lane_place, compare3(a->device, b->device), compare3(a->stream, b->stream),
	compare3(a->pid, b->pid), compare3(a->tid, b->tid), compare3(a->lane, b->lane))

void lane_places_sort(struct lane_place *v, size_t n)
{
	sort_rows(v, n, sizeof(*v), by_stream);
}

int64_t lane_number(struct span text)
{
	bool negative = text.n > 0 && text.p[0] == '-';
	size_t i = negative;
	uint64_t v = 0;

	if (text.n - i == 0 || text.n - i > 18 || (text.p[i] == '0' && text.n - i > 1))
		return LANE_NO_NUMBER;
	if (negative && text.p[i] == '0')
		return LANE_NO_NUMBER;
	for (; i < text.n; i++) {
		if (text.p[i] < '0' || text.p[i] > '9')
			return LANE_NO_NUMBER;
		v = v * 10 + (uint64_t)(text.p[i] - '0');
	}
	return negative ? -(int64_t)v : (int64_t)v;
}
