/* Clocks of jobs drawn by hand: offsets and drifts that are known, found within what is stated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/analyze/job/drawn_job.h"
#include "tests/unit/loading.h"

/* A clock: shows t + offset + drift x t at true time t. */
struct clock {
	nsec offset;
	double drift;
};

static nsec shown(const struct clock *c, nsec t)
{
	return t + c->offset + llround(c->drift * (double)t);
}

static nsec within(uint64_t *seed, nsec reach)
{
	return (nsec)(loading_random(seed) % (uint64_t)(2 * reach + 1)) - reach;
}

/* n meets of all of a group, `between` from one to the next, whose ends are `jitter` apart. */
static void meet(struct drawn_job *d, const struct clock *clock, const size_t *rank, size_t nrank,
	const char *group, int n, nsec between, nsec jitter, uint64_t *seed)
{
	struct coll_kind k = drawn_kind();
	size_t r;
	int i;

	k.group = span_of(group);
	for (i = 0; i < n; i++)
		for (r = 0; r < nrank; r++) {
			nsec end = between * (i + 1) + within(seed, jitter);
			nsec dur = 50000 + loading_random(seed) % 50000;
			nsec start = shown(&clock[rank[r]], end - dur);

			drawn_at(d, rank[r], &k, start, shown(&clock[rank[r]], end) - start);
		}
}

/* What the clock of a rank shows when rank 0's is at the place its offset is meant for. */
static double true_offset(const struct clock *c, const struct clock *zero, nsec at)
{
	double t = ((double)(at - c->offset)) / (1 + c->drift);

	return (double)(c->offset - zero->offset) + (c->drift - zero->drift) * t;
}

static double true_drift(const struct clock *c, const struct clock *zero)
{
	return 1 - (1 + zero->drift) / (1 + c->drift);
}

static void draw_clocks(struct clock *c, size_t n, uint64_t *seed)
{
	size_t r;

	for (r = 0; r < n; r++)
		c[r] = (struct clock){ within(seed, 10000000), (double)within(seed, 50000) * 1e-9 };
}

