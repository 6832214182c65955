/* Tables folded over ranks, by hand:
 *
 *	rank     a    b    c         a and b are on all of them, c on rank 5 alone; a is twice on
 *	3       10    4    -         rank 4: 6 + 5 = 11
 *	4        6    4    -
 *	        +5
 *	5       30    4    1 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/fold.h"
#include "base/compiler.h"

static const struct column col[] = {
	{ "name", "name", "d", NULL, CELL_TEXT, UNIT_NONE, .flags = COLUMN_NAME },
	{ "kind", "kind", "d", NULL, CELL_INT, UNIT_NONE, .flags = COLUMN_HIDDEN },
	{ "time_ns", "time", "d", NULL, CELL_INT, UNIT_NS, .flags = 0 },
	{ "calls", "calls", "d", NULL, CELL_INT, UNIT_COUNT, .flags = 0 },
};
static const struct table_doc doc = { "work", "work", col, COUNT_OF(col) };
enum { RANKS = 3 };
static const int64_t ranks[RANKS] = { 3, 4, 5 };

static void row(struct table *t, const char *name, int64_t ns, int64_t calls)
{
	table_row(t);
	table_text(t, 0, span_of(name));
	table_int(t, 1, 7);
	if (ns >= 0)
		table_int(t, 2, ns);
	table_int(t, 3, calls);
}

static struct table *page(struct result *r)
{
	return result_table(r, doc.id, doc.title, doc.col, doc.ncol);
}

/* The three ranks of the drawing; cut: the first one's page leaves rows out. */
static void fold_all(struct fold *f, const struct fold_doc *how, bool is_cut)
{
	struct result r;
	struct table *t;

	fold_init(f, how);
	result_init(&r, "");
	t = page(&r);
	row(t, "a", 10, 1);
	row(t, "b", 4, 2);
	t->ncut = is_cut;
	fold_add(f, &r, 0, 0);
	t = page(&r);
	row(t, "b", 4, 2);
	row(t, "a", 6, 1);
	row(t, "a", 5, 1);
	fold_add(f, &r, 1, 1);
	t = page(&r);
	row(t, "c", 1, 9);
	row(t, "a", 30, 1);
	row(t, "b", 4, 3);
	row(t, "rest", 99, 1);
	t->nfoot = 1;
	fold_add(f, &r, 2, 2);
	result_clear(&r); /* nothing is borrowed */
}

static size_t find(const struct table *t, const char *key)
{
	size_t i;

	for (i = 0; i < t->ncol; i++)
		if (strcmp(t->col[i].key, key) == 0)
			return i;
	return t->ncol;
}

static double at(const struct table *t, size_t i, const char *key)
{
	size_t c = find(t, key);

	return c < t->ncol ? table_number_at(t, i, c) : NAN;
}

static const char *name_at(const struct table *t, size_t i)
{
	static char text[32];
	struct span s = table_text_at(t, i, find(t, "name"));

	assert_true(s.n < sizeof(text));
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	return text;
}

static void expect(
	const struct table *t, size_t i, const char *name, double median, double least, double most)
{
	assert_string_equal(name_at(t, i), name);
	assert_true(at(t, i, "median_time_ns") == median);
	assert_true(at(t, i, "least_time_ns") == least);
	assert_true(at(t, i, "most_time_ns") == most);
}

static const struct fold_doc sums = {
	.table = "other|work", .labels = "name", .value = "no_ns|time_ns", .beside = "calls"
};

static void sums_over_ranks(void **state)
{
	const struct fold_ranks job = { ranks, RANKS };
	struct fold f;
	struct result r;
	const struct table *t;

	(void)state;
	fold_all(&f, &sums, false);
	result_init(&r, "");
	fold_put(&f, &r, &job, SIZE_MAX);
	fold_clear(&f);
	assert_int_equal(r.ntable, 1);
	t = r.table[0];
	assert_string_equal(t->id, "work");
	assert_string_equal(t->title, "work, over 3 ranks: time");
	assert_int_equal(t->input, -1);
	assert_int_equal(t->nrow, 3);
	expect(t, 0, "a", 11, 10, 30);
	assert_true(at(t, 0, "least_rank") == 3 && at(t, 0, "most_rank") == 5);
	assert_true(at(t, 0, "calls") == 1);
	assert_true(isnan(at(t, 0, "ranks")));
	expect(t, 1, "b", 4, 4, 4);
	assert_true(isnan(at(t, 1, "least_rank")) && isnan(at(t, 1, "most_rank")));
	assert_true(at(t, 1, "calls") == 2);
	expect(t, 2, "c", 0, 0, 1);
	assert_true(at(t, 2, "ranks") == 1 && at(t, 2, "most_rank") == 5);
	result_clear(&r);
}

/* A rank whose page leaves rows out may have them; and no rank of the job counts, but those. */
static void what_is_not_known(void **state)
{
	const int64_t two[RANKS] = { 3, FOLD_NO_RANK, 5 };
	const struct fold_ranks job = { two, RANKS };
	struct fold f;
	struct result r;
	const struct table *t;

	(void)state;
	fold_all(&f, &sums, true);
	result_init(&r, "");
	fold_put(&f, &r, &job, 2);
	t = r.table[0];
	assert_int_equal(t->nrow, 3);
	assert_int_equal(t->nfoot, 1);
	assert_int_equal(t->ncut, 1);
	expect(t, 0, "a", 20, 10, 30);
	expect(t, 1, "b", 4, 4, 4);
	result_clear(&r);
	result_init(&r, "");
	fold_put(&f, &r, &job, SIZE_MAX);
	expect(r.table[0], 2, "c", 1, 1, 1); /* of rank 3 nobody knows */
	result_clear(&r);
	fold_clear(&f);
}

