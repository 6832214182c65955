/* Critical: every table of a drawn run by hand; what is asked for with --what-if, and what is not
 * understood. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/critical/critical.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS | NEED_CALLS | NEED_SYNC, US = 1000 };
enum { MATMUL = 1, ADD, SIDE };

static void call(struct run *r, uint32_t t, const char *name, nsec at, nsec end, uint64_t id)
{
	hand_ids(r, hand_event(r, KIND_RUNTIME, t, name, at * US, (end - at) * US), id, 0);
}

static void work(struct run *r, uint32_t q, const char *name, nsec at, nsec end, uint64_t id)
{
	hand_ids(r, hand_event(r, KIND_KERNEL, q, name, at * US, (end - at) * US), id, 0);
}

static void span(struct run *r, enum kind kind, uint32_t t, const char *name, nsec at, nsec end)
{
	(void)hand_event(r, kind, t, name, at * US, (end - at) * US);
}

/* In us.
 *
 *	step      #1 [0 100)                                      #2 [100 200)
 *	thread    load [0 20)  mm [20 40)         sync [60 95)    add [110 150)
 *	launches               [25 35)                            [120 125)  [130 135)
 *	stream 7                   gemm [30 90)                        tiny [124 129)
 *	stream 9                                                                 side [134 144)
 *
 *	path      load 20, mm 5, delay 5, gemm 60, return 5, step 5
 *	          step 10, add 10, launch 5, add 5, launch 5, add 15, step 50 */
static void draw(struct run *r)
{
	uint32_t t, q7, q9;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	q7 = hand_stream(r, 0, 7);
	q9 = hand_stream(r, 0, 9);
	span(r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	span(r, KIND_ANNOTATION, t, "enumerate(DataLoader)#_SingleProcess.__next__", 0, 20);
	span(r, KIND_OP, t, "aten::mm", 20, 40);
	call(r, t, "cudaLaunchKernel", 25, 35, MATMUL);
	call(r, t, "cudaDeviceSynchronize", 60, 95, 0);
	span(r, KIND_ANNOTATION, t, "ProfilerStep#2", 100, 200);
	span(r, KIND_OP, t, "aten::add", 110, 150);
	call(r, t, "cudaLaunchKernel", 120, 125, ADD);
	call(r, t, "cudaLaunchKernel", 130, 135, SIDE);
	work(r, q7, "gemm", 30, 90, MATMUL);
	work(r, q7, "tiny", 124, 129, ADD);
	work(r, q9, "side", 134, 144, SIDE);
}

struct asked {
	struct run run;
	struct hand_answer h;
};

static void ask(struct asked *a, const struct critical_options *o)
{
	const struct filter filter = { 0 };
	const struct run *list[] = { &a->run };
	const struct query q = { .run = list, .nrun = 1, .filter = &filter, .opts = o };

	draw(&a->run);
	index_build(&a->run, analysis_critical.runs.needs);
	a->h = (struct hand_answer){ 0 };
	err_clear(&a->h.err);
	result_init(&a->h.result, "test/1");
	(void)result_input(&a->h.result, "hand.json");
	a->h.status =
		analysis_answer(&analysis_critical, &q, &a->h.result, &a->h.exit_code, &a->h.err);
	assert_int_equal(a->h.status, OK);
}

static void done(struct asked *a)
{
	hand_release(&a->h);
	run_clear(&a->run);
}

static void ask_plain(struct asked *a)
{
	const struct critical_options o = { .limit = 0, .list = true };

	ask(a, &o);
}

struct expected {
	const char *what;
	nsec us;
	int64_t segments;
};

static void assert_rows(
	const struct table *t, const char *label, const struct expected *v, size_t n)
{
	size_t i;

	assert_int_equal(t->nrow, n);
	for (i = 0; i < n; i++) {
		assert_true(span_is(hand_text(t, i, label), v[i].what));
		assert_int_equal(hand_int(t, i, "on_path_ns"), v[i].us * US);
		assert_int_equal(hand_int(t, i, "segments"), v[i].segments);
	}
}

static void test_path(void **state)
{
	static const struct expected owners[] = { { "Python", 65, 3 }, { "kernel", 60, 1 },
		{ "CPU op", 35, 4 }, { "data loader", 20, 1 }, { "launch call", 10, 2 },
		{ "launch delay", 5, 1 }, { "sync return", 5, 1 } };
	static const struct expected phases[] = { { "forward", 110, 8 }, { "other", 70, 4 },
		{ "data loading", 20, 1 } };
	struct asked a;
	const struct table *t;

	(void)state;
	ask_plain(&a);
	assert_rows(hand_table(&a.h, "path"), "class", owners, COUNT_OF(owners));
	assert_rows(hand_table(&a.h, "phases"), "phase", phases, COUNT_OF(phases));
	t = hand_table(&a.h, "path");
	assert_true(hand_real(t, 1, "share_ratio") == 0.3);
	assert_true(hand_real(t, 1, "per_step_ns") == 30 * US);
	t = hand_table(&a.h, "bound");
	assert_int_equal(hand_int(t, 0, "window_ns"), 200 * US);
	assert_int_equal(hand_int(t, 0, "steps"), 2);
	/* CPU ops, Python, the launching calls and the delay: 115 */
	assert_true(span_is(hand_text(t, 0, "bound"), "host"));
	assert_true(hand_real(t, 0, "bound_ratio") == 0.575);
	done(&a);
}

static void test_steps(void **state)
{
	struct asked a;
	const struct table *t;

	(void)state;
	ask_plain(&a);
	t = hand_table(&a.h, "steps");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "step"), 1);
	assert_int_equal(hand_int(t, 0, "duration_ns"), 100 * US);
	assert_int_equal(hand_int(t, 0, "kernel_ns"), 60 * US);
	assert_int_equal(hand_int(t, 0, "dataloader_ns"), 20 * US);
	assert_int_equal(hand_int(t, 0, "cpu_op_ns"), 5 * US);
	assert_int_equal(hand_int(t, 0, "launch_delay_ns"), 5 * US);
	assert_int_equal(hand_int(t, 0, "sync_return_ns"), 5 * US);
	assert_int_equal(hand_int(t, 0, "python_ns"), 5 * US);
	assert_int_equal(hand_int(t, 0, "host_bound_ns"), 15 * US);
	assert_int_equal(hand_int(t, 1, "duration_ns"), 100 * US);
	assert_int_equal(hand_int(t, 1, "kernel_ns"), 0);
	assert_int_equal(hand_int(t, 1, "launch_ns"), 10 * US);
	assert_int_equal(hand_int(t, 1, "host_bound_ns"), 100 * US);
	done(&a);
}

