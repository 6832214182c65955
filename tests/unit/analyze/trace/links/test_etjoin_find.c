/* Sequences of names: found as they are, and with gaps. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "analyze/trace/links/etjoin.h"

enum { MOST = 32 };

/* Letters are names. */
static struct names names_of(const char *text, sym *v)
{
	size_t i;

	for (i = 0; text[i]; i++)
		v[i] = (sym)text[i];
	return (struct names){ v, i };
}

static size_t at(const char *what, const char *in, size_t from)
{
	sym a[MOST], b[MOST];
	uint32_t fail[MOST];
	struct names w = names_of(what, a);

	find_table(w, fail);
	return find_next(w, fail, names_of(in, b), from);
}

static void etjoin_find_as_it_is(void **state)
{
	(void)state;
	assert_int_equal(at("aba", "ababa", 0), 0);
	assert_int_equal(at("aba", "ababa", 1), 2);
	assert_int_equal(at("aba", "ababa", 3), 5); /* nowhere: its length */
	assert_int_equal(at("aab", "aaab", 0), 1);  /* what failed begins it */
	assert_int_equal(at("abc", "ab", 0), 2);
}

static void pairs(const char *a, const char *b, size_t cells, const char *expected)
{
	uint32_t pair[MOST];
	sym va[MOST], vb[MOST];
	struct names na = names_of(a, va);
	size_t n = find_common(na, names_of(b, vb), &cells, pair), i, want = 0;

	for (i = 0; i < na.n; i++) {
		if (expected[i] == '-') {
			assert_int_equal(pair[i], UINT32_MAX);
			continue;
		}
		assert_int_equal(pair[i], expected[i] - '0');
		want++;
	}
	assert_int_equal(n, want);
}

static void etjoin_find_common(void **state)
{
	(void)state;
	pairs("abcd", "abcd", 1, "0123"); /* nothing differs: no cell is needed */
	pairs("abcd", "abd", 100, "01-2");
	pairs("abd", "abcd", 100, "013");
	pairs("axbyc", "aubvc", 100, "0-2-4");
	pairs("abc", "xyz", 100, "---");
	pairs("abab", "ba", 100, "-01-");
	pairs("", "abc", 100, "");
}

static void etjoin_find_is_bounded(void **state)
{
	uint32_t pair[MOST];
	sym a[MOST], b[MOST];
	size_t cells = 3;

	(void)state;
	assert_int_equal(find_common(names_of("xab", a), names_of("yab", b), &cells, pair), 0);
	assert_int_equal(cells, 3);
	cells = 5;
	assert_int_equal(find_common(names_of("xab", a), names_of("yab", b), &cells, pair), 2);
	assert_int_equal(cells, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(etjoin_find_as_it_is),
		cmocka_unit_test(etjoin_find_common),
		cmocka_unit_test(etjoin_find_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
