/* Filters: lists of numbers, categories, regexes with their errors, and what rows pass. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

static bool is_in(const char *list, int64_t v)
{
	const struct filter f = { .steps = list };
	struct filter_set s;
	struct err e;
	bool in;

	err_clear(&e);
	assert_int_equal(filter_parse(&s, &f, &e), OK);
	in = filter_in(&s.steps, v);
	filter_free(&s);
	return in;
}

static void lists_of_numbers(void **state)
{
	(void)state;
	assert_true(is_in("5", 5));
	assert_false(is_in("5", 6));
	assert_true(is_in("5-9,11,13-", 9));
	assert_false(is_in("5-9,11,13-", 10));
	assert_true(is_in("5-9,11,13-", 11));
	assert_false(is_in("5-9,11,13-", 12));
	assert_true(is_in("5-9,11,13-", INT64_MAX));
	assert_true(is_in("-3", 0));
	assert_true(is_in("-3", 3));
	assert_false(is_in("-3", 4));
	assert_true(is_in(NULL, -1));
}

static void refuse(const struct filter *f, const char *what)
{
	struct filter_set s;
	struct err e;

	err_clear(&e);
	assert_int_equal(filter_parse(&s, f, &e), E_USAGE);
	if (!strstr(e.text, what))
		fail_msg("'%s' is not in '%s'", what, e.text);
	assert_true(e.hint[0] != '\0');
	filter_free(&s);
}

static void bad_lists(void **state)
{
	static const char *const bad[] = { "", ",", "5,", "x", "5-4", "5--6", "-", "5 6", "1-2-3",
		"9223372036854775808", "5-9223372036854775808" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(bad); i++) {
		refuse(&(struct filter){ .steps = bad[i] }, "--steps");
		refuse(&(struct filter){ .device = bad[i] }, "--device");
		refuse(&(struct filter){ .stream = bad[i] }, "--stream");
		refuse(&(struct filter){ .rank = bad[i] }, "--rank");
	}
}

static unsigned kinds_of(const char *cat)
{
	const struct filter f = { .cat = cat };
	struct filter_set s;
	struct err e;
	unsigned kinds;

	err_clear(&e);
	assert_int_equal(filter_parse(&s, &f, &e), OK);
	kinds = s.kinds;
	filter_free(&s);
	return kinds;
}

/* Our words, and what traces of 2021 to 2026 call the same. */
static void categories(void **state)
{
	(void)state;
	assert_int_equal(kinds_of(NULL), KINDS_ALL);
	assert_int_equal(kinds_of("kernel"), KIND_BIT(KIND_KERNEL));
	assert_int_equal(kinds_of("gpu_memcpy"), KIND_BIT(KIND_MEMCPY));
	assert_int_equal(
		kinds_of("cpu_op,cuda_runtime"), KIND_BIT(KIND_OP) | KIND_BIT(KIND_RUNTIME));
	assert_int_equal(kinds_of("Operator"), KIND_BIT(KIND_OP));
	assert_int_equal(kinds_of("gpu"), KINDS_DEVICE);
	refuse(&(struct filter){ .cat = "kernel,colonel" }, "'colonel'");
	refuse(&(struct filter){ .cat = "" }, "--cat");
	refuse(&(struct filter){ .cat = "kernel," }, "--cat");
}

static void bad_regexes(void **state)
{
	(void)state;
	refuse(&(struct filter){ .match = "(a+" }, "missing closing parenthesis at character 3");
	refuse(&(struct filter){ .exclude = "[z-a]" }, "-v '[z-a]'");
	refuse(&(struct filter){ .match = "\xff" }, "-f");
}

struct view {
	struct run run;
	struct filter_set set;
	struct filter_view v;
	struct arena mem;
	struct err err;
};

/* Lays f over v->run, which is there already. */
static void look(struct view *v, const struct filter *f)
{
	err_clear(&v->err);
	arena_init(&v->mem);
	assert_int_equal(filter_parse(&v->set, f, &v->err), OK);
	assert_int_equal(filter_view_init(&v->v, &v->set, &v->run, &v->mem, &v->err), OK);
}

static void look_away(struct view *v)
{
	filter_free(&v->set);
	arena_clear(&v->mem);
}

static bool name_passes(struct view *v, const char *name)
{
	return filter_name(&v->v, strings_find(&v->run.strings, span_of(name)));
}

