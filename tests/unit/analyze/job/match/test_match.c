/* Which collective is which, in jobs whose answer is known: those that are drawn have numbers, and
 * what is matched must have the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/match/matchalign.h"
#include "analyze/trace/columns/args.h"
#include "base/compiler.h"
#include "tests/unit/analyze/job/drawn_job.h"
#include "tests/unit/loading.h"

enum { MOST = 1000 };

/* Collectives of a job by number: when they end, and by how much their ranks come before. */
struct plan {
	nsec end[MOST];
	uint64_t seed;
	int n;
	int every;  /* a step has so many; 0: steps are not marked */
	nsec apart; /* clocks of neighbours */
	bool is_periodic;
};

static void plan(struct plan *p, int n, int every)
{
	nsec t = 1000000;
	int i;

	p->seed = 7;
	p->n = n;
	p->every = every;
	p->apart = 3000000;
	for (i = 0; i < n; i++) {
		t += p->is_periodic ? 1000000 : 500000 + loading_random(&p->seed) % 1000000;
		p->end[i] = t;
	}
}

/* One rank's trace of a plan, but for what `is_lost` says. */
static void record(struct drawn_job *d, struct plan *p, bool (*is_lost)(int64_t rank, int i))
{
	const struct coll_kind k = drawn_kind();
	size_t r = drawn_rank(d, (int64_t)d->n);
	int i;

	for (i = 0; i < p->n; i++) {
		nsec dur = 20000 + loading_random(&p->seed) % 200000;
		nsec end = p->end[i] + (nsec)r * p->apart + loading_random(&p->seed) % 1000;

		if (p->every && i % p->every == 0)
			drawn_step(d, r, i / p->every);
		if (!is_lost((int64_t)r, i))
			drawn_at(d, r, &k, end - dur, dur);
	}
}

/* The number of what an arrival is of, by its end. */
static int number_of(const struct drawn_job *d, const struct plan *p, const struct job_arrival *a)
{
	const struct collective *c = &d->rank[a->rank].collectives.v[a->collective];
	nsec end = c->start + c->dur - (nsec)a->rank * p->apart;
	int i;

	for (i = 0; i < p->n; i++)
		if (end >= p->end[i] && end < p->end[i] + 1000)
			return i;
	return -1;
}

/* How many ranks are in a meet with one of another number. */
static size_t mistakes(const struct drawn_job *d, const struct plan *p)
{
	const struct job *j = &d->job;
	size_t i, n = 0;
	uint32_t k;

	for (i = 0; i < j->nmeet; i++)
		for (k = 1; k < j->meet[i].n; k++)
			n += number_of(d, p, &j->meet[i].arrival[k]) !=
				number_of(d, p, &j->meet[i].arrival[0]);
	return n;
}

static bool none(int64_t rank, int i)
{
	(void)rank;
	(void)i;
	return false;
}

/* Rank 1 lost its first, rank 2 its last, rank 3 one in the middle. */
static bool one_each(int64_t rank, int i)
{
	return (rank == 1 && i == 0) || (rank == 2 && i == 199) || (rank == 3 && i == 77);
}

static bool one_of_many(int64_t rank, int i)
{
	return rank == 1 && i == 641;
}

/* Both have as many, and each has one the other has not. */
static bool head_and_tail(int64_t rank, int i)
{
	return (rank == 0 && i == 199) || (rank == 1 && i == 0);
}

/* About every second one, of each rank others. */
static bool half(int64_t rank, int i)
{
	uint64_t seed = (uint64_t)rank * 1000003 + (uint64_t)i * 7919 + 5;

	(void)loading_random(&seed);
	return loading_random(&seed) % 2;
}

static const struct job *job_of(
	struct drawn_job *d, struct plan *p, size_t nrank, bool (*is_lost)(int64_t, int))
{
	size_t i;

	drawn_begin(d, nrank);
	for (i = 0; i < nrank; i++)
		record(d, p, is_lost);
	return drawn_make(d);
}

