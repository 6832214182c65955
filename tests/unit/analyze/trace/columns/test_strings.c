/*
 * Interning: numbers by first sight, any bytes, many texts, and ids that do not depend on the seed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/trace/columns/strings.h"

static void first_sight(void **state)
{
	struct strings s;
	char text[] = "aten::mm";

	(void)state;
	strings_init(&s, 1);
	assert_int_equal(strings_intern(&s, SPAN("")), 0);
	assert_int_equal(strings_intern(&s, span_of(text)), 1);
	assert_int_equal(strings_intern(&s, SPAN("kernel")), 2);
	text[0] = 'X'; /* the bytes were copied */
	assert_int_equal(strings_intern(&s, SPAN("aten::mm")), 1);
	assert_true(span_is(strings_get(&s, 1), "aten::mm"));
	assert_int_equal(strings_find(&s, SPAN("kernel")), 2);
	assert_int_equal(strings_find(&s, SPAN("kerne")), UINT32_MAX);
	assert_int_equal(strings_find(&s, SPAN("")), 0);
	assert_int_equal(s.n, 3);
	strings_clear(&s);
}

static void any_bytes(void **state)
{
	struct strings s;
	sym a, b;

	(void)state;
	strings_init(&s, 1);
	a = strings_intern(&s, SPAN("a\0b"));
	b = strings_intern(&s, SPAN("a\0c"));
	assert_int_not_equal(a, b);
	assert_int_not_equal(a, strings_intern(&s, SPAN("a")));
	assert_int_equal(strings_get(&s, a).n, 3);
	a = strings_intern(&s, SPAN("\xff\xfe"));
	assert_int_equal(strings_find(&s, SPAN("\xff\xfe")), a);
	strings_clear(&s);
}

static sym intern_number(struct strings *s, int i)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "name %d", i);

	return strings_intern(s, (struct span){ text, (size_t)n });
}

static void many(void **state)
{
	struct strings s, t;
	int i;

	(void)state;
	strings_init(&s, 1);
	strings_init(&t, 0x123456789abcdef);
	for (i = 0; i < 100000; i++) {
		assert_int_equal(intern_number(&s, i), i + 1);
		assert_int_equal(intern_number(&t, i), i + 1);
	}
	for (i = 0; i < 100000; i++)
		assert_int_equal(intern_number(&s, i), i + 1);
	assert_int_equal(s.n, 100001);
	strings_clear(&s);
	strings_clear(&t);
}

static void hash_beforehand(void **state)
{
	struct strings s;

	(void)state;
	strings_init(&s, 9);
	assert_int_equal(strings_intern_hashed(&s, SPAN("x"), strings_hash(&s, SPAN("x"))), 1);
	assert_int_equal(strings_intern(&s, SPAN("x")), 1);
	strings_clear(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(first_sight),
		cmocka_unit_test(any_bytes),
		cmocka_unit_test(many),
		cmocka_unit_test(hash_beforehand),
	};

	return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
