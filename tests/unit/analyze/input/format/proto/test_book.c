/* Books: what was said up to a place, while somebody writes on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>

#include "analyze/input/format/proto/book.h"

static void what_was_said_before(void **state)
{
	static const char one[] = "one", two[] = "two";
	SCOPED_ARENA mem = { 0 };
	struct book b;

	(void)state;
	book_init(&b, 7, &mem);
	assert_null(book_find(&b, 1, 5, 100));
	book_put(&b, 1, 5, 10, one);
	book_put(&b, 1, 5, 20, two);
	assert_null(book_find(&b, 1, 5, 9));
	assert_ptr_equal(book_find(&b, 1, 5, 10), one);
	assert_ptr_equal(book_find(&b, 1, 5, 19), one);
	assert_ptr_equal(book_find(&b, 1, 5, 20), two);
	assert_ptr_equal(book_find(&b, 1, 5, UINT64_MAX), two);
	assert_null(book_find(&b, 2, 5, 100)); /* another kind */
	assert_null(book_find(&b, 1, 6, 100));
}

enum { ENTRIES = 20000 };
static const char values[ENTRIES];

static void *read_on(void *ctx)
{
	const struct book *b = ctx;
	size_t i, wrong = 0;
	uint64_t r = 1;

	for (i = 0; i < 4 * ENTRIES; i++) {
		uint64_t key = (r = r * 6364136223846793005u + 1) >> 33, place = r % ENTRIES;
		const char *v;

		key %= ENTRIES;
		v = book_find(b, 3, key * 77, place);
		wrong += v && (v != &values[key] || place < key);
	}
	return (void *)wrong;
}

/* Entry i holds from place i on: a reader finds it or nothing, never another, never too early. */
static void reading_while_writing(void **state)
{
	SCOPED_ARENA mem = { 0 };
	struct book b;
	pthread_t reader[2];
	size_t i;
	void *wrong;

	(void)state;
	book_init(&b, 1, &mem);
	for (i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&reader[i], NULL, read_on, &b), 0);
	for (i = 0; i < ENTRIES; i++)
		book_put(&b, 3, i * 77, i, &values[i]);
	for (i = 0; i < 2; i++) {
		assert_int_equal(pthread_join(reader[i], &wrong), 0);
		assert_null(wrong);
	}
	for (i = 0; i < ENTRIES; i++)
		assert_ptr_equal(book_find(&b, 3, i * 77, i), &values[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_said_before),
		cmocka_unit_test(reading_while_writing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
