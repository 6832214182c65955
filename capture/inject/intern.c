/*
 * A bounded table from raw names to quoted ones.
 */
#include "capture/inject/intern.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = INTERN_MAX * 2 };

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

bool intern_init(struct intern *t, intern_make_fn make, void *user)
{
	*t = (struct intern){ .make = make, .user = user };
	t->entry = calloc(SLOTS, sizeof(*t->entry));
	return t->entry;
}

void intern_free(struct intern *t)
{
	size_t i;

	for (i = 0; t->entry && i < SLOTS; i++) {
		free(t->entry[i].raw);
		free(t->entry[i].json);
	}
	free(t->entry);
	jtext_free(&t->scratch);
	*t = (struct intern){ 0 };
}

/* A copy of n bytes and a 0 behind them; NULL without memory. */
static char *copy(const char *s, size_t n)
{
	char *p = malloc(n + 1);

	if (!p)
		return NULL;
	memcpy(p, s, n);
	p[n] = 0;
	return p;
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

/* Makes and keeps the name in a free entry. */
static struct name add(
	struct intern *t, struct intern_entry *e, const char *raw, size_t n, bool *keeps)
{
	t->scratch.n = 0;
	if (t->make)
		t->make(&t->scratch, raw, n, t->user);
	else
		jtext_string(&t->scratch, raw, n);
	if (t->n >= INTERN_MAX || t->scratch.failed)
		return without_keeping(t);
	e->raw = copy(raw, n);
	e->json = copy(t->scratch.p, t->scratch.n);
	if (!e->raw || !e->json) {
		free(e->raw);
		free(e->json);
		e->raw = e->json = NULL;
		return without_keeping(t);
	}
	e->raw_n = n;
	e->json_n = t->scratch.n;
	t->n++;
	*keeps = true;
	return (struct name){ e->json, e->json_n };
}

/* The entry of n raw bytes, or the free one where it belongs. */
static struct intern_entry *find(const struct intern *t, const char *raw, size_t n, uint64_t h)
{
	size_t i = h % SLOTS;

	for (; t->entry[i].raw; i = (i + 1) % SLOTS) {
		const struct intern_entry *e = &t->entry[i];

		if (e->hash == h && e->raw_n == n && memcmp(e->raw, raw, n) == 0)
			break;
	}
	return &t->entry[i];
}

const char *intern_raw(const struct intern *t, const char *raw, size_t n)
{
	return find(t, raw, n, hash_bytes(raw, n))->raw;
}

struct name intern_get(struct intern *t, const char *raw, size_t n, bool *keeps)
{
	uint64_t h = hash_bytes(raw, n);
	struct intern_entry *e = find(t, raw, n, h);

	*keeps = e->raw;
	if (e->raw)
		return (struct name){ e->json, e->json_n };
	e->hash = h;
	return add(t, e, raw, n, keeps);
}
