/* Exposure and the heap below it, against a bitmap of every nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/inflight.h"
#include "analyze/measure/gaps/exposure.h"

enum { SPAN_NS = 120, GROUPS = 3, MOST = 40 };

static uint64_t next_random(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/*
 *	  t          0  3  6   10  14 16  19 20  23
 *	  hides         [-------)     [------)
 *	  group 0    [-----)    [---)      [-----)
 */
static void test_drawn(void **state)
{
	struct exposure_group g[1] = { 0 };
	void *items = g;
	struct exposure x;

	(void)state;
	exposure_init(&x, &items, 0, sizeof(*g));
	exposure_show(&x, 0, 0, 6);
	exposure_hide(&x, 3, 10);
	exposure_show(&x, 0, 10, 14);
	exposure_hide(&x, 16, 20);
	exposure_show(&x, 0, 19, 23);
	exposure_end(&x);
	assert_int_equal(g[0].union_ns, 6 + 4 + 4);
	assert_int_equal(g[0].exposed_ns, 3 + 4 + 3);
}

/* What runs across the end of what hides, and what overlaps its own group, counts once. */
static void test_joined(void **state)
{
	struct exposure_group g[2] = { 0 };
	void *items = g;
	struct exposure x;

	(void)state;
	exposure_init(&x, &items, 0, sizeof(*g));
	exposure_hide(&x, -50, -40);
	exposure_show(&x, 0, -45, -30); /* exposed from -40 */
	exposure_show(&x, 0, -35, -20); /* joined: union -45..-20 */
	exposure_show(&x, 1, -35, -35); /* no length */
	exposure_show(&x, 1, -34, -33);
	exposure_end(&x);
	assert_int_equal(g[0].union_ns, 25);
	assert_int_equal(g[0].exposed_ns, 20);
	assert_int_equal(g[1].union_ns, 1);
	assert_int_equal(g[1].exposed_ns, 1);
}

struct item {
	nsec start, end;
	int group; /* -1 hides */
};

static int by_start(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static void count_bits(const struct item *v, size_t n, int group, nsec *whole, nsec *exposed)
{
	nsec t;
	size_t i;

	*whole = *exposed = 0;
	for (t = 0; t < SPAN_NS; t++) {
		bool shown = false, hidden = false;

		for (i = 0; i < n; i++) {
			bool runs = v[i].start <= t && t < v[i].end;

			shown = shown || (runs && v[i].group == group);
			hidden = hidden || (runs && v[i].group < 0);
		}
		*whole += shown;
		*exposed += shown && !hidden;
	}
}

static void test_random(void **state)
{
	uint64_t seed = 7;
	int round;

	(void)state;
	for (round = 0; round < 2000; round++) {
		struct item v[MOST];
		struct exposure_group g[GROUPS] = { 0 };
		void *items = g;
		struct exposure x;
		size_t n = (size_t)(next_random(&seed) % MOST), i;

		for (i = 0; i < n; i++) {
			v[i].start = (nsec)(next_random(&seed) % (SPAN_NS - 25));
			v[i].end = v[i].start + (nsec)(next_random(&seed) % 25);
			v[i].group = (int)(next_random(&seed) % (GROUPS + 1)) - 1;
		}
		qsort(v, n, sizeof(*v), by_start);
		exposure_init(&x, &items, 0, sizeof(*g));
		for (i = 0; i < n; i++)
			if (v[i].group < 0)
				exposure_hide(&x, v[i].start, v[i].end);
			else
				exposure_show(&x, (uint32_t)v[i].group, v[i].start, v[i].end);
		exposure_end(&x);
		for (i = 0; i < GROUPS; i++) {
			nsec whole, exposed;

			count_bits(v, n, (int)i, &whole, &exposed);
			assert_int_equal(g[i].union_ns, whole);
			assert_int_equal(g[i].exposed_ns, exposed);
		}
	}
}

static void test_ends_in_order(void **state)
{
	struct inflight e = { 0 };
	uint64_t seed = 11;
	nsec last = INT64_MIN;
	int i;

	(void)state;
	for (i = 0; i < 500; i++)
		inflight_push(&e, (struct inflight_item){ .end = (nsec)(next_random(&seed) % 90) });
	for (i = 0; i < 500; i++) {
		struct inflight_item item = inflight_pop(&e);

		assert_true(item.end >= last);
		last = item.end;
	}
	assert_int_equal(e.n, 0);
	inflight_clear(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drawn),
		cmocka_unit_test(test_joined),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_ends_in_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