static void test_all_there(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct job *j;

	(void)state;
	plan(&p, 200, 20);
	j = job_of(&d, &p, 4, none);
	assert_int_equal(j->nmeet, 200);
	assert_int_equal(j->nmatched, 800);
	assert_int_equal(mistakes(&d, &p), 0);
	assert_true(j->meet[0].is_whole);
	drawn_end(&d);
}

static void test_what_is_lost_costs_itself(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct job *j;
	int every;

	(void)state;
	for (every = 0; every <= 20; every += 20) {
		plan(&p, 200, every);
		j = job_of(&d, &p, 4, one_each);
		assert_int_equal(j->nmeet, 200);
		assert_int_equal(j->nmatched, 797);
		assert_int_equal(mistakes(&d, &p), 0);
		drawn_end(&d);
	}
}

static void test_one_of_a_thousand(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct job *j;

	(void)state;
	plan(&p, 1000, 0);
	j = job_of(&d, &p, 2, one_of_many);
	assert_int_equal(j->nmeet, 999);
	assert_int_equal(mistakes(&d, &p), 0);
	drawn_end(&d);
	/* Time does not tell what is periodic; steps do. */
	p.is_periodic = true;
	plan(&p, 1000, 10);
	j = job_of(&d, &p, 2, one_of_many);
	assert_int_equal(j->nmeet, 999);
	assert_int_equal(mistakes(&d, &p), 0);
	drawn_end(&d);
}

static void test_as_many_and_others(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct job *j;

	(void)state;
	plan(&p, 200, 0);
	j = job_of(&d, &p, 2, head_and_tail);
	assert_int_equal(j->nmeet, 198);
	assert_int_equal(mistakes(&d, &p), 0);
	drawn_end(&d);
}

static void test_samples(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct job *j;

	(void)state;
	plan(&p, 1000, 0);
	j = job_of(&d, &p, 4, half);
	assert_true(j->nmatched > j->ncollective * 8 / 10);
	assert_true(mistakes(&d, &p) <= j->nmatched / 200);
	assert_int_equal(j->nisland, 1);
	drawn_end(&d);
}

/* The job is the same whatever the order of its files. */
static void test_order_of_files(void **state)
{
	struct plan p = { 0 };
	struct drawn_job d;
	const struct digest *list[4];
	const struct job *j;
	struct job other;
	size_t i;
	uint32_t k;

	(void)state;
	plan(&p, 200, 0);
	j = job_of(&d, &p, 4, one_each);
	for (i = 0; i < 4; i++)
		list[i] = &d.rank[(i * 3 + 2) % 4].digest;
	job_init_ranks(&other, list, 4, &d.mem);
	assert_int_equal(other.nmeet, j->nmeet);
	for (i = 0; i < j->nmeet; i++) {
		assert_int_equal(other.meet[i].n, j->meet[i].n);
		assert_int_equal(other.meet[i].last, j->meet[i].last);
		for (k = 0; k < j->meet[i].n; k++) {
			assert_int_equal(other.meet[i].arrival[k].rank, j->meet[i].arrival[k].rank);
			assert_int_equal(other.meet[i].arrival[k].collective,
				j->meet[i].arrival[k].collective);
		}
	}
	drawn_end(&d);
}

/* Sequence numbers decide, whatever else there is: rank 1 lost 0 and 4, starts are shuffled. */
static void test_sequence_numbers(void **state)
{
	const struct coll_kind k = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 9; i++) {
		drawn_at(&d, 0, &k, 100 * i, 50)->seq = i;
		if (i != 0 && i != 4)
			drawn_at(&d, 1, &k, 5000 + 100 * i, 50)->seq = i == 7 ? 8 : i == 8 ? 7 : i;
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 7);
	for (i = 0; i < 7; i++) {
		const struct job_arrival *a = j->meet[i].arrival;

		assert_int_equal(d.rank[0].collectives.v[a[0].collective].seq,
			d.rank[1].collectives.v[a[1].collective].seq);
	}
	drawn_end(&d);
}