static void figures_in_order(void **state)
{
	static const struct fold_doc how = { .table = "work",
		.labels = "name|kind",
		.key = "name",
		.value = "time_ns",
		.is_figure = true,
		.in_order = true,
		.where = "name",
		.is = "c|a" };
	const struct fold_ranks job = { ranks, RANKS };
	struct fold f;
	struct result r;
	const struct table *t;

	(void)state;
	fold_all(&f, &how, false);
	result_init(&r, "");
	fold_put(&f, &r, &job, SIZE_MAX);
	t = r.table[0];
	assert_int_equal(t->nrow, 2);
	expect(t, 0, "a", 10, 6, 30); /* the larger of two */
	expect(t, 1, "c", 1, 1, 1);
	assert_true(at(t, 1, "ranks") == 1);
	assert_true(at(t, 0, "kind") == 7);
	assert_false(t->col[find(t, "kind")].flags & COLUMN_HIDDEN);
	result_clear(&r);
	fold_clear(&f);
}

/* Rows below the line, where they are asked for; truths are words. */
static void rows_below_the_line(void **state)
{
	static const struct column columns[] = {
		{ "name", "name", "", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
		{ "is_all", "all", "", NULL, CELL_BOOL, UNIT_NONE, .flags = COLUMN_HIDDEN },
		{ "x", "x", "", NULL, CELL_INT, UNIT_COUNT, .flags = 0 },
	};
	static const struct fold_doc how = { .table = "some",
		.labels = "name",
		.key = "",
		.value = "x",
		.is_figure = true,
		.has_foot = true,
		.where = "is_all",
		.is = "true" };
	static const int64_t rank[] = { 3, 4 };
	const struct fold_ranks job = { rank, 2 };
	struct fold f;
	struct result r;
	struct table *t;
	int i;

	(void)state;
	fold_init(&f, &how);
	for (i = 0; i < 2; i++) {
		result_init(&r, "");
		t = result_table(&r, "some", "some", columns, COUNT_OF(columns));
		table_row(t);
		table_text(t, 0, SPAN("one"));
		table_bool(t, 1, false);
		table_int(t, 2, 100);
		table_row(t);
		table_text(t, 0, SPAN("mean"));
		table_bool(t, 1, true);
		table_int(t, 2, 10 + i);
		t->nfoot = 1;
		fold_add(&f, &r, 0, i);
		result_clear(&r);
	}
	result_init(&r, "");
	fold_put(&f, &r, &job, SIZE_MAX);
	assert_int_equal(r.table[0]->nrow, 1);
	assert_string_equal(name_at(r.table[0], 0), "mean");
	assert_true(at(r.table[0], 0, "least_x") == 10);
	assert_true(at(r.table[0], 0, "most_x") == 11);
	assert_true(at(r.table[0], 0, "most_rank") == 4);
	result_clear(&r);
	fold_clear(&f);
}

static void nothing_to_fold(void **state)
{
	static const struct fold_doc absent = { .table = "none", .labels = "name", .value = "x" };
	const struct fold_ranks job = { ranks, RANKS };
	struct fold f;
	struct result r;

	(void)state;
	fold_all(&f, &absent, false);
	result_init(&r, "");
	fold_put(&f, &r, &job, SIZE_MAX);
	assert_int_equal(r.ntable, 0);
	result_clear(&r);
	fold_clear(&f);
}

/* What the table looks like is known before there is a row. */
static void shapes_without_rows(void **state)
{
	static const struct fold_doc by_either = { .table = "other|work",
		.labels = "name|absent",
		.value = "time_ns|none|calls",
		.beside = "calls" };
	static const struct fold_doc of_others = {
		.table = "other", .labels = "name", .value = "calls"
	};
	static const char *const want[] = { "median_time_ns", "least_time_ns", "least_rank",
		"most_time_ns", "most_rank", "ranks", "calls", "name" };
	struct table_doc shape[FOLD_SHAPES];
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	assert_int_equal(fold_shapes(&of_others, &doc, shape, &mem), 0);
	assert_int_equal(fold_shapes(&by_either, &doc, shape, &mem), 2);
	assert_int_equal(shape[0].ncol, COUNT_OF(want));
	for (i = 0; i < COUNT_OF(want); i++) {
		assert_string_equal(shape[0].col[i].key, want[i]);
		assert_true(shape[0].col[i].is_optional);
	}
	assert_int_equal(shape[0].col[0].type, CELL_REAL);
	assert_int_equal(shape[0].col[0].unit, UNIT_NS);
	assert_string_equal(shape[1].col[0].key, "median_calls");
}

/* A label that is called as the count of ranks is: no key stands twice. */
static void labels_called_ranks(void **state)
{
	static const struct column named[] = {
		{ "ranks", "ranks", "d", NULL, CELL_INT, UNIT_COUNT, .flags = 0 },
		{ "calls", "calls", "d", NULL, CELL_INT, UNIT_COUNT, .flags = 0 },
	};
	static const struct table_doc of = { "work", "work", named, COUNT_OF(named) };
	static const struct fold_doc how = { .table = "work", .labels = "ranks", .value = "calls" };
	struct table_doc shape[FOLD_SHAPES];
	SCOPED_ARENA mem = { 0 };

	(void)state;
	assert_int_equal(fold_shapes(&how, &of, shape, &mem), 1);
	assert_string_equal(shape[0].col[0].key, "ranks");
	assert_string_equal(shape[0].col[6].key, "have_ranks");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_over_ranks),
		cmocka_unit_test(what_is_not_known),
		cmocka_unit_test(figures_in_order),
		cmocka_unit_test(rows_below_the_line),
		cmocka_unit_test(nothing_to_fold),
		cmocka_unit_test(shapes_without_rows),
		cmocka_unit_test(labels_called_ranks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
