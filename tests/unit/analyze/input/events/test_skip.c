/* Skipping what nobody reads, by all scanners, against a byte-by-byte reading of the test's own,
 * cut at every position. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/scan.h"
#include "tests/unit/loading.h"

struct skipped {
	enum skip_end end;
	size_t used; /* of SKIP_DONE: bytes up to behind the closing bracket */
};

/* The definition, of an object: one byte after the other. */
static struct skipped skip_plainly(const char *p, size_t n)
{
	bool in_string = false, escaped = false, after_close = false;
	uint64_t depth = 1;
	size_t i;

	for (i = 0; i < n; i++) {
		char c = p[i];
		bool blank = (unsigned char)c <= 0x20;

		if (after_close && !blank && c != ',' && c != ':' && c != '}' && c != ']')
			return (struct skipped){ SKIP_BAD, 0 };
		after_close = false;
		if (escaped) {
			escaped = false;
			if (c == '"' || c == '\\')
				continue;
		}
		if (c == '\\') {
			escaped = true;
		} else if (c == '"') {
			after_close = in_string;
			in_string = !in_string;
		} else if (!in_string && c == '{') {
			depth++;
		} else if (!in_string && c == '}' && --depth == 0) {
			return (struct skipped){ SKIP_DONE, i + 1 };
		}
	}
	return (struct skipped){ SKIP_MORE, n };
}

/* The same by a scanner, over pieces that end at the given cuts (ascending) and at n. */
static struct skipped skip_pieces(
	const struct scanner *s, const char *p, size_t n, const size_t *cut, size_t ncut)
{
	struct skip state = { .open = '{', .depth = 1 };
	size_t from = 0, i;

	for (i = 0; i <= ncut; i++) {
		size_t to = i < ncut ? cut[i] : n;
		char *w = loading_window(p + from, to - from);
		const char *at = w;
		enum skip_end end = (*s->skip)(&state, &at, w + (to - from));
		size_t used = (size_t)(at - w);

		free(w);
		if (end == SKIP_BAD)
			return (struct skipped){ end, 0 };
		if (end == SKIP_DONE)
			return (struct skipped){ end, from + used };
		assert_int_equal(used, to - from);
		from = to;
	}
	return (struct skipped){ SKIP_MORE, n };
}

static void check_skip(const char *p, size_t n, const size_t *cut, size_t ncut)
{
	const struct scanner *const *s = scanner_all();
	struct skipped want = skip_plainly(p, n);

	for (; *s; s++) {
		struct skipped got = skip_pieces(*s, p, n, cut, ncut);

		if (got.end != want.end || got.used != want.used)
			print_error("%s: %.*s\ncut at %zu: end %d (%d), used %zu (%zu)\n",
				(*s)->name, (int)n, p, ncut ? cut[0] : 0, got.end, want.end,
				got.used, want.used);
		assert_int_equal(got.end, want.end);
		assert_int_equal(got.used, want.used);
	}
}

/* Longer than a block of 64, with quotes, brackets and backslashes wherever they could mislead. */
static const char awkward[] =
	"\"a\": [1, {\"b\": \"}]\\\"\\\\\", \"c\": \"\\\\\\\\\"}, []], \"Concrete Inputs\" : [\"\", \"[1, 2]\"],\n"
	" \"path\": \"C:\\\\x\\\\\", \"deep\": [[[[[[\"]\"]]]]]], \"quote\": \"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\", "
	"\"long\": \"0123456789012345678901234567890123456789012345678901234567890123456789\\\\\"\t}, \"next\": 1}";

static void skip_cut_anywhere(void **state)
{
	size_t n = sizeof(awkward) - 1, i;

	(void)state;
	assert_int_equal(skip_plainly(awkward, n).end, SKIP_DONE);
	check_skip(awkward, n, NULL, 0);
	for (i = 0; i <= n; i++)
		check_skip(awkward, n, &i, 1);
	for (i = 0; i < n; i++)
		check_skip(awkward, i, NULL, 0);
}

static void skip_cut_twice(void **state)
{
	size_t n = sizeof(awkward) - 1, cut[2];

	(void)state;
	for (cut[0] = 0; cut[0] <= n; cut[0] += 1)
		for (cut[1] = cut[0]; cut[1] <= n && cut[1] < cut[0] + 70; cut[1] += 3)
			check_skip(awkward, n, cut, 2);
}

static void skip_byte_by_byte(void **state)
{
	size_t n = sizeof(awkward) - 1, *cut = malloc(n * sizeof(*cut)), i;

	(void)state;
	assert_non_null(cut);
	for (i = 0; i < n; i++)
		cut[i] = i;
	check_skip(awkward, n, cut, n);
	free(cut);
}

static void skip_soup(void **state)
{
	static const char alphabet[] = "\"\"\"\\\\{}[]:, \nax";
	uint64_t seed = 3;
	int i;

	(void)state;
	for (i = 0; i < 20000; i++) {
		char text[200];
		size_t n = loading_random(&seed) % sizeof(text),
		       cut = n ? loading_random(&seed) % n : 0, k;

		for (k = 0; k < n; k++)
			text[k] = alphabet[loading_random(&seed) % (sizeof(alphabet) - 1)];
		check_skip(text, n, &cut, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(skip_cut_anywhere),
		cmocka_unit_test(skip_cut_twice),
		cmocka_unit_test(skip_byte_by_byte),
		cmocka_unit_test(skip_soup),
	};

	return cmocka_run_group_tests_name("skip", tests, NULL, NULL);
}
