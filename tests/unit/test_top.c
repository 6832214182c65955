/*
 * `top` on small runs whose every figure is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis.h"
#include "analyze/store/index.h"
#include "analyze/top.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

/* How one test asks; what is not set is the default. */
struct ask {
	struct top_options opts;
	struct filter filter;
	const char *layout;
	bool for_people;
};

static struct ask defaults(void)
{
	struct ask a = { .layout = NULL };

	analysis_top.set_defaults(&a.opts);
	return a;
}

static void ask_about(struct hand_answer *h, struct run *r, const struct ask *a)
{
	const struct run *list[] = { r };
	const struct query q = { .run = list,
		.nrun = 1,
		.filter = &a->filter,
		.opts = &a->opts,
		.layout = a->layout,
		.for_people = a->for_people };

	index_build(r, analysis_top.needs);
	*h = (struct hand_answer){ 0 };
	err_clear(&h->err);
	result_init(&h->result, "traceq.top/1");
	(void)result_input(&h->result, "hand.json");
	h->status = analysis_top.compute(&q, &h->result, &h->exit_code, &h->err);
}

static bool has_note(const struct hand_answer *h, const char *id)
{
	size_t i;

	for (i = 0; i < h->result.nnote; i++)
		if (strcmp(h->result.note[i].id, id) == 0)
			return true;
	return false;
}

static size_t row_of(const struct table *t, const char *name)
{
	size_t row;

	assert_non_null(t);
	row = hand_find(t, "name", name);
	if (row == SIZE_MAX)
		fail_msg("no row '%s'", name);
	return row;
}

/*
 *	thread 1  step#5 [0 ------------------------------ 100)   step#6 [100 ----------- 200)
 *	          to       [10 ------------- 50)                  mm       [110 --- 140)
 *	          to          [12 --------- 46)   only child
 *	          copy          [15 ---- 35)
 *	          launch          [20 22)                          launch    [120 122)
 *	          mm                              [60 -- 90)
 *	          launch                            [70 72)
 *	stream 7 of device 0:  k1 [30 60)  k2 [50 ... 90)          k3 [150 160)
 *	                                   (stream 9, overlaps k1)
 */
static void training(struct run *r)
{
	uint32_t t, s7, s9;

	run_init(r, analysis_top.needs | NEED_SHAPES);
	t = hand_thread(r, 1);
	s7 = hand_stream(r, 0, 7);
	s9 = hand_stream(r, 0, 9);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#5", 0, 100);
	(void)hand_event(r, KIND_OP, t, "to", 10, 40);
	(void)hand_event(r, KIND_OP, t, "to", 12, 34);
	(void)hand_event(r, KIND_OP, t, "copy", 15, 20);
	(void)hand_event(r, KIND_OP, t, "mm", 60, 30);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#6", 100, 100);
	(void)hand_event(r, KIND_OP, t, "mm", 110, 30);
	(void)hand_launch(r, t, s7, 20, 30, 30, 1);
	(void)hand_launch(r, t, s9, 70, 50, 40, 2);
	(void)hand_launch(r, t, s7, 120, 150, 10, 3);
}

