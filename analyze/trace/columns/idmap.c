/* Ids to rows.  Correlation and External ids are counters, so an array nearly always does; the hash
 * table is for remapped and hostile ones.  Its hash is seeded by an address, which changes nothing
 * that can be seen but the speed on ids made to collide. */
#include "analyze/trace/columns/idmap.h"

/* An array is used when it has at most this many places for each id. */
enum { DIRECT_SPREAD = 4, FIRST_SLOTS = 16 };

struct idmap_entry {
	uint32_t id; /* 0 = free */
	uint32_t value;
};

/* The finalizer of MurmurHash3 over id and seed. */
static size_t hash_of(const struct idmap *m, uint32_t id)
{
	uint64_t h = m->seed + id;

	h = (h ^ h >> 33) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 33) * 0xc4ceb9fe1a85ec53u;
	return (size_t)(h ^ h >> 33);
}

/* The entry of id, or the free one where it belongs. */
static struct idmap_entry *locate(const struct idmap *m, uint32_t id)
{
	size_t at = hash_of(m, id) & (m->n - 1);

	while (m->entry[at].id != 0 && m->entry[at].id != id)
		at = (at + 1) & (m->n - 1);
	return &m->entry[at];
}

static void init_hashed(struct idmap *m, const uint32_t *id, size_t n, size_t count)
{
	for (m->n = FIRST_SLOTS; m->n < count * 2;)
		m->n *= 2;
	m->entry = zeroed(m->n, sizeof(*m->entry));
	m->seed = (uint64_t)(uintptr_t)m->entry * 0x9e3779b97f4a7c15u;
	for (size_t i = 0; i < n; i++)
		if (id[i] != 0)
			locate(m, id[i])->id = id[i];
}

void idmap_init(struct idmap *m, const uint32_t *id, size_t n)
{
	uint32_t first = UINT32_MAX, last = 0;
	size_t count = 0;

	*m = (struct idmap){ 0 };
	for (size_t i = 0; i < n; i++) {
		count += id[i] != 0;
		first = id[i] != 0 && id[i] < first ? id[i] : first;
		last = MAX(id[i], last);
	}
	if (count == 0)
		return;
	if ((size_t)(last - first) < count * DIRECT_SPREAD) {
		m->first = first;
		m->n = (size_t)(last - first) + 1;
		m->direct = zeroed(m->n, sizeof(*m->direct));
	} else {
		init_hashed(m, id, n, count);
	}
}

void idmap_clear(struct idmap *m)
{
	FREE_ALL(m->direct, m->entry);
	*m = (struct idmap){ 0 };
}

uint32_t *idmap_hashed(const struct idmap *m, uint32_t id)
{
	if (id == 0 || m->n == 0)
		return NULL;
	struct idmap_entry *e = locate(m, id);
	return e->id == id ? &e->value : NULL;
}

/* ---- wide ids: the few that do not fit 31 bits, numbered ---- */

void ids_init(struct ids *t)
{
	*t = (struct ids){ 0 };
}

void ids_clear(struct ids *t)
{
	keymap_clear(&t->wide);
}

uint32_t ids_pack(struct ids *t, uint64_t id)
{
	if (id < ID_WIDE)
		return (uint32_t)id;
	if (!t->wide.size)
		keymap_init(&t->wide, sizeof(id));
	uint32_t index = keymap_add(&t->wide, &id);
	if (index >= ID_WIDE - 1)
		die_oom(SIZE_MAX);
	return ID_WIDE | index;
}

uint64_t ids_unpack(const struct ids *t, uint32_t stored)
{
	return stored & ID_WIDE ? ids_wide(t, stored & ~ID_WIDE) : stored;
}

uint64_t ids_wide(const struct ids *t, size_t index)
{
	return *(const uint64_t *)keymap_key(&t->wide, (uint32_t)index);
}