static void assert_owner(const struct table *t, const char *name, const char *class, nsec us,
	nsec total, const char *op)
{
	size_t i;

	for (i = 0; i < t->nrow; i++)
		if (span_is(hand_text(t, i, "name"), name) &&
			span_is(hand_text(t, i, "class"), class))
			break;
	assert_true(i < t->nrow);
	assert_int_equal(hand_int(t, i, "on_path_ns"), us * US);
	assert_int_equal(hand_int(t, i, "total_ns"), total < 0 ? INT64_MIN : total * US);
	assert_true(span_is(hand_text(t, i, "op"), op));
}

static void test_owners(void **state)
{
	struct asked a;
	const struct table *t;

	(void)state;
	ask_plain(&a);
	t = hand_table(&a.h, "owners");
	assert_int_equal(t->nrow, 8);
	assert_owner(t, "ProfilerStep*", "Python", 65, 85, "");
	assert_owner(t, "gemm", "kernel", 60, 60, "aten::mm");
	assert_owner(t, "gemm", "launch delay", 5, -1, "aten::mm");
	assert_owner(t, "aten::mm", "CPU op", 5, 10, "");
	assert_owner(t, "aten::add", "CPU op", 30, 30, "");
	assert_owner(t, "cudaLaunchKernel", "launch call", 10, 20, "aten::add");
	assert_owner(t, "cudaDeviceSynchronize", "sync return", 5, -1, "ProfilerStep*");
	assert_true(hand_real(t, 0, "of_total_ratio") == 65.0 / 85);
	done(&a);
}

static void test_slack(void **state)
{
	struct asked a;
	const struct table *t;
	size_t row;

	(void)state;
	ask_plain(&a);
	t = hand_table(&a.h, "slack");
	assert_int_equal(t->nrow, 2);
	row = hand_find(t, "name", "tiny");
	assert_int_equal(hand_int(t, row, "total_ns"), 5 * US);
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "least_slack_ns"), 71 * US); /* 129 to 200 */
	assert_true(hand_real(t, row, "median_slack_ns") == 71 * US);
	assert_true(span_is(hand_text(t, row, "op"), "aten::add"));
	row = hand_find(t, "name", "side");
	assert_int_equal(hand_int(t, row, "least_slack_ns"), 56 * US); /* 144 to 200 */
	done(&a);
}

