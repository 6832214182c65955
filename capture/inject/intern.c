/* A bounded table from raw names to quoted ones. */
#include "capture/inject/intern.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = INTERN_MAX * 2, ENTRIES_START = 256, BLOCK_BYTES = 16384 };

static uint64_t hash_bytes(const char *s, size_t n)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ n, w;

	for (; n >= 8; s += 8, n -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	for (w = 0; n; n--)
		w = w << 8 | (unsigned char)*s++;
	h = (h ^ w) * 0xc4ceb9fe1a85ec53u;
	return h ^ h >> 29;
}

bool intern_init(struct intern *t, size_t bytes_max, intern_make_fn make, void *user)
{
	*t = (struct intern){ .bytes_max = bytes_max, .make = make, .user = user };
	t->slot = calloc(SLOTS, sizeof(*t->slot));
	return t->slot;
}

void intern_free(struct intern *t)
{
	struct intern_block *next;

	for (struct intern_block *b = t->block; b; b = next) {
		next = b->next;
		free(b);
	}
	free(t->slot);
	free(t->entry);
	jtext_free(&t->scratch);
	*t = (struct intern){ 0 };
}

/* Room for n bytes that stay; NULL without memory, or when the table has had its share. */
static char *keep(struct intern *t, size_t n)
{
	struct intern_block *b = t->block;
	size_t size = n > BLOCK_BYTES - sizeof(*b) ? n : BLOCK_BYTES - sizeof(*b);

	if (!b || b->size - b->used < n) {
		if (t->bytes + sizeof(*b) + size > t->bytes_max)
			return NULL;
		b = malloc(sizeof(*b) + size);
		if (!b)
			return NULL;
		b->next = t->block;
		b->used = 0;
		b->size = size;
		t->block = b;
		t->bytes += sizeof(*b) + size;
	}
	b->used += n;
	return b->text + b->used - n;
}

/* One more entry; false without memory. */
static bool grow(struct intern *t)
{
	size_t cap = t->cap ? t->cap * 2 : ENTRIES_START;

	if (t->n < t->cap)
		return true;
	struct intern_entry *e = realloc(t->entry, cap * sizeof(*e));
	if (!e)
		return false;
	t->entry = e;
	t->cap = cap;
	return true;
}

static struct name without_keeping(struct intern *t)
{
	t->evicted++;
	if (t->scratch.failed || !t->scratch.n) {
		t->scratch.failed = false;
		return (struct name){ "\"\"", 2 };
	}
	return (struct name){ t->scratch.p, t->scratch.n };
}

static struct name name_of(const struct intern_entry *e)
{
	return (struct name){ e->raw + e->raw_n + 1, e->json_n };
}

/* Makes and keeps the name.  Its place is slot[at]. */
static struct name add(
	struct intern *t, size_t at, uint32_t hash, const char *raw, size_t n, bool *keeps)
{
	char *p = NULL;

	t->scratch.n = 0;
	if (t->make)
		t->make(&t->scratch, raw, n, t->user);
	else
		jtext_string(&t->scratch, raw, n);
	size_t json_n = t->scratch.n;
	if (!t->scratch.failed && t->n < INTERN_MAX && grow(t))
		p = keep(t, n + 1 + json_n);
	if (!p)
		return without_keeping(t);
	memcpy(p, raw, n);
	p[n] = 0;
	memcpy(p + n + 1, t->scratch.p, json_n);
	t->entry[t->n] = (struct intern_entry){ p, (uint32_t)n, (uint32_t)json_n, hash };
	t->slot[at] = (uint32_t)++t->n;
	*keeps = true;
	return name_of(&t->entry[t->n - 1]);
}

/* The slot of n raw bytes, or the free one where they belong. */
static size_t find(const struct intern *t, const char *raw, size_t n, uint32_t hash)
{
	size_t i = hash % SLOTS;

	for (; t->slot[i]; i = (i + 1) % SLOTS) {
		const struct intern_entry *e = &t->entry[t->slot[i] - 1];

		if (e->hash == hash && e->raw_n == n && memcmp(e->raw, raw, n) == 0)
			break;
	}
	return i;
}

const char *intern_raw(const struct intern *t, const char *raw, size_t n)
{
	uint32_t place = t->slot[find(t, raw, n, (uint32_t)hash_bytes(raw, n))];

	return place ? t->entry[place - 1].raw : NULL;
}

struct name intern_get(struct intern *t, const char *raw, size_t n, bool *keeps)
{
	uint32_t hash = (uint32_t)hash_bytes(raw, n);
	size_t at = find(t, raw, n, hash);

	*keeps = t->slot[at];
	return *keeps ? name_of(&t->entry[t->slot[at] - 1]) : add(t, at, hash, raw, n, keeps);
}
