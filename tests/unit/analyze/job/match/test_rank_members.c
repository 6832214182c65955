/* Members of a job: what is missing, foreign, doubled, unknown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/job/match/rank_members.h"
#include "base/arena.h"

enum { FILES = 16 };

struct world {
	struct arena mem;
	struct digest digest[FILES];
	struct side_file file[FILES];
	size_t n;
	struct side side;
	struct members m;
};

static void begin(struct world *w)
{
	w->n = 0;
	w->mem = (struct arena){ 0 };
}

static void trace(struct world *w, const char *path, int64_t rank, int64_t world)
{
	struct digest *d = &w->digest[w->n];

	*d = (struct digest){
		.path = path, .kind = "trace", .rank = rank, .world = world, .has_events = true
	};
	w->file[w->n++] = (struct side_file){ .path = path, .within = path, .digest = d };
}

static const struct members *members(struct world *w)
{
	sides_group(&w->side, w->file, w->n, &w->mem);
	members_init(&w->m, &w->side, 0, &w->mem);
	return &w->m;
}

static void check_missing(const struct members *m, int64_t n, const char *text)
{
	SCOPED_STR b = { 0 };

	assert_int_equal(m->nmissing, n);
	members_put_missing(&b, m);
	assert_string_equal(b.s ? b.s : "", text);
}

static void test_whole(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "a.json", 1, 2);
	trace(&w, "b.json", 0, 2);
	assert_true(members_are_whole(members(&w)));
	assert_int_equal(w.m.world, 2);
	assert_int_equal(w.m.nrank, 2);
	check_missing(&w.m, 0, "");
	arena_clear(&w.mem);
}

/* World of 12 with ranks 1, 4, 5, 7: 0, 2, 3, 6 and the last four are missing. */
static void test_missing(void **state)
{
	static const int64_t ranks[] = { 5, 1, 7, 4 };
	static const char *const paths[] = { "a.json", "b.json", "c.json", "d.json" };
	struct world w;
	size_t i;

	(void)state;
	begin(&w);
	for (i = 0; i < 4; i++)
		trace(&w, paths[i], ranks[i], 12);
	assert_false(members_are_whole(members(&w)));
	check_missing(&w.m, 8, "0, 2, 3, 6, 8 to 11");
	arena_clear(&w.mem);
}

/* Nobody says how many there are: only what is left out between them is missing. */
static void test_missing_by_numbers(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "rank0.json", -1, -1);
	trace(&w, "rank3.json", -1, -1);
	check_missing(members(&w), 2, "1, 2");
	assert_int_equal(w.m.world, -1);
	w.n = 0;
	trace(&w, "rank3.json", -1, -1);
	assert_true(members_are_whole(members(&w)));
	arena_clear(&w.mem);
}

/* Numbers that no job has are neither counted one by one nor overflow. */
static void test_huge(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "a.json", 0, INT64_MAX);
	trace(&w, "b.json", 2, INT64_MAX);
	check_missing(members(&w), INT64_MAX - 2, "1, 3 to 9223372036854775806");
	w.n = 0;
	trace(&w, "a.json", 0, -1);
	trace(&w, "b.json", INT64_MAX, -1);
	check_missing(members(&w), INT64_MAX - 1, "1 to 9223372036854775806");
	arena_clear(&w.mem);
}

static void test_many_gaps(void **state)
{
	static char paths[FILES][16];
	struct world w;
	int i;

	(void)state;
	begin(&w);
	for (i = 0; i < 12; i++) {
		(void)snprintf(paths[i], sizeof(paths[i]), "%d.json", i);
		trace(&w, paths[i], 2 * i + 1, -1);
	}
	check_missing(members(&w), 12, "0, 2, 4, 6, 8, 10, 12, 14 and 4 more");
	arena_clear(&w.mem);
}

static void test_foreign(void **state)
{
	struct side_run own;
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "a.json", 0, 2);
	trace(&w, "b.json", 1, 2);
	trace(&w, "c.json", 2, 4);
	trace(&w, "d.json", 9, -1);
	(void)members(&w);
	assert_int_equal(w.m.world, 2);
	assert_int_equal(w.m.nrank, 2);
	assert_int_equal(w.m.nforeign, 2);
	assert_string_equal(w.m.foreign[0]->digest->path, "c.json");
	assert_string_equal(w.m.foreign[1]->digest->path, "d.json");
	members_run(&own, &w.m, &w.side.run[0], &w.mem);
	assert_int_equal(own.n, 2);
	assert_int_equal(own.nrank, 2);
	assert_string_equal(own.part[1].digest->path, "b.json");
	check_missing(&w.m, 0, "");
	arena_clear(&w.mem);
}

static void test_unknown(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "a.json", 0, 2);
	trace(&w, "b.json", -1, 2);
	(void)members(&w);
	assert_int_equal(w.m.nunknown, 1);
	check_missing(&w.m, 1, "1");
	w.n = 0;
	trace(&w, "b.json", -1, -1);
	assert_true(members_are_whole(members(&w)));
	arena_clear(&w.mem);
}

/* A copy of one rank's trace is no repeat; a second trace of every rank is one. */
static void test_doubled(void **state)
{
	struct world w;

	(void)state;
	begin(&w);
	trace(&w, "job/a.json", 0, 2);
	trace(&w, "job/b.json", 1, 2);
	trace(&w, "job/b copy.json", 1, 2);
	(void)members(&w);
	assert_int_equal(w.side.nrun, 2);
	assert_true(members_is_leftover(&w.side, 1));
	assert_false(members_is_leftover(&w.side, 0));
	assert_int_equal(w.m.ndoubled, 1);
	assert_int_equal(w.m.doubled[0]->rank, 1);
	members_set_aside(&w.side, &w.mem);
	assert_int_equal(w.side.nrun, 1);
	assert_int_equal(w.side.nover, 1);
	assert_int_equal(w.side.run[0].nrank, 2);
	members_init(&w.m, &w.side, 0, &w.mem);
	assert_int_equal(w.m.ndoubled, 1);
	assert_string_equal(w.m.doubled[0]->digest->path, "job/b.json");
	trace(&w, "job/c.json", 0, 2);
	(void)members(&w);
	assert_false(members_is_leftover(&w.side, 1));
	assert_true(members_are_whole(&w.m));
	w.n = 2;
	trace(&w, "other/b.json", 1, 2);
	(void)members(&w);
	assert_false(members_is_leftover(&w.side, 1));
	assert_int_equal(w.m.ndoubled, 0);
	arena_clear(&w.mem);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_missing_by_numbers),
		cmocka_unit_test(test_huge),
		cmocka_unit_test(test_many_gaps),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_doubled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
