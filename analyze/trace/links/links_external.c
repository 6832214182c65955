/* External ids: which op has the id of a device row without a launch, and how many ops share one.
 *
 * There is one id for nearly each op and few are wanted, so sets of ids are bitmaps where the ids
 * lie close enough together, and the events are gone through only when some op is wanted. */
#include "analyze/trace/links/links.h"
#include "analyze/trace/links/links_work.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* A bitmap of ids is used when it has at most this many bits for each of them. */
enum { BITMAP_SPREAD = 64 };

struct id_column links_ids(const struct run *r, enum arg arg)
{
	const uint32_t *id = r->args.col[arg].id;

	return (struct id_column){ id, id ? r->args.n[arg_infos[arg].table] : 0 };
}

/* A set of bits for the numbers first .. first + n - 1. */
struct bits {
	uint64_t *word;
	uint32_t first;
	size_t n;
};

/* For the ids but 0; of no size when they lie too far apart for `count`, or are none. */
static struct bits bits_for(struct id_column c, size_t count)
{
	uint32_t first = UINT32_MAX, last = 0;
	struct bits b = { 0 };

	for (size_t i = 0; i < c.n; i++) {
		uint32_t id = c.id[i];

		last = MAX(id, last);
		first = id - 1 < first - 1 ? id : first;
	}
	if (last == 0 || (last - first) / BITMAP_SPREAD >= count)
		return b;
	b.first = first;
	b.n = (size_t)(last - first) + 1;
	b.word = zeroed((b.n + 63) / 64, sizeof(*b.word));
	return b;
}

/* Whether x is there; false for what is out of range. */
static bool bits_get(const struct bits *b, uint32_t x)
{
	size_t at = (size_t)(x - b->first);

	return at < b->n && (b->word[at / 64] >> (at & 63) & 1);
}

/* Adds x, which is in range; whether it was there before. */
static bool bits_add(struct bits *b, uint32_t x)
{
	size_t at = x - b->first;
	uint64_t bit = (uint64_t)1 << (at & 63);
	bool old = (b->word[at / 64] & bit) != 0;

	b->word[at / 64] |= bit;
	return old;
}

/* The External ids of device rows without a launch; the caller frees them. */
static struct id_column list_wanted(const struct links *l, const struct run *r, uint32_t **own)
{
	const struct id_column c = links_ids(r, ARG_DEVICE_EXTERNAL_ID);
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < c.n; i++) {
		if (c.id[i] == 0 || (l->launch[i] != NO_ROW && !r->has_arrows))
			continue;
		if (n == cap) /* once: pages that are not reached cost nothing */
			*own = array_grow(*own, &cap, c.n, sizeof(**own));
		(*own)[n++] = c.id[i];
	}
	return (struct id_column){ *own, n };
}

/* External id -> the first op that has it, for those wanted.  What an event of another kind finds
 * by its side row is some op's id, and few of them are wanted, so kinds are looked at last. */
static void index_ops(const struct idmap *op_of, const struct run *r, struct id_column wanted)
{
	const struct id_column ops = links_ids(r, ARG_OP_EXTERNAL_ID);
	const struct events *ev = &r->events;
	struct bits quick = bits_for(wanted, ops.n);

	for (size_t i = 0; i < wanted.n && quick.n; i++)
		(void)bits_add(&quick, wanted.id[i]);
	for (size_t i = 0; i < ev->n; i++) {
		size_t side = (size_t)ev->args[i] - 1;

		if (side >= ops.n || (quick.n && LIKELY(!bits_get(&quick, ops.id[side]))) ||
			(ev->kind[i] != KIND_OP && ev->kind[i] != KIND_ANNOTATION))
			continue;
		uint32_t *slot = idmap_slot(op_of, ops.id[side]);
		if (slot && *slot == 0)
			*slot = (uint32_t)i + 1;
	}
	free(quick.word);
}

void links_external(struct links *l, const struct run *r)
{
	uint32_t *own = NULL;
	struct id_column wanted = list_wanted(l, r, &own);

	idmap_init(&l->work->op_of, wanted.id, wanted.n);
	if (wanted.n)
		index_ops(&l->work->op_of, r, wanted);
	free(own);
}

int64_t links_duplicate_external_ids(const struct run *r)
{
	const struct id_column c = links_ids(r, ARG_OP_EXTERNAL_ID);
	struct bits seen = bits_for(c, c.n);
	struct idmap map = { 0 };
	int64_t n = 0;

	if (!seen.n)
		idmap_init(&map, c.id, c.n);
	for (size_t i = 0; i < c.n; i++) {
		if (c.id[i] == 0)
			continue;
		if (seen.n) {
			n += bits_add(&seen, c.id[i]);
		} else {
			uint32_t *slot = idmap_slot(&map, c.id[i]);

			n += *slot != 0;
			*slot = 1;
		}
	}
	free(seen.word);
	idmap_clear(&map);
	return n;
}
