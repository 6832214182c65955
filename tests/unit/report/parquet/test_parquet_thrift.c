/* report/parquet/thrift: bytes worked out by hand from the protocol's description. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/parquet/thrift.h"

#define assert_bytes(out, literal)                                             \
	do {                                                                   \
		assert_int_equal((out)->n, sizeof(literal) - 1);               \
		assert_memory_equal((out)->s, (literal), sizeof(literal) - 1); \
		str_reset(out);                                                \
	} while (0)

/* 300 = 0b10_0101100: 0xac 0x02.  Signs are the last bit: -1 is 1, 1 is 2, -64 is 127, 64 is 128.
 */
static void numbers(void **state)
{
	SCOPED_STR out = { 0 };

	(void)state;
	varint_put(&out, 0);
	assert_bytes(&out, "\0");
	varint_put(&out, 127);
	assert_bytes(&out, "\x7f");
	varint_put(&out, 128);
	assert_bytes(&out, "\x80\x01");
	varint_put(&out, 300);
	assert_bytes(&out, "\xac\x02");
	varint_put(&out, UINT64_MAX);
	assert_bytes(&out, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
	zigzag_put(&out, -1);
	assert_bytes(&out, "\x01");
	zigzag_put(&out, 1);
	assert_bytes(&out, "\x02");
	zigzag_put(&out, -64);
	assert_bytes(&out, "\x7f");
	zigzag_put(&out, 64);
	assert_bytes(&out, "\x80\x01");
	zigzag_put(&out, INT64_MIN);
	assert_bytes(&out, "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

/* {1: i32 5, 3: "ab", 4: {2: true, 3: false}, 5: i64 -3}: a field is how far it is from the one
 * before, and its type. */
static void fields(void **state)
{
	SCOPED_STR out = { 0 };
	struct thrift t = { .out = &out };

	(void)state;
	thrift_begin(&t);
	thrift_int(&t, 1, THRIFT_I32, 5);
	thrift_text(&t, 3, SPAN("ab"));
	thrift_struct(&t, 4);
	thrift_bool(&t, 2, true);
	thrift_bool(&t, 3, false);
	thrift_end(&t);
	thrift_int(&t, 5, THRIFT_I64, -3);
	thrift_end(&t);
	assert_bytes(&out,
		"\x15\x0a\x28\x02"
		"ab\x1c\x21\x12\x00\x16\x05\x00");
}

/* Up to 14 elements their number stands beside the type, from 15 on behind it. */
static void lists(void **state)
{
	SCOPED_STR out = { 0 };
	struct thrift t = { .out = &out };

	(void)state;
	thrift_begin(&t);
	thrift_list(&t, 2, THRIFT_I32, 2);
	zigzag_put(&out, 0);
	zigzag_put(&out, 8);
	thrift_list(&t, 3, THRIFT_TEXT, 1);
	thrift_element(&t, SPAN("x"));
	thrift_list(&t, 4, THRIFT_STRUCT, 15);
	assert_bytes(&out, "\x29\x25\x00\x10\x19\x18\x01x\x19\xfc\x0f");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers),
		cmocka_unit_test(fields),
		cmocka_unit_test(lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
