/* Phrases: what is learnt is expected after the same history, the same text is one phrase, and a
 * full table learns nothing more.  That expecting changes no result is the scanners' test (one of
 * them learns nothing). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/input/events/phrases.h"

static const char head[] = "{\"ph\": \"X\", \"name\": \"mm\", \"ts\": ";
static const char other[] = "{\"ph\": \"X\", \"name\": \"relu\", \"ts\": ";

static struct phrase of(const char *text)
{
	return (struct phrase){ .text = text, .n = (uint32_t)strlen(text) };
}

static void expects_what_followed(void **state)
{
	struct phrase a = of(head), b = of(other), *first, *second;
	struct phrases ps;
	int i;

	(void)state;
	phrases_init(&ps, 1);
	assert_int_equal(phrases_guess(&ps)->n, 0);
	for (i = 0; i < 20; i++) { /* a b a b ... until the history holds nothing else */
		first = phrases_learn(&ps, &a);
		phrases_note(&ps, first);
		second = phrases_learn(&ps, &b);
		phrases_note(&ps, second);
	}
	assert_ptr_not_equal(first, second);
	assert_int_equal(ps.n, 3);
	for (i = 0; i < 20; i++) {
		assert_ptr_equal(phrases_guess(&ps), first);
		phrases_note(&ps, first);
		assert_ptr_equal(phrases_guess(&ps), second);
		phrases_note(&ps, second);
	}
	phrases_clear(&ps);
}

static void same_text_is_one(void **state)
{
	char copy[sizeof(head)];
	struct phrase a = of(head), b;
	struct phrases ps;

	(void)state;
	memcpy(copy, head, sizeof(head));
	b = of(copy);
	phrases_init(&ps, 1);
	assert_ptr_equal(phrases_learn(&ps, &a), phrases_learn(&ps, &b));
	phrases_note(&ps, NULL);
	assert_ptr_equal(phrases_learn(&ps, &b), &ps.all[1]);
	phrases_reset(&ps);
	assert_int_equal(phrases_guess(&ps)->n, 0);
	phrases_clear(&ps);
}

static void short_ones_are_left(void **state)
{
	struct phrase a = of(",\"ts\":");
	struct phrases ps;

	(void)state;
	phrases_init(&ps, 1);
	assert_null(phrases_learn(&ps, &a));
	assert_int_equal(phrases_guess(&ps)->n, 0);
	phrases_clear(&ps);
}

static void learns_no_more_when_full(void **state)
{
	static char text[PHRASES_MAX + 10][16];
	struct phrases ps;
	unsigned i, learnt = 0;

	(void)state;
	phrases_init(&ps, 1);
	for (i = 0; i < PHRASES_MAX + 10; i++) {
		struct phrase p;

		(void)snprintf(text[i], sizeof(text[i]), "phrase %u", i);
		p = of(text[i]);
		learnt += phrases_learn(&ps, &p) != NULL;
	}
	assert_int_equal(learnt, PHRASES_MAX - 1);
	assert_int_equal(ps.n, PHRASES_MAX);
	for (i = 0; i < PHRASES_MAX - 1; i++) {
		struct phrase p = of(text[i]);

		assert_ptr_equal(phrases_learn(&ps, &p), &ps.all[i + 1]);
	}
	phrases_clear(&ps);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expects_what_followed),
		cmocka_unit_test(same_text_is_one),
		cmocka_unit_test(short_ones_are_left),
		cmocka_unit_test(learns_no_more_when_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
