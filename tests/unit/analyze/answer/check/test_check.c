/* check: counts by hand, and every reason why a trace is reliable or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/check/check.h"
#include "analyze/analysis/analysis.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

#define assert_text(t, row, key, want) assert_true(span_is(hand_text(t, row, key), want))

static int64_t count_of(const struct hand_answer *h, const char *check)
{
	const struct table *t = hand_table(h, "health");

	return hand_int(t, hand_find(t, "check", check), "count");
}

#define assert_verdict(h, check, want)                                                          \
	assert_true(                                                                            \
		span_is(hand_text(hand_table(h, "health"),                                      \
				hand_find(hand_table(h, "health"), "check", check), "verdict"), \
			want))

/* What the verdict line says about a run, which is released; the exit code must fit. */
static void assert_reliable(struct run *r, const char *want)
{
	struct hand_answer h;

	hand_ask(&h, &analysis_check, r, false);
	assert_int_equal(h.status, OK);
	assert_text(hand_table(&h, "verdict"), 0, "reliable", want);
	assert_int_equal(h.exit_code, span_is(SPAN("no"), want));
	assert_int_equal(h.result.nnote, span_is(SPAN("no"), want));
	hand_release(&h);
	run_clear(r);
}

/*
 *	thread 1   op [0      100)                       x [200 220)
 *	           c1 [10 12)  c2 [20 22)    c3 [120 122)   y [210    230)   crosses x
 *	           graph c4 [130 132)  memset c5 [140 142), nothing on the device
 *	stream 7   k1 (c1) [15 25)           5 ns after the start of its call, 3 after the end
 *	           copy (c2) [21 21)         1 after the start, 1 before the end; duration 0
 *	           k3 (c3) [118 128)         2 before the start, 4 before the end
 *	           g (c4) [150 160) [160 170)
 *	           lost [300 340), correlation 99    loose [350 351), no correlation
 */
static void make_run(struct run *r)
{
	uint32_t t, s, c2, c4, row;

	run_init(r, analysis_check.runs.needs);
	t = hand_thread(r, 1);
	s = hand_stream(r, 0, 7);
	row = hand_event(r, KIND_OP, t, "op", 0, 100);
	hand_ids(r, row, 0, 7);
	(void)hand_event(r, KIND_OP, t, "x", 200, 20);
	row = hand_event(r, KIND_OP, t, "y", 210, 20);
	r->events.flags[row] = EVENT_CUT;
	row = hand_launch(r, t, s, 10, 15, 10, 1);
	hand_ids(r, row, 1, 7);
	c2 = hand_event(r, KIND_RUNTIME, t, "cudaMemcpyAsync", 20, 2);
	row = hand_event(r, KIND_MEMCPY, s, "Memcpy HtoD", 21, 0);
	hand_ids(r, c2, 2, 0);
	hand_ids(r, row, 2, 8);
	(void)hand_launch(r, t, s, 120, 118, 10, 3);
	c4 = hand_event(r, KIND_RUNTIME, t, "cudaGraphLaunch", 130, 2);
	hand_ids(r, c4, 4, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "g", 150, 10), 4, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "g", 160, 10), 4, 0);
	hand_ids(r, hand_event(r, KIND_RUNTIME, t, "cudaMemsetAsync", 140, 2), 5, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "lost", 300, 40), 99, 0);
	(void)hand_event(r, KIND_KERNEL, s, "loose", 350, 1);
	hand_count(r, "kernel", 'X', 6);
	hand_count(r, NULL, 'M', 9);
	hand_count(r, NULL, 'i', 2);
}

