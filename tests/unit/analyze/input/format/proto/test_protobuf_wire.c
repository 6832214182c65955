/* The wire format of protobuf: fields drawn by hand, damage, hostile lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/input/format/proto/wire.h"

#define BYTES(s) ((struct span){ s, sizeof(s) - 1 })

/* 08 96 01       field 1, varint 150
 * 12 03 "abc"    field 2, bytes
 * 19 .. 8 bytes  field 3, fixed64 of the double 1.5
 * 25 .. 4 bytes  field 4, fixed32 of the float 0.5
 * a2 06 01 "x"   field 100, bytes: a tag of two bytes */
static const char all_types[] = "\x08\x96\x01\x12\x03"
				"abc"
				"\x19\0\0\0\0\0\0\xf8\x3f\x25\0\0\0\x3f\xa2\x06\x01x";

static void fields_of_every_type(void **state)
{
	struct wire w = wire_of(BYTES(all_types));
	struct wire_field f;

	(void)state;
	assert_true(wire_next(&w, &f));
	assert_true(wire_is(&f, 1, WIRE_VARINT));
	assert_int_equal(f.value, 150);
	assert_true(wire_next(&w, &f));
	assert_true(wire_is(&f, 2, WIRE_BYTES));
	assert_true(span_is(f.bytes, "abc"));
	assert_true(wire_next(&w, &f));
	assert_true(wire_is(&f, 3, WIRE_FIXED64));
	assert_true(wire_double(&f) == 1.5);
	assert_true(wire_next(&w, &f));
	assert_true(wire_is(&f, 4, WIRE_FIXED32));
	assert_true(wire_float(&f) == 0.5F);
	assert_true(wire_next(&w, &f));
	assert_true(wire_is(&f, 100, WIRE_BYTES));
	assert_true(span_is(f.bytes, "x"));
	assert_false(wire_next(&w, &f));
	assert_false(w.damaged);
}

/* Cut anywhere, it is the whole fields in front, and damage unless the cut is between two. */
static void cut_at_every_byte(void **state)
{
	static const size_t end_of[] = { 0, 3, 8, 17, 22, 26 };
	size_t n;

	(void)state;
	for (n = 0; n < sizeof(all_types); n++) {
		struct wire w = wire_of((struct span){ all_types, n });
		struct wire_field f;
		size_t whole = 0, expected = 0;

		while (expected + 1 < COUNT_OF(end_of) && end_of[expected + 1] <= n)
			expected++;
		while (wire_next(&w, &f))
			whole++;
		assert_int_equal(whole, expected);
		assert_int_equal(w.damaged, end_of[expected] != n);
		assert_int_equal(
			wire_is_message((struct span){ all_types, n }), end_of[expected] == n);
	}
}

static void varints(void **state)
{
	static const struct {
		struct span bytes;
		uint64_t v;
		size_t n; /* 0: it is none */
	} cases[] = {
		{ BYTES("\0"), 0, 1 },
		{ BYTES("\x7f"), 127, 1 },
		{ BYTES("\x80\x01"), 128, 2 },
		{ BYTES("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"), UINT64_C(1) << 63, 10 },
		{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), UINT64_MAX, 10 },
		{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), 0, 0 },
		{ BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), 0, 0 },
		{ BYTES("\x80"), 0, 0 },
		{ BYTES(""), 0, 0 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		uint64_t v;
		const char *p = cases[i].bytes.p,
			   *behind = wire_varint(p, p + cases[i].bytes.n, &v);

		assert_ptr_equal(behind, cases[i].n ? p + cases[i].n : NULL);
		if (behind)
			assert_true(v == cases[i].v);
	}
}

/* Lengths beyond what is there, field 0, groups, wire types that do not exist. */
static void damage(void **state)
{
	static const struct span cases[] = {
		BYTES("\x0a\x05"
		      "abcd"),
		BYTES("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
		BYTES("\x0a\xff\xff\xff\xff\x0f"),
		BYTES("\x02\x01x"),
		BYTES("\x00"),
		BYTES("\x0b"),
		BYTES("\x0c"),
		BYTES("\x0e\x01"),
		BYTES("\x0f\x01"),
		BYTES("\x80\x80\x80\x80\x80\x01\x00"),
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct wire w = wire_of(cases[i]);
		struct wire_field f;

		assert_false(wire_next(&w, &f));
		assert_true(w.damaged);
		assert_false(wire_next(&w, &f));
	}
}

/* Repeated numbers: one by one, and packed: 01 ac 02 are 1 and 300. */
static void repeated_numbers(void **state)
{
	struct wire_field one = { 1, WIRE_VARINT, 7, { NULL, 0 } };
	struct wire_field packed = { 1, WIRE_BYTES, 0, BYTES("\x01\xac\x02") };
	struct wire_field wide = { 1, WIRE_BYTES, 0, BYTES("\x05\0\0\0\0\0\0\0\x06\0\0") };
	size_t at = 0;
	uint64_t v;

	(void)state;
	assert_true(wire_repeated(&one, WIRE_VARINT, &at, &v));
	assert_int_equal(v, 7);
	assert_false(wire_repeated(&one, WIRE_VARINT, &at, &v));
	at = 0;
	assert_true(wire_repeated(&packed, WIRE_VARINT, &at, &v));
	assert_int_equal(v, 1);
	assert_true(wire_repeated(&packed, WIRE_VARINT, &at, &v));
	assert_int_equal(v, 300);
	assert_false(wire_repeated(&packed, WIRE_VARINT, &at, &v));
	at = 0;
	assert_true(wire_repeated(&wide, WIRE_FIXED64, &at, &v));
	assert_int_equal(v, 5);
	assert_false(wire_repeated(&wide, WIRE_FIXED64, &at, &v));
	at = 0;
	assert_false(wire_repeated(&one, WIRE_FIXED64, &at, &v));
}

static void signed_numbers(void **state)
{
	struct wire_field f = { 1, WIRE_VARINT, UINT64_MAX, { NULL, 0 } };

	(void)state;
	assert_int_equal(wire_int64(&f), -1);
	assert_true(wire_sint64(&f) == INT64_MIN);
	f.value = 3;
	assert_int_equal(wire_sint64(&f), -2);
}

static void a_field_is_found(void **state)
{
	struct wire_field f;

	(void)state;
	assert_true(wire_find(BYTES(all_types), 100, WIRE_BYTES, &f));
	assert_true(span_is(f.bytes, "x"));
	assert_false(wire_find(BYTES(all_types), 100, WIRE_VARINT, &f));
	assert_false(wire_find(BYTES("\x0b\x0a\x01x"), 1, WIRE_BYTES, &f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fields_of_every_type),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(varints),
		cmocka_unit_test(damage),
		cmocka_unit_test(repeated_numbers),
		cmocka_unit_test(signed_numbers),
		cmocka_unit_test(a_field_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
