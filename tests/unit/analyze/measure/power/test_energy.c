/*
 * Energy of power whose integral is known: constant, a ramp, a square wave; work that falls on it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/power/energy.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

enum { MANY = 2000 };
#define MS 1000000
#define S  INT64_C(1000000000)

struct drawn {
	struct arena mem;
	struct energy e;
	nsec t[MANY];
	double w[MANY];
	size_t n;
};

/* n samples of f, every `step` ns from `from` on. */
static void draw(struct drawn *d, double (*f)(nsec), nsec from, nsec step, size_t n)
{
	size_t i;

	arena_init(&d->mem);
	d->n = n;
	for (i = 0; i < n; i++) {
		d->t[i] = from + (nsec)i * step;
		d->w[i] = f(d->t[i]);
	}
	energy_init(&d->e, d->t, d->w, n, &d->mem);
}

static double constant(nsec t)
{
	(void)t;
	return 250;
}

/* 100 W, and 50 W more each second. */
static double ramp(nsec t)
{
	return 100 + 50e-9 * (double)t;
}

/* 600 W in the first 0.7 s of each 1.5 s, else 80 W. */
static double square(nsec t)
{
	return t % (3 * S / 2) < 7 * S / 10 ? 600 : 80;
}

/* Its integral from 0 in nJ. */
static double square_until(nsec t)
{
	nsec whole = t / (3 * S / 2), rest = t % (3 * S / 2), high = 7 * S / 10;

	return (double)whole * (600.0 * (double)high + 80.0 * 0.8e9) +
		600.0 * (double)(rest < high ? rest : high) +
		80.0 * (double)(rest > high ? rest - high : 0);
}

static void constant_power(void **state)
{
	struct drawn *d = malloc(sizeof(*d));
	struct energy_part p;

	(void)state;
	draw(d, constant, 0, 100 * MS, 101);
	p = energy_between(&d->e, 0, 10 * S);
	assert_int_equal(p.nj, 2500 * S);
	assert_int_equal(p.ns, 10 * S);
	assert_true(p.error == 0);
	p = energy_between(&d->e, 1234567, 7654321);
	assert_int_equal(p.nj, 250 * (7654321 - 1234567));
	assert_true(p.error == 0);
	/* nothing is known outside of the samples */
	p = energy_between(&d->e, -5 * S, 20 * S);
	assert_int_equal(p.ns, 10 * S);
	p = energy_between(&d->e, 11 * S, 12 * S);
	assert_int_equal(p.ns + p.nj, 0);
	arena_clear(&d->mem);
	free(d);
}

/* Lines are what the trapezoid rule is exact for: 100 t + 25 t^2 joules at t seconds. */
static void a_ramp(void **state)
{
	struct drawn *d = malloc(sizeof(*d));
	nsec from, to;

	(void)state;
	draw(d, ramp, 0, 250 * MS, 41);
	for (from = 0; from < 10 * S; from += 777 * MS)
		for (to = from; to <= 10 * S; to += 999 * MS) {
			struct energy_part p = energy_between(&d->e, from, to);
			double a = (double)from / 1e9, b = (double)to / 1e9;
			double joules = 100 * (b - a) + 25 * (b * b - a * a);

			assert_true(fabs((double)p.nj - 1e9 * joules) <= 2);
			assert_true(p.error >= 0);
		}
	arena_clear(&d->mem);
	free(d);
}

/* What edges between samples hide is within the stated error, at every rate and in every piece. */
static void a_square_wave(void **state)
{
	static const nsec steps[] = { 10 * MS, 50 * MS, 130 * MS, 310 * MS };
	struct drawn *d = malloc(sizeof(*d));
	double off, worst = 0;
	size_t k;

	(void)state;
	for (k = 0; k < COUNT_OF(steps); k++) {
		nsec from, to, end;

		draw(d, square, 0, steps[k], 121);
		end = d->t[120];
		for (from = 0; from < end; from += end / 17)
			for (to = from + 1; to <= end; to += end / 23) {
				struct energy_part p = energy_between(&d->e, from, to);

				off = fabs((double)p.nj - (square_until(to) - square_until(from)));
				if (off > p.error + 2)
					fail_msg("%.3f J off, %.3f stated", off / 1e9,
						p.error / 1e9);
				worst = fmax(worst, off);
			}
		/* and it is no blanket: below 10 % of the whole at 10 ms */
		if (k == 0)
			assert_true(
				energy_between(&d->e, 0, end).error < 0.1 * (double)d->e.at[120]);
		arena_clear(&d->mem);
	}
	assert_true(worst > 1e9); /* there was something to hide */
	free(d);
}