static void counts(void **state)
{
	static const struct {
		const char *check;
		int64_t count;
	} want[] = {
		{ "events", 15 },
		{ "lost_events", 0 },
		{ "window_end_missing", 0 },
		{ "no_category", 11 },
		{ "unfinished", 0 },
		{ "cut_by_window", 1 },
		{ "partial_overlap", 1 },
		{ "device_linked", 3 },
		{ "device_graph_linked", 2 },
		{ "device_unlinked", 2 },
		{ "launched_before", 0 },
		{ "unlinked_with_op", 0 },
		{ "no_correlation", 1 },
		{ "duplicate_correlation", 0 },
		{ "no_external_op", 6 },
		{ "outside_ops", 3 },
		{ "launch_without_device", 1 },
		{ "before_launch", 1 },
		{ "zero_duration_device", 1 },
		{ "no_steps", 1 },
		{ "steps_incomplete", 0 },
		{ "truncated_json", 0 },
		{ "transcoded", 0 },
	};
	const struct table *t;
	struct hand_answer h;
	struct run r;
	size_t i;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_check, &r, false);
	for (i = 0; i < COUNT_OF(want); i++)
		assert_int_equal(count_of(&h, want[i].check), want[i].count);
	t = hand_table(&h, "health");
	i = hand_find(t, "check", "partial_overlap");
	assert_int_equal(hand_int(t, i, "first_at_ns"), 210);
	i = hand_find(t, "check", "device_unlinked");
	assert_int_equal(hand_int(t, i, "first_at_ns"), 300);
	assert_true(hand_real(t, i, "share_ratio") == 2.0 / 7);
	i = hand_find(t, "check", "before_launch");
	assert_int_equal(hand_int(t, i, "first_at_ns"), 118);
	assert_verdict(&h, "before_launch", "warning");
	assert_verdict(&h, "device_unlinked", "warning");
	assert_verdict(&h, "cut_by_window", "note");
	assert_verdict(&h, "device_linked", "ok");

	t = hand_table(&h, "launch");
	assert_int_equal(hand_int(t, 0, "device_events"), 7);
	assert_int_equal(hand_int(t, 0, "matched"), 5);
	assert_int_equal(hand_int(t, 0, "unlinked_ns"), 41);
	assert_int_equal(hand_int(t, 0, "launches"), 4);
	assert_int_equal(hand_int(t, 0, "outside_ops_ns"), 30);
	hand_release(&h);
	run_clear(&r);
}

/* Delays of kernels: k1 5 and 3, k3 -2 and -4, the graph's 20, 30 and 18, 28; the copy 1, -1. */
static void delays(void **state)
{
	static const struct {
		const char *delay;
		int64_t count, min, max, sum, negative;
		double mean, median;
	} want[] = {
		{ "start", 4, -2, 30, 53, 1, 13.25, 12.5 },
		{ "end", 4, -4, 28, 45, 1, 11.25, 10.5 },
		{ "end_clip0", 4, 0, 28, 49, 0, 12.25, 10.5 },
		{ "start", 1, 1, 1, 1, 0, 1, 1 },
		{ "end", 1, -1, -1, -1, 1, -1, -1 },
		{ "end_clip0", 1, 0, 0, 0, 0, 0, 0 },
	};
	const struct table *t;
	struct hand_answer h;
	struct run r;
	size_t i;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_check, &r, false);
	t = hand_table(&h, "delays");
	assert_int_equal(t->nrow, 12);
	for (i = 0; i < COUNT_OF(want); i++) {
		assert_text(t, i, "of", i < 3 ? "kernel" : "memcpy");
		assert_text(t, i, "delay", want[i].delay);
		assert_int_equal(hand_int(t, i, "count"), want[i].count);
		assert_int_equal(hand_int(t, i, "min_ns"), want[i].min);
		assert_int_equal(hand_int(t, i, "max_ns"), want[i].max);
		assert_int_equal(hand_int(t, i, "sum_ns"), want[i].sum);
		assert_int_equal(hand_int(t, i, "negative"), want[i].negative);
		assert_true(hand_real(t, i, "mean_ns") == want[i].mean);
		assert_true(hand_real(t, i, "median_ns") == want[i].median);
	}
	assert_int_equal(hand_int(t, 6, "count"), 0);
	assert_false(hand_knows(t, 6, "mean_ns"));
	assert_text(t, 9, "of", "all");
	assert_int_equal(hand_int(t, 9, "sum_ns"), 54);

	t = hand_table(&h, "launchers");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "name", "cudaGraphLaunch");
	assert_int_equal(hand_int(t, 0, "device_events"), 2);
	assert_text(t, 1, "name", "cudaLaunchKernel");
	assert_true(hand_real(t, 2, "share_ratio") == 0.2);
	hand_release(&h);
	run_clear(&r);
}

/* A sound run of n launches, of which `unlinked` kernels have another correlation id. */
static void make_sound(struct run *r, int n, int unlinked)
{
	uint32_t t, s;
	int i;

	run_init(r, analysis_check.runs.needs);
	t = hand_thread(r, 1);
	s = hand_stream(r, 0, 7);
	for (i = 0; i < n; i++) {
		uint32_t k = hand_launch(r, t, s, i * 10, i * 10 + 5, 1, (uint64_t)i + 1);

		if (i < unlinked)
			hand_ids(r, k, 100000, 0);
	}
	r->is_complete = true;
}