static void figures_of_ops(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	training(&r);
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "ops");

	row = row_of(t, "to"); /* counted twice, after the dedup once */
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "calls_dedup"), 1);
	assert_int_equal(hand_int(t, row, "cpu_total_ns"), 74);
	assert_int_equal(hand_int(t, row, "cpu_total_dedup_ns"), 40);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 6 + 14);
	assert_int_equal(hand_int(t, row, "self_cpu_dedup_ns"), 20);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 0);
	assert_int_equal(hand_int(t, row, "device_total_ns"), 30);
	assert_int_equal(hand_int(t, row, "min_ns"), 34);
	assert_int_equal(hand_int(t, row, "max_ns"), 40);
	assert_true(hand_real(t, row, "mean_ns") == 37);
	assert_true(hand_real(t, row, "p50_ns") == 37);
	assert_true(fabs(hand_real(t, row, "p95_ns") - 39.7) < 1e-9);

	row = row_of(t, "copy"); /* the launch is a child, except in the tree of ops only */
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 18);
	assert_int_equal(hand_int(t, row, "self_cpu_ops_ns"), 20);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 30);

	row = row_of(t, "mm");
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 56);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 50);
	assert_true(hand_real(t, row, "per_step_ns") == 28);

	row = row_of(t, "ProfilerStep*"); /* both steps */
	assert_int_equal(hand_int(t, row, "calls"), 2);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 30 + 70);
	assert_int_equal(hand_int(t, row, "device_total_ns"), 80);

	row = row_of(t, "cudaLaunchKernel");
	assert_false(hand_knows(t, row, "self_device_ns"));
	assert_false(hand_knows(t, row, "self_cpu_ops_ns"));

	/* the total: self times sum to the roots; the heaviest is first */
	assert_int_equal(t->nfoot, 1);
	assert_int_equal(hand_int(t, t->nrow - 1, "self_cpu_ns"), 200);
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_true(hand_real(t, 0, "share_ratio") == 0.5);
	assert_true(fabs(hand_real(t, t->nrow - 2, "cumulative_ratio") - 1) < 1e-12);
	hand_release(&h);
	run_clear(&r);
}

/* Overlapping kernels: their sum is 80, the time the device was busy 30-90 and 150-160. */
static void sum_and_busy(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "calls"), 3);
	t = hand_table(&h, "devices");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 70);
	assert_int_equal(hand_int(t, 0, "span_ns"), 130);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 60);
	assert_int_equal(hand_int(t, 0, "streams"), 2);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 80);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 70);
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), 200);
	assert_int_equal(hand_int(t, 0, "cpu_total_ops_ns"), 200);
	assert_int_equal(hand_int(t, 0, "steps"), 2);
	assert_true(hand_real(t, 0, "step_median_ns") == 100);
	hand_release(&h);
	run_clear(&r);
}

static void by_stream(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.by = "stream";
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_null(hand_table(&h, "ops"));
	assert_int_equal(hand_int(t, 0, "stream"), 7); /* a tie: by name */
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 40);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 40);
	assert_int_equal(hand_int(t, 1, "stream"), 9);
	hand_release(&h);
	run_clear(&r);
}

/* Step 6 alone: half of the mm calls, one kernel. */
static void one_step(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	a.filter.steps = "6";
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	row = row_of(t, "mm");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 10);
	assert_true(hand_real(t, row, "p95_ns") == 30);
	assert_int_equal(hand_find(t, "name", "copy"), SIZE_MAX);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), 10);
	assert_int_equal(hand_int(hand_table(&h, "totals"), 0, "cpu_total_ns"), 100);
	hand_release(&h);
	run_clear(&r);
}

/* Names filter rows, not the tree, and not what 100 % is. */
static void names_filter_rows(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.filter.match = "^mm$";
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "self_cpu_ns"), 56);
	assert_true(hand_real(t, 0, "share_ratio") == 0.28);
	assert_null(hand_table(&h, "device"));
	hand_release(&h);

	a.filter.match = "nothing";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_true(has_note(&h, "no_match"));
	hand_release(&h);

	a.filter.match = "(((";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

/* The rows that are cut are one foot row; with the total, nothing is lost. */
static void row_limit(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.limit = 2;
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 4);
	assert_int_equal(t->nfoot, 2);
	assert_int_equal(t->ncut, 3);
	assert_true(span_is(hand_text(t, 2, "name"), "... 3 more rows (-n 0 shows all)"));
	assert_int_equal(hand_int(t, 0, "self_cpu_ns") + hand_int(t, 1, "self_cpu_ns") +
			hand_int(t, 2, "self_cpu_ns"),
		hand_int(t, 3, "self_cpu_ns"));
	hand_release(&h);

	a.opts.limit = 0;
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(t->ncut, 0);
	hand_release(&h);
	run_clear(&r);
}

static void sorted_by(struct run *r, const char *key, const char *first)
{
	struct ask a = defaults();
	struct hand_answer h;

	a.opts.sort = key;
	a.opts.by = "name";
	ask_about(&h, r, &a);
	assert_int_equal(h.status, OK);
	if (!span_is(hand_text(hand_table(&h, "ops"), 0, "name"), first))
		fail_msg("--sort %s: not '%s'", key ? key : "(none)", first);
	hand_release(&h);
}

