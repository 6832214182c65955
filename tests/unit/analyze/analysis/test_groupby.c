/* Grouping, by hand.  Five names and how long each took:
 *
 *	  events   d7 a3 b4 a1 c4 e0      sum  calls  bytes
 *	  a           3     1               4    2    5 (of one; the other says none)
 *	  b              4                  4    1    -
 *	  c                    4            4    1    -
 *	  d        7                        7    1    2
 *	  e                       0         0    1    -
 *
 *	  by sum   d 7, then a, b, c 4, by name, then e 0        all: 19 in 6 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/groupby.h"
#include "analyze/trace/columns/args.h"
#include "analyze/trace/run.h"
#include "base/table.h"

struct group {
	uint64_t key[2];
	struct durations calls;
	int64_t bytes; /* ARG_UNKNOWN */
	sym name;
	struct span text;
	const char *word;
	bool is_long;
};

#define ROW struct group
enum { SUM, SHARE, RUNNING, CALLS, MEAN, BYTES, RATE, P50, P95, HAND, LEFT, STEP, NAME, COLUMNS };
static const struct column col[COLUMNS] = {
	[SUM] = { .key = "sum_ns", .type = CELL_INT, .unit = UNIT_NS, FROM(calls.sum), ADDS },
	[SHARE] = { .key = "share", .type = CELL_REAL, FROM_SHARE(calls.sum), ADDS },
	[RUNNING] = { .key = "running", .type = CELL_REAL, FROM_RUNNING(calls.sum) },
	[CALLS] = { .key = "calls", .type = CELL_INT, .unit = UNIT_COUNT, FROM(calls.n), ADDS },
	[MEAN] = { .key = "mean", .type = CELL_REAL, FROM_OVER(calls.sum, calls.n) },
	[BYTES] = { .key = "bytes", .type = CELL_INT, FROM(bytes), ADDS },
	[RATE] = { .key = "rate", .type = CELL_REAL, FROM_RATE(bytes, calls.sum) },
	[P50] = { .key = "p50", .type = CELL_REAL, .flags = COLUMN_HIDDEN, FROM_P(50, 0) },
	[P95] = { .key = "p95", .type = CELL_REAL, FROM_P(95, 0) },
	[HAND] = { .key = "hand", .type = CELL_INT },
	[LEFT] = { .key = "left", .type = CELL_INT, FROM_LESS(calls.sum, calls.max) },
	[STEP] = { .key = "step", .type = CELL_REAL, FROM_STEP(calls.sum) },
	[NAME] = { .key = "name", .type = CELL_TEXT, FROM_NAME(name) },
};
static const struct table_doc doc = { "groups", "groups", col, COLUMNS };

static void join(void *to, const void *item)
{
	struct group *sum = to;
	const struct group *g = item;

	durations_join(&sum->calls, &g->calls);
	if (g->bytes != ARG_UNKNOWN)
		sum->bytes = (sum->bytes == ARG_UNKNOWN ? 0 : sum->bytes) + g->bytes;
}

static void put(const struct groupby *g, const void *item, uint32_t i)
{
	assert_ptr_equal(item, (const char *)g->item + i * g->size);
	groupby_int(g, HAND, i);
}

static const struct grouping plain = { .sort = SUM, .name = NAME, .calls = CALLS, .put = put };
static const struct grouping summed = {
	.sort = SUM, .name = NAME, .calls = CALLS, .people = 2, .join = join
};
static const struct group fresh = { .calls = NO_DURATIONS, .bytes = ARG_UNKNOWN };

struct asked {
	struct query q;
	struct run run;
	struct result out;
	struct perrun at;
	struct groups groups;
};

static void add(struct asked *a, const char *name, nsec dur, int64_t bytes)
{
	sym id = strings_intern(&a->run.strings, span_of(name));
	const uint64_t key[2] = { id, 9 };
	struct group *g;

	g = groups_item(&a->groups, groups_hit(&a->groups, id, key, sizeof(*g)));
	g->name = id;
	durations_add(&g->calls, dur);
	if (bytes != ARG_UNKNOWN)
		g->bytes = bytes;
}

static void ask(struct asked *a, bool for_people)
{
	*a = (struct asked){ .q.for_people = for_people };
	result_init(&a->out, "");
	strings_init(&a->run.strings, 0);
	a->at = (struct perrun){ .q = &a->q, .out = &a->out, .run = &a->run };
	groups_init(&a->groups, sizeof(uint64_t[2]), sizeof(fresh), &fresh, 64);
}

static void draw(struct asked *a, bool for_people)
{
	ask(a, for_people);
	add(a, "d", 7, 2);
	add(a, "a", 3, 5);
	add(a, "b", 4, ARG_UNKNOWN);
	add(a, "a", 1, ARG_UNKNOWN);
	add(a, "c", 4, ARG_UNKNOWN);
	add(a, "e", 0, ARG_UNKNOWN);
}

static void clear(struct asked *a)
{
	groups_clear(&a->groups);
	strings_clear(&a->run.strings);
	arena_clear(&a->at.mem);
	result_clear(&a->out);
}

