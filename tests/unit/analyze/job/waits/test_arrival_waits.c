/* Waits of jobs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/columns/args.h"
#include "base/compiler.h"
#include "tests/unit/analyze/job/drawn_job.h"
#include "tests/unit/loading.h"

/*
 *	rank 0   [=====>          )   10 .. 50
 *	rank 1           [=======>)   30 .. 50
 *
 * Two ranks, three steps: rank 1 comes 20 later each time.
 */
static void test_two_ranks(void **state)
{
	struct drawn_job d;
	const struct coll_kind k = drawn_kind();
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 3; i++) {
		drawn_step(&d, 0, 7 + i);
		drawn_step(&d, 1, 7 + i);
		drawn_at(&d, 0, &k, 1000 * i + 10, 40);
		drawn_at(&d, 1, &k, 1000 * i + 30 + 500, 20);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 3);
	assert_int_equal(j->nmatched, 6);
	assert_int_equal(j->nstep, 3);
	assert_int_equal(j->nisland, 1);
	assert_int_equal(j->rank[1].clock.offset, 500);
	for (i = 0; i < 3; i++) {
		assert_true(j->meet[i].is_clocked);
		assert_int_equal(j->meet[i].ordinal, i);
		assert_int_equal(j->meet[i].last, 1);
		assert_int_equal(j->meet[i].arrival[0].wait, 20);
		assert_int_equal(j->meet[i].arrival[1].wait, 0);
		assert_int_equal(j->meet[i].transfer, 20);
		assert_int_equal(j->meet[i].end_skew, 0);
		assert_int_equal(j->by_step[2 * i].suffered, 20);
		assert_int_equal(j->by_step[2 * i + 1].caused, 20);
		assert_int_equal(j->by_step[2 * i].transfer, 20);
	}
	assert_int_equal(j->rank[0].suffered, 60);
	assert_int_equal(j->rank[1].caused, 60);
	assert_int_equal(j->rank[1].nlast, 3);
	assert_int_equal(j->npair, 1);
	assert_int_equal(j->pair[0].ns, 60);
	drawn_end(&d);
}

/* Groups (0 1) and (2 3); rank 1 has no trace.  What takes 20 in the other group takes 50 in its
 * own: rank 0 has waited 30 for it.
 *
 *	rank 0   [=====wait======:--------)   10 .. 60
 *	rank 2   [--------)                   10 .. 30
 *	rank 3   [--------) */
static void test_absent(void **state)
{
	struct coll_kind lacks = drawn_kind(), whole = drawn_kind();
	struct drawn_job d;
	size_t i, r;

	(void)state;
	lacks.group = span_of("a");
	lacks.ranks = span_of("[0, 1]");
	whole.group = span_of("b");
	whole.ranks = span_of("[2, 3]");
	lacks.nrank = whole.nrank = 2;
	drawn_begin(&d, 3);
	for (r = 0; r < 3; r++)
		drawn_rank(&d, r ? (int64_t)r + 1 : 0);
	for (i = 0; i < 3; i++)
		for (r = 0; r < 3; r++) {
			drawn_step(&d, r, 7 + (int64_t)i);
			drawn_at(&d, r, r ? &whole : &lacks, 1000 * (nsec)i + 10, r ? 20 : 50);
		}
	const struct job *j = drawn_make(&d);
	assert_int_equal(j->nabsent, 1);
	assert_int_equal(j->absent[0].nrank, 1);
	assert_int_equal(j->absent[0].rank[0], 1);
	assert_int_equal(j->absent[0].caused, 90);
	assert_int_equal(j->absent[0].by_step[2], 30);
	assert_int_equal(j->rank[0].suffered, 90);
	assert_int_equal(j->rank[0].transfer, 60);
	assert_int_equal(j->rank[0].nmatched, 0);
	assert_int_equal(j->npair, 1);
	assert_int_equal(j->pair[0].causes, 3);
	drawn_end(&d);
}

/* Without clocks (two meets are no line): what lasts longer than the shortest is wait.
 *
 *	rank 0   [------------)  50
 *	rank 1       [--------)  30    clocks differ by nobody knows what */
static void test_no_clocks(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 2; i++) {
		drawn_at(&d, 0, &k, 1000 * i, 50);
		drawn_at(&d, 1, &k, 700 + 1100 * i, 30);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 2);
	assert_int_equal(j->nisland, 2);
	assert_false(j->meet[0].is_clocked);
	assert_int_equal(j->meet[0].arrival[0].wait, 20);
	assert_int_equal(j->meet[0].last, 1);
	assert_int_equal(j->meet[0].transfer, 30);
	assert_int_equal(j->meet[0].end_skew, 0);
	/* Without steps everything counts. */
	assert_int_equal(j->nstep, 0);
	assert_int_equal(j->rank[0].suffered, 40);
	assert_int_equal(j->rank[1].caused, 40);
	drawn_end(&d);
}