static void sort_keys(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	training(&r);
	sorted_by(&r, NULL, "mm"); /* self device time */
	sorted_by(&r, "gpu", "mm");
	sorted_by(&r, "self_cuda_time_total", "mm");
	sorted_by(&r, "self_xpu_time_total", "mm");
	sorted_by(&r, "cuda_time_total", "ProfilerStep*");
	sorted_by(&r, "privateuse1_time", "ProfilerStep*"); /* 80 / 2 */
	sorted_by(&r, "cpu", "ProfilerStep*");
	sorted_by(&r, "total", "ProfilerStep*");
	sorted_by(&r, "cpu_time", "ProfilerStep*");
	sorted_by(&r, "count", "cudaLaunchKernel");
	sorted_by(&r, "name", "ProfilerStep*"); /* capitals first */
	a.opts.sort = "self_cuda_time_totl";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	assert_non_null(strstr(h.err.hint, "'self_cuda_time_total'"));
	hand_release(&h);
	run_clear(&r);
}

/* Without device events: no table of them, no zeros, and it is said. */
static void cpu_only(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;

	(void)state;
	run_init(&r, analysis_top.needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_OP, thread, "a", 0, 10);
	(void)hand_event(&r, KIND_OP, thread, "b", 20, 30);
	a.opts.by = "name";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_null(hand_table(&h, "device"));
	t = hand_table(&h, "ops");
	assert_true(span_is(hand_text(t, 0, "name"), "b"));
	assert_false(hand_knows(t, 0, "self_device_ns"));
	assert_false(hand_knows(t, 0, "device_total_ns"));
	assert_false(hand_knows(t, 0, "per_step_ns"));
	assert_false(hand_knows(hand_table(&h, "totals"), 0, "device_busy_ns"));
	assert_true(has_note(&h, "no_device_events"));
	assert_true(has_note(&h, "sort_fallback"));
	assert_true(has_note(&h, "no_steps"));
	hand_release(&h);
	run_clear(&r);
}

/* Only device events, on two devices, one of them with two streams. */
static void device_only(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	run_init(&r, analysis_top.needs);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 1, 7), "k", 0, 100);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", 50, 100);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "c", 60, 20);
	(void)hand_event(&r, KIND_MEMCPY, hand_stream(&r, 0, 8), "c", 60, 0); /* no length */
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_null(hand_table(&h, "ops"));
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, row_of(t, "k"), "device_sum_ns"), 200);
	assert_int_equal(hand_int(t, row_of(t, "c"), "calls"), 2);
	assert_int_equal(hand_int(t, row_of(t, "c"), "min_ns"), 0);
	t = hand_table(&h, "devices");
	assert_int_equal(hand_int(t, 0, "device"), 0);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 100);
	assert_int_equal(hand_int(t, 0, "sum_ns"), 120);
	assert_int_equal(hand_int(t, 1, "busy_ns"), 100);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 200);
	assert_int_equal(hand_int(t, 0, "kernel_ns"), 200);
	assert_int_equal(hand_int(t, 0, "memcpy_ns"), 20);
	hand_release(&h);
	run_clear(&r);
}

/* One call launches a graph of two kernels: both are the op's. */
static void graph_launch(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, s, call, k1, k2;

	(void)state;
	run_init(&r, analysis_top.needs);
	thread = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_OP, thread, "replay", 0, 100);
	call = hand_event(&r, KIND_RUNTIME, thread, "cudaGraphLaunch", 10, 5);
	k1 = hand_event(&r, KIND_KERNEL, s, "k1", 20, 30);
	k2 = hand_event(&r, KIND_KERNEL, s, "k2", 60, 11);
	hand_ids(&r, call, 9, 0);
	hand_ids(&r, k1, 9, 0);
	hand_ids(&r, k2, 9, 0);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, row_of(t, "replay"), "self_device_ns"), 41);
	hand_release(&h);
	run_clear(&r);
}