static struct groupby of(struct asked *a, const struct grouping *how)
{
	struct groupby g = groupby_of(how, &a->at, &doc, &a->groups, NULL);

	g.of.whole = 19;
	return g;
}

static const struct table *made(struct asked *a)
{
	return result_find(&a->out, "groups", 0);
}

/* The names of the first rows, as one text. */
static void expect_names(const struct table *t, const char *names)
{
	size_t i;

	assert_int_equal(table_rows(t), strlen(names));
	for (i = 0; names[i]; i++)
		assert_int_equal(table_word(t, i, "name").p[0], names[i]);
}

static void test_empty(void **state)
{
	struct asked a;
	struct groupby g;

	(void)state;
	ask(&a, false);
	g = of(&a, &summed);
	groupby_put(&g);
	assert_null(made(&a));
	clear(&a);
}

static void test_groups(void **state)
{
	struct asked a;
	uint64_t key[2] = { 0, 9 };
	const struct group *g;

	(void)state;
	draw(&a, false);
	assert_int_equal(a.groups.n, 5);
	key[0] = strings_find(&a.run.strings, SPAN("a"));
	g = groups_item(&a.groups, groups_find(&a.groups, key));
	assert_memory_equal(g->key, key, sizeof(key));
	assert_int_equal(g->calls.n, 2);
	assert_int_equal(g->calls.min, 1);
	assert_int_equal(g->calls.max, 3);
	key[1] = 8; /* near the same number, and another group */
	assert_int_equal(groups_find(&a.groups, key), KEYMAP_NONE);
	assert_int_equal(groups_hit(&a.groups, (uint32_t)key[0], key, sizeof(*g)), 5);
	key[1] = 9;
	assert_int_equal(groups_hit(&a.groups, (uint32_t)key[0], key, sizeof(*g)), 1);
	clear(&a);
}

static void test_ties(void **state)
{
	struct asked a;
	struct groupby g;

	(void)state;
	draw(&a, false);
	g = of(&a, &plain);
	groupby_put(&g);
	expect_names(made(&a), "dabce");
	assert_int_equal(table_number(made(&a), 0, "hand"), 0);
	assert_int_equal(table_number(made(&a), 1, "left"), 1);
	assert_true(table_number(made(&a), 1, "mean") == 2);
	assert_true(isnan(table_number(made(&a), 1, "step")));
	clear(&a);
}

/* Sums of which a double knows no difference; and a rate of no time, which is none and is last. */
static void test_exact(void **state)
{
	struct asked a;
	struct groupby g;

	(void)state;
	ask(&a, false);
	add(&a, "a", INT64_C(9007199254740992), 1);
	add(&a, "b", INT64_C(9007199254740993), 2);
	add(&a, "z", 0, 4);
	g = of(&a, &plain);
	groupby_put(&g);
	expect_names(made(&a), "baz");
	clear(&a);
	ask(&a, false);
	add(&a, "a", 0, 4);
	add(&a, "b", 10, 4);
	add(&a, "c", 10, ARG_UNKNOWN);
	g = of(&a, &plain);
	g.by = &col[RATE].from;
	groupby_put(&g);
	expect_names(made(&a), "bac");
	assert_true(table_number(made(&a), 0, "rate") == 4e8);
	assert_true(isnan(table_number(made(&a), 1, "rate")));
	assert_true(isnan(table_number(made(&a), 2, "bytes")));
	clear(&a);
}

static bool takes(const void *ctx, const void *item)
{
	return ((const struct group *)item)->calls.sum != *(const nsec *)ctx;
}

/* By what the caller says: the longest name first is no value, so that `a` decides. */
static void place(const void *ctx, const void *item, struct groupby_place *to)
{
	(void)ctx;
	to->a[0] = -(int64_t)((const struct group *)item)->name;
}

static void test_place_and_takes(void **state)
{
	struct grouping how = plain;
	nsec ctx = 7;
	struct asked a;
	struct groupby g;

	(void)state;
	how.takes = takes;
	how.place = place;
	how.sort = GROUPBY_PLACE;
	how.put = NULL;
	draw(&a, false);
	g = of(&a, &how);
	g.ctx = &ctx;
	groupby_put(&g);
	expect_names(made(&a), "ecba"); /* in order of first sight: d a b c e */
	clear(&a);
}

static void put_limited(struct asked *a, int64_t n)
{
	struct groupby g;

	draw(a, true);
	g = of(a, &summed);
	groupby_limit(&g, n);
	groupby_put(&g);
}

