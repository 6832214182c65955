/* The rows of a table in the order of time. */
#include "edit/export/export.h"

enum { DIGIT = 16, DIGIT_VALUES = 1 << DIGIT, KEY_BITS = 64 };

unsigned export_needs(enum schema_table_id id)
{
	unsigned needs = schema_tables[id].needs;

	for (EACH(const struct schema_column, col, schema_tables[id].column, schema_tables[id].n))
		needs |= col->needs;
	return needs;
}

/* Sorts rows by their keys' digit from `shift` on, those of one value as they stand. */
static void sort_by_digit(const uint64_t *key, const uint32_t *from, uint32_t *to, size_t n,
	unsigned shift, size_t *at)
{
	size_t sum = 0;

	memset(at, 0, DIGIT_VALUES * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		at[key[i] >> shift & (DIGIT_VALUES - 1)]++;
	for (size_t d = 0; d < DIGIT_VALUES; d++) {
		size_t here = at[d];

		at[d] = sum;
		sum += here;
	}
	for (size_t i = 0; i < n; i++)
		to[at[key[from[i]] >> shift & (DIGIT_VALUES - 1)]++] = from[i];
}

/* The rows by key, which is made relative to its least; NULL where they stand so. */
static uint32_t *order_by(int64_t *key, size_t n)
{
	uint64_t most = 0;

	if (n == 0 || n > UINT32_MAX || ALL(i, n, i == 0 || key[i - 1] <= key[i]))
		return NULL;
	int64_t least = key[0];
	for (size_t i = 1; i < n; i++)
		least = MIN(least, key[i]);
	uint64_t *above = (uint64_t *)key;
	for (size_t i = 0; i < n; i++) {
		above[i] = (uint64_t)key[i] - (uint64_t)least;
		most = MAX(most, above[i]);
	}
	uint32_t *row = xmalloc(n * sizeof(*row)), *next = xmalloc(n * sizeof(*next));
	size_t *at = xmalloc(DIGIT_VALUES * sizeof(*at));
	for (size_t i = 0; i < n; i++)
		row[i] = (uint32_t)i;
	for (unsigned shift = 0; shift < KEY_BITS && most >> shift; shift += DIGIT) {
		sort_by_digit(above, row, next, n, shift, at);
		uint32_t *was = row;
		row = next;
		next = was;
	}
	FREE_ALL(next, at);
	return row;
}

void export_table_init(struct export_table *t, struct columns *c, enum schema_table_id id)
{
	*t = (struct export_table){ .schema = &schema_tables[id], .c = c };
	t->n = columns_rows(c, id);
	for (EACH(const struct schema_column, col, t->schema->column, t->schema->n))
		if (strcmp(col->key, "start_ns") == 0) {
			int64_t *key = xmalloc(t->n * sizeof(*key));

			col->fill(c, 0, t->n, key);
			t->order = order_by(key, t->n);
			free(key);
		}
}

void export_table_clear(struct export_table *t)
{
	free(t->order);
	t->order = NULL;
}
