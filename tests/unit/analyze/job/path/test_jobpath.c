/* The path of a job, and its collectives timed again: jobs of two and three ranks drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/job/path/jobpath.h"
#include "analyze/job/path/rankpath.h"

enum { RANKS = 3, COLLECTIVES = 4, POINTS = 16, PARTS = 32, MEETS = 4 };

/* A rank's path, drawn from its begin on. */
struct drawn_rank {
	struct digest digest;
	struct digest_step digest_step;
	struct collectives collectives;
	struct collective coll[COLLECTIVES];
	struct coll_kind kind;
	struct rankpath path;
	struct rankwork_step step;
	struct rankpath_point point[POINTS];
	struct rankpath_part part[PARTS];
	uint32_t start[COLLECTIVES], end;
};

struct drawn {
	struct arena mem;
	struct job j;
	struct job_rank rank[RANKS];
	struct drawn_rank of[RANKS];
	struct collective_instance meet[MEETS];
	struct job_arrival arrival[MEETS][RANKS];
	int64_t number;
	const struct rankpath *path[RANKS];
};

/* Ranks whose clocks are the same, in a step that begins at 0 for all. */
static void begin(struct drawn *d, size_t nrank)
{
	size_t i;

	*d = (struct drawn){ .number = 5 };
	d->j = (struct job){ .rank = d->rank,
		.nrank = nrank,
		.meet = d->meet,
		.step = &d->number,
		.nstep = 1,
		.nisland = 1 };
	for (i = 0; i < nrank; i++) {
		struct drawn_rank *r = &d->of[i];

		r->kind.op = COMM_ALL_REDUCE;
		r->collectives = (struct collectives){ .v = r->coll, .kind = &r->kind, .nkind = 1 };
		r->digest_step.number = 5;
		r->digest = (struct digest){ .path = "trace.json",
			.step = &r->digest_step,
			.nstep = 1,
			.collectives = &r->collectives };
		d->rank[i] = (struct job_rank){
			.digest = &r->digest, .rank = (int64_t)i, .clock = { .is_known = true }
		};
		r->step = (struct rankwork_step){ .number = 5 };
		r->point[0] = (struct rankpath_point){
			.before = RANKPATH_NONE, .collective = RANKPATH_NONE, .step = RANKPATH_NONE
		};
		r->path = (struct rankpath){ .step = &r->step,
			.nstep = 1,
			.point = r->point,
			.npoint = 1,
			.part = r->part,
			.start = r->start,
			.end = &r->end };
		d->path[i] = &r->path;
	}
}

static void end(struct drawn *d)
{
	arena_clear(&d->mem);
}

/* The stretch from the point before, of one owner or two. */
static struct rankpath_point *stretch(
	struct drawn_rank *r, enum owner a, nsec a_ns, enum owner b, nsec b_ns)
{
	struct rankpath *p = &r->path;
	struct rankpath_point *to = &p->point[p->npoint];

	*to = (struct rankpath_point){ .at = p->point[p->npoint - 1].at + a_ns + b_ns,
		.before = (uint32_t)p->npoint - 1,
		.collective = RANKPATH_NONE,
		.part = p->npart };
	p->npoint++;
	if (a_ns > 0)
		p->part[p->npart++] = (struct rankpath_part){ a_ns, a };
	if (b_ns > 0)
		p->part[p->npart++] = (struct rankpath_part){ b_ns, b };
	to->npart = (uint32_t)(p->npart - to->part);
	return to;
}

/* The rank computes for so long, and then comes to its next collective, which takes `dur`. */
static void comes(struct drawn_rank *r, nsec computes, nsec dur)
{
	struct rankpath *p = &r->path;
	nsec through = p->ncollective > 0 ? r->coll[p->ncollective - 1].dur : 0;
	struct rankpath_point *at = stretch(r, OWNER_KERNEL, computes, OWNER_COMM, through);
	uint32_t i = (uint32_t)p->ncollective;

	at->collective = i;
	p->start[i] = (uint32_t)p->npoint - 1;
	r->coll[i] = (struct collective){ .start = at->at, .dur = dur };
	r->collectives.n = ++p->ncollective;
}

/* It computes for so long, and its step ends. */
static void ends(struct drawn_rank *r, nsec computes)
{
	struct rankpath *p = &r->path;
	nsec through = p->ncollective > 0 ? r->coll[p->ncollective - 1].dur : 0;
	const struct rankpath_point *at = stretch(r, OWNER_KERNEL, computes, OWNER_COMM, through);

	r->end = (uint32_t)p->npoint - 1;
	r->step.end = at->at;
}

