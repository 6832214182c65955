/*
 * Relays: windows come out in order, whatever threads do; the first failure ends them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "analyze/input/format/relay.h"

enum { WINDOWS = 300, SLOTS = 16 };

struct course {
	uint64_t in[SLOTS], out[SLOTS];
	uint64_t filled, ended, sum;
	uint64_t fill_fails, end_fails; /* windows; UINT64_MAX: none */
	bool is_wrong;
};

static enum status fill(void *ctx, size_t slot, bool *last, struct err *e)
{
	struct course *c = ctx;

	if (c->filled == c->fill_fails)
		return err_set(e, E_IO, 7, "no more of it");
	c->in[slot] = c->filled++;
	*last = c->filled == WINDOWS;
	return OK;
}

static void work(void *ctx, size_t slot)
{
	struct course *c = ctx;
	volatile uint64_t i, n = c->in[slot] * 7919 % 3000;

	for (i = 0; i < n; i++)
		;
	c->out[slot] = c->in[slot] * c->in[slot];
}

static enum status end(void *ctx, size_t slot, struct err *e)
{
	struct course *c = ctx;

	if (c->ended == c->end_fails)
		return err_set(e, E_LIMIT, -1, "too much of it");
	c->is_wrong |= c->in[slot] != c->ended || c->out[slot] != c->ended * c->ended;
	c->sum = c->sum * 31 + c->out[slot];
	c->ended++;
	return OK;
}

static enum status run(struct course *c, unsigned threads, struct err *e)
{
	struct relay r = { fill, work, end, c };

	assert_in_range(relay_slots(threads), 1, SLOTS);
	return relay_run(&r, threads, e);
}

static void in_order(void **state)
{
	uint64_t sum = 0;
	unsigned threads;

	(void)state;
	for (threads = 1; threads <= 8; threads++) {
		struct course c = { .fill_fails = UINT64_MAX, .end_fails = UINT64_MAX };
		struct err e;

		assert_int_equal(run(&c, threads, &e), OK);
		assert_int_equal(c.ended, WINDOWS);
		assert_false(c.is_wrong);
		if (threads > 1)
			assert_true(c.sum == sum);
		sum = c.sum;
	}
}

static void failures(void **state)
{
	unsigned threads;

	(void)state;
	for (threads = 1; threads <= 4; threads++) {
		struct course c = { .fill_fails = 40, .end_fails = UINT64_MAX };
		struct err e;

		assert_int_equal(run(&c, threads, &e), E_IO);
		assert_int_equal(e.offset, 7);
		c = (struct course){ .fill_fails = UINT64_MAX, .end_fails = 20 };
		assert_int_equal(run(&c, threads, &e), E_LIMIT);
		assert_int_equal(c.ended, 20);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