/* Of a wait of 20 in 40, only what is exposed counts, of a piece in proportion:
 *
 *	piece   0 .. 10 all, 15 .. 25 a half: 10 + 5 x 0.5 of the first 20 */
static void test_exposed(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 4; i++) {
		struct collective *c = drawn_at(&d, 0, &k, 1000 * i, 40);

		c->npiece = 0;
		c->exposed = 0;
		d.rank[0].collectives.npiece--;
		drawn_expose(&d, 0, 0, 10, 10);
		drawn_expose(&d, 0, 15, 10, 5);
		drawn_at(&d, 1, &k, 1000 * i + 20, 20);
	}
	j = drawn_make(&d);
	assert_int_equal(j->meet[0].arrival[0].wait, 20);
	assert_int_equal(j->meet[0].arrival[0].exposed_wait, 12);
	assert_int_equal(j->rank[0].suffered, 4 * 12);
	assert_int_equal(j->rank[0].transfer, 4 * 3);
	assert_int_equal(j->rank[1].caused, 4 * 12);
	drawn_end(&d);
}

/* Ends within 2000: who came 500 later came at the same time. */
static void test_below_uncertainty(void **state)
{
	const struct coll_kind k = drawn_kind();
	uint64_t seed = 17;
	struct drawn_job d;
	const struct job *j;
	size_t i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 50; i++) {
		nsec start = (nsec)i * 1000000;

		drawn_at(&d, 0, &k, start, 100000 + loading_random(&seed) % 2000);
		drawn_at(&d, 1, &k, start + 500, 100000 + loading_random(&seed) % 2000);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 50);
	assert_true(j->rank[1].clock.uncertainty > 1000);
	for (i = 0; i < 50; i++) {
		assert_int_equal(j->meet[i].last, 2);
		assert_int_equal(j->meet[i].skew, 0);
	}
	assert_int_equal(j->rank[0].suffered + j->rank[1].suffered, 0);
	assert_int_equal(j->rank[0].nlast + j->rank[1].nlast, 0);
	drawn_end(&d);
}

/* A broadcast's root may leave before the others come: who ended before the last came has not
 * waited for it.  All_reduces tell the clocks.
 *
 *	rank 0 (root)  [--)            100 .. 130
 *	rank 1            [------)     130 .. 190
 *	rank 2                [--)     160 .. 190 */
static void test_broadcast(void **state)
{
	static const nsec start[] = { 100, 130, 160 }, dur[] = { 30, 60, 30 };
	const struct coll_kind reduce = drawn_kind();
	struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	const struct collective_instance *m;
	size_t r;
	int i;

	(void)state;
	k.op = COMM_BROADCAST;
	drawn_begin(&d, 3);
	for (r = 0; r < 3; r++) {
		drawn_rank(&d, (int64_t)r);
		for (i = 0; i < 5; i++)
			drawn_at(&d, r, &reduce, 1000 * i + 800, 50);
		drawn_at(&d, r, &k, 5000 + start[r], dur[r]);
	}
	j = drawn_make(&d);
	m = &j->meet[5];
	assert_int_equal(m->op, COMM_BROADCAST);
	assert_false(m->is_sync);
	assert_int_equal(m->last, 2);
	assert_int_equal(m->arrival[0].wait, 0);
	assert_int_equal(m->arrival[1].wait, 30);
	drawn_end(&d);
}

/* The formulas of TraceLens' NcclAnalyser on two ranks, by hand: 4 GB/s of algorithm bandwidth.
 *
 *	rank 0   [----------)   1001 .. 3005
 *	rank 1        [-----)   2001 .. 3001 */
static void test_tracelens(void **state)
{
	struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	const struct collective_instance *m;
	double latency, algbw;
	int i;

	(void)state;
	k.bytes = 4000;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 9; i++) {
		nsec off = i == 4 ? 4 : 0;

		drawn_at(&d, 0, &k, 10000 * i + 1001, 2000 + off);
		drawn_at(&d, 1, &k, 10000 * i + 2001, 1000);
	}
	j = drawn_make(&d);
	m = &j->meet[4];
	latency = (double)m->transfer; /* comm_latency: the shortest duration */
	assert_int_equal(m->transfer, 1000);
	assert_int_equal(m->skew, 1000);  /* latest start less earliest */
	assert_int_equal(m->end_skew, 4); /* latest end less earliest */
	assert_int_equal(m->bytes, 4000);
	algbw = (double)m->bytes / latency; /* bytes a ns: GB/s */
	assert_true(algbw > 3.999 && algbw < 4.001);
	assert_true(algbw * commclass_bus_factor(m->op, m->n) > 3.999); /* 2 (n - 1) / n = 1 */
	drawn_end(&d);
}

