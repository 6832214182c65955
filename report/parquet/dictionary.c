/* Distinct values of a column. */
#include "report/parquet/dictionary.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/utf8.h"

enum {
	SLOTS = 4 * DICTIONARY_VALUES,
	PROBES = 64, /* values that were made to collide are as good as too many */
	LATELY = 1 << 12,
	SAMPLE = 1 << 14 /* of these at most half may be distinct */
};

static bool is_worth_it(size_t nvalue, size_t ndistinct)
{
	return ndistinct <= nvalue / 2;
}

/* Where the value stands, 1 + its place, or 0 where it would; NULL: not to be found in a few steps.
 */
static uint32_t *find_number(const struct dictionary *d, uint32_t *slot, int64_t v)
{
	uint64_t hash = (uint64_t)v * 0x9e3779b97f4a7c15u >> 32;

	for (size_t i = 0; i < PROBES; i++) {
		uint32_t *s = &slot[(hash + i) & (SLOTS - 1)];

		if (*s == 0 || d->number[*s - 1] == v)
			return s;
	}
	return NULL;
}

/* The place of the number; false: the dictionary has no room for it. */
static bool place_number(struct dictionary *d, uint32_t *slot, int64_t v, uint32_t *place)
{
	uint32_t *found = find_number(d, slot, v);

	if (!found || (*found == 0 && d->n == DICTIONARY_VALUES))
		return false;
	if (*found == 0) {
		d->number[d->n++] = v;
		*found = (uint32_t)d->n;
	}
	*place = *found - 1;
	return true;
}

void dictionary_of_numbers(struct dictionary *d, const int64_t *v, size_t n)
{
	uint32_t *slot = xcalloc(SLOTS, sizeof(*slot));
	size_t i;

	*d = (struct dictionary){ .index = xmalloc(n * sizeof(*d->index)),
		.number = xmalloc(DICTIONARY_VALUES * sizeof(*d->number)) };
	for (i = 0; i < n && (i != SAMPLE || is_worth_it(i, d->n)); i++)
		if (i > 0 && v[i] == v[i - 1])
			d->index[i] = d->index[i - 1];
		else if (!place_number(d, slot, v[i], &d->index[i]))
			break;
	d->covered = is_worth_it(i, d->n) ? i : 0;
	free(slot);
}

static uint32_t *find_text(const struct dictionary *d, uint32_t *slot, struct span v)
{
	uint64_t hash = XXH3_64bits(v.p, v.n);

	for (size_t i = 0; i < PROBES; i++) {
		uint32_t *s = &slot[(hash + i) & (SLOTS - 1)];

		if (*s == 0)
			return s;
		struct span have = d->text[*s - 1];
		if (have.p == v.p ? have.n == v.n : span_eq(have, v))
			return s;
	}
	return NULL;
}

static bool place_text(
	struct dictionary *d, uint32_t *slot, struct span v, struct str *scratch, uint32_t *place)
{
	uint32_t *found = find_text(d, slot, v);

	if (found && *found == 0) {
		struct span whole = utf8_mended(v, scratch);

		if (whole.p != v.p)
			found = find_text(d, slot, whole);
		if (found && *found == 0) {
			if (d->n == DICTIONARY_VALUES || d->bytes + whole.n > DICTIONARY_BYTES)
				return false;
			if (whole.p != v.p)
				whole.p = arena_copy(&d->mem, whole.p, whole.n);
			d->bytes += whole.n;
			d->text[d->n++] = whole;
			*found = (uint32_t)d->n;
		}
	}
	if (found)
		*place = *found - 1;
	return found;
}

/* Texts that were seen lately, by where they stand: most are stored once, and need no hashing. */
struct lately {
	struct span text;
	uint32_t place;
};

static struct lately *lately_of(struct lately *v, struct span text)
{
	return &v[((uintptr_t)text.p >> 4 ^ (uintptr_t)text.p >> 16) & (LATELY - 1)];
}

void dictionary_of_texts(struct dictionary *d, const struct span *v, size_t n)
{
	uint32_t *slot = xcalloc(SLOTS, sizeof(*slot));
	struct lately *lately = xcalloc(LATELY, sizeof(*lately));
	SCOPED_STR scratch = { 0 };
	size_t i;

	*d = (struct dictionary){ .index = xmalloc(n * sizeof(*d->index)),
		.text = xmalloc(DICTIONARY_VALUES * sizeof(*d->text)) };
	for (i = 0; i < n && (i != SAMPLE || is_worth_it(i, d->n)); i++) {
		struct lately *l = lately_of(lately, v[i]);

		if (!l->text.p || l->text.p != v[i].p || l->text.n != v[i].n) {
			l->text = v[i];
			if (!place_text(d, slot, v[i], &scratch, &l->place))
				break;
		}
		d->index[i] = l->place;
	}
	d->covered = is_worth_it(i, d->n) ? i : 0;
	FREE_ALL(slot, lately);
}

void dictionary_clear(struct dictionary *d)
{
	FREE_ALL(d->index, d->number, d->text);
	arena_clear(&d->mem);
}
