/* report/parquet/packing: bytes worked out by hand from parquet-format, Encodings.md, and its
 * examples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/parquet/packing.h"

#define assert_bytes(out, literal)                                             \
	do {                                                                   \
		assert_int_equal((out)->n, sizeof(literal) - 1);               \
		assert_memory_equal((out)->s, (literal), sizeof(literal) - 1); \
		str_reset(out);                                                \
	} while (0)

/* The numbers 0 to 7 in three bits each are the example of Encodings.md: 0x88 0xc6 0xfa. */
static void groups(void **state)
{
	static const uint32_t v[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	SCOPED_STR out = { 0 };

	(void)state;
	rle_put(&out, v, 8, 3);
	assert_bytes(&out, "\x03\x88\xc6\xfa");
	/* 0 1 2, filled up: 0b00_010_001_000. */
	rle_put(&out, v, 3, 3);
	assert_bytes(&out, "\x03\x88\x00\x00");
	rle_put(&out, v, 0, 3);
	assert_int_equal(out.n, 0);
}

/* 10 times 4: 10 << 1, and 4 in as many bytes as its bits need. */
static void runs(void **state)
{
	uint32_t v[19];
	SCOPED_STR out = { 0 };

	(void)state;
	FILL(v, 10, 4);
	rle_put(&out, v, 10, 3);
	assert_bytes(&out, "\x14\x04");
	rle_put(&out, v, 10, 9);
	assert_bytes(&out, "\x14\x04\x00");
	/* 1 0 and 17 ones: the group takes six of them, and a run the rest. */
	FILL(v, 19, 1);
	v[1] = 0;
	rle_put(&out, v, 19, 1);
	assert_bytes(&out, "\x03\xfd\x16\x01");
	/* Of 1 0 and 13 ones seven would be left: no run. 0b11111101 0b01111111 */
	rle_put(&out, v, 15, 1);
	assert_bytes(&out, "\x05\xfd\x7f");
}

static void bools(void **state)
{
	static const bool v[] = { true, false, true, true, false, false, false, false, true };
	SCOPED_STR out = { 0 };

	(void)state;
	bools_put(&out, v, 9);
	assert_bytes(&out, "\x0d\x01");
}

/* Blocks of 128 (0x80 0x01) in 4; how many; the first.  1 2 3 4 5 are the example of Encodings.md:
 * four differences of 1, the least, need no bits.  7 5 3 1 2 3 4 5: the least is -2, in zigzag 3;
 * above it 0 0 0 3 3 3 3, in two bits each 0b11000000 0b00111111, filled up to 32 numbers, 8 bytes.
 */
static void deltas(void **state)
{
	static const int64_t even[] = { 1, 2, 3, 4, 5 }, odd[] = { 7, 5, 3, 1, 2, 3, 4, 5 };
	SCOPED_STR out = { 0 };

	(void)state;
	delta_put(&out, even, 5);
	assert_bytes(&out, "\x80\x01\x04\x05\x02\x02\0\0\0\0");
	delta_put(&out, odd, 8);
	assert_bytes(&out, "\x80\x01\x04\x08\x0e\x03\x02\0\0\0\xc0\x3f\0\0\0\0\0\0");
	delta_put(&out, odd, 1);
	assert_bytes(&out, "\x80\x01\x04\x01\x0e");
	delta_put(&out, odd, 0);
	assert_bytes(&out, "\x80\x01\x04\x00\x00");
}

/* From the least number to the largest and back: differences go around. INT64_MAX - INT64_MIN is
 * -1, the way back 1: of -1 and 1 the least is -1, above it 0 and 2. */
static void far_apart(void **state)
{
	static const int64_t v[] = { INT64_MIN, INT64_MAX, INT64_MIN };
	SCOPED_STR out = { 0 };

	(void)state;
	delta_put(&out, v, 3);
	assert_bytes(&out,
		"\x80\x01\x04\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01\x02\0\0\0\x08\0\0\0\0\0\0\0");
	/* 0, 2^63 - 1, 0: the least difference is 1 - 2^63, above it 2^64 - 2 and 0: 64 bits each.
	 */
	static const int64_t wide[] = { 0, INT64_MAX, 0 };
	delta_put(&out, wide, 3);
	assert_int_equal(out.n, 5 + 10 + 4 + 32 * 8);
	assert_memory_equal(out.s + 5, "\xfd\xff\xff\xff\xff\xff\xff\xff\xff\x01\x40\0\0\0", 14);
	assert_memory_equal(out.s + 19, "\xfe\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\0", 16);
}

/* 130 numbers: a second block has one difference. */
static void blocks(void **state)
{
	int64_t v[130];
	SCOPED_STR out = { 0 };

	(void)state;
	for (int i = 0; i < 130; i++)
		v[i] = 2 * i;
	v[129] = 1000;
	delta_put(&out, v, 130);
	/* 1000 - 256 = 744 = 0x2e8, zigzag 0x5d0: 0xd0 0x0b. */
	assert_bytes(&out, "\x80\x01\x04\x82\x01\x00\x04\0\0\0\0\xd0\x0b\0\0\0\0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(groups),
		cmocka_unit_test(runs),
		cmocka_unit_test(bools),
		cmocka_unit_test(deltas),
		cmocka_unit_test(far_apart),
		cmocka_unit_test(blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