/* The ranks a and b meet in these collectives; b comes last. */
static void meet(struct drawn *d, uint32_t a, uint32_t of_a, uint32_t b, uint32_t of_b)
{
	struct collective_instance *m = &d->meet[d->j.nmeet];
	const uint32_t rank[] = { a, b }, of[] = { of_a, of_b };
	uint32_t i;

	*m = (struct collective_instance){ .op = COMM_ALL_REDUCE,
		.arrival = d->arrival[d->j.nmeet],
		.n = 2,
		.is_clocked = true,
		.is_sync = true };
	for (i = 0; i < 2; i++) {
		uint32_t k = (a < b) == (i == 0) ? 0 : 1;
		const struct collective *c = &d->of[rank[k]].coll[of[k]];
		const struct job_clock *clock = &d->rank[rank[k]].clock;

		m->last = k == 1 ? i : m->last;
		m->arrival[i] = (struct job_arrival){ .rank = rank[k],
			.collective = of[k],
			.start = job_time(clock, c->start),
			.end = job_time(clock, c->start + c->dur) };
	}
	m->arrival[!m->last].wait = m->arrival[m->last].start - m->arrival[!m->last].start;
	d->j.nmeet++;
}

static nsec sum_of(const struct jobpath *p)
{
	nsec sum = 0;
	size_t r;
	int o;

	for (r = 0; r < p->job->nrank; r++)
		for (o = 0; o < OWNER_COUNT; o++)
			sum += p->ns_of[r][o];
	return sum;
}

/*
 *	rank 0   [ 20 kernel )[====== 40 ======)[ 40 kernel )|
 *	rank 1   [--- 50 kernel ---)[== 10 =====)[ 38 )|
 */
static void draw_two(struct drawn *d)
{
	begin(d, 2);
	comes(&d->of[0], 20, 40);
	ends(&d->of[0], 40);
	comes(&d->of[1], 50, 10);
	ends(&d->of[1], 38);
}

static void test_two_ranks(void **state)
{
	struct jobpath p;
	struct drawn d;
	uint32_t most;

	(void)state;
	draw_two(&d);
	meet(&d, 0, 0, 1, 0);
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.ns, 100);
	assert_int_equal(sum_of(&p), 100);
	assert_int_equal(p.begin, 0);
	assert_int_equal(p.end, 100);
	assert_int_equal(p.last, 0);
	assert_int_equal(p.first, 1);
	assert_int_equal(p.ns_of[0][OWNER_KERNEL], 40);
	assert_int_equal(p.ns_of[0][OWNER_COMM], 10);
	assert_int_equal(p.ns_of[1][OWNER_KERNEL], 50);
	assert_int_equal(p.ncrossing, 1);
	assert_int_equal(p.crossing[0].from, 0);
	assert_int_equal(p.crossing[0].to, 1);
	assert_int_equal(p.crossing[0].count, 1);
	assert_int_equal(p.crossing[0].behind, 30);
	assert_int_equal(p.step[0].ns, 100);
	assert_int_equal(p.step[0].crossings, 1);
	assert_int_equal(p.step[0].rank[1], 50);
	assert_int_equal(p.unknown, 0);
	assert_true(jobpath_most(&p, &most));
	assert_int_equal(most, 0);
	end(&d);
}

/* The rank that comes last as the path goes through it: it stays there. */
static void test_last_stays(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	draw_two(&d);
	d.of[1].step.end = 101;
	d.of[1].point[d.of[1].end].at = 101;
	d.of[1].part[d.of[1].point[d.of[1].end].part].ns = 41;
	meet(&d, 0, 0, 1, 0);
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.ns, 101);
	assert_int_equal(p.rank[1], 101);
	assert_int_equal(p.ns_of[1][OWNER_COMM], 10);
	assert_int_equal(p.crossings, 0);
	end(&d);
}

/* Nobody knows with whom it met. */
static void test_missing_match(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	draw_two(&d);
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.ns, 100);
	assert_int_equal(p.rank[0], 100);
	assert_int_equal(p.unknown, 40);
	assert_int_equal(p.crossings, 0);
	end(&d);
}