/* Messages carry the number of the collective that comes next: here all of them 7 on the sender,
 * and 8 from step 2 on at the receiver, who has met the others before it receives.  It lost the
 * first two: the steps tell which are left. */
static void test_numbers_of_messages(void **state)
{
	struct coll_kind send = drawn_kind(), receive = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	send.op = COMM_SEND;
	send.src = receive.src = 0;
	receive.op = COMM_RECV;
	send.dst = receive.dst = 1;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 4; i++) {
		drawn_step(&d, 0, i);
		drawn_step(&d, 1, i);
		drawn_at(&d, 0, &send, 1000 * i, 50)->seq = 7;
		drawn_at(&d, 0, &send, 1000 * i + 200, 50)->seq = 7;
		if (i > 0)
			drawn_at(&d, 1, &receive, 9000 + 1000 * i, 50)->seq = i < 2 ? 7 : 8;
		if (i > 0)
			drawn_at(&d, 1, &receive, 9200 + 1000 * i, 50)->seq = i < 2 ? 7 : 8;
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 6);
	for (i = 0; i < 6; i++) {
		assert_int_equal(j->meet[i].n, 2);
		assert_int_equal(j->meet[i].arrival[0].collective, 2 + i);
		assert_int_equal(j->meet[i].arrival[1].collective, i);
	}
	drawn_end(&d);
}

/* Kinds differ: an all_gather that only one has is left alone. */
static void test_kinds(void **state)
{
	const struct coll_kind reduce = drawn_kind();
	struct coll_kind gather = drawn_kind();
	struct drawn_job d;
	const struct job *j;
	int i;

	(void)state;
	gather.op = COMM_ALL_GATHER;
	drawn_begin(&d, 2);
	drawn_rank(&d, 0);
	drawn_rank(&d, 1);
	for (i = 0; i < 6; i++) {
		drawn_at(&d, 0, i == 3 ? &gather : &reduce, 100 * i, 50);
		if (i != 3)
			drawn_at(&d, 1, &reduce, 100 * i, 50);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 5);
	for (i = 0; i < 5; i++) {
		assert_int_equal(j->meet[i].op, COMM_ALL_REDUCE);
		assert_int_equal(j->meet[i].arrival[0].start, j->meet[i].arrival[1].start);
	}
	drawn_end(&d);
}

/* Two groups of one name, told apart by their ranks; blanks do not matter. */
static void test_groups_of_a_name(void **state)
{
	static const char *const ranks[] = { "[0, 1]", "[0,1]", "[2, 3]", "[2, 3]" };
	struct drawn_job d;
	const struct job *j;
	size_t r, i;

	(void)state;
	drawn_begin(&d, 4);
	for (r = 0; r < 4; r++) {
		struct coll_kind k = drawn_kind();

		k.ranks = span_of(ranks[r]);
		k.nrank = 2;
		drawn_rank(&d, (int64_t)r);
		for (i = 0; i < 5; i++)
			drawn_at(&d, r, &k, (nsec)(1000 * i + 100 * (r / 2)), 50);
	}
	j = drawn_make(&d);
	assert_int_equal(j->ngroup, 2);
	assert_int_equal(j->nmeet, 10);
	assert_int_equal(j->nisland, 2);
	for (i = 0; i < 10; i++) {
		assert_true(j->meet[i].is_whole);
		assert_int_equal(j->meet[i].arrival[0].rank / 2, j->meet[i].arrival[1].rank / 2);
	}
	drawn_end(&d);
}

/* One group that each rank calls by its own number, and two groups of the same ranks that names
 * tell apart. */
