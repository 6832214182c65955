/* Rings: numbers come out in order, whatever threads do; the first failure ends them; who takes
 * them has each once, and no more at a time than there are slots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "base/ring.h"

enum { WINDOWS = 300, SLOTS = 16 };

struct course {
	uint64_t in[SLOTS], out[SLOTS];
	uint64_t filled, ended, sum;
	uint64_t fill_fails, end_fails; /* windows; UINT64_MAX: none */
	size_t slots;
	bool is_misfilled, is_wrong; /* of the one that fills, of the one that ends */
};

static enum status fill(void *ctx, size_t i, bool *last, struct err *e)
{
	struct course *c = ctx;
	size_t slot = i % c->slots;

	if (c->filled == c->fill_fails)
		return err_set(e, E_IO, 7, "no more of it");
	c->is_misfilled |= i != c->filled;
	c->in[slot] = c->filled++;
	*last = c->filled == WINDOWS;
	return OK;
}

static void work(void *ctx, size_t number)
{
	struct course *c = ctx;
	size_t slot = number % c->slots;
	volatile uint64_t i, n = c->in[slot] * 7919 % 3000;

	for (i = 0; i < n; i++)
		;
	c->out[slot] = c->in[slot] * c->in[slot];
}

static enum status end(void *ctx, size_t i, struct err *e)
{
	struct course *c = ctx;
	size_t slot = i % c->slots;

	if (c->ended == c->end_fails)
		return err_set(e, E_LIMIT, -1, "too much of it");
	c->is_wrong |= c->in[slot] != c->ended || c->out[slot] != c->ended * c->ended;
	c->sum = c->sum * 31 + c->out[slot];
	c->ended++;
	return OK;
}

static enum status run(struct course *c, unsigned threads, struct err *e)
{
	struct ring_steps steps = { fill, work, end, c };

	c->slots = ring_slots(threads);
	assert_in_range(c->slots, 1, SLOTS);
	return ring_run(&steps, c->slots, threads, e);
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
		assert_false(c.is_wrong || c.is_misfilled);
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

/* What is made for who takes it: a value in a place of its own, and how many are there at a time.
 */
struct made {
	size_t n; /* numbers there are */
	size_t value[WINDOWS];
	int times[WINDOWS];
	uint64_t fill_fails;
	atomic_int there, most;
};

static enum status name(void *ctx, size_t i, bool *last, struct err *e)
{
	struct made *m = ctx;

	if (i == m->fill_fails)
		return err_set(e, E_IO, 7, "no more of it");
	*last = i + 1 == m->n;
	return OK;
}

static void make(void *ctx, size_t i)
{
	struct made *m = ctx;
	int there = atomic_fetch_add(&m->there, 1) + 1, most = atomic_load(&m->most);

	while (there > most && !atomic_compare_exchange_weak(&m->most, &most, there))
		;
	m->value[i] = i * i + 1;
	m->times[i]++;
}

static const unsigned threads_of[] = { 1, 2, 3, 8, 40 };

static struct ring *new_ring(struct made *m, unsigned threads)
{
	struct ring_steps steps = { name, make, NULL, m };

	return ring_new(&steps, threads + 1, threads);
}

static void taken_in_order(void **state)
{
	size_t i, k;

	(void)state;
	for (k = 0; k < COUNT_OF(threads_of); k++) {
		struct made m = { .n = WINDOWS, .fill_fails = UINT64_MAX };
		struct ring *r = new_ring(&m, threads_of[k]);

		for (i = 0; i < WINDOWS; i++) {
			assert_true(ring_take(r, i));
			assert_int_equal(m.value[i], i * i + 1);
			(void)atomic_fetch_sub(&m.there, 1); /* released before the next */
		}
		assert_false(ring_take(r, WINDOWS));
		ring_free(r);
		for (i = 0; i < WINDOWS; i++)
			assert_int_equal(m.times[i], 1);
		assert_in_range(m.most, 1, threads_of[k] + 1);
	}
}

/* Nothing but the first is taken: what has begun ends, and no more is begun than may be there. */
static void left_alone(void **state)
{
	size_t i, k, done;

	(void)state;
	for (k = 0; k < COUNT_OF(threads_of); k++) {
		struct made m = { .n = WINDOWS, .fill_fails = UINT64_MAX };
		struct ring *r = new_ring(&m, threads_of[k]);

		assert_true(ring_take(r, 0));
		ring_free(r);
		for (i = done = 0; i < WINDOWS; i++)
			done += (size_t)m.times[i];
		assert_in_range(done, 1, threads_of[k] + 1);
		ring_free(new_ring(&m, threads_of[k]));
	}
	ring_free(NULL);
}

/* Some are passed over: they are made all the same, before the one that is taken. */
static void passed_over(void **state)
{
	size_t i, k;

	(void)state;
	for (k = 0; k < COUNT_OF(threads_of); k++) {
		struct made m = { .n = WINDOWS, .fill_fails = UINT64_MAX };
		struct ring *r = new_ring(&m, threads_of[k]);

		for (i = 6; i < WINDOWS; i += 7) {
			assert_true(ring_take(r, i));
			assert_int_equal(m.value[i], i * i + 1);
			assert_true(ring_take(r, i)); /* again: it is there */
			assert_true(ring_take(r, i - 1));
			assert_int_equal(m.value[i - 1], (i - 1) * (i - 1) + 1);
		}
		ring_free(r);
	}
}

/* A single one, and a failure to fill: there is none behind it. */
static void none_behind(void **state)
{
	size_t k;

	(void)state;
	for (k = 0; k < COUNT_OF(threads_of); k++) {
		struct made m = { .n = 1, .fill_fails = UINT64_MAX };
		struct ring *r = new_ring(&m, threads_of[k]);

		assert_true(ring_take(r, 0));
		assert_false(ring_take(r, 1));
		ring_free(r);
		m = (struct made){ .n = WINDOWS, .fill_fails = 1 };
		r = new_ring(&m, threads_of[k]);
		assert_false(ring_take(r, 1));
		ring_free(r);
		m = (struct made){ .n = WINDOWS, .fill_fails = 0 };
		r = new_ring(&m, threads_of[k]);
		assert_false(ring_take(r, 0));
		ring_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(failures),
		cmocka_unit_test(taken_in_order),
		cmocka_unit_test(left_alone),
		cmocka_unit_test(passed_over),
		cmocka_unit_test(none_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
