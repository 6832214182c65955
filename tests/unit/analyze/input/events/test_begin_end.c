/* B and E joined: last in first out on each lane, by time, then by place in the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/loading.h"

#define B(name, tid, ts) \
	"{\"ph\":\"B\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts "},"
#define E(tid, ts) "{\"ph\":\"E\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts "},"
#define XX(name, tid, ts, dur)                                                       \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":1,\"tid\":" #tid ",\"ts\":" #ts \
	",\"dur\":" #dur "},"

static void expect(const struct loaded *l, const char *name, nsec start, nsec dur, unsigned flags)
{
	size_t row = loading_row(l, name);

	assert_true(row != SIZE_MAX);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
	assert_int_equal(l->run.events.flags[row], flags);
}

static void expect_none_odd(const struct loaded *l)
{
	assert_int_equal(loading_problem(l), PROBLEM_COUNT);
}

/*
 *	thread 1   outer  [10             50)
 *	             inner   [20   30)
 *	             second            [35 40)
 *	thread 2   other     [15 ........... 60)     not mixed up with thread 1
 */
static void nested(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" B("outer", 1, 10) B("other", 2, 15) B("inner", 1, 20) E(1, 30)
			B("second", 1, 35) E(1, 40) E(1, 50) E(2, 60) "{}]");
	assert_int_equal(l.run.events.n, 4);
	expect(&l, "outer", 10000, 40000, 0);
	expect(&l, "inner", 20000, 10000, 0);
	expect(&l, "second", 35000, 5000, 0);
	expect(&l, "other", 15000, 45000, 0);
	expect_none_odd(&l);
	assert_int_equal(l.run.nevent, 8);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 4);
	loading_release(&l);
}

/* The file's order does not matter where the times differ: an E may come before its B. */
static void out_of_order(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, "[" E(1, 50) E(1, 30) B("inner", 1, 20) B("outer", 1, 10) "{}]");
	expect(&l, "outer", 10000, 40000, 0);
	expect(&l, "inner", 20000, 10000, 0);
	expect_none_odd(&l);
	loading_release(&l);
}

/* At equal times the file's order decides: one ends, the next begins; and a slice may be empty. */
static void equal_times(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" B("first", 1, 10) E(1, 20) B("second", 1, 20) E(1, 30) B("empty", 1, 30)
			E(1, 30) "{}]");
	expect(&l, "first", 10000, 10000, 0);
	expect(&l, "second", 20000, 10000, 0);
	expect(&l, "empty", 30000, 0, 0);
	expect_none_odd(&l);
	loading_release(&l);
}

/* A B without E lasts to its lane's last time, be that of another slice or of its own children. */
static void unfinished(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" B("open", 1, 10) B("deeper", 1, 20) B("closed", 1, 30) E(1, 40)
			XX("x", 1, 50, 25) B("alone", 2, 5) XX("far", 3, 1000, 1) "{}]");
	expect(&l, "open", 10000, 65000, EVENT_UNFINISHED);
	expect(&l, "deeper", 20000, 55000, EVENT_UNFINISHED);
	expect(&l, "closed", 30000, 10000, 0);
	expect(&l, "alone", 5000, 0, EVENT_UNFINISHED);
	assert_int_equal(loading_problem(&l), PROBLEM_BEGIN_WITHOUT_END);
	assert_int_equal(l.run.tally.count[PROBLEM_BEGIN_WITHOUT_END], 3);
	loading_release(&l);
}

static void ends_alone(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, "[" E(1, 5) B("a", 1, 10) E(1, 20) E(1, 30) E(2, 15) "{}]");
	assert_int_equal(l.run.events.n, 1);
	expect(&l, "a", 10000, 10000, 0);
	assert_int_equal(loading_problem(&l), PROBLEM_END_WITHOUT_BEGIN);
	assert_int_equal(l.run.tally.count[PROBLEM_END_WITHOUT_BEGIN], 3);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 1);
	loading_release(&l);
}

/* The category and arguments are those of the B; an E needs neither. */
static void arguments(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[{\"ph\":\"B\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":1,\"ts\":1,\"args\":{\"External id\":7}}," E(
			1,
			3) "{\"ph\":\"B\",\"cat\":\"user_annotation\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":4},"
			   "{\"ph\":\"E\",\"cat\":\"user_annotation\",\"name\":\"step\",\"pid\":1,\"tid\":1,\"ts\":9}]");
	assert_int_equal(l.run.events.n, 2);
	assert_int_equal(l.run.events.kind[0], KIND_OP);
	assert_int_equal(l.run.args.col[ARG_OP_EXTERNAL_ID].id[l.run.events.args[0] - 1], 7);
	assert_int_equal(l.run.events.kind[1], KIND_ANNOTATION);
	expect(&l, "step", 4000, 5000, 0);
	expect_none_odd(&l);
	assert_int_equal(l.run.kind_count[KIND_OP] + l.run.kind_count[KIND_ANNOTATION], 2);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 0);
	loading_release(&l);
}

/* A B with a category and an E without one, or with another, are one slice of the B's category:
 * Chrome joins by thread.  The kernel's B names a stream, so it stands on a lane of its own.
 *
 *	thread 7   kernel [1        5)        E: no cat
 *	           op                [6   8)  E: cat "other" */
static void other_categories(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[{\"ph\":\"B\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":1,\"tid\":7,\"ts\":1,\"args\":{\"stream\":7,\"device\":0}}," E(
			7,
			5) "{\"ph\":\"B\",\"cat\":\"cpu_op\",\"name\":\"op\",\"pid\":1,\"tid\":7,\"ts\":6},"
			   "{\"ph\":\"E\",\"cat\":\"other\",\"pid\":1,\"tid\":7,\"ts\":8}]");
	assert_int_equal(l.run.events.n, 2);
	expect(&l, "k", 1000, 4000, 0);
	expect(&l, "op", 6000, 2000, 0);
	assert_int_equal(l.run.events.kind[loading_row(&l, "k")], KIND_KERNEL);
	expect_none_odd(&l);
	loading_release(&l);
}

/*
 *	outer [1                   9)   closed by its name
 *	  lost  [2 ...             9)   has no E: ended when outer did
 *	  inner   [3   5)
 *	E of a name that is not open: ignored
 */
static void names_of_ends(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" B("outer", 1, 1) B("lost", 1, 2) B("inner", 1,
			3) "{\"ph\":\"E\",\"name\":\"stranger\",\"pid\":1,\"tid\":1,\"ts\":4},"
			   "{\"ph\":\"E\",\"name\":\"inner\",\"pid\":1,\"tid\":1,\"ts\":5},"
			   "{\"ph\":\"E\",\"name\":\"outer\",\"pid\":1,\"tid\":1,\"ts\":9}]");
	assert_int_equal(l.run.events.n, 3);
	expect(&l, "inner", 3000, 2000, 0);
	expect(&l, "lost", 2000, 7000, EVENT_UNFINISHED);
	expect(&l, "outer", 1000, 8000, 0);
	assert_int_equal(l.run.tally.count[PROBLEM_BEGIN_WITHOUT_END], 1);
	assert_int_equal(l.run.tally.count[PROBLEM_END_WITHOUT_BEGIN], 1);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nested),
		cmocka_unit_test(out_of_order),
		cmocka_unit_test(equal_times),
		cmocka_unit_test(unfinished),
		cmocka_unit_test(ends_alone),
		cmocka_unit_test(arguments),
		cmocka_unit_test(other_categories),
		cmocka_unit_test(names_of_ends),
	};

	return cmocka_run_group_tests_name("pairs", tests, NULL, NULL);
}
