/* What must hold of the path of a job, on jobs whose ranks wait for each other by every cause: it
 * tiles the steps, it is on the slow rank, and a job without that rank's slowness is as fast as is
 * said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "analyze/job/digest/digest_new.h"
#include "analyze/job/path/jobpath.h"
#include "analyze/job/path/job_bounds.h"
#include "analyze/job/path/rankpath.h"
#include "analyze/measure/stepstat.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run_steps.h"
#include "tests/unit/loading.h"

enum { RANKS = 16, ARGUMENTS = 512 };
enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS };

/* A job of the fixtures, and what is kept of it. */
struct made {
	struct arena mem;
	struct job job;
	struct digest *digest[RANKS];
	struct rankpath *path[RANKS];
	nsec own[RANKS][OWNER_COUNT]; /* each rank's own path, in steps that count */
	size_t n;
};

/* What one rank's path has in a step. */
struct summing {
	nsec *ns;
	nsec start, end;
};

/* segment_fn */
static void add(void *ctx, const struct segment *s)
{
	const struct summing *sum = ctx;
	nsec start = s->start > sum->start ? s->start : sum->start;
	nsec end = s->end < sum->end ? s->end : sum->end;

	if (start < end)
		sum->ns[s->owner] += end - start;
}

static void keep(struct made *m, size_t rank, struct run *r)
{
	const struct filter filter = { 0 };
	const struct digest_options options = {
		.filter = &filter, .collectives = true, .no_host = true
	};
	struct rankwork_step *step;
	struct stepstat stat;
	struct depend d;
	struct err e;
	size_t i;

	assert_int_equal(digest_look(&m->digest[rank], r, &options, &e), OK);
	stepstat_init(&stat, r, NULL, &m->mem);
	step = arena_array(&m->mem, stat.count, sizeof(*step));
	depend_init(&d, r, NULL);
	for (i = 0; i < stat.count; i++) {
		const struct step *s = &r->steps->step[stat.step[stat.from + i]];
		struct summing sum = { m->own[rank], s->start, s->end };

		step[i] = (struct rankwork_step){ s->number, s->start, s->end };
		critpath(&d, r->steps->step[stat.step[stat.from]].start,
			r->steps->step[stat.step[stat.from + stat.count - 1]].end, add, &sum);
	}
	m->path[rank] = rankpath_new(&d, step, stat.count);
	rankpath_number(m->path[rank], m->digest[rank]->collectives);
	depend_clear(&d);
}

/* false: there are no fixtures. */
static bool make(struct made *m, size_t from, size_t nrank, size_t world, const char *options)
{
	const struct loading how = { .needs = LOADING_ALL | NEED_PEERS };
	char arguments[ARGUMENTS];
	size_t i;

	*m = (struct made){ .n = nrank };
	for (i = 0; i < nrank; i++) {
		struct str text = { 0 };
		struct loaded l;

		(void)snprintf(arguments, sizeof(arguments),
			"multi-rank --world %zu --rank %zu --steps 4 --layers 2 %s", world,
			from + i, options);
		if (!loading_fixture(&text, arguments))
			return false;
		loading_run(&l, (struct span){ text.s, text.n }, &how);
		assert_int_equal(l.status, OK);
		index_build(&l.run, NEEDS);
		keep(m, i, &l.run);
		loading_release(&l);
		str_free(&text);
	}
	job_init_ranks(&m->job, (const struct digest *const *)m->digest, nrank, &m->mem);
	return true;
}

static void release(struct made *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		digest_free(m->digest[i]);
		rankpath_free(m->path[i]);
	}
	arena_clear(&m->mem);
}

/* Time between steps that the path may have been in: of each pair of them the most that a rank has.
 */
static nsec between(const struct made *m)
{
	nsec sum = 0;
	size_t i, r;

	for (i = 1; i < m->job.nstep; i++) {
		nsec most = 0;

		for (r = 0; r < m->n; r++) {
			const struct rankwork_step *s = m->path[r]->step;
			nsec ns = s[i].start - s[i - 1].end + 1;

			most = ns > most ? ns : most;
		}
		sum += most;
	}
	return sum;
}

/* All sums are of the same, to the nanosecond. */
static void assert_tiled(const struct made *m, const struct jobpath *p)
{
	nsec by_owner = 0, by_step = 0, by_rank = 0;
	size_t i, r;
	int o;

	assert_int_not_equal(p->last, JOBPATH_NOBODY);
	for (r = 0; r < m->n; r++) {
		by_rank += p->rank[r];
		for (o = 0; o < OWNER_COUNT; o++) {
			assert_true(p->ns_of[r][o] >= 0);
			by_owner += p->ns_of[r][o];
		}
	}
	for (i = 0; i < m->job.nstep; i++) {
		nsec ns = 0;

		for (r = 0; r < m->n; r++)
			ns += p->step[i].rank[r];
		assert_int_equal(ns, p->step[i].ns);
		by_step += ns;
	}
	assert_int_equal(by_owner, p->ns);
	assert_int_equal(by_rank, p->ns);
	assert_int_equal(by_step, p->ns);
	assert_in_range(p->end - p->begin, p->ns, p->ns + between(m));
}