static void names(void **state)
{
	struct view v;
	uint32_t t;

	(void)state;
	run_init(&v.run, 0);
	t = hand_thread(&v.run, 1);
	(void)hand_event(&v.run, KIND_OP, t, "aten::mm", 0, 1);
	(void)hand_event(&v.run, KIND_OP, t, "aten::addmm", 0, 1);
	(void)hand_event(&v.run, KIND_OP, t, "\xff\xfe raw", 0, 1); /* not UTF-8, still a name */
	(void)hand_event(&v.run, KIND_OP, t, "\xc3\xa4", 0, 1);     /* one character */

	look(&v, &(struct filter){ .match = "mm$", .exclude = "^aten::a" });
	assert_true(name_passes(&v, "aten::mm"));
	assert_true(name_passes(&v, "aten::mm"));
	assert_false(name_passes(&v, "aten::addmm"));
	assert_false(name_passes(&v, "\xff\xfe raw"));
	look_away(&v);
	look(&v, &(struct filter){ .match = "raw$" });
	assert_true(name_passes(&v, "\xff\xfe raw"));
	look_away(&v);
	look(&v, &(struct filter){ .match = "^.$" });
	assert_true(name_passes(&v, "\xc3\xa4"));
	assert_false(name_passes(&v, "aten::mm"));
	assert_int_equal(v.v.status, OK);
	look_away(&v);
	run_clear(&v.run);
}

/* Exponential backtracking ends with an error, not with the patience of the user. */
static void pathological_regex(void **state)
{
	char name[64];
	struct view v;

	(void)state;
	memset(name, 'a', sizeof(name));
	memcpy(name + sizeof(name) - 2, "!", 2);
	run_init(&v.run, 0);
	(void)hand_event(&v.run, KIND_OP, hand_thread(&v.run, 1), name, 0, 1);
	look(&v, &(struct filter){ .match = "^(a|aa|(a+)+)+$" });
	assert_false(name_passes(&v, name));
	assert_int_equal(v.v.status, E_USAGE);
	assert_non_null(strstr(v.err.text, "gave up on the name 'aaa"));
	look_away(&v);
	run_clear(&v.run);
}

/*
 *	thread 1  ProfilerStep#5 [0 100)          ProfilerStep#6 [100 200)
 *	          a [10 20)                       b [110 120)                   c [250 260)
 *	          launch at 12, kernel at 130     launch at 112, kernel at 300
 *	          stream 7 of device 0            stream 20 of device 1
 */
static void rows(void **state)
{
	struct view v;
	uint32_t t, a, b, c, k, l;

	(void)state;
	run_init(&v.run, NEED_LINKS);
	t = hand_thread(&v.run, 1);
	(void)hand_event(&v.run, KIND_ANNOTATION, t, "ProfilerStep#5", 0, 100);
	(void)hand_event(&v.run, KIND_ANNOTATION, t, "ProfilerStep#6", 100, 100);
	a = hand_event(&v.run, KIND_OP, t, "a", 10, 10);
	b = hand_event(&v.run, KIND_OP, t, "b", 110, 10);
	c = hand_event(&v.run, KIND_OP, t, "c", 250, 10);
	k = hand_launch(&v.run, t, hand_stream(&v.run, 0, 7), 12, 130, 5, 1);
	l = hand_launch(&v.run, t, hand_stream(&v.run, 1, 20), 112, 300, 5, 2);
	index_build(&v.run, NEED_ORDER | NEED_LINKS | NEED_STEPS);

	look(&v, &(struct filter){ .steps = "5" });
	assert_int_equal(v.v.nstep, 1);
	assert_true(filter_host(&v.v, a));
	assert_false(filter_host(&v.v, b));
	assert_false(filter_host(&v.v, c));
	assert_true(filter_host(&v.v, a));   /* back again, after another step */
	assert_true(filter_device(&v.v, k)); /* by its launch, though it runs in step 6 */
	assert_false(filter_device(&v.v, l));
	look_away(&v);

	look(&v, &(struct filter){ .device = "1" });
	assert_true(filter_host(&v.v, c));
	assert_false(filter_device(&v.v, k));
	assert_true(filter_device(&v.v, l));
	look_away(&v);

	look(&v, &(struct filter){ .stream = "7", .cat = "kernel" });
	assert_true(filter_device(&v.v, k));
	assert_false(filter_device(&v.v, l));
	assert_false(filter_host(&v.v, a));
	look_away(&v);
	run_clear(&v.run);
}