static void empty_run(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, analysis_top.needs);
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	assert_true(has_note(&h, "no_rows"));
	assert_null(hand_table(&h, "ops"));
	hand_release(&h);
	run_clear(&r);
}

/* Durations near the end of int64 do not overflow. */
static void huge_durations(void **state)
{
	const struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t s;
	int i;

	(void)state;
	run_init(&r, analysis_top.needs);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < 3; i++) {
		(void)hand_event(&r, KIND_KERNEL, s, "k", 0, INT64_MAX - 1);
		(void)hand_event(&r, KIND_OP, hand_thread(&r, i), "op", 0, INT64_MAX - 1);
	}
	ask_about(&h, &r, &a);
	t = hand_table(&h, "device");
	assert_int_equal(hand_int(t, 0, "device_sum_ns"), INT64_MAX);
	assert_int_equal(hand_int(hand_table(&h, "devices"), 0, "busy_ns"), INT64_MAX - 1);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), INT64_MAX);
	hand_release(&h);
	run_clear(&r);
}

/* --tree: paths, not names. */
static void tree(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	a.opts.tree = true;
	training(&r);
	ask_about(&h, &r, &a);
	t = hand_table(&h, "tree");
	assert_int_equal(t->nrow, 7);
	/* ProfilerStep*: to > to > copy > launch, mm > launch; larger siblings first */
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_int_equal(hand_int(t, 0, "calls"), 2);
	assert_int_equal(hand_int(t, 0, "device_total_ns"), 80);
	assert_int_equal(hand_int(t, 0, "self_device_ns"), 0);
	assert_true(span_is(hand_text(t, 1, "name"), "mm"));
	assert_int_equal(hand_int(t, 1, "cpu_total_ns"), 60);
	assert_int_equal(hand_int(t, 1, "self_device_ns"), 50);
	assert_int_equal(hand_int(t, 1, "depth"), 1);
	assert_true(span_is(hand_text(t, 2, "name"), "cudaLaunchKernel"));
	assert_int_equal(hand_int(t, 2, "calls"), 2);
	assert_int_equal(hand_int(t, 2, "parent_path"), hand_int(t, 1, "path"));
	assert_true(span_is(hand_text(t, 3, "name"), "to"));
	assert_true(span_is(hand_text(t, 4, "name"), "to"));
	assert_int_equal(hand_int(t, 4, "depth"), 2);
	assert_true(span_is(hand_text(t, 5, "name"), "copy"));
	assert_int_equal(hand_int(t, 5, "self_device_ns"), 30);
	hand_release(&h);

	a.opts.depth = 2;
	ask_about(&h, &r, &a);
	assert_int_equal(hand_table(&h, "tree")->nrow, 3);
	hand_release(&h);

	a.opts.depth = 0; /* what is shown hangs together: copy needs its callers */
	a.opts.limit = 1;
	a.opts.sort = "self_cuda_time_total";
	a.filter.exclude = "^mm$";
	ask_about(&h, &r, &a);
	t = hand_table(&h, "tree");
	assert_int_equal(t->nrow - t->nfoot, 4);
	assert_true(span_is(hand_text(t, 3, "name"), "copy"));
	hand_release(&h);
	run_clear(&r);
}