/* A thread of process 200. */
static uint32_t other_process(struct run *r)
{
	struct lane l = { .pid = strings_intern(&r->strings, SPAN("200")),
		.tid = strings_intern(&r->strings, SPAN("2")),
		.pid_number = 200,
		.tid_number = 2,
		.device = -1,
		.stream = -1 };

	return lanes_add(&r->lanes, &l);
}

static void links_decide(void **state)
{
	struct run r;
	uint32_t i;

	(void)state;
	make_sound(&r, 100, 0);
	assert_reliable(&r, "yes");
	make_sound(&r, 100, 1);
	assert_reliable(&r, "yes");
	make_sound(&r, 100, 2);
	assert_reliable(&r, "with care");
	make_sound(&r, 100, 50);
	assert_reliable(&r, "with care");
	make_sound(&r, 100, 51);
	assert_reliable(&r, "no");

	/* Calls were not recorded at all: nothing could be linked, and nothing is wrong. */
	run_init(&r, analysis_check.runs.needs);
	for (i = 0; i < 5; i++)
		(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", i, 1);
	assert_reliable(&r, "yes");
}

/*
 * A queue that was full when recording began, of two processes that count their calls each:
 *
 *	process 100      sync 500 [0 80)   launch 501 [80 81)   launch 502 [90 91)
 *	stream 7   498 [10 20)  499 [20 30)  498 [30 40)   501 [85 95)  502 [95 105)   502: `last`
 *	process 200      launch 901 [50 51)
 *	stream 9   899 [40 50)   901 [60 70)   899 [70 80)
 *	stream 11  497 [10 20): nothing on it is known; below any call's id
 *
 * Of the work before the first linked one of a stream, that whose id is below those of all
 * recorded calls of its process was launched before; the one at 70 was not, though its id says so.
 */
static void make_queued(struct run *r, uint64_t third, uint64_t last)
{
	uint32_t t, u, s, v, row;

	run_init(r, analysis_check.runs.needs);
	t = hand_thread(r, 1);
	s = hand_stream(r, 0, 7);
	v = hand_stream(r, 1, 9);
	hand_ids(r, hand_event(r, KIND_RUNTIME, t, "cudaDeviceSynchronize", 0, 80), 500, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "k", 10, 10), 498, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "k", 20, 10), 499, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, s, "k", 30, 10), third, 0);
	(void)hand_launch(r, t, s, 80, 85, 10, 501);
	row = hand_launch(r, t, s, 90, 95, 10, 502);
	hand_ids(r, row, last, 0);
	u = other_process(r);
	hand_ids(r, hand_event(r, KIND_KERNEL, v, "k", 40, 10), 899, 0);
	(void)hand_launch(r, u, v, 50, 60, 10, 901);
	hand_ids(r, hand_event(r, KIND_KERNEL, v, "k", 70, 10), 899, 0);
	hand_ids(r, hand_event(r, KIND_KERNEL, hand_stream(r, 0, 11), "k", 10, 10), 497, 0);
	r->is_complete = true;
}

static void queue_decides(void **state)
{
	const struct table *t;
	struct hand_answer h;
	struct run r;
	size_t i;

	(void)state;
	make_queued(&r, 498, 502);
	hand_ask(&h, &analysis_check, &r, false);
	t = hand_table(&h, "health");
	i = hand_find(t, "check", "launched_before");
	assert_text(t, i, "verdict", "note");
	assert_int_equal(hand_int(t, i, "count"), 5);
	assert_int_equal(hand_int(t, i, "first_at_ns"), 10);
	assert_true(hand_real(t, i, "share_ratio") == 5.0 / 9);
	/* One of the four that are not from before. */
	i = hand_find(t, "check", "device_unlinked");
	assert_text(t, i, "verdict", "warning");
	assert_int_equal(hand_int(t, i, "count"), 1);
	assert_int_equal(hand_int(t, i, "first_at_ns"), 70);
	assert_true(hand_real(t, i, "share_ratio") == 1.0 / 4);
	assert_int_equal(hand_int(hand_table(&h, "launch"), 0, "unlinked"), 6);
	assert_int_equal(hand_int(hand_table(&h, "launch"), 0, "unlinked_ns"), 60);
	hand_release(&h);
	run_clear(&r);

	/* Their calls were made while recording, and got lost: 1 + 2 of 5 behind the four. */
	make_queued(&r, 503, 504);
	assert_reliable(&r, "no");
	/* Without an id nothing says when it was launched. */
	make_queued(&r, 0, 502);
	assert_reliable(&r, "with care");
}