static void test_names_of_a_group(void **state)
{
	static const char *const own[] = { "1", "4" }, *const two[] = { "1", "2" };
	struct drawn_job d;
	const struct job *j;
	size_t r, i, several;

	(void)state;
	for (several = 0; several < 2; several++) {
		drawn_begin(&d, 2);
		for (r = 0; r < 2; r++) {
			drawn_rank(&d, (int64_t)r);
			for (i = 0; i < 6; i++) {
				struct coll_kind k = drawn_kind();

				k.ranks = SPAN("[0, 1]");
				k.group = span_of(several ? two[i % 2] : own[r]);
				drawn_at(&d, r, &k, (nsec)(1000 * i), 50);
			}
		}
		j = drawn_make(&d);
		assert_int_equal(j->ngroup, 1 + several);
		assert_int_equal(j->nmeet, 6);
		drawn_end(&d);
	}
}

/* Two groups of one name without ranks: who ends together is of one group. */
static void test_groups_by_ends(void **state)
{
	uint64_t seed = 3;
	struct drawn_job d;
	const struct job *j;
	nsec end[2][40];
	size_t r, i;

	(void)state;
	for (i = 0; i < 40; i++)
		for (r = 0; r < 2; r++)
			end[r][i] = (nsec)(100000 * i + 100 + loading_random(&seed) % 80000);
	drawn_begin(&d, 4);
	for (r = 0; r < 4; r++) {
		struct coll_kind k = drawn_kind();

		k.nrank = 2;
		drawn_rank(&d, (int64_t)r);
		for (i = 0; i < 40; i++)
			drawn_at(&d, r, &k, end[r % 2][i] - 50, 50);
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 80);
	for (i = 0; i < 80; i++) {
		assert_int_equal(j->meet[i].n, 2);
		assert_true(j->meet[i].is_whole);
		assert_int_equal(j->meet[i].arrival[0].rank % 2, j->meet[i].arrival[1].rank % 2);
	}
	drawn_end(&d);
}

/* A pipeline of three: 0 sends to 1, 1 to 2 and back to 0.  A send names whom to, a receive whom
 * from; what 2 receives from nobody that has a trace is left. */
static void test_sends_and_receives(void **state)
{
	static const struct {
		size_t rank;
		enum comm_op op;
		int64_t peer;
	} calls[] = {
		{ 0, COMM_SEND, 1 },
		{ 1, COMM_RECV, 0 },
		{ 1, COMM_SEND, 2 },
		{ 2, COMM_RECV, 1 },
		{ 1, COMM_SEND, 0 },
		{ 0, COMM_RECV, 1 },
		{ 2, COMM_RECV, 9 },
	};
	struct drawn_job d;
	const struct job *j;
	size_t i, n;

	(void)state;
	drawn_begin(&d, 3);
	for (i = 0; i < 3; i++)
		drawn_rank(&d, (int64_t)i);
	for (n = 0; n < 4; n++)
		for (i = 0; i < COUNT_OF(calls); i++) {
			struct coll_kind k = drawn_kind();

			k.op = calls[i].op;
			*(k.op == COMM_SEND ? &k.dst : &k.src) = calls[i].peer;
			drawn_at(&d, calls[i].rank, &k, (nsec)(n * 1000 + i * 100), 40);
		}
	j = drawn_make(&d);
	assert_int_equal(j->nmeet, 12);
	assert_int_equal(j->nmatched, 24);
	assert_int_equal(j->ncollective, 28);
	for (i = 0; i < j->nmeet; i++) {
		assert_int_equal(j->meet[i].op, COMM_SEND);
		assert_int_equal(j->meet[i].n, 2);
		assert_true(j->meet[i].arrival[0].rank < j->meet[i].arrival[1].rank);
	}
	drawn_end(&d);
}

