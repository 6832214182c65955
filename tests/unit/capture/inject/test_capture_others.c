/* What tells that another user of CUPTI is in the process: which buffers are ours, whether launches
 * leave records, whose clock times are of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/cupti_abi.h"
#include "capture/inject/record_clock.h"
#include "capture/inject/watch.h"

/* ---- buffers ---- */

enum { PAGES = 3000, STEPS = 200000 };

/* Addresses that are looked at only; those of a kind collide, whatever the hash. */
static uint8_t *page(size_t i)
{
	return (uint8_t *)((i + 1) << 12);
}

/* Any order of lending and giving back, beside a table that forgets nothing. */
static void test_lent_and_given_back(void **state)
{
	static size_t out[PAGES];
	uint64_t seed = 1, bytes = 0;
	struct lent l;
	size_t i, step, size;

	(void)state;
	assert_true(lent_init(&l));
	for (step = 0; step < STEPS; step++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		i = (seed >> 33) % PAGES;
		if (out[i]) {
			size = 1;
			assert_true(lent_take(&l, page(i), &size));
			assert_int_equal(size, out[i]);
			bytes -= out[i];
			out[i] = 0;
		} else {
			size = 77;
			assert_false(lent_take(&l, page(i), &size));
			assert_int_equal(size, 77);
			out[i] = 4096 + i;
			lent_put(&l, page(i), out[i]);
			bytes += out[i];
		}
		assert_int_equal(atomic_load(&l.bytes), bytes);
	}
	for (i = 0; i < PAGES; i++)
		assert_int_equal(lent_take(&l, page(i), &size), out[i] != 0);
	assert_int_equal(atomic_load(&l.bytes), 0);
	assert_true(atomic_load(&l.foreign) > 0);
	free(l.slot);
}

/* Nobody's buffer is counted as somebody else's; what asks in vain moves, too. */
static void test_no_buffer(void **state)
{
	struct lent l;
	size_t size = 5;

	(void)state;
	assert_true(lent_init(&l));
	lent_put(&l, NULL, 0);
	assert_false(lent_take(&l, NULL, &size));
	assert_int_equal(atomic_load(&l.moves), 2);
	assert_int_equal(atomic_load(&l.foreign), 0);
	free(l.slot);
}

/* More than fit: from then on every buffer is taken back. */
static void test_more_than_fit(void **state)
{
	struct lent l;
	size_t i, size = 5;

	(void)state;
	assert_true(lent_init(&l));
	for (i = 0; i < LENT_SLOTS; i++)
		lent_put(&l, page(i), 4096);
	for (i = 0; i < LENT_SLOTS; i++)
		assert_true(lent_take(&l, page(i), &size));
	assert_int_equal(atomic_load(&l.foreign), 0);
	free(l.slot);
}

static void test_used(void **state)
{
	static uint32_t a[1024], b[1024];
	struct lent l;

	(void)state;
	assert_true(lent_init(&l));
	lent_put(&l, (uint8_t *)a, sizeof(a));
	lent_put(&l, (uint8_t *)b, sizeof(b));
	assert_int_equal(lent_used(&l, 2), 0);
	b[0] = ACT_KERNEL;
	assert_int_equal(lent_used(&l, 2), 1);
	assert_int_equal(lent_used(&l, 1), 0); /* lent since */
	free(l.slot);
}

/* ---- launches ---- */

static void hear(struct watch *w, bool is_runtime, int n)
{
	while (n--)
		watch_heard(w, is_runtime);
}

/* Looks until it listens. */
static void until_it_listens(struct watch *w, struct lent *l)
{
	int i;

	assert_int_equal(watch_look(w, l, true, 1), WATCH_GO_ON);
	for (i = 1; i < WATCH_QUIET; i++)
		assert_int_equal(watch_look(w, l, true, 2), WATCH_GO_ON);
	assert_int_equal(watch_look(w, l, true, 3), WATCH_LISTEN);
}

