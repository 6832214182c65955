/* Marks: all four sources of a drawn run by hand, limits, filters, ids of findings; and of
 * generated runs that pieces tile the steps and ids mean what is marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/overlay/marks.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/run.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"
#include "tests/unit/loading.h"

enum { US = 1000, ZERO = 5000 * US };

static unsigned all_needs(void)
{
	unsigned needs = 0;
	int s;

	for (s = 0; s < MARK_SOURCE_COUNT; s++)
		needs |= marks_needs(&commands_all.analyses, (enum mark_source)s);
	return needs;
}

static void call(struct run *r, uint32_t t, const char *name, nsec at, nsec end, uint64_t id)
{
	hand_ids(r, hand_event(r, KIND_RUNTIME, t, name, ZERO + at * US, (end - at) * US), id, 0);
}

static void work(struct run *r, uint32_t q, const char *name, nsec at, nsec end, uint64_t id)
{
	hand_ids(r, hand_event(r, KIND_KERNEL, q, name, ZERO + at * US, (end - at) * US), id, 0);
}

static void span(struct run *r, enum kind kind, uint32_t t, const char *name, nsec at, nsec end)
{
	(void)hand_event(r, kind, t, name, ZERO + at * US, (end - at) * US);
}

/* In us from the first event.
 *
 *	step      #1 [0 100)                                      #2 [100 200)
 *	thread    load [0 20)  mm [20 40)         sync [60 95)    add [110 150)
 *	launches               [25 35)                            [120 125)  [130 135)
 *	stream 7                   gemm [30 90)                        tiny [124 129)
 *	stream 9                                                                 side [134 144)
 *
 *	path      load 20, mm 5, delay 5, gemm 60, return 5, step 5
 *	          step 10, add 10, launch 5, add 5, launch 5, add 15, step 50
 *	gaps      [0 30), [90 124), [129 134), [144 200) */