static void test_rest(void **state)
{
	const struct table *t;
	struct asked a;

	(void)state;
	put_limited(&a, -1); /* people: two */
	t = made(&a);
	expect_names(t, "da");
	assert_int_equal(t->ncut, 3);
	assert_int_equal(t->nfoot, 2);
	assert_true(span_is(table_text_at(t, 2, NAME), "... 3 more rows (-n 0 shows all)"));
	assert_int_equal(table_number_at(t, 2, SUM), 8);
	assert_int_equal(table_number_at(t, 2, CALLS), 3);
	assert_true(table_number_at(t, 2, RUNNING) == 1);
	assert_true(isnan(table_number_at(t, 2, MEAN)));
	assert_true(isnan(table_number_at(t, 2, BYTES))); /* b, c and e say none */
	assert_true(span_is(table_text_at(t, 3, NAME), "total"));
	assert_int_equal(table_number_at(t, 3, SUM), 19);
	assert_int_equal(table_number_at(t, 3, BYTES), 7);
	assert_true(table_number_at(t, 3, SHARE) == 1);
	assert_true(isnan(table_number_at(t, 3, RUNNING)));
	assert_true(table_number_at(t, 1, RUNNING) == 11.0 / 19);
	clear(&a);
}

/* At the limit nothing is left out. */
static void test_limits(void **state)
{
	struct asked a;
	int64_t n;

	(void)state;
	for (n = 0; n < 8; n++) {
		put_limited(&a, n);
		assert_int_equal(table_rows(made(&a)), n == 0 || n > 5 ? 5 : n);
		assert_int_equal(made(&a)->ncut, n == 0 || n > 5 ? 0 : 5 - n);
		assert_int_equal(made(&a)->nfoot, n == 0 || n >= 5 ? 1 : 2);
		clear(&a);
	}
}

static void test_columns(void **state)
{
	static const uint8_t order[] = { NAME, SUM };
	struct asked a;
	struct groupby g;

	(void)state;
	draw(&a, true);
	g = of(&a, &plain);
	g.hide = UINT64_C(1) << SHARE;
	groupby_put(&g);
	assert_true(made(&a)->col[SHARE].flags & COLUMN_HIDDEN);
	assert_true(made(&a)->col[P50].flags & COLUMN_HIDDEN);
	assert_false(made(&a)->col[SUM].flags & COLUMN_HIDDEN);
	clear(&a);
	draw(&a, true);
	g = of(&a, &plain);
	g.order = order;
	g.norder = 2;
	g.without = UINT64_C(1) << RATE;
	groupby_put(&g);
	assert_int_equal(made(&a)->ncol, COLUMNS - 1);
	assert_string_equal(made(&a)->col[0].key, "name");
	assert_string_equal(made(&a)->col[1].key, "sum_ns");
	assert_string_equal(made(&a)->col[2].key, "share");
	assert_true(made(&a)->col[2].flags & COLUMN_HIDDEN);
	assert_int_equal(table_number(made(&a), 4, "hand"), 4);
	clear(&a);
}

/* The values of the rows alone: of two, so that c's and e's are nowhere. */
static void test_quantiles(void **state)
{
	int people;

	(void)state;
	for (people = 0; people < 2; people++) {
		struct asked a;
		struct groupby g;

		draw(&a, people);
		g = of(&a, &plain);
		g.limit = 2;
		groupby_rank(&g);
		groupby_table(&g);
		groupby_sample_begin(&g, 1);
		groupby_sample(&g, 0, 0, 7);
		groupby_sample(&g, 0, 1, 3);
		groupby_sample(&g, 0, 3, 4);
		groupby_sample(&g, 0, 1, 1);
		groupby_sample_end(&g, 1);
		groupby_put(&g);
		expect_names(made(&a), "da");
		assert_true(table_number(made(&a), 0, "p95") == 7);
		assert_true(fabs(table_number(made(&a), 1, "p95") - 2.9) < 1e-12);
		if (people) /* who sees no median gets none */
			assert_true(isnan(table_number(made(&a), 1, "p50")));
		else
			assert_true(table_number(made(&a), 1, "p50") == 2);
		clear(&a);
	}
}

/* Rows of two ranks become one; those below the line are none. */
static void test_folded(void **state)
{
	static const struct fold_doc how = {
		.table = "groups", .labels = "name", .value = "sum_ns", .beside = "calls"
	};
	static const int64_t ranks[] = { 0, 1 };
	const struct table *t;
	struct result r;
	struct fold f;
	int i;

	(void)state;
	fold_init(&f, &how);
	for (i = 0; i < 2; i++) {
		struct asked a;
		struct groupby g;

		draw(&a, false);
		if (i == 1)
			add(&a, "b", 7, ARG_UNKNOWN);
		g = of(&a, &summed);
		groupby_put(&g);
		fold_add(&f, &a.out, 0, i);
		clear(&a);
	}
	result_init(&r, "");
	fold_put(&f, &r, &(struct fold_ranks){ ranks, 2 }, SIZE_MAX);
	t = result_find(&r, "groups", 0);
	expect_names(t, "bdace"); /* b 4 and 11; d 7 and 7; no "total" */
	assert_true(table_number(t, 0, "median_sum_ns") == 7.5);
	assert_true(table_number(t, 0, "most_sum_ns") == 11);
	assert_true(table_number(t, 0, "most_rank") == 1);
	result_clear(&r);
	fold_clear(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_groups),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_place_and_takes),
		cmocka_unit_test(test_rest),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