/* torch's table: after the dedup, device work as rows, hidden names out of the tree. */
static void torch_layout(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	a.layout = "torch";
	training(&r);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "aten::is_leaf", 85, 4); /* in mm */
	ask_about(&h, &r, &a);
	assert_int_equal(h.result.ntable, 1);
	t = hand_table(&h, "key_averages");
	assert_int_equal(t->layout, TABLE_TORCH);
	assert_int_equal(hand_find(t, "name", "aten::is_leaf"), SIZE_MAX);
	/* in the order of the first events */
	assert_true(span_is(hand_text(t, 0, "name"), "ProfilerStep*"));
	assert_true(span_is(hand_text(t, 1, "name"), "to"));
	assert_true(span_is(hand_text(t, 2, "name"), "copy"));
	assert_true(span_is(hand_text(t, 3, "name"), "cudaLaunchKernel"));
	assert_true(span_is(hand_text(t, 4, "name"), "kernel"));
	assert_true(span_is(hand_text(t, 5, "name"), "mm"));
	row = row_of(t, "to");
	assert_int_equal(hand_int(t, row, "calls"), 1);
	assert_int_equal(hand_int(t, row, "cpu_total_ns"), 40);
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 20);
	row = row_of(t, "mm");
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 56); /* is_leaf is mm's own time */
	assert_int_equal(hand_int(t, row, "self_device_ns"), 50);
	assert_true(hand_real(t, row, "self_device_ratio") == 0.625);
	row = row_of(t, "kernel");
	assert_int_equal(hand_int(t, row, "self_cpu_ns"), 0);
	assert_int_equal(hand_int(t, row, "self_device_ns"), 80);
	assert_int_equal(hand_int(t, row, "calls"), 3);
	assert_string_equal(
		t->footnote, "Self CPU time total: 0.200us\nSelf CUDA time total: 0.080us");
	hand_release(&h);

	a.opts.sort = "self_cuda_time_total";
	a.opts.limit = 2;
	ask_about(&h, &r, &a);
	t = hand_table(&h, "key_averages");
	assert_int_equal(t->nrow - t->nfoot, 2);
	assert_int_equal(t->ncut, 4);
	assert_true(span_is(hand_text(t, 0, "name"), "kernel"));
	assert_true(span_is(hand_text(t, 1, "name"), "mm"));
	/* widths come from all rows: the longest name of those that were cut */
	assert_true(span_is(hand_text(t, 2, "name"), "cudaLaunchKernel"));
	hand_release(&h);
	run_clear(&r);
}

static void by_shape(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, row;
	int i;

	(void)state;
	run_init(&r, analysis_top.needs | NEED_SHAPES);
	thread = hand_thread(&r, 1);
	for (i = 0; i < 3; i++) {
		row = hand_event(&r, KIND_OP, thread, "mm", 100 * i, 10 + i);
		r.args.col[ARG_OP_DIMS].sym[r.events.args[row] - 1] =
			strings_intern(&r.strings, i < 2 ? SPAN("[[4,4]]") : SPAN("[[8,8]]"));
	}
	a.opts.by = "shape";
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 3);
	assert_true(span_is(hand_text(t, 0, "input_shapes"), "[[4,4]]"));
	assert_int_equal(hand_int(t, 0, "self_cpu_ns"), 21);
	assert_true(hand_real(t, 0, "p50_ns") == 10.5);
	assert_true(span_is(hand_text(t, 1, "input_shapes"), "[[8,8]]"));
	assert_false(has_note(&h, "no_shapes"));
	hand_release(&h);
	run_clear(&r);
}

/*
 *	thread 1  loader [0 10)   conv [20 30)   backward [40 -------- 60)   Optimizer [70 80)
 *	                                           conv      [45 50)           add      [72 75)
 */
