/* base/deflate: pieces together are one gzip stream, which zlib itself takes back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <zlib.h>

#include "base/gzip/deflate.h"
#include "tests/unit/loading.h"

enum { ROOM = 1 << 20 };

/* What gzip makes of it; the trailer's sums are looked at by zlib. */
static size_t back(const struct str *gz, char *to)
{
	z_stream z = { .next_in = (Bytef *)gz->s,
		.avail_in = (uInt)gz->n,
		.next_out = (Bytef *)to,
		.avail_out = ROOM };

	assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	assert_int_equal(inflateEnd(&z), Z_OK);
	return ROOM - z.avail_out;
}

/* The text in pieces that end at the `at`, at one level. */
static void there_and_back(struct span text, const size_t *at, size_t n, int level)
{
	char *got = malloc(ROOM);
	struct deflate_sum sum = { 0 };
	SCOPED_STR gz = { 0 };
	size_t i, from = 0;

	assert_non_null(got);
	deflate_head(&gz);
	for (i = 0; i <= n; i++) {
		size_t to = i < n ? at[i] : text.n;
		struct deflated d =
			deflate_piece((struct span){ text.p + from, to - from }, level, &gz);

		assert_int_equal(d.size, to - from);
		deflate_add(&sum, &d);
		from = to;
	}
	deflate_tail(&sum, &gz);
	assert_int_equal(sum.size, text.n);
	assert_int_equal(back(&gz, got), text.n);
	assert_memory_equal(got, text.p, text.n);
	free(got);
}

/* Calls whose memory lies at one address of 64 KiB after the other: what is used and where must not
 * tell.  (ISA-L 2.30 hashes an address as if it were the third byte, which now and then hides that
 * the first bytes come again.) */
static void same_bytes_each_time(void **state UNUSED)
{
	enum { CALLS = 8192, STEP = 64 << 10, TEXT = 200 };
	char text[TEXT], *before[CALLS];
	SCOPED_STR first = { 0 };

	unsigned number = 1;

	for (int i = 0; i < TEXT; i++) {
		number = number * 1103515245 + 12345;
		text[i] = (char)('a' + (number >> 16) % 8);
	}
	memcpy(text + TEXT / 2, text, 4);
	for (int i = 0; i < CALLS; i++) {
		SCOPED_STR out = { 0 };

		before[i] = malloc(STEP - 16);
		(void)deflate_piece((struct span){ text, TEXT }, DEFLATE_FAST, &out);
		if (i == 0)
			str_add(&first, out.s, out.n);
		assert_int_equal(out.n, first.n);
		assert_memory_equal(out.s, first.s, out.n);
	}
	for (int i = 0; i < CALLS; i++)
		free(before[i]);
}

static void pieces(void **state)
{
	static const int levels[] = { DEFLATE_FAST, 0, 1, 6, DEFLATE_MOST };
	static const size_t at[] = { 0, 1, 1, 70000, 200000 };
	SCOPED_STR t = { 0 };
	uint64_t seed = 5;
	size_t i;

	(void)state;
	while (t.n < 150000)
		str_addf(&t, "{\"ts\":%u},\n", loading_random(&seed) % 5000);
	while (t.n < 300000) /* what does not get smaller */
		str_addc(&t, (char)loading_random(&seed));
	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
		struct span all = { t.s, t.n };

		there_and_back(all, NULL, 0, levels[i]);
		there_and_back(all, at, 5, levels[i]);
		there_and_back((struct span){ t.s, 1 }, NULL, 0, levels[i]);
		there_and_back((struct span){ t.s, 0 }, NULL, 0, levels[i]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces),
		cmocka_unit_test(same_bytes_each_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