/* Samples every 100 ms, none between 1 s and 3 s: what happened then is in no figure.  Values that
 * are none and times that fall back are left out. */
static void pauses_and_bad_samples(void **state)
{
	struct drawn *d = malloc(sizeof(*d));
	struct energy_part p;
	size_t i;

	(void)state;
	draw(d, constant, 0, 100 * MS, 21);
	for (i = 11; i < 21; i++)
		d->t[i] += 2 * S;
	energy_init(&d->e, d->t, d->w, 21, &d->mem);
	assert_int_equal(d->e.pauses, 1);
	p = energy_between(&d->e, 0, 4 * S);
	assert_int_equal(p.ns, 1900 * MS);
	assert_int_equal(p.nj, INT64_C(250) * 1900 * MS);
	p = energy_between(&d->e, 3 * S / 2, 2 * S);
	assert_int_equal(p.ns + p.nj, 0);
	assert_true(p.error == 0);
	d->w[3] = NAN;
	d->w[4] = -1;
	d->w[5] = 1e300;
	d->t[7] = d->t[6];
	energy_init(&d->e, d->t, d->w, 21, &d->mem);
	assert_int_equal(d->e.n, 17);
	energy_init(&d->e, d->t, d->w, 1, &d->mem);
	assert_int_equal(energy_between(&d->e, 0, S).ns, 0);
	energy_init(&d->e, d->t, d->w, 0, &d->mem);
	assert_int_equal(energy_between(&d->e, 0, S).ns, 0);
	arena_clear(&d->mem);
	free(d);
}

static struct energy_split split_of(
	const struct drawn *d, const struct run *r, nsec from, nsec to, struct arena *mem)
{
	struct energy_split s;
	struct classes c;

	classes_init(&c, r, mem);
	energy_split(&s, &d->e, r, &c, 0, from, to, mem);
	return s;
}

/*
 *	s         0    1    2    3    4    5    6
 *	stream 7       [gemm     ][soft]
 *	stream 8            [nccl     ]    [copy)
 * 1..2 gemm, 2..3 gemm and nccl in halves, 3..4 softmax and nccl in halves, 5..6 the copy; at
 * 250 W.
 */
static void work_in_shares(void **state)
{
	struct drawn *d = malloc(sizeof(*d));
	uint32_t a, b;
	struct energy_split s;
	struct run r;

	(void)state;
	draw(d, constant, 0, 300 * MS, 21);
	run_init(&r, NEED_ORDER);
	a = hand_stream(&r, 0, 7);
	b = hand_stream(&r, 0, 8);
	hand_event(&r, KIND_KERNEL, a, "sm80_gemm", 1 * S, 2 * S);
	hand_event(&r, KIND_KERNEL, a, "softmax_kernel", 3 * S, 1 * S);
	hand_event(&r, KIND_KERNEL, b, "ncclDevKernel_AllReduce", 2 * S, 2 * S);
	hand_event(&r, KIND_MEMCPY, b, "Memcpy DtoH", 5 * S, 1 * S);
	index_build(&r, NEED_ORDER);
	s = split_of(d, &r, 0, 6 * S, &d->mem);
	assert_int_equal(s.whole.nj, 1500 * S);
	assert_int_equal(s.part[FAMILY_MATMUL].nj, 375 * S);
	assert_int_equal(s.part[FAMILY_SOFTMAX].nj, 125 * S);
	assert_int_equal(s.part[ENERGY_COMM].nj, 250 * S);
	assert_int_equal(s.part[ENERGY_MEMCPY].nj, 250 * S);
	assert_int_equal(s.part[ENERGY_IDLE].nj, 500 * S);
	assert_int_equal(s.part[FAMILY_MATMUL].ns, 3 * S / 2);
	assert_int_equal(s.part[ENERGY_IDLE].ns, 2 * S);
	assert_true(s.part[FAMILY_MATMUL].error == 0);
	/* a window that cuts kernels */
	s = split_of(d, &r, 3 * S / 2, 7 * S / 2, &d->mem);
	assert_int_equal(s.part[FAMILY_MATMUL].nj, 250 * S);
	assert_int_equal(s.part[ENERGY_COMM].nj, 125 * S + 125 * S / 2);
	assert_int_equal(s.part[FAMILY_SOFTMAX].nj, 125 * S / 2);
	arena_clear(&d->mem);
	run_clear(&r);
	free(d);
}