static void by_phase(void **state)
{
	static const struct {
		const char *phase;
		int64_t self, calls;
	} want[] = {
		{ "backward", 20, 2 },
		{ "data loading", 10, 1 },
		{ "forward", 10, 1 },
		{ "optimizer", 10, 2 },
	};
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;
	size_t i;

	(void)state;
	run_init(&r, analysis_top.needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(
		&r, KIND_ANNOTATION, thread, "enumerate(DataLoader)#_Single.__next__", 0, 10);
	(void)hand_event(&r, KIND_OP, thread, "conv", 20, 10);
	(void)hand_event(&r, KIND_OP, thread, "autograd::engine::evaluate_function: C", 40, 20);
	(void)hand_event(&r, KIND_OP, thread, "conv", 45, 5);
	(void)hand_event(&r, KIND_ANNOTATION, thread, "Optimizer.step#SGD.step", 70, 10);
	(void)hand_event(&r, KIND_OP, thread, "add", 72, 3);
	a.opts.by = "phase";
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(t->nrow, 5);
	for (i = 0; i < COUNT_OF(want); i++) {
		assert_int_equal(
			hand_int(t, row_of(t, want[i].phase), "self_cpu_ns"), want[i].self);
		assert_int_equal(hand_int(t, row_of(t, want[i].phase), "calls"), want[i].calls);
	}
	hand_release(&h);
	run_clear(&r);
}

static void memory_record(struct run *r, uint32_t lane, nsec at, int64_t bytes, int64_t type)
{
	uint32_t row = hand_event(r, KIND_MEMORY, lane, "[memory]", at, 0), args;

	args = r->events.args[row] - 1;
	r->args.col[ARG_MEMORY_BYTES].i64[args] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[args] = type;
}

/*
 *	thread 1  outer [0 ------------------ 100)
 *	          inner     [20 --- 50)
 *	          +64 cpu 5   +512 gpu 30   -128 gpu 70
 *	thread 2  +1000 gpu 40                     ours: nobody's; torch: outer's and inner's
 */
static void memory(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t t1, t2;
	size_t row;

	(void)state;
	run_init(&r, analysis_top.needs | NEED_MEMORY);
	t1 = hand_thread(&r, 1);
	t2 = hand_thread(&r, 2);
	(void)hand_event(&r, KIND_OP, t1, "outer", 0, 100);
	(void)hand_event(&r, KIND_OP, t1, "inner", 20, 30);
	memory_record(&r, t2, 40, 1000, 1);
	memory_record(&r, t1, 70, -128, 1);
	memory_record(&r, t1, 5, 64, 0);
	memory_record(&r, t1, 30, 512, 1);
	a.opts.memory = true;
	ask_about(&h, &r, &a);
	t = hand_table(&h, "ops");
	row = row_of(t, "outer");
	assert_int_equal(hand_int(t, row, "cpu_bytes"), 64);
	assert_int_equal(hand_int(t, row, "self_cpu_bytes"), 64);
	assert_int_equal(hand_int(t, row, "device_bytes"), 384);
	assert_int_equal(hand_int(t, row, "self_device_bytes"), -128);
	assert_int_equal(hand_int(t, row_of(t, "inner"), "self_device_bytes"), 512);
	hand_release(&h);

	a.opts.sort = "mem";
	ask_about(&h, &r, &a);
	assert_true(span_is(hand_text(hand_table(&h, "ops"), 0, "name"), "inner"));
	hand_release(&h);

	a.layout = "torch";
	ask_about(&h, &r, &a);
	t = hand_table(&h, "key_averages");
	assert_int_equal(hand_int(t, row_of(t, "inner"), "device_bytes"), 1512);
	assert_int_equal(hand_int(t, row_of(t, "outer"), "device_bytes"), 1384);
	assert_int_equal(hand_int(t, row_of(t, "outer"), "self_device_bytes"), -128);
	hand_release(&h);
	run_clear(&r);
}

/* --rank leaves runs out; without one that is wanted there is no answer. */
static void ranks(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	training(&r);
	r.meta.rank = 3;
	a.filter.rank = "2-4";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, OK);
	hand_release(&h);
	a.filter.rank = "0";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
}

/* What makes no sense together is refused. */
static void contradictions(void **state)
{
	struct ask a = defaults();
	struct hand_answer h;
	struct run r;

	(void)state;
	training(&r);
	a.opts.tree = true;
	a.opts.by = "name";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	a = defaults();
	a.layout = "torch";
	a.opts.by = "stream";
	ask_about(&h, &r, &a);
	assert_int_equal(h.status, E_USAGE);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_ops),
		cmocka_unit_test(sum_and_busy),
		cmocka_unit_test(by_stream),
		cmocka_unit_test(one_step),
		cmocka_unit_test(names_filter_rows),
		cmocka_unit_test(row_limit),
		cmocka_unit_test(sort_keys),
		cmocka_unit_test(cpu_only),
		cmocka_unit_test(device_only),
		cmocka_unit_test(graph_launch),
		cmocka_unit_test(empty_run),
		cmocka_unit_test(huge_durations),
		cmocka_unit_test(tree),
		cmocka_unit_test(torch_layout),
		cmocka_unit_test(by_shape),
		cmocka_unit_test(by_phase),
		cmocka_unit_test(memory),
		cmocka_unit_test(ranks),
		cmocka_unit_test(contradictions),
	};

	return cmocka_run_group_tests_name("top", tests, NULL, NULL);
}
