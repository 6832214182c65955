/* UTF-16 to UTF-8: both byte orders, pairs, and text cut into pieces at every byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/text/utf16.h"
#include "base/compiler.h"

#define BAD "\xef\xbf\xbd"

/* Units as numbers, in either byte order. */
static size_t encode(const uint16_t *unit, size_t n, bool big, unsigned char *out)
{
	size_t i;

	for (i = 0; i < n; i++) {
		out[2 * i] = (unsigned char)(big ? unit[i] >> 8 : unit[i]);
		out[2 * i + 1] = (unsigned char)(big ? unit[i] : unit[i] >> 8);
	}
	return 2 * n;
}

static const struct {
	uint16_t unit[6];
	size_t n;
	const char *text;
} rows[] = {
	{ { 'a', 'b' }, 2, "ab" },
	{ { 0x7f, 0x80, 0x7ff, 0x800, 0xffff }, 5, "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf" },
	{ { 0xd83d, 0xde00, '!' }, 3, "\xf0\x9f\x98\x80!" },
	{ { 0xdbff, 0xdfff }, 2, "\xf4\x8f\xbf\xbf" },
	{ { 0xd83d, 'x' }, 2, BAD "x" },
	{ { 0xde00, 0xd83d }, 2, BAD BAD },
	{ { 0xd83d, 0xd83d, 0xde00 }, 3, BAD "\xf0\x9f\x98\x80" },
	{ { 'x', 0xd83d }, 2, "x" BAD },
};

static void whole(void **state)
{
	unsigned char in[16];
	char out[64];
	size_t i, used, n;
	int big;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++)
		for (big = 0; big < 2; big++) {
			n = encode(rows[i].unit, rows[i].n, big, in);
			assert_true(UTF16_ROOM(n) <= sizeof(out));
			n = utf16_to_utf8(in, n, big, true, out, &used);
			assert_int_equal(used, 2 * rows[i].n);
			assert_int_equal(n, strlen(rows[i].text));
			assert_memory_equal(out, rows[i].text, n);
		}
}

/* Two calls, cut anywhere, are as good as one. */
static void in_pieces(void **state)
{
	unsigned char in[16];
	char out[64];
	size_t i, cut, n, used, made;

	(void)state;
	for (i = 0; i < COUNT_OF(rows); i++) {
		n = encode(rows[i].unit, rows[i].n, false, in);
		for (cut = 0; cut <= n; cut++) {
			size_t rest;

			made = utf16_to_utf8(in, cut, false, false, out, &used);
			assert_true(used <= cut && cut - used < 4);
			made += utf16_to_utf8(in + used, n - used, false, true, out + made, &rest);
			assert_int_equal(used + rest, n);
			assert_int_equal(made, strlen(rows[i].text));
			assert_memory_equal(out, rows[i].text, made);
		}
	}
}

static void odd_byte(void **state)
{
	char out[32];
	size_t used, n;

	(void)state;
	n = utf16_to_utf8((const unsigned char *)"a\0b", 3, false, true, out, &used);
	assert_int_equal(used, 3);
	assert_int_equal(n, 4);
	assert_memory_equal(out, "a" BAD, 4);
	n = utf16_to_utf8((const unsigned char *)"a\0b", 3, false, false, out, &used);
	assert_int_equal(used, 2);
	assert_int_equal(n, 1);
	n = utf16_to_utf8((const unsigned char *)"", 0, true, true, out, &used);
	assert_int_equal(n + used, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole),
		cmocka_unit_test(in_pieces),
		cmocka_unit_test(odd_byte),
	};

	return cmocka_run_group_tests_name("utf16", tests, NULL, NULL);
}