static void draw(struct run *r)
{
	uint32_t t, q7, q9;

	run_init(r, all_needs());
	t = hand_thread(r, 1);
	q7 = hand_stream(r, 0, 7);
	q9 = hand_stream(r, 0, 9);
	span(r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	span(r, KIND_ANNOTATION, t, "enumerate(DataLoader)#_SingleProcess.__next__", 0, 20);
	span(r, KIND_OP, t, "aten::mm", 20, 40);
	call(r, t, "cudaLaunchKernel", 25, 35, 1);
	call(r, t, "cudaDeviceSynchronize", 60, 95, 0);
	span(r, KIND_ANNOTATION, t, "ProfilerStep#2", 100, 200);
	span(r, KIND_OP, t, "aten::add", 110, 150);
	call(r, t, "cudaLaunchKernel", 120, 125, 2);
	call(r, t, "cudaLaunchKernel", 130, 135, 3);
	work(r, q7, "gemm", 30, 90, 1);
	work(r, q7, "tiny", 124, 129, 2);
	work(r, q9, "side", 134, 144, 3);
	index_build(r, all_needs());
}

/* Marks of one source, and where they live. */
struct made {
	struct marks m;
	struct arena mem;
};

static const struct filter everything;

static void make(struct made *d, const struct mark_request *q, enum mark_source s)
{
	struct err e;

	err_clear(&e);
	arena_init(&d->mem);
	assert_int_equal(marks_make(&d->m, s, q, &d->mem, &e), OK);
}

/* One mark as it should be, in us from the first event. */
struct expected {
	nsec at, us;
	const char *name, *id; /* id NULL: none */
};

static void expect(const struct made *d, const struct expected *v, size_t n)
{
	size_t i;

	assert_int_equal(d->m.n, n);
	for (i = 0; i < n; i++) {
		const struct mark *m = &d->m.v[i];

		assert_int_equal(m->start, ZERO + v[i].at * US);
		assert_int_equal(m->dur, v[i].us * US);
		assert_true(span_is(m->name, v[i].name));
		assert_true(v[i].id ? span_is(m->id, v[i].id) : m->id.n == 0);
	}
}

static const struct mark_arg *arg_of(const struct mark *m, const char *key)
{
	size_t i;

	for (i = 0; i < m->narg; i++)
		if (strcmp(m->arg[i].key, key) == 0)
			return &m->arg[i];
	return NULL;
}

static void expect_text(const struct mark *m, const char *key, const char *text)
{
	const struct mark_arg *a = arg_of(m, key);

	assert_non_null(a);
	assert_true(span_is(a->text, text));
}

static void expect_number(const struct mark *m, const char *key, double v)
{
	const struct mark_arg *a = arg_of(m, key);

	assert_non_null(a);
	assert_null(a->text.p);
	assert_float_equal(a->number, v, 1e-9);
}

static const struct expected path[] = {
	{ 0, 20, "enumerate(DataLoader)#_SingleProcess.__next__", "path@0+20000" },
	{ 20, 5, "aten::mm", "path@20000+5000" },
	{ 25, 5, "launch delay", "path@25000+5000" },
	{ 30, 60, "gemm", "path@30000+60000" },
	{ 90, 5, "sync return", "path@90000+5000" },
	{ 95, 5, "ProfilerStep#1", "path@95000+5000" },
	{ 100, 10, "ProfilerStep#2", "path@100000+10000" },
	{ 110, 10, "aten::add", "path@110000+10000" },
	{ 120, 5, "cudaLaunchKernel", "path@120000+5000" },
	{ 125, 5, "aten::add", "path@125000+5000" },
	{ 130, 5, "cudaLaunchKernel", "path@130000+5000" },
	{ 135, 15, "aten::add", "path@135000+15000" },
	{ 150, 50, "ProfilerStep#2", "path@150000+50000" },
};

/* From the thread to the stream at the delay, back at the return. */
static void test_critical(void **state)
{
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &everything };
	struct run r;
	struct made d;

	(void)state;
	draw(&r);
	q.run = &r;
	make(&d, &q, MARK_CRITICAL);
	expect(&d, path, COUNT_OF(path));
	assert_int_equal(d.m.nleft, 0);
	assert_int_equal(d.m.nflow, 2);
	assert_int_equal(d.m.flow[0].from, 1);
	assert_int_equal(d.m.flow[0].to, 2);
	assert_int_equal(d.m.flow[1].from, 3);
	assert_int_equal(d.m.flow[1].to, 4);
	assert_int_equal(d.m.v[3].device, 0);
	assert_int_equal(d.m.v[1].device, MARK_NO_DEVICE);
	expect_text(&d.m.v[2], "owner", "launch delay");
	expect_text(&d.m.v[2], "of", "gemm");
	assert_null(arg_of(&d.m.v[3], "of"));
	expect_number(&d.m.v[5], "step", 1);
	expect_number(&d.m.v[6], "step", 2);
	arena_clear(&d.mem);
	run_clear(&r);
}

/* The longest three of thirteen, by time; no arrow leads to what is left out. */
static void test_limit(void **state)
{
	const struct expected longest[] = { path[0], path[3], path[12] };
	struct mark_request q = {
		.analyses = &commands_all.analyses, .filter = &everything, .limit = 3
	};
	struct run r;
	struct made d;

	(void)state;
	draw(&r);
	q.run = &r;
	make(&d, &q, MARK_CRITICAL);
	expect(&d, longest, COUNT_OF(longest));
	assert_int_equal(d.m.nleft, 10);
	assert_int_equal(d.m.nflow, 0);
	arena_clear(&d.mem);
	q.limit = 1;
	make(&d, &q, MARK_IDLE);
	assert_int_equal(d.m.n, 1);
	assert_int_equal(d.m.v[0].dur, 56 * US);
	assert_int_equal(d.m.nleft, 3);
	arena_clear(&d.mem);
	run_clear(&r);
}

/* Of one step: the same ids. */
static void test_filter(void **state)
{
	const struct filter second = { .steps = "2" }, gemm = { .match = "gemm" };
	const struct expected only[] = { path[2], path[3] };
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &second };
	struct run r;
	struct made d;

	(void)state;
	draw(&r);
	q.run = &r;
	make(&d, &q, MARK_CRITICAL);
	expect(&d, path + 6, COUNT_OF(path) - 6);
	arena_clear(&d.mem);
	make(&d, &q, MARK_IDLE);
	expect(&d,
		(const struct expected[]){ { 100, 24, "CPU op", "gap:0@90000" },
			{ 129, 5, "launch", "gap:0@129000" },
			{ 144, 56, "Python", "gap:0@144000" } },
		3);
	arena_clear(&d.mem);
	q.filter = &gemm;
	make(&d, &q, MARK_CRITICAL);
	expect(&d, only, COUNT_OF(only));
	arena_clear(&d.mem);
	run_clear(&r);
}

