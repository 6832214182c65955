/* The small things everything else is made of: growing arrays, ratios, letters, blanks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/ratio.h"
#include "base/str.h"
#include "tests/unit/near.h"

/* What was there stays, what is new is zero, and the room doubles from the first one on. */
static void arrays_grow(void **state)
{
	SCOPED_ARENA mem = { 0 };
	size_t cap = 0, n, i;
	int *v = NULL;

	(void)state;
	for (n = 0; n < 100; n++) {
		v = arena_grow(&mem, v, n, &cap, sizeof(*v));
		assert_int_equal(v[n], 0);
		v[n] = (int)n + 1;
		for (i = 0; i <= n; i++)
			assert_int_equal(v[i], i + 1);
	}
	assert_int_equal(cap, 128);
}

static void ratios(void **state)
{
	(void)state;
	near(ratio_of(1, 4), 0.25, 0);
	near(ratio_of(0, 4), 0, 0);
	near(ratio_of(1, 0), NAN, 0);
	near(ratio_of(1, -1), NAN, 0);
	near(ratio_of(1, NAN), NAN, 0);
}

static void letters(void **state)
{
	int c;

	(void)state;
	for (c = -128; c < 128; c++) {
		assert_int_equal(is_digit((char)c), c >= '0' && c <= '9');
		assert_int_equal(
			is_letter((char)c), (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
	}
}

static void trimming(void **state)
{
	static const struct {
		const char *text, *want;
	} cases[] = { { "", "" }, { " \t ", "" }, { "a", "a" }, { "\t a b \t", "a b" },
		{ "a\r", "a\r" }, { "\n", "\n" } };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_true(span_is(span_trim(span_of(cases[i].text)), cases[i].want));
	assert_true(is_space_or_tab(' ') && is_space_or_tab('\t') && !is_space_or_tab('\n') &&
		!is_space_or_tab('\0'));
}

static void rests(void **state)
{
	(void)state;
	assert_true(span_is(span_from(SPAN("abc"), 0), "abc"));
	assert_true(span_is(span_from(SPAN("abc"), 2), "c"));
	assert_true(span_is(span_from(SPAN("abc"), 3), ""));
	assert_true(span_is(span_from(SPAN("abc"), 4), ""));
	assert_true(span_is(span_from(SPAN(""), 1), ""));
}

/* The slow and obvious way. */
static size_t count_slowly(struct span a, const char *needle, size_t most)
{
	size_t n = strlen(needle), i, found = 0;

	for (i = 0; i + n <= a.n; i++)
		found += span_is_nocase((struct span){ a.p + i, n }, needle);
	return found < most ? found : most;
}

/* Words are found wherever a slow search finds them, and a text that has a word has its pairs. */
static void words_in_texts(void **state)
{
	static const char letters[] = "abAB_1:aa";
	uint32_t seed = 1;
	int round;

	(void)state;
	for (round = 0; round < 20000; round++) {
		char text[16], word[4];
		struct span a = { text, 0 };
		struct span_pairs pairs;
		size_t n = 0;

		for (seed = seed * 1664525 + 1013904223; a.n < (seed >> 20) % sizeof(text); a.n++)
			text[a.n] = letters[(seed >> a.n) % (sizeof(letters) - 1)];
		for (; n < (seed >> 9) % sizeof(word); n++)
			word[n] = letters[(seed >> (7 + 3 * n)) % (sizeof(letters) - 1)];
		word[n] = '\0';
		pairs = span_pairs_of(a);
		assert_int_equal(
			span_count_nocase(a, span_of(word), 16), count_slowly(a, word, 16));
		assert_int_equal(span_count_nocase(a, span_of(word), 1), count_slowly(a, word, 1));
		assert_int_equal(span_has_nocase(a, word), count_slowly(a, word, 1));
		assert_true(!span_has_nocase(a, word) || span_may_have(&pairs, span_of(word)));
	}
	assert_false(span_may_have(&(struct span_pairs){ { 0 } }, SPAN("ab")));
}

static void one_of_words(void **state)
{
	(void)state;
	assert_true(span_in(SPAN("b"), "a|b|cd"));
	assert_true(span_in(SPAN("cd"), "a|b|cd"));
	assert_true(span_in(SPAN("a"), "a"));
	assert_false(span_in(SPAN("c"), "a|b|cd"));
	assert_false(span_in(SPAN("a|b"), "a|b|cd"));
	assert_false(span_in(SPAN(""), "a|b"));
	assert_true(span_in(SPAN(""), "a||b"));
	assert_false(span_in(SPAN("B"), "a|b"));
	assert_true(span_in_nocase(SPAN("B"), "a|b"));
	assert_true(span_starts_in(SPAN("bcd"), "a|bc"));
	assert_false(span_starts_in(SPAN("xbc"), "a|bc"));
	assert_false(span_starts_in(SPAN("b"), "a|bc"));
	assert_true(span_starts_in_nocase(SPAN("BCd"), "a|bc"));
	assert_true(span_has_in(SPAN("xbcx"), "d|bc"));
	assert_false(span_has_in(SPAN("xBcx"), "d|bc"));
	assert_true(span_has_in_nocase(SPAN("xBcx"), "d|bc"));
	assert_false(span_has_in_nocase(SPAN("bxc"), "d|bc"));
}

static void meanings(void **state)
{
	static const struct meaning rows[] = {
		{ span_in, "a|ab", 1 },
		{ span_starts_in, "a|c", 2 },
		{ span_has_in_nocase, "d", 3 },
	};
	char low[4];

	(void)state;
	assert_int_equal(MEANING_OF(SPAN("ab"), rows, 0), 1);
	assert_int_equal(MEANING_OF(SPAN("abd"), rows, 0), 2);
	assert_int_equal(MEANING_OF(SPAN("xD"), rows, 0), 3);
	assert_int_equal(MEANING_OF(SPAN("x"), rows, -1), -1);
	assert_true(span_is(span_lower(SPAN("A_b9Z"), low, sizeof(low)), "a_b9"));
}

static void ends(void **state)
{
	(void)state;
	assert_true(span_ends(SPAN("a.gz"), ".gz"));
	assert_true(span_ends(SPAN(".gz"), ".gz"));
	assert_true(span_ends(SPAN("a"), ""));
	assert_false(span_ends(SPAN("gz"), ".gz"));
	assert_false(span_ends(SPAN("a.gzz"), ".gz"));
}

static void lines(void **state)
{
	struct span text = SPAN("a\r\n\nb\r\n\r\nc"), line;
	static const char *const want[] = { "a", "", "b", "", "c" };
	size_t i;

	(void)state;
	for (i = 0; span_line(&text, &line); i++)
		assert_true(i < 5 && span_is(line, want[i]));
	assert_int_equal(i, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_grow),
		cmocka_unit_test(ratios),
		cmocka_unit_test(letters),
		cmocka_unit_test(trimming),
		cmocka_unit_test(rests),
		cmocka_unit_test(words_in_texts),
		cmocka_unit_test(one_of_words),
		cmocka_unit_test(meanings),
		cmocka_unit_test(ends),
		cmocka_unit_test(lines),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