/* Random jobs of all kinds, times at the ends of what there is among them. */
static void draw_anything(struct drawn_job *d, uint64_t *seed)
{
	static const nsec odd[] = { INT64_MAX, INT64_MIN, INT64_MAX - 7, -1, 0 };
	static const char *const names[] = { "", "0", "1" };
	size_t nrank = 1 + loading_random(seed) % 5, r, i, n;
	bool is_wild = loading_random(seed) % 4 == 0;

	drawn_begin(d, nrank);
	for (r = 0; r < nrank; r++) {
		drawn_rank(d, (int64_t)(loading_random(seed) % 6) - 1);
		n = loading_random(seed) % 40;
		for (i = 0; i < n; i++) {
			struct coll_kind k = drawn_kind();
			struct collective *c;
			nsec start = (nsec)(i * 100000 + loading_random(seed) % 1000);

			if (loading_random(seed) % 8 == 0)
				drawn_step(d, r, (int64_t)i);
			k.group = span_of(names[loading_random(seed) % 3]);
			k.op = (enum comm_op)(loading_random(seed) % COMM_OP_COUNT);
			k.src = (int64_t)(loading_random(seed) % 6) - 1;
			k.dst = (int64_t)(loading_random(seed) % 6) - 1;
			k.nrank = loading_random(seed) % 2 ? ARG_UNKNOWN : 2;
			if (is_wild && loading_random(seed) % 4 == 0)
				start = odd[loading_random(seed) % COUNT_OF(odd)];
			c = drawn_at(d, r, &k, start, loading_random(seed) % 90000);
			if (is_wild && loading_random(seed) % 8 == 0)
				c->dur = INT64_MAX;
			if (loading_random(seed) % 2)
				c->seq = loading_random(seed) % 50;
		}
	}
}

/* What is caused is suffered, by pair, by rank and by step; no wait is longer than its collective;
 * no collective is in two meets. */
static void check(const struct job *j)
{
	nsec suffered = 0, caused = 0, pairs = 0, steps = 0, steps_caused = 0;
	size_t i, r, arrivals = 0;
	uint32_t k;

	for (r = 0; r < j->nrank; r++) {
		suffered += j->rank[r].suffered;
		caused += j->rank[r].caused;
		assert_true(j->rank[r].transfer >= 0);
		assert_true(j->rank[r].nmatched <= j->rank[r].ncollective);
		assert_true(j->rank[r].nlast <= j->rank[r].nmeet);
	}
	for (i = 0; i < j->nabsent; i++) {
		caused += j->absent[i].caused;
		for (r = 0; r < j->nstep; r++)
			steps_caused += j->absent[i].by_step[r];
	}
	for (i = 0; i < j->npair; i++) {
		assert_true(j->pair[i].ns > 0);
		assert_true(i == 0 || j->pair[i - 1].waits < j->pair[i].waits ||
			j->pair[i - 1].causes < j->pair[i].causes);
		pairs += j->pair[i].ns;
	}
	for (i = 0; i < j->nstep * j->nrank; i++) {
		steps += j->by_step[i].suffered;
		steps_caused += j->by_step[i].caused;
	}
	assert_int_equal(suffered, caused);
	assert_int_equal(suffered, pairs);
	assert_int_equal(steps, steps_caused);
	assert_true(j->nstep == 0 || steps == suffered);
	for (i = 0; i < j->nmeet; i++) {
		const struct collective_instance *m = &j->meet[i];

		assert_true((m->n > 1 || m->absent) && m->last <= m->n);
		assert_true(!m->late || (m->absent && m->last == m->n));
		assert_true(m->group < j->ngroup);
		for (k = 0; k < m->n; k++) {
			const struct job_arrival *a = &m->arrival[k];
			const struct collectives *c = j->rank[a->rank].digest->collectives;

			assert_true(a->wait >= 0 && a->wait <= c->v[a->collective].dur);
			assert_true(a->exposed_wait <= a->wait);
			assert_true(a->exposed_wait <= c->v[a->collective].exposed);
			assert_true(k == 0 || m->arrival[k - 1].rank <= a->rank);
		}
		arrivals += m->n > 1 ? m->n : 0;
	}
	assert_int_equal(arrivals, j->nmatched);
}

static void test_sums(void **state)
{
	uint64_t seed = 1;
	int i;

	(void)state;
	for (i = 0; i < 300; i++) {
		struct drawn_job d;

		draw_anything(&d, &seed);
		check(drawn_make(&d));
		drawn_end(&d);
	}
}

/* No ranks; ranks without collectives; digests that have none. */
static void test_nothing(void **state)
{
	struct drawn_job d;
	const struct job *j;

	(void)state;
	drawn_begin(&d, 2);
	j = drawn_make(&d);
	assert_int_equal(j->nrank, 0);
	assert_int_equal(j->nmeet, 0);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	d.rank[1].digest.collectives = NULL;
	j = drawn_make(&d);
	assert_int_equal(j->nrank, 2);
	assert_int_equal(j->nmeet, 0);
	assert_int_equal(j->ncollective, 0);
	drawn_end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_ranks),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_no_clocks),
		cmocka_unit_test(test_exposed),
		cmocka_unit_test(test_below_uncertainty),
		cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_tracelens),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
