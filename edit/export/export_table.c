/* The order in which rows of a table are written. */
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

/* Rows that are sorted by one key after another, the last of which counts most. */
struct sorting {
	uint32_t *row, *next;
	size_t *at; /* by value of a digit */
};

/* Sorts n rows from `first` on by key, a number for each row of the table. */
static void sort_part(struct sorting *s, const uint64_t *key, size_t first, size_t n)
{
	uint32_t *row = s->row + first;
	uint64_t most = 0, last = 0;
	bool is_sorted = true;

	for (size_t i = 0; i < n; i++) {
		const uint64_t at = key[row[i]];

		is_sorted &= at >= last;
		last = at;
		most = MAX(most, at);
	}
	for (unsigned shift = 0; !is_sorted && shift < KEY_BITS && most >> shift; shift += DIGIT) {
		sort_by_digit(key, row, s->next, n, shift, s->at);
		memcpy(row, s->next, n * sizeof(*row));
	}
}

static void fill_numbers(
	const struct export_table *t, const struct schema_column *col, int64_t *key)
{
	if (col->type != SCHEMA_TEXT) {
		col->fill(t->c, 0, t->n, key);
		return;
	}
	uint32_t *id = xmalloc((t->n + 1) * sizeof(*id));
	col->fill(t->c, 0, t->n, id);
	for (size_t i = 0; i < t->n; i++)
		key[i] = id[i];
	free(id);
}

/* Cells of a column as numbers from the least on; 0: nothing. */
static uint64_t *key_of(const struct export_table *t, const struct schema_column *col)
{
	int64_t *key = xmalloc((t->n + 1) * sizeof(*key)), least = INT64_MAX;
	uint64_t *above = (uint64_t *)key;

	fill_numbers(t, col, key);
	for (size_t i = 0; i < t->n; i++)
		if (key[i] != SCHEMA_NO_INT)
			least = MIN(least, key[i]);
	for (size_t i = 0; i < t->n; i++)
		above[i] = key[i] == SCHEMA_NO_INT ? 0 : (uint64_t)key[i] - (uint64_t)least + 1;
	return above;
}

static const struct schema_column *column_of(const struct export_table *t, const char *key)
{
	size_t i = FIRST(k, t->schema->n, strcmp(t->schema->column[k].key, key) == 0);

	return i < t->schema->n ? &t->schema->column[i] : NULL;
}

/* Sorts by a column the rows of each group by themselves. */
static void sort_by(struct export_table *t, struct sorting *s, const char *word, size_t group)
{
	const struct schema_column *col = column_of(t, word);

	if (!col)
		return;
	uint64_t *key = key_of(t, col);
	for (size_t first = 0; first < t->n; first += group)
		sort_part(s, key, first, MIN(group, t->n - first));
	free(key);
}

void export_table_init(
	struct export_table *t, struct columns *c, enum schema_table_id id, size_t group)
{
	static const char *const alike[] = { "stream", "device", "track", "kind" };
	struct sorting s = { 0 };

	*t = (struct export_table){ .schema = &schema_tables[id], .c = c };
	t->n = columns_rows(c, id);
	if (t->n == 0 || t->n > UINT32_MAX || !column_of(t, "start_ns"))
		return;
	s = (struct sorting){ .row = xmalloc(t->n * sizeof(*s.row)),
		.next = xmalloc(t->n * sizeof(*s.next)),
		.at = xmalloc(DIGIT_VALUES * sizeof(*s.at)) };
	for (size_t i = 0; i < t->n; i++)
		s.row[i] = (uint32_t)i;
	sort_by(t, &s, "start_ns", t->n);
	for (size_t i = 0; i < COUNT_OF(alike) && group > 0; i++)
		sort_by(t, &s, alike[i], group);
	FREE_ALL(s.next, s.at);
	t->order = s.row;
}

void export_table_clear(struct export_table *t)
{
	free(t->order);
	t->order = NULL;
}