/* All is from before but what is linked: nothing is wrong. */
static void only_queued(void **state)
{
	uint32_t s, t;
	struct run r;
	int i;

	(void)state;
	run_init(&r, analysis_check.runs.needs);
	t = hand_thread(&r, 1);
	s = hand_stream(&r, 0, 7);
	for (i = 0; i < 60; i++)
		hand_ids(&r, hand_event(&r, KIND_KERNEL, s, "k", 10 * i, 10), 100 + (uint64_t)i, 0);
	for (i = 0; i < 40; i++)
		(void)hand_launch(&r, t, s, 10 * i, 600 + 10 * i, 10, 160 + (uint64_t)i);
	r.is_complete = true;
	assert_reliable(&r, "yes");
}

/* Each kind of damage, in a run that has 200 events; and where Kineto's last event is there. */
static void damage_decides(void **state)
{
	static const struct {
		enum problem problem;
		int64_t count;
		bool saw_end;
		const char *want;
	} cases[] = {
		{ PROBLEM_TRUNCATED_JSON, 1, false, "no" },
		{ PROBLEM_TRUNCATED_JSON, 1, true, "with care" },
		{ PROBLEM_TRUNCATED_GZIP, 1, true, "no" },
		{ PROBLEM_CORRUPT_GZIP, 1, true, "no" },
		{ PROBLEM_GZIP_NO_TRAILER, 1, true, "with care" },
		{ PROBLEM_GZIP_TRAILING, 1, true, "yes" },
		{ PROBLEM_REPAIRED_QUOTE, 150, true, "yes" },
		{ PROBLEM_NO_TIME, 2, true, "with care" },
		{ PROBLEM_NO_TIME, 3, true, "no" },
		{ PROBLEM_SKIPPED_EVENT, 3, true, "no" },
		{ PROBLEM_SKIPPED_BYTES, 100, true, "with care" },
		{ PROBLEM_SKIPPED_BYTES, 101, true, "no" },
		{ PROBLEM_SECOND_DOCUMENT, 1, true, "with care" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct run r;

		make_sound(&r, 100, 0);
		r.saw_window_end = cases[i].saw_end;
		r.text_bytes = 10000;
		tally_add(&r.tally, cases[i].problem, cases[i].count, 55);
		assert_reliable(&r, cases[i].want);
	}
}

static void other_reasons(void **state)
{
	struct run r;

	(void)state;
	run_init(&r, analysis_check.runs.needs);
	assert_reliable(&r, "no");

	/* Kineto's last event is missing; a bare array or another producer has none. */
	make_sound(&r, 10, 0);
	r.meta.producer = strings_intern(&r.strings, SPAN("PyTorch (Kineto)"));
	assert_reliable(&r, "with care");
	make_sound(&r, 10, 0);
	r.meta.producer = strings_intern(&r.strings, SPAN("PyTorch (Kineto)"));
	r.saw_window_end = true;
	assert_reliable(&r, "yes");
	make_sound(&r, 10, 0);
	r.meta.producer = strings_intern(&r.strings, SPAN("PyTorch (Kineto)"));
	r.is_array = true;
	assert_reliable(&r, "yes");
}

/* People see what was found and the links; the place of damage is in the row. */
static void for_people(void **state)
{
	const struct table *t;
	struct hand_answer h;
	struct run r;
	size_t i;

	(void)state;
	make_sound(&r, 10, 0);
	tally_add(&r.tally, PROBLEM_COMMA, 3, 77);
	r.tally.line[PROBLEM_COMMA] = 4;
	hand_ask(&h, &analysis_check, &r, true);
	t = hand_table(&h, "health");
	assert_int_equal(t->nrow, 4);
	assert_text(t, 0, "check", "events");
	assert_text(t, 1, "check", "device_linked");
	assert_text(t, 2, "check", "no_steps");
	i = hand_find(t, "check", "comma");
	assert_int_equal(i, 3);
	assert_text(t, i, "verdict", "note");
	assert_int_equal(hand_int(t, i, "offset_bytes"), 77);
	assert_int_equal(hand_int(t, i, "line"), 4);
	assert_int_equal(hand_table(&h, "delays")->nrow, 3);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts),
		cmocka_unit_test(delays),
		cmocka_unit_test(links_decide),
		cmocka_unit_test(queue_decides),
		cmocka_unit_test(only_queued),
		cmocka_unit_test(damage_decides),
		cmocka_unit_test(other_reasons),
		cmocka_unit_test(for_people),
	};

	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
