/* Matching kernels of a replay with captured launches: names, places, counts that differ.
 *
 * Letters are kernels; '?' is a launch without a name, 'c' a copy, 's' a set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/graphs/replay_work.h"

enum { MOST = 64 };

static struct replay_step step_of(char c)
{
	if (c == 'c')
		return (struct replay_step){ 0, KIND_MEMCPY };
	if (c == 's')
		return (struct replay_step){ 0, KIND_MEMSET };
	return (struct replay_step){ c == '?' ? 0 : (sym)(unsigned char)c, KIND_KERNEL };
}

static struct replay_steps steps_of(const char *text, struct replay_step *v)
{
	size_t i;

	for (i = 0; text[i]; i++)
		v[i] = step_of(text[i]);
	return (struct replay_steps){ v, i };
}

/* want: by kernel the digit of its launch (a to z from 10 on), or '-'. */
static void check(const char *launches, const char *kernels, const char *want, size_t by_name,
	size_t by_place)
{
	struct replay_step l[MOST], k[MOST];
	uint32_t pair[MOST];
	char got[MOST] = "";
	struct replay_fit fit;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	fit = replay_match(steps_of(launches, l), steps_of(kernels, k), SIZE_MAX, pair, &mem);
	for (i = 0; kernels[i]; i++)
		got[i] = pair[i] == NO_ROW ? '-' : "0123456789abcdefghijklmnopqrstuvwxyz"[pair[i]];
	assert_string_equal(got, want);
	assert_int_equal(fit.by_name, by_name);
	assert_int_equal(fit.by_place, by_place);
}

static void names_in_order(void **state)
{
	(void)state;
	check("ABC", "ABC", "012", 3, 0);
	check("", "", "", 0, 0);
	check("ABC", "", "", 0, 0);
	check("", "AB", "--", 0, 0);
	/* One of either side has no counterpart: at the ends and in the middle. */
	check("ABCD", "ACD", "023", 3, 0);
	check("ABCD", "ABC", "012", 3, 0);
	check("ABCD", "BCD", "123", 3, 0);
	check("ACD", "ABCD", "0-12", 3, 0);
	/* Of the same name the ends are matched first. */
	check("AAA", "AA", "01", 2, 0);
	check("ABAB", "AB", "01", 2, 0);
	/* Another kernel at one place: a library chose differently. */
	check("AXC", "AYC", "0-2", 2, 0);
}

static void copies_that_are_no_kernels(void **state)
{
	(void)state;
	/* As many on both sides: by their places. */
	check("AcB", "AcB", "012", 2, 1);
	check("AcBs", "AcBs", "0123", 2, 2);
	/* The replay lacks the copy, or has it twice. */
	check("AcB", "AB", "02", 2, 0);
	check("AcB", "AccB", "0--2", 2, 0);
	/* A copy is not taken for a set, nor for a kernel. */
	check("AcB", "AsB", "0-2", 2, 0);
	check("A?B", "AcB", "0-2", 2, 0);
}

static void launches_without_names(void **state)
{
	(void)state;
	check("????", "ABCD", "0123", 0, 4);
	/* As many between two names that are certain. */
	check("A??B?", "AXYBZ", "01234", 2, 3);
	/* Not as many: nobody knows which is missing, but what lies behind is known. */
	check("A??B?", "AXBZ", "0-34", 2, 1);
	check("???", "AB", "--", 0, 0);
	/* Copies aside, there are as many kernels. */
	check("?c?", "AB", "02", 0, 2);
	check("?c?s", "AcBs", "0123", 0, 4);
	/* A launch whose name is another's is not taken for it. */
	check("X?", "AB", "--", 0, 0);
}

static void streams_out_of_order(void **state)
{
	(void)state;
	/* Two streams: the order of starts is not that of the capture. */
	check("ABCD", "BADC", "1032", 4, 0);
	check("ABAB", "BBAA", "1302", 4, 0);
}

/* More cells than the table may have: names alone are matched, each with the first of its name. */
static void longer_than_the_table(void **state)
{
	enum { N = 3000 };
	static struct replay_step l[N], k[N];
	static uint32_t pair[N];
	struct replay_fit fit;
	SCOPED_ARENA mem = { 0 };
	size_t i;

	(void)state;
	_Static_assert((uint64_t)N * N > MATCH_CELLS_MAX, "too many");
	for (i = 0; i < N; i++) {
		l[i] = (struct replay_step){ (sym)i + 1, KIND_KERNEL };
		k[i] = (struct replay_step){ (sym)((i + 1) % N) + 1, KIND_KERNEL };
	}
	fit = replay_match(
		(struct replay_steps){ l, N }, (struct replay_steps){ k, N }, SIZE_MAX, pair, &mem);
	assert_int_equal(fit.by_name, N);
	for (i = 0; i < N; i++)
		assert_int_equal(pair[i], (i + 1) % N);
}

static bool alike(const char *launches, const char *kernels)
{
	struct replay_step l[MOST], k[MOST];

	return replay_alike(steps_of(launches, l), steps_of(kernels, k));
}

static void one_by_one(void **state)
{
	(void)state;
	assert_true(alike("ABC", "ABC"));
	assert_true(alike("A?c", "ABc"));
	assert_true(alike("", ""));
	assert_false(alike("ABC", "ABD"));
	assert_false(alike("ABC", "AB"));
	assert_false(alike("A?c", "ABs"));
	assert_false(alike("A?c", "AcB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_in_order),
		cmocka_unit_test(copies_that_are_no_kernels),
		cmocka_unit_test(launches_without_names),
		cmocka_unit_test(streams_out_of_order),
		cmocka_unit_test(longer_than_the_table),
		cmocka_unit_test(one_by_one),
	};

	return cmocka_run_group_tests_name("replay_match", tests, NULL, NULL);
}