static void path_of(struct made *m, struct jobpath *p)
{
	jobpath_init(p, &m->job, (const struct rankpath *const *)m->path, &m->mem);
	assert_tiled(m, p);
}

/* What the steps take less when that rank is as fast as the others. */
static nsec saved(struct made *m, uint32_t slow)
{
	bool changed[RANKS] = { false };
	const struct rankwork *work[RANKS];
	struct job_facts facts;
	struct job_bounds b;

	job_facts_init(&facts, &m->job, &m->mem);
	for (size_t i = 0; i < m->n; i++)
		work[i] = &m->path[i]->work;
	job_bounds(&b, &facts, work, changed, slow, 1, &m->mem);
	assert_true(b.is_known);
	assert_int_equal(b.slow.then, b.kept[JOB_REPAIR_NONE]); /* nobody is */
	return b.kept[JOB_REPAIR_NONE] - b.alone.then;
}

struct scene {
	size_t world;
	int slow; /* the slow rank; -1: none, or a link */
	const char *options;
	double least; /* that much of the path is on it: behind the last collective it may be any
	                 rank's */
};

static const struct scene scenes[] = {
	{ 4, 2, "", 0.85 },
	{ 4, 1, "--slow-rank 1 --slow-by input --clock-spread 50ms", 0.85 },
	{ 4, 3, "--slow-rank 3 --slow-by work --slow-percent 40", 0.85 },
	{ 4, 2, "--clock-spread 1s --clock-drift 50 --end-jitter 2us", 0.85 },
	{ 8, 4, "--tp 2", 0.85 },
	{ 4, 2, "--pp 2 --clock-spread 10ms", 0.5 },
	{ 4, 2, "--ep 2", 0.85 },
	{ 16, 8, "--tp 2 --pp 2 --ep 2 --clock-drift 30", 0.5 },
	{ 16, 9, "--tp 4 --pp 2 --slow-rank 9 --slow-percent 100", 0.5 },
	{ 4, -1, "--slow-rank none --noise 5", 0 },
	{ 4, -1, "--slow-rank moving --clock-spread 10ms", 0 },
	{ 4, -1, "--tp 2 --slow-by link --slow-percent 100", 0 },
};

static void check(const struct scene *s)
{
	struct made m, without;
	struct jobpath p, other;
	char none[ARGUMENTS];

	printf("%zu ranks, %s\n", s->world, s->options);
	if (!make(&m, 0, s->world, s->world, s->options))
		skip();
	path_of(&m, &p);
	if (s->slow >= 0) {
		double predicted, real;

		assert_true((double)p.rank[s->slow] >= s->least * (double)p.ns);
		(void)snprintf(none, sizeof(none), "%s --slow-rank none", s->options);
		assert_true(make(&without, 0, s->world, s->world, none));
		path_of(&without, &other);
		predicted = (double)(p.ns - saved(&m, (uint32_t)s->slow));
		real = (double)other.ns;
		printf("  %.1f %% on the slow rank, predicted %.3f %% off\n",
			100 * (double)p.rank[s->slow] / (double)p.ns, 100 * (predicted / real - 1));
		assert_true(predicted / real > 0.98 && predicted / real < 1.02);
		release(&without);
	}
	release(&m);
}

static void test_jobs(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(scenes) / sizeof(*scenes); i += loading_every())
		check(&scenes[i]);
}

/* The path of a job of one rank is that rank's. */
static void test_one_rank(void **state)
{
	struct jobpath p;
	struct made m;
	int o;

	(void)state;
	if (!make(&m, 1, 1, 4, "--clock-spread 10ms"))
		skip();
	path_of(&m, &p);
	for (o = 0; o < OWNER_COUNT; o++)
		assert_int_equal(p.ns_of[0][o], m.own[0][o]);
	assert_int_equal(p.crossings, 0);
	release(&m);
}

/* Records of collectives are lost: the path still tiles, and is on the slow rank. */
static void test_lost_events(void **state)
{
	struct jobpath p;
	struct made m;

	(void)state;
	if (!make(&m, 0, 4, 4, "--lose-events 20%@1"))
		skip();
	path_of(&m, &p);
	assert_true((double)p.rank[2] > 0.8 * (double)p.ns);
	release(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_one_rank),
		cmocka_unit_test(test_lost_events),
	};

	return cmocka_run_group_tests_name("jobpath on fixtures", tests, NULL, NULL);
}