static void test_segments(void **state)
{
	static const struct {
		nsec at, us;
		const char *class, *name, *lane;
	} all[] = {
		{ 0, 20, "data loader", "enumerate(DataLoader)#_SingleProcess.__next__", "100/1" },
		{ 20, 5, "CPU op", "aten::mm", "100/1" },
		{ 25, 5, "launch delay", "gemm", "0:7" },
		{ 30, 60, "kernel", "gemm", "0:7" },
		{ 90, 5, "sync return", "cudaDeviceSynchronize", "100/1" },
		{ 95, 5, "Python", "ProfilerStep#1", "100/1" },
		{ 100, 10, "Python", "ProfilerStep#2", "100/1" },
	};
	struct asked a;
	const struct table *t;
	size_t i;

	(void)state;
	ask_plain(&a);
	t = hand_table(&a.h, "segments");
	assert_int_equal(t->nrow, 13);
	for (i = 0; i < COUNT_OF(all); i++) {
		assert_int_equal(hand_int(t, i, "at_ns"), all[i].at * US);
		assert_int_equal(hand_int(t, i, "duration_ns"), all[i].us * US);
		assert_true(span_is(hand_text(t, i, "class"), all[i].class));
		assert_true(span_is(hand_text(t, i, "name"), all[i].name));
		assert_true(span_is(hand_text(t, i, "lane"), all[i].lane));
		assert_int_equal(hand_int(t, i, "step"), i < 6 ? 1 : 2);
	}
	done(&a);
}

static void assert_saves(const struct hand_answer *h, const char *scenario, double us)
{
	const struct table *t = hand_table(h, "what_if");
	size_t row = hand_find(t, "scenario", scenario);

	assert_true(row < t->nrow);
	assert_int_equal(hand_int(t, row, "saves_ns"), (nsec)(us * US));
	assert_int_equal(hand_int(t, row, "window_then_ns"), (nsec)((200 - us) * US));
	assert_true(hand_real(t, row, "step_then_ns") == (200 - us) * US / 2);
	assert_true(hand_real(t, row, "step_now_ns") == 100 * US);
}

/* Every scenario that means something here, and none that does not. */
static void test_what_if(void **state)
{
	struct asked a;
	const struct table *t;
	size_t i;

	(void)state;
	ask_plain(&a);
	t = hand_table(&a.h, "what_if");
	assert_int_equal(t->nrow, 8); /* with matmul and other kernels */
	/* Not waiting, the host takes 20 for the loader and half of 40, of the call's 2 and of 105;
	 * gemm has ended by then. */
	assert_true(span_is(hand_text(t, 0, "scenario"), "host=0.5,sync=0"));
	assert_saves(&a.h, "host=0.5,sync=0", 106.5);
	/* All but loader, gemm and return: half of 10, of 100, and of the delay of 5, in the call.
	 */
	assert_saves(&a.h, "host=0.5", 57.5);
	assert_saves(&a.h, "kernel:^\\Qgemm\\E$=0.5", 30);
	assert_saves(&a.h, "dataloader=0", 20);
	assert_saves(&a.h, "kernel=0.5", 30); /* nothing hangs on the others */
	assert_true(hand_find(t, "scenario", "sync=0") < t->nrow);
	for (i = 1; i < t->nrow; i++)
		assert_true(hand_int(t, i - 1, "saves_ns") >= hand_int(t, i, "saves_ns"));
	assert_int_equal(hand_int(hand_table(&a.h, "bound"), 0, "best_ns"), 57500);
	done(&a);
}