/* Kernels without arguments, SendRecv at that, of which nobody knows what they are. */
static void test_nothing_in_common(void **state)
{
	struct coll_kind k = drawn_kind();
	uint64_t seed = 11;
	struct drawn_job d;
	const struct job *j;
	size_t r, i;

	(void)state;
	k.group = (struct span){ 0 };
	k.op = COMM_SEND_RECV;
	drawn_begin(&d, 2);
	for (r = 0; r < 2; r++) {
		nsec t = 0;

		drawn_rank(&d, (int64_t)r);
		for (i = 0; i < 30; i++) {
			t += 100000 + loading_random(&seed) % 1000000;
			drawn_at(&d, r, &k, t, 5000);
		}
	}
	j = drawn_make(&d);
	assert_int_equal(j->nmatched, 0);
	assert_int_equal(j->nisland, 2);
	drawn_end(&d);
}

static void test_alignment(void **state)
{
	static const uint32_t a[] = { 1, 2, 3, 1, 2, 2, 1 }, b[] = { 3, 2, 1, 2, 1, 3 };
	struct align_item x[COUNT_OF(a)] = { 0 }, y[COUNT_OF(b)] = { 0 };
	uint32_t to[COUNT_OF(a)], last = 0;
	SCOPED_ARENA mem = { 0 };
	size_t i, n = 0;

	(void)state;
	for (i = 0; i < COUNT_OF(a); i++)
		x[i] = (struct align_item){ .symbol = a[i], .seq = ARG_UNKNOWN };
	for (i = 0; i < COUNT_OF(b); i++)
		y[i] = (struct align_item){ .symbol = b[i], .seq = ARG_UNKNOWN };
	align(x, COUNT_OF(a), y, COUNT_OF(b), to, &mem);
	for (i = 0; i < COUNT_OF(a); i++) {
		if (to[i] == ALIGN_ALONE)
			continue;
		assert_int_equal(a[i], b[to[i]]);
		assert_true(n == 0 || to[i] > last);
		last = to[i];
		n++;
	}
	/* Myers 1986, figure 2: of ABCABBA and CBABAC four are common at most. */
	assert_int_equal(n, 4);
	align(x, 0, y, COUNT_OF(b), to, &mem);
	align(x, COUNT_OF(a), y, 0, to, &mem);
	for (i = 0; i < COUNT_OF(a); i++)
		assert_int_equal(to[i], ALIGN_ALONE);
}

/* Beyond the bound of the search the order still holds, and the ends are reached. */
static void test_alignment_of_strangers(void **state)
{
	enum { N = 5000 };
	static struct align_item x[N], y[N];
	static uint32_t to[N];
	uint64_t seed = 1;
	uint32_t last = 0;
	SCOPED_ARENA mem = { 0 };
	size_t i, n = 0;

	(void)state;
	for (i = 0; i < N; i++) {
		x[i] = (struct align_item){ .symbol = loading_random(&seed) % 8,
			.seq = ARG_UNKNOWN };
		y[i] = (struct align_item){ .symbol = loading_random(&seed) % 8,
			.seq = ARG_UNKNOWN };
	}
	align(x, N, y, N, to, &mem);
	for (i = 0; i < N; i++) {
		if (to[i] == ALIGN_ALONE)
			continue;
		assert_int_equal(x[i].symbol, y[to[i]].symbol);
		assert_true(n == 0 || to[i] > last);
		last = to[i];
		n++;
	}
	assert_true(n > N / 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_there),
		cmocka_unit_test(test_what_is_lost_costs_itself),
		cmocka_unit_test(test_one_of_a_thousand),
		cmocka_unit_test(test_as_many_and_others),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_order_of_files),
		cmocka_unit_test(test_sequence_numbers),
		cmocka_unit_test(test_numbers_of_messages),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_groups_of_a_name),
		cmocka_unit_test(test_names_of_a_group),
		cmocka_unit_test(test_groups_by_ends),
		cmocka_unit_test(test_sends_and_receives),
		cmocka_unit_test(test_nothing_in_common),
		cmocka_unit_test(test_alignment),
		cmocka_unit_test(test_alignment_of_strangers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