/* 100 jobs of 8 ranks, offsets of 10 ms, drifts of 50 ppm, ends 2 us apart: 95 % are found. */
static void test_intervals(void **state)
{
	static const size_t all[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	int offsets = 0, drifts = 0, times = 0, ntime = 0, trial;
	uint64_t seed = 21;

	(void)state;
	for (trial = 0; trial < 100; trial++) {
		struct clock clock[8];
		struct drawn_job d;
		const struct job *j;
		size_t r, i;

		draw_clocks(clock, 8, &seed);
		drawn_begin(&d, 8);
		for (r = 0; r < 8; r++)
			drawn_rank(&d, (int64_t)r);
		meet(&d, clock, all, 8, "0", 48, 12000000, 1000, &seed);
		j = drawn_make(&d);
		assert_int_equal(j->nisland, 1);
		assert_int_equal(j->reference, 0);
		for (r = 1; r < 8; r++) {
			const struct job_clock *c = &j->rank[r].clock;

			assert_true(c->is_known);
			assert_int_equal(c->nmeet, 48);
			assert_true(c->uncertainty < 10000);
			offsets += fabs(c->offset - true_offset(&clock[r], &clock[0], c->at)) <=
				c->offset_error;
			drifts +=
				fabs(c->drift - true_drift(&clock[r], &clock[0])) <= c->drift_error;
			for (i = 1; i <= 48; i++, ntime++) {
				nsec t = 12000000 * (nsec)i;
				nsec off = job_time(c, shown(&clock[r], t)) - shown(&clock[0], t);

				times += off <= c->uncertainty && off >= -c->uncertainty;
			}
		}
		drawn_end(&d);
	}
	assert_true(offsets >= 100 * 7 * 95 / 100);
	assert_true(drifts >= 100 * 7 * 95 / 100);
	assert_true(times >= ntime * 95 / 100);
}

/* Groups of two and groups of four, as tensor and data parallelism have them; no group has all:
 *
 *	0 1   "a"        0 2 4 6   "x"
 *	2 3   "b"        1 3 5 7   "y"
 *	4 5   "c"
 *	6 7   "d" */
static void test_tree(void **state)
{
	static const size_t pair[4][2] = { { 0, 1 }, { 2, 3 }, { 4, 5 }, { 6, 7 } };
	static const size_t four[2][4] = { { 0, 2, 4, 6 }, { 1, 3, 5, 7 } };
	static const char *const names[] = { "a", "b", "c", "d", "x", "y" };
	struct clock clock[8];
	struct drawn_job d;
	const struct job *j;
	uint64_t seed = 4;
	size_t r, i;

	(void)state;
	draw_clocks(clock, 8, &seed);
	drawn_begin(&d, 8);
	for (r = 0; r < 8; r++)
		drawn_rank(&d, (int64_t)r);
	for (i = 0; i < 4; i++)
		meet(&d, clock, pair[i], 2, names[i], 100, 5000000, 500, &seed);
	for (i = 0; i < 2; i++)
		meet(&d, clock, four[i], 4, names[4 + i], 30, 16000000, 500, &seed);
	j = drawn_make(&d);
	assert_int_equal(j->ngroup, 6);
	assert_int_equal(j->nisland, 1);
	for (r = 1; r < 8; r++) {
		const struct job_clock *c = &j->rank[r].clock;

		assert_true(fabs(c->offset - true_offset(&clock[r], &clock[0], c->at)) <=
			2 * c->offset_error);
		assert_true(c->uncertainty < 5000);
	}
	/* 3 is joined by 2, so that it is known less than that. */
	assert_true(j->rank[3].clock.uncertainty > j->rank[2].clock.uncertainty);
	drawn_end(&d);
}

/* Who never meets is on an island of its own; the largest is the first. */
static void test_islands(void **state)
{
	static const size_t first[] = { 0, 1 }, second[] = { 2, 3, 4 };
	const struct clock clock[6] = { { 0, 0 }, { 5, 0 }, { 7, 0 }, { 9, 0 }, { 7, 0 },
		{ 0, 0 } };
	struct drawn_job d;
	const struct job *j;
	uint64_t seed = 4;
	size_t r;

	(void)state;
	drawn_begin(&d, 6);
	for (r = 0; r < 6; r++)
		drawn_rank(&d, (int64_t)r);
	meet(&d, clock, first, 2, "a", 9, 1000000, 0, &seed);
	meet(&d, clock, second, 3, "b", 9, 1000000, 0, &seed);
	j = drawn_make(&d);
	assert_int_equal(j->nisland, 3);
	assert_int_equal(j->reference, 2);
	assert_int_equal(j->rank[2].clock.island, 0);
	assert_int_equal(j->rank[4].clock.island, 0);
	assert_int_equal(j->rank[0].clock.island, 1);
	assert_int_equal(j->rank[1].clock.island, 1);
	assert_int_equal(j->rank[1].clock.offset, 5);
	assert_int_equal(j->rank[3].clock.offset, 2);
	assert_int_equal(j->rank[5].clock.island, 2);
	assert_false(j->rank[5].clock.is_known);
	drawn_end(&d);
}

/* One counts since 1970, the other since it was started: to the ns, not to what a double has. */
static void test_zeros(void **state)
{
	static const size_t both[] = { 0, 1 };
	const struct clock clock[2] = { { INT64_C(1751410836000000123), 0 }, { 0, 0 } };
	struct drawn_job d;
	const struct job *j;
	uint64_t seed = 4;
	size_t i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	meet(&d, clock, both, 2, "a", 9, 1000000, 0, &seed);
	d.rank[0].collectives.has_epoch = true;
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 9);
	for (i = 0; i < 9; i++) {
		assert_true(j->meet[i].is_clocked);
		assert_int_equal(j->meet[i].arrival[0].end, j->meet[i].arrival[1].end);
	}
	drawn_end(&d);
}

/* Older traces have microseconds: agreement to 0 does not make a clock of 0 ns. */
static void test_resolution(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 20; i++) {
		drawn_at(&d, 0, &k, 1000000 * i, 100000);
		drawn_at(&d, 1, &k, 1000000 * i, 100000);
	}
	j = drawn_make(&d);
	assert_true(j->rank[1].clock.uncertainty >= 1000);
	drawn_end(&d);
}

/* The clock of rank 1 is set forward by 5 ms between the sixth end and the seventh; nobody waits.
 */