static uint64_t next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* Any work on any power: parts add up to the integral, in nJ and in ns, and none is negative. */
static void parts_add_up(void **state)
{
	static const char *const names[] = { "gemm", "softmax", "flash_fwd", "nccl_all", "foo" };
	struct drawn *d = malloc(sizeof(*d));
	uint64_t seed = 7;
	int round;

	(void)state;
	for (round = 0; round < 200; round++) {
		int64_t nj = 0, ns = 0, i, k, events = (int64_t)(next(&seed) % 60);
		nsec from = (nsec)(next(&seed) % 3000), to = from + (nsec)(next(&seed) % 9000);
		struct energy_split s;
		struct run r;

		arena_init(&d->mem);
		for (i = 0; i < 40; i++) {
			d->t[i] = (i ? d->t[i - 1] : 0) + 1 + (nsec)(next(&seed) % 500);
			if (next(&seed) % 20 == 0)
				d->t[i] += 5000;
			d->w[i] = (double)(next(&seed) % 700000) / 1000;
		}
		energy_init(&d->e, d->t, d->w, 40, &d->mem);
		run_init(&r, NEED_ORDER);
		for (i = 0; i < events; i++)
			hand_event(&r, next(&seed) % 5 ? KIND_KERNEL : KIND_MEMCPY,
				hand_stream(&r, 0, 1 + (int64_t)(next(&seed) % 3)),
				names[next(&seed) % COUNT_OF(names)], (nsec)(next(&seed) % 12000),
				(nsec)(next(&seed) % 900));
		index_build(&r, NEED_ORDER);
		s = split_of(d, &r, from, to, &d->mem);
		for (k = 0; k < ENERGY_PARTS; k++) {
			assert_true(s.part[k].nj >= 0 && s.part[k].ns >= 0 && s.part[k].error >= 0);
			nj += s.part[k].nj;
			ns += s.part[k].ns;
		}
		assert_int_equal(nj, s.whole.nj);
		assert_int_equal(ns, s.whole.ns);
		assert_int_equal(s.whole.nj,
			energy_between(&d->e, from, from + 1000).nj +
				energy_between(&d->e, from + 1000, to).nj -
				(to < from + 1000 ? energy_between(&d->e, to, from + 1000).nj : 0));
		run_clear(&r);
		arena_clear(&d->mem);
	}
	free(d);
}

/* Kernels far shorter than the samples' distance: 1 ms of matmul at 700 W and 1 ms of another at
 * 300 W by turns look like 500 W.  The stated error covers what matmul really took. */
static void what_samples_cannot_see(void **state)
{
	struct drawn *d = malloc(sizeof(*d));
	struct energy_split s;
	struct run r;
	uint32_t lane;
	double off;
	int i;

	(void)state;
	arena_init(&d->mem);
	for (i = 0; i < 31; i++) {
		d->t[i] = (nsec)i * 100 * MS;
		d->w[i] = i < 10 ? 60 : i > 20 ? 720 : 500;
	}
	energy_init(&d->e, d->t, d->w, 31, &d->mem);
	run_init(&r, NEED_ORDER);
	lane = hand_stream(&r, 0, 7);
	for (i = 0; i < 900; i++)
		hand_event(&r, KIND_KERNEL, lane, i % 2 ? "foo" : "gemm", 1050 * MS + (nsec)i * MS,
			MS);
	index_build(&r, NEED_ORDER);
	s = split_of(d, &r, 1100 * MS, 1900 * MS, &d->mem);
	assert_int_equal(s.whole.nj, INT64_C(500) * 800 * MS);
	off = fabs((double)s.part[FAMILY_MATMUL].nj - 700.0 * 400e6);
	assert_true(off > 0 && off <= s.part[FAMILY_MATMUL].error);
	assert_true(s.whole.error < s.part[FAMILY_MATMUL].error);
	arena_clear(&d->mem);
	run_clear(&r);
	free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_power),
		cmocka_unit_test(a_ramp),
		cmocka_unit_test(a_square_wave),
		cmocka_unit_test(pauses_and_bad_samples),
		cmocka_unit_test(work_in_shares),
		cmocka_unit_test(parts_add_up),
		cmocka_unit_test(what_samples_cannot_see),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