/* Launches for more than all buffers, none of which moves. */
static void test_launches_without_records(void **state)
{
	struct lent l = { 0 };
	struct watch w = { 0 };

	(void)state;
	l.bytes = 100 * WATCH_RECORD_BYTES;
	until_it_listens(&w, &l);
	hear(&w, true, 100);
	assert_int_equal(watch_look(&w, &l, true, 4), WATCH_GO_ON); /* they may all be in there */
	hear(&w, true, 1);
	assert_int_equal(watch_look(&w, &l, true, 5), WATCH_LOST);
	assert_true(w.is_lost);
	assert_int_equal(w.moved_ns, 1);
	hear(&w, true, 1000);
	assert_int_equal(watch_look(&w, &l, true, 6), WATCH_GO_ON); /* said once */
}

/* A pause, in which nothing is launched, however long; then it works again. */
static void test_pause(void **state)
{
	struct lent l = { 0 };
	struct watch w = { 0 };
	int i;

	(void)state;
	until_it_listens(&w, &l);
	for (i = 0; i < 1000; i++)
		assert_int_equal(watch_look(&w, &l, true, 10 + i), WATCH_GO_ON);
	hear(&w, true, 500);
	l.moves++; /* the first of them asked for a buffer */
	assert_int_equal(watch_look(&w, &l, true, 2000), WATCH_STOP);
	assert_false(w.is_lost);
	/* And from the start again: what was heard before counts no more. */
	for (i = 1; i < WATCH_QUIET; i++)
		assert_int_equal(watch_look(&w, &l, true, 2001), WATCH_GO_ON);
	assert_int_equal(watch_look(&w, &l, true, 2002), WATCH_LISTEN);
	assert_int_equal(watch_look(&w, &l, true, 2003), WATCH_GO_ON);
}

/* A runtime call that calls the driver is one launch; the driver's alone may leave no record. */
static void test_two_domains(void **state)
{
	struct lent l = { 0 };
	struct watch w = { 0 };

	(void)state;
	l.bytes = 100 * WATCH_RECORD_BYTES;
	until_it_listens(&w, &l);
	hear(&w, true, 90);
	hear(&w, false, 100);
	assert_int_equal(watch_look(&w, &l, true, 4), WATCH_GO_ON);
	hear(&w, false, 1000);
	assert_int_equal(watch_look(&w, &l, false, 5), WATCH_GO_ON);
	assert_int_equal(watch_look(&w, &l, true, 6), WATCH_LOST);
}

/* ---- clocks ---- */

#define START INT64_C(1790857026000000000)

static void test_clock(void **state)
{
	unsigned char r[256] = { 0 };
	struct record_clock c = { 0 };
	uint64_t start = 5, end = 0;
	uint32_t kind = ACT_KERNEL;

	(void)state;
	memcpy(r, &kind, sizeof(kind));
	memcpy(r + AT_KERNEL_START, &start, sizeof(start));
	assert_true(record_clock_holds(&c, r)); /* no recording, no clock */
	record_clock_start(&c, START, 1000);
	assert_false(record_clock_holds(&c, r));
	start = START + 10;
	memcpy(r + AT_KERNEL_START, &start, sizeof(start));
	assert_true(record_clock_holds(&c, r)); /* without an end */
	end = START + INT64_C(86400) * 1000000000;
	memcpy(r + AT_KERNEL_END, &end, sizeof(end));
	assert_false(record_clock_holds(&c, r)); /* tomorrow */
	record_clock_look(&c, 1000 + INT64_C(86400) * 1000000000);
	assert_true(record_clock_holds(&c, r)); /* it is tomorrow */
	assert_int_equal(c.others, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lent_and_given_back),
		cmocka_unit_test(test_no_buffer),
		cmocka_unit_test(test_more_than_fit),
		cmocka_unit_test(test_used),
		cmocka_unit_test(test_launches_without_records),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_two_domains),
		cmocka_unit_test(test_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