static void test_idle(void **state)
{
	static const struct expected gaps[] = { { 0, 30, "data loader", "gap:0@0" },
		{ 90, 34, "Python", "gap:0@90000" }, { 144, 56, "Python", "gap:0@144000" } };
	struct mark_request q = {
		.analyses = &commands_all.analyses, .filter = &everything, .least = 10 * US
	};
	struct run r;
	struct made d;

	(void)state;
	draw(&r);
	q.run = &r;
	make(&d, &q, MARK_IDLE);
	expect(&d, gaps, COUNT_OF(gaps));
	assert_string_equal(d.m.v[0].lane, "idle, device 0");
	expect_text(&d.m.v[0], "before", "gemm");
	expect_text(&d.m.v[0], "the CPU was in", "enumerate(DataLoader)#_SingleProcess.__next__");
	expect_number(&d.m.v[0], "data loader ns", 20 * US);
	expect_text(&d.m.v[1], "after", "gemm");
	expect_number(&d.m.v[1], "launched after ns", 30 * US);
	assert_null(arg_of(&d.m.v[2], "before"));
	assert_int_equal(d.m.nflow, 0);
	arena_clear(&d.mem);
	run_clear(&r);
}

static void test_steps(void **state)
{
	static const struct expected steps[] = { { 0, 100, "step 1", "step:1" },
		{ 0, 0, "GPU busy %", NULL }, { 100, 100, "step 2", "step:2" },
		{ 100, 0, "GPU busy %", NULL }, { 200, 0, "GPU busy %", NULL } };
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &everything };
	struct run r;
	struct made d;

	(void)state;
	draw(&r);
	q.run = &r;
	make(&d, &q, MARK_STEPS);
	expect(&d, steps, COUNT_OF(steps));
	assert_int_equal(d.m.v[0].kind, MARK_SLICE);
	assert_int_equal(d.m.v[1].kind, MARK_COUNTER);
	expect_text(&d.m.v[0], "in the figures", "yes");
	expect_number(&d.m.v[1], "device 0", 60);
	expect_number(&d.m.v[3], "device 0", 15);
	expect_number(&d.m.v[4], "device 0", 0);
	arena_clear(&d.mem);
	run_clear(&r);
}

static void find(const struct mark_request *q, const char *id, nsec at, nsec us)
{
	struct interval v = { 0, 0 };
	struct err e;

	err_clear(&e);
	assert_int_equal(marks_find(q, id, &v, &e), OK);
	assert_int_equal(v.start, ZERO + at * US);
	assert_int_equal(v.end, ZERO + (at + us) * US);
}

static void miss(const struct mark_request *q, const char *id, enum status why)
{
	struct interval v;
	struct err e;

	err_clear(&e);
	assert_int_equal(marks_find(q, id, &v, &e), why);
	assert_non_null(strstr(e.text, id));
}

/* What the device waited for is found in the gap with most of it. */
static void test_findings(void **state)
{
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &everything };
	struct run r;
	struct made d;
	size_t i;

	(void)state;
	draw(&r);
	q.run = &r;
	find(&q, "G15", 90, 34);  /* sync */
	find(&q, "G10", 0, 30);   /* data loader */
	find(&q, "G01", 144, 56); /* idle */
	find(&q, "G15@90000+34000", 90, 34);
	find(&q, "gap:0@100us", 90, 34);
	find(&q, "step:2", 100, 100);
	miss(&q, "G13", E_NODATA); /* no collectives: nothing is found */
	miss(&q, "G99", E_USAGE);
	make(&d, &q, MARK_FINDINGS);
	assert_true(d.m.n > 3);
	for (i = 0; i < d.m.n; i++) {
		const struct mark *m = &d.m.v[i];

		assert_non_null(arg_of(m, "finding"));
		assert_true(m->id.n > 3 && m->id.p[3] == '@');
		assert_true(strncmp(m->lane, "finding ", 8) == 0);
		find(&q, m->id.p, (m->start - ZERO) / US, m->dur / US);
	}
	arena_clear(&d.mem);
	run_clear(&r);
}