static void test_asked_for(void **state)
{
	const char *words[] = { "dataloader=0,kernel:ge=40us", "op:add=2", "op:mm=1" };
	const struct critical_options o = { .limit = 0, .what_if = { words, COUNT_OF(words) } };
	struct asked a;
	const struct table *t;

	(void)state;
	ask(&a, &o);
	t = hand_table(&a.h, "what_if");
	assert_int_equal(t->nrow, 13);
	/* 20 + 20, but add takes 40 more */
	assert_true(span_is(
		hand_text(t, 0, "scenario"), "dataloader=0,kernel:ge=40us,op:add=2,op:mm=1"));
	assert_true(span_is(hand_text(t, 0, "given"), "all"));
	assert_int_equal(hand_int(t, 0, "saves_ns"), 0);
	assert_true(span_is(hand_text(t, 1, "given"), "one"));
	assert_int_equal(hand_int(t, 1, "saves_ns"), 20 * US);
	assert_int_equal(hand_int(t, 2, "saves_ns"), 20 * US);
	assert_int_equal(hand_int(t, 3, "saves_ns"), -40 * US);
	assert_int_equal(hand_int(t, 4, "saves_ns"), 0);
	assert_false(hand_knows(t, 5, "given"));
	done(&a);
}

/* A name that nothing of its kind has is said, and a kind of which there is nothing. */
static void nothing_matches(const char *what)
{
	const char *words[] = { what };
	const struct critical_options o = { .limit = 0, .what_if = { words, 1 } };
	struct asked a;
	size_t i;
	bool said = false;

	ask(&a, &o);
	assert_int_equal(hand_int(hand_table(&a.h, "what_if"), 0, "saves_ns"), 0);
	assert_true(span_is(hand_text(hand_table(&a.h, "what_if"), 0, "given"), "all"));
	for (i = 0; i < a.h.result.nnote; i++)
		said |= strcmp(a.h.result.note[i].id, "what_if_unmatched") == 0;
	assert_true(said);
	done(&a);
}

static void test_nothing_matches(void **state)
{
	(void)state;
	nothing_matches("kernel:conv=0");
	nothing_matches("comm=hidden");
	nothing_matches("copy=0");
}

static const struct {
	const char *text;
	size_t n; /* 0: refused */
	enum change_kind kind;
	double factor;
	nsec ns;
	const char *regex;
} given[] = {
	{ "kernel=0.5", 1, CHANGE_KERNEL, 0.5, -1, NULL },
	{ "kernel:a=b=2", 1, CHANGE_KERNEL, 2, -1, "a=b" },
	{ "op:a{1,2}=1.5ms", 1, CHANGE_OP, 1, 1500000, "a{1,2}" },
	{ "copy:x,gap=0", 0, CHANGE_COPY, 0, 0, NULL },
	{ "copy:x=1,gap=0", 2, CHANGE_COPY, 1, -1, "x" },
	{ "launch:aten::mm=0", 1, CHANGE_LAUNCH, 0, -1, "aten::mm" },
	{ "comm=hidden", 1, CHANGE_COMM, 1, -1, NULL },
	{ "comm:All=hidden", 1, CHANGE_COMM, 1, -1, "All" },
	{ "sync=0", 1, CHANGE_SYNC, 0, -1, NULL },
	{ "host:x=5us", 1, CHANGE_HOST, 1, 5000, "x" },
	{ "host=5us", 0, CHANGE_HOST, 0, 0, NULL },
	{ "sync=0.5", 0, CHANGE_SYNC, 0, 0, NULL },
	{ "copy=hidden", 0, CHANGE_COPY, 0, 0, NULL },
	{ "kernel", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernel:x", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernel:=1", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernel:(=1", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernel=-1", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernel=nan", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "kernels=1", 0, CHANGE_KERNEL, 0, 0, NULL },
	{ "", 0, CHANGE_KERNEL, 0, 0, NULL },
};

static void test_words(void **state)
{
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(given); i++) {
		const char *words[] = { given[i].text };
		const struct opt_list list = { words, 1 };
		struct critical_given g;
		struct arena mem = { 0 };
		struct err e;

		if (given[i].n == 0) {
			assert_int_equal(critical_read_given(&g, &list, &mem, &e), E_USAGE);
			arena_clear(&mem);
			continue;
		}
		assert_int_equal(critical_read_given(&g, &list, &mem, &e), OK);
		assert_int_equal(g.n, given[i].n);
		assert_int_equal(g.v[0].change.kind, given[i].kind);
		assert_true(g.v[0].change.factor == given[i].factor);
		assert_int_equal(g.v[0].change.ns, given[i].ns);
		assert_int_equal(g.v[0].regex != NULL, given[i].regex != NULL);
		if (given[i].regex)
			assert_string_equal(g.v[0].regex, given[i].regex);
		arena_clear(&mem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_path),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_slack),
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_asked_for),
		cmocka_unit_test(test_nothing_matches),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