/* Differences within the uncertainty are no waits. */
static void test_uncertain(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	draw_two(&d);
	meet(&d, 0, 0, 1, 0);
	d.meet[0].last = 2;
	d.meet[0].arrival[0].wait = 0;
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.rank[0], 100);
	assert_int_equal(p.unknown, 0);
	end(&d);
}

/* A rank whose clock is not known; one whose path is not. */
static void test_left_out(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	draw_two(&d);
	meet(&d, 0, 0, 1, 0);
	d.path[1] = NULL;
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.nleft, 1);
	assert_int_equal(p.rank[0], 100);
	assert_int_equal(p.unknown, 30);
	d.path[1] = &d.of[1].path;
	d.rank[1].clock.island = 1;
	d.meet[0].is_clocked = false;
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.nleft, 1);
	assert_int_equal(p.rank[0], 100);
	assert_int_equal(p.unknown, 40);
	end(&d);
}

/*
 *	rank 0   [10)[======= a: 40 ====================)[ 10 )|
 *	rank 1   [------ 25 ------)[= b: 5 =)[ 20 )|
 *	rank 2   [5)[==== b: 25 =============)[ 10 )[= a: 10 =)|
 */
static void test_three_ranks(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	begin(&d, 3);
	comes(&d.of[0], 10, 40);
	ends(&d.of[0], 10);
	comes(&d.of[1], 25, 5);
	ends(&d.of[1], 20);
	comes(&d.of[2], 5, 25);
	comes(&d.of[2], 10, 10);
	ends(&d.of[2], 0);
	meet(&d, 2, 0, 1, 0);
	meet(&d, 0, 0, 2, 1);
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.ns, 60);
	assert_int_equal(p.ns_of[0][OWNER_KERNEL], 10);
	assert_int_equal(p.ns_of[0][OWNER_COMM], 10);
	assert_int_equal(p.ns_of[2][OWNER_KERNEL], 10);
	assert_int_equal(p.ns_of[2][OWNER_COMM], 5);
	assert_int_equal(p.ns_of[1][OWNER_KERNEL], 25);
	assert_int_equal(p.ncrossing, 2);
	assert_int_equal(p.crossing[0].from, 0);
	assert_int_equal(p.crossing[0].to, 2);
	assert_int_equal(p.crossing[0].behind, 30);
	assert_int_equal(p.crossing[1].from, 2);
	assert_int_equal(p.crossing[1].to, 1);
	assert_int_equal(p.crossing[1].behind, 20);
	end(&d);
}

/* The second clock is 1,000 ns ahead and counts two where the first counts one. */
static void set_clock(struct drawn *d)
{
	struct drawn_rank *r = &d->of[1];
	size_t i;

	d->rank[1].clock.at = 1000;
	d->rank[1].clock.drift = 0.5;
	for (i = 0; i < r->path.npoint; i++)
		r->point[i].at += 1000;
	r->coll[0].start += 1000;
	r->step.start += 1000;
	r->step.end += 1000;
}

/* What its own clock counts more goes off the longest. */
static void test_clocks(void **state)
{
	struct jobpath p;
	struct drawn d;

	(void)state;
	begin(&d, 2);
	comes(&d.of[0], 20, 40);
	ends(&d.of[0], 40);
	comes(&d.of[1], 100, 20);
	d.of[1].part[0].ns = 60;
	d.of[1].part[1] = (struct rankpath_part){ 40, OWNER_GAP };
	d.of[1].point[1].npart = 2;
	d.of[1].path.npart = 2;
	ends(&d.of[1], 76);
	set_clock(&d);
	meet(&d, 0, 0, 1, 0);
	assert_int_equal(d.meet[0].arrival[1].start, 50);
	assert_int_equal(d.meet[0].arrival[1].end, 60);
	jobpath_init(&p, &d.j, d.path, &d.mem);
	assert_int_equal(p.ns, 100);
	assert_int_equal(sum_of(&p), 100);
	assert_int_equal(p.ns_of[0][OWNER_COMM], 10);
	assert_int_equal(p.ns_of[1][OWNER_KERNEL], 10);
	assert_int_equal(p.ns_of[1][OWNER_GAP], 40);
	end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_ranks),
		cmocka_unit_test(test_last_stays),
		cmocka_unit_test(test_missing_match),
		cmocka_unit_test(test_uncertain),
		cmocka_unit_test(test_left_out),
		cmocka_unit_test(test_three_ranks),
		cmocka_unit_test(test_clocks),
	};

	return cmocka_run_group_tests_name("jobpath", tests, NULL, NULL);
}