/* Nothing to mark is no failure. */
static void test_empty(void **state)
{
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &everything };
	struct run r;
	struct made d;
	int s;

	(void)state;
	run_init(&r, all_needs());
	index_build(&r, all_needs());
	q.run = &r;
	for (s = 0; s < MARK_SOURCE_COUNT; s++) {
		make(&d, &q, (enum mark_source)s);
		assert_int_equal(d.m.nflow, 0);
		assert_int_equal(d.m.nleft, 0);
		if (s != MARK_STEPS && s != MARK_FINDINGS)
			assert_int_equal(d.m.n, 0);
		arena_clear(&d.mem);
	}
	run_clear(&r);
}

/* ---- properties ---- */

static void check_order(const struct marks *m)
{
	size_t i;

	for (i = 0; i < m->n; i++) {
		assert_true(m->v[i].dur >= 0);
		assert_true(m->v[i].kind == MARK_SLICE || m->v[i].dur == 0);
		assert_true(i == 0 || m->v[i - 1].start <= m->v[i].start);
	}
	for (i = 0; i < m->nflow; i++) {
		const struct mark *a = &m->v[m->flow[i].from], *b = &m->v[m->flow[i].to];

		assert_true(m->flow[i].from < m->flow[i].to && m->flow[i].to < m->n);
		assert_int_equal(a->start + a->dur, b->start);
		assert_int_not_equal(a->on, b->on);
	}
}

/* The pieces cover the steps that count, and nothing twice. */
static void check_tiles(const struct marks *path_marks, const struct marks *steps)
{
	nsec on_path = 0, in_steps = 0;
	size_t i;

	for (i = 0; i < path_marks->n; i++) {
		on_path += path_marks->v[i].dur;
		assert_true(i == 0 ||
			path_marks->v[i - 1].start + path_marks->v[i - 1].dur <=
				path_marks->v[i].start);
	}
	for (i = 0; i < steps->n; i++) {
		const struct mark_arg *a = arg_of(&steps->v[i], "in the figures");

		if (a && span_is(a->text, "yes"))
			in_steps += steps->v[i].dur;
	}
	assert_int_equal(on_path, in_steps);
}

/* A gap's id is that of a stretch around the mark; any other id is that of the mark itself. */
static void check_ids(const struct mark_request *q, const struct marks *m, bool are_gaps)
{
	struct interval v;
	struct err e;
	size_t i;

	err_clear(&e);
	for (i = 0; i < m->n; i += 1 + m->n / 50) {
		const struct mark *k = &m->v[i];

		if (k->id.n == 0)
			continue;
		assert_int_equal(marks_find(q, k->id.p, &v, &e), OK);
		assert_true(v.start <= k->start && v.end >= k->start + k->dur);
		assert_true(are_gaps || (v.start == k->start && v.end == k->start + k->dur));
	}
}

static void test_generated(void **state)
{
	static const char *const scenarios[] = { "healthy --steps 6", "dataloader-bound --steps 4",
		"comm-bound --steps 3", "multi-gpu --steps 3", "graphs --steps 3",
		"runs-ahead --steps 6", "inference --steps 2", "cpu-only --steps 3" };
	const struct loading how = { .needs = all_needs(), .threads = 1 };
	struct mark_request q = { .analyses = &commands_all.analyses, .filter = &everything };
	struct made d[MARK_SOURCE_COUNT];
	struct loaded l;
	size_t i;
	int s;

	(void)state;
	for (i = 0; i < COUNT_OF(scenarios); i += loading_every()) {
		struct str text = { 0 };

		if (!loading_fixture(&text, scenarios[i]))
			skip();
		loading_run(&l, (struct span){ text.s, text.n }, &how);
		assert_int_equal(l.status, OK);
		index_build(&l.run, all_needs());
		q.run = &l.run;
		for (s = 0; s < MARK_SOURCE_COUNT; s++) {
			make(&d[s], &q, (enum mark_source)s);
			check_order(&d[s].m);
			check_ids(&q, &d[s].m, s == MARK_IDLE);
		}
		check_tiles(&d[MARK_CRITICAL].m, &d[MARK_STEPS].m);
		for (s = 0; s < MARK_SOURCE_COUNT; s++)
			arena_clear(&d[s].mem);
		loading_release(&l);
		str_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_critical),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_generated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
