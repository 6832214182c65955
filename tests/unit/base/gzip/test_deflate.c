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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