static void test_set(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;

	(void)state;
	drawn_begin(&d, 2);
	for (int r = 0; r < 2; r++) {
		drawn_rank(&d, r);
		drawn_step(&d, (size_t)r, 7);
		for (int i = 0; i < 12; i++)
			drawn_at(&d, (size_t)r, &k, 1000000 * i + (r && i >= 6 ? 5000700 : 700 * r),
				1000);
	}
	const struct job *j = drawn_make(&d);
	assert_int_equal(j->rank[0].clock.nset, 0);
	assert_int_equal(j->rank[1].clock.set[0].by, 5000000);
	assert_int_equal(j->rank[1].clock.set[0].at, 11000700);
	assert_int_equal(job_time(&j->rank[1].clock, 5000700), 5000000);
	assert_int_equal(job_time(&j->rank[1].clock, 11000700), 6000000);
	assert_int_equal(j->rank[0].suffered + j->rank[1].suffered, 0);
	drawn_end(&d);
}

/* Steps of two collectives, 1 ms from start to start, on two ranks; rank 1's clock is set forward
 * by 0.3 ms around the seventh: in it, or before it begins, when rank 1 waits in it for 2 ms. */
static const struct job *set_around_seventh(struct drawn_job *d, bool is_in_it)
{
	const struct coll_kind k = drawn_kind();

	drawn_begin(d, 2);
	for (int r = 0; r < 2; r++) {
		drawn_rank(d, r);
		for (int i = 0; i < 20; i++) {
			nsec start = 1000000 * i + (r && i >= (is_in_it ? 7 : 6) ? 300000 : 0);
			nsec dur = i == 6 && is_in_it && r ? 301000 : 1000;

			if (i % 2 == 0)
				drawn_step(d, (size_t)r, i / 2);
			if (!is_in_it && (i > 6 || (i == 6 && !r)))
				start += 2000000;
			else if (!is_in_it && i == 6)
				dur += 2000000;
			drawn_at(d, (size_t)r, &k, start, dur);
		}
	}
	return drawn_make(d);
}

/* The stretch that is longer than in other steps is the one in which it was set. */
static void test_set_where(void **state)
{
	struct drawn_job d;

	(void)state;
	const struct job *j = set_around_seventh(&d, true);
	assert_int_equal(j->rank[1].clock.set[0].by, 300000);
	assert_int_equal(job_time(&j->rank[1].clock, 6000000), 6000000);
	assert_int_equal(job_time(&j->rank[1].clock, 7300000), 7000000);
	assert_int_equal(j->rank[0].suffered + j->rank[1].suffered, 0);
	drawn_end(&d);
	j = set_around_seventh(&d, false);
	assert_int_equal(j->rank[1].clock.set[0].by, 300000);
	assert_int_equal(job_time(&j->rank[1].clock, 6300000), 6000000);
	assert_int_equal(j->rank[1].suffered, 2000000);
	drawn_end(&d);
}

/* Rank 1's clock is set forward by 2 ms before the seventh of 24 collectives, and by 5 before the
 * fifteenth; or back by 3 in the seventh, whose end is lost: it seems to last 0.5 us. */
static void test_set_again(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;

	(void)state;
	for (int back = 0; back < 2; back++) {
		drawn_begin(&d, 3);
		for (int r = 0; r < 3; r++) {
			drawn_rank(&d, r);
			for (int i = 0; i < 24; i++) {
				nsec set = (i >= 6 ? 2000000 : 0) + (i >= 14 ? 5000000 : 0);

				set = r != 1 ? 0 : !back ? set : i > 6 ? -3000000 : 0;
				if (i % 2 == 0)
					drawn_step(&d, (size_t)r, i / 2);
				drawn_at(&d, (size_t)r, &k, 6000000 * i + set,
					back && r == 1 && i == 6 ? 500 : 400000);
			}
		}
		const struct job *j = drawn_make(&d);
		assert_int_equal(j->rank[0].clock.nset, 0);
		assert_int_equal(j->rank[2].clock.nset, 0);
		assert_int_equal(j->rank[1].clock.nset, back ? 1 : 2);
		for (int i = 0; i < 24; i++)
			assert_int_equal(
				job_time(&j->rank[1].clock, d.rank[1].collectives.v[i].start),
				6000000 * i);
		drawn_end(&d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_set_where),
		cmocka_unit_test(test_set_again),
		cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_islands),
		cmocka_unit_test(test_zeros),
		cmocka_unit_test(test_resolution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
