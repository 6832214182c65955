/* report/parquet: a small file to the byte, worked out by hand from parquet.thrift; when a
 * dictionary is given up. That others read larger ones is tests/oracle/exports.py's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "report/parquet/dictionary.h"
#include "report/parquet/packing.h"
#include "report/parquet/parquet.h"

static void fill_123(const void *ctx, size_t column, size_t first, struct parquet_values *v)
{
	(void)ctx;
	(void)column;
	for (size_t i = 0; i < v->n; i++)
		v->i[i] = (int64_t)(first + i) + 1;
}

/* The page: 16 bytes behind a head of 17. Its levels are 4 bytes of length, 2 of them: three ones
 * in a group of 8. Its values are 3 from 1 on, differences of 1 without bits. */
#define HEAD "\x15\x00\x15\x20\x15\x20\x2c\x15\x06\x15\x0a\x15\x06\x15\x06\x00\x00"
#define PAGE "\x02\x00\x00\x00\x03\x07\x80\x01\x04\x03\x02\x02\0\0\0\0"
#define SCHEMA                     \
	"\x15\x04\x19\x2c\x48\x06" \
	"schema\x15\x02\x00"       \
	"\x15\x04\x25\x02\x18\x01" \
	"a\x00\x16\x06"
#define CHUNK                                                            \
	"\x26\x14\x1c\x15\x04\x19\x25\x06\x0a\x19\x18\x01"               \
	"a\x15\x00\x16\x06"                                              \
	"\x16\x42\x16\x42\x26\x14\x3c\x36\x00\x28\x08\x03\0\0\0\0\0\0\0" \
	"\x18\x08\x01\0\0\0\0\0\0\0\x11\x11\x00\x00\x00"
#define GROUP "\x19\x1c" CHUNK "\x16\x42\x16\x06\x26\x14\x16\x42\x00"
#define FACTS                                    \
	"\x19\x2c\x18\x01k\x18\x01v\x00\x18\x0b" \
	"traceq.kept\x18\x01"                    \
	"3\x00\x18\x06"                          \
	"traceq\x19\x1c\x1c\x00\x00\x00"

static void three_numbers(void **state)
{
	static const char footer[] = SCHEMA "\x19\x1c" GROUP FACTS;
	static const struct parquet_column column = { "a", PARQUET_INT };
	static const struct parquet_fact fact = { "k", "v" };
	const struct parquet_table t = { &column, 1, 3, { fill_123, NULL }, &fact, 1, SPAN("abc"),
		1 };
	SCOPED_STR end = { 0 }, want = { 0 };
	struct err e;
	char *got;
	size_t n;
	FILE *f = open_memstream(&got, &n);

	(void)state;
	str_add(&want, "PAR1traceq" HEAD PAGE, 10 + 17 + 16);
	str_adds(&end, "abc"); /* what is kept, and checksums of the page, of this and the footer */
	put_u64(&end, XXH3_64bits(HEAD PAGE, 17 + 16));
	str_add(&want, end.s, end.n);
	str_add(&end, footer, sizeof(footer) - 1);
	put_u64(&want, XXH3_64bits(end.s, end.n));
	str_add(&want, footer, sizeof(footer) - 1);
	str_addc(&want, (char)(sizeof(footer) - 1));
	str_add(&want, "\0\0\0PAR1", 7);
	assert_int_equal(parquet_put(f, &t, &e), OK);
	fclose(f);
	assert_int_equal(n, want.n);
	assert_memory_equal(got, want.s, n);
	free(got);
}

static void full_disk(void **state)
{
	static const struct parquet_column column = { "a", PARQUET_INT };
	const struct parquet_table t = { &column, 1, 3, { fill_123, NULL }, NULL, 0, { 0 }, 1 };
	FILE *f = fopen("/dev/full", "w");
	struct err e;

	(void)state;
	assert_int_equal(parquet_put(f, &t, &e), E_IO);
	assert_non_null(strstr(e.text, "No space left"));
	fclose(f);
}

/* Half of the values and more are distinct: none. Fewer: all, in the order of first sight. */
static void dictionaries(void **state)
{
	static const int64_t few[] = { 7, 7, -1, 7, -1, 7 }, many[] = { 1, 2, 3, 4, 4 };
	struct dictionary d;

	(void)state;
	dictionary_of_numbers(&d, few, 6);
	assert_int_equal(d.covered, 6);
	assert_int_equal(d.n, 2);
	assert_int_equal(d.number[1], -1);
	assert_int_equal(d.index[4], 1);
	dictionary_clear(&d);
	dictionary_of_numbers(&d, many, 5);
	assert_int_equal(d.covered, 0);
	dictionary_clear(&d);
}

/* 200,000 values, each three times in a row: the 65,537th distinct one is value 196,608. */
static void dictionary_overflows(void **state)
{
	int64_t *v = xmalloc(200000 * sizeof(*v));
	struct dictionary d;

	(void)state;
	for (int i = 0; i < 200000; i++)
		v[i] = i / 3;
	dictionary_of_numbers(&d, v, 200000);
	assert_int_equal(d.covered, 196608);
	assert_int_equal(d.n, 65536);
	dictionary_clear(&d);
	free(v);
}

/* Texts that are no UTF-8 are the same text when they are mended. */
static void broken_texts(void **state)
{
	static const struct span v[] = { { "a\xff", 2 }, { "a\xfe", 2 }, { "a\xef\xbf\xbd", 4 },
		{ NULL, 0 }, { "a\0b", 3 }, { "", 0 }, { "a\0b", 3 }, { "a\0c", 3 } };
	struct dictionary d;

	(void)state;
	dictionary_of_texts(&d, v, 8);
	assert_int_equal(d.covered, 8);
	assert_int_equal(d.n, 4);
	assert_int_equal(d.text[0].n, 4);
	assert_memory_equal(d.text[0].p, "a\xef\xbf\xbd", 4);
	assert_int_equal(d.index[2], 0);
	assert_int_equal(d.index[5], 1);
	assert_int_equal(d.index[6], 2);
	assert_int_equal(d.index[7], 3);
	dictionary_clear(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_numbers),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(dictionaries),
		cmocka_unit_test(dictionary_overflows),
		cmocka_unit_test(broken_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