static void no_such_step(void **state)
{
	const struct filter f = { .steps = "7-" };
	struct view v;

	(void)state;
	run_init(&v.run, NEED_LINKS);
	(void)hand_event(&v.run, KIND_ANNOTATION, hand_thread(&v.run, 1), "ProfilerStep#5", 0, 100);
	index_build(&v.run, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	err_clear(&v.err);
	arena_init(&v.mem);
	assert_int_equal(filter_parse(&v.set, &f, &v.err), OK);
	assert_int_equal(filter_view_init(&v.v, &v.set, &v.run, &v.mem, &v.err), E_NODATA);
	assert_non_null(strstr(v.err.hint, "5 to 5"));
	look_away(&v);
	run_clear(&v.run);
}

/* What nothing has is an error with what there is. */
static void nothing_there(void **state)
{
	static const struct {
		struct filter f;
		const char *text, *hint; /* NULL: there is something */
	} cases[] = {
		{ { .device = "7" }, "--device '7' matches no GPU", "devices 0, 3" },
		{ { .device = "3,7" }, NULL, NULL },
		{ { .stream = "9" }, "--stream '9' matches no stream", "streams 7, 20" },
		{ { .device = "3", .stream = "7" }, "--stream '7'", "the trace has stream 20" },
		{ { .cat = "memcpy,memset" }, "--cat 'memcpy,memset'", "cpu_op, kernel" },
		{ { .cat = "memcpy,kernel" }, NULL, NULL },
		{ { .cat = "counter" }, NULL, NULL }, /* not counted: not known */
		{ { .rank = "2" }, "rank 1, not of --rank '2'", "" },
		{ { .rank = "1" }, NULL, NULL },
	};
	struct run r;
	size_t i;

	(void)state;
	run_init(&r, NEED_LINKS);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "op", 0, 100);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 0, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 3, 20), "k", 0, 10);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 3, -1), "k", 20, 10);
	r.kind_count[KIND_OP] = 1;
	r.kind_count[KIND_KERNEL] = 3;
	r.meta.rank = 1;
	index_build(&r, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct err e;
		enum status st;

		err_clear(&e);
		st = filter_takes_any(&cases[i].f, &r, &e);
		assert_int_equal(st, cases[i].text ? E_NODATA : OK);
		if (!cases[i].text)
			continue;
		if (!strstr(e.text, cases[i].text) || !strstr(e.hint, cases[i].hint))
			fail_msg("case %zu: '%s', '%s'", i, e.text, e.hint);
	}
	run_clear(&r);
}

/* Which step a row is in does not depend on the rows that were asked before. */
static void steps_that_overlap(void **state)
{
	enum { ROWS = 4 };
	static const nsec at[ROWS] = { 5, 150, 50, 5 };
	static const bool is_in[ROWS] = { true, false, false, true };
	uint32_t lane, row[ROWS];
	struct view v;
	size_t i;

	(void)state;
	run_init(&v.run, 0);
	lane = hand_thread(&v.run, 1);
	(void)hand_event(&v.run, KIND_ANNOTATION, lane, "ProfilerStep#0", 0, 100);
	(void)hand_event(&v.run, KIND_ANNOTATION, lane, "ProfilerStep#1", 10, 190);
	for (i = 0; i < ROWS; i++)
		row[i] = hand_event(&v.run, KIND_OP, lane, "op", at[i], 1);
	index_build(&v.run, NEED_ORDER | NEED_STEPS);
	look(&v, &(struct filter){ .steps = "0" });
	for (i = 0; i < ROWS; i++)
		assert_int_equal(filter_host(&v.v, row[i]), is_in[i]);
	for (i = ROWS; i-- > 0;)
		assert_int_equal(filter_host(&v.v, row[i]), is_in[i]);
	look_away(&v);
	run_clear(&v.run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_numbers),
		cmocka_unit_test(bad_lists),
		cmocka_unit_test(categories),
		cmocka_unit_test(bad_regexes),
		cmocka_unit_test(names),
		cmocka_unit_test(pathological_regex),
		cmocka_unit_test(rows),
		cmocka_unit_test(no_such_step),
		cmocka_unit_test(nothing_there),
		cmocka_unit_test(steps_that_overlap),
	};

	return cmocka_run_group_tests_name("filter", tests, NULL, NULL);
}
