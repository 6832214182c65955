/* Gaps, idle: the latest end so far, windows, classes by hand, sums, and host paths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps/gaps.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_LINKS | NEED_STEPS, MOST = 32, US = 1000 };

struct seen {
	struct gap gap[MOST];
	size_t n;
	struct gap_sums sums;
};

static void see(void *ctx, const struct gap *g)
{
	struct seen *s = ctx;

	assert_true(s->n < MOST);
	assert_true(g->end > g->start);
	s->gap[s->n++] = *g;
	gap_sums_add(&s->sums, g);
}

/* The gaps of a device in a window of n intervals; 0: all. */
static void look_in(
	struct seen *s, struct run *r, int64_t device, const struct interval *w, size_t n)
{
	struct gaps g;

	*s = (struct seen){ 0 };
	index_build(r, NEEDS);
	gaps_init(&g, r, NULL, w, n);
	gaps_of_device(&g, device, see, s);
	gaps_clear(&g);
}

/* HTA's classes of the gaps of device 0, with its threshold of 30 us. */
static void assert_hta(const struct run *r, nsec host, nsec kernel, nsec other)
{
	struct gap_hta hta = { .kernel_wait_ns = 30 * US };
	struct gaps g;

	gaps_init(&g, r, NULL, NULL, 0);
	g.is_plain = true;
	gaps_of_device(&g, 0, gap_hta_add, &hta);
	gaps_clear(&g);
	assert_int_equal(hta.host, host);
	assert_int_equal(hta.kernel, kernel);
	assert_int_equal(hta.other, other);
}

static void look(struct seen *s, struct run *r, int64_t device)
{
	look_in(s, r, device, NULL, 0);
}

static void look_at_stream(struct seen *s, struct run *r, uint32_t lane)
{
	struct gaps g;

	*s = (struct seen){ 0 };
	index_build(r, NEEDS);
	gaps_init(&g, r, NULL, NULL, 0);
	gaps_of_stream(&g, lane, see, s);
	gaps_clear(&g);
}

/* A launch of `name` and its kernel. */
static void launch(
	struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec start, nsec dur, uint64_t id)
{
	(void)hand_launch(r, thread, stream, at, start, dur, id);
}

/* HTA takes the end of the row before; the right one is the latest end so far.
 *
 *	thread 1   all four are launched at -40 ... -37 us
 *	stream 7   a [0                 100)             d [130 140)
 *	           b      [10 20)  c [30 40)
 *
 * Rows before would say gaps of 10 (b to c) and 90 (c to d); there is one, of 30.  None was
 * launched late, so launching takes 10 us, which were over long before. */
static void test_running_end(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t, q;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	q = hand_stream(&r, 0, 7);
	launch(&r, t, q, -40 * US, 0, 100, 1);
	launch(&r, t, q, -39 * US, 10, 10, 2);
	launch(&r, t, q, -38 * US, 30, 10, 3);
	launch(&r, t, q, -37 * US, 130, 10, 4);
	look_at_stream(&s, &r, q);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.gap[0].start, 100);
	assert_int_equal(s.gap[0].end, 130);
	assert_int_equal(s.gap[0].cls, GAP_CAUSE_DEPENDENCY);
	assert_false(s.gap[0].is_late);
	assert_int_equal(s.sums.all_ns, 30);
	run_clear(&r);
}

/* A stream's own gap is none of its device while another stream works.
 *
 *	stream 7   a [0 10)            c [50 60)
 *	stream 9        b [5      45)             d [70 80)
 *
 * Stream 7: [10 50).  Stream 9: [45 70).  Device: [45 50) and [60 70). */
static void test_streams(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t, q7, q9;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	q7 = hand_stream(&r, 0, 7);
	q9 = hand_stream(&r, 0, 9);
	launch(&r, t, q7, -9, 0, 10, 1);
	launch(&r, t, q9, -8, 5, 40, 2);
	launch(&r, t, q7, -7, 50, 10, 3);
	launch(&r, t, q9, -6, 70, 10, 4);
	look_at_stream(&s, &r, q7);
	assert_int_equal(s.sums.all_ns, 40);
	look_at_stream(&s, &r, q9);
	assert_int_equal(s.sums.all_ns, 25);
	look(&s, &r, 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.gap[0].start, 45);
	assert_int_equal(s.gap[1].start, 60);
	assert_int_equal(s.sums.all_ns, 15);
	run_clear(&r);
}

/* Six gaps, in us.
 *
 *	thread 1  enumerate(DataLoader) [105 195)   sync [290 301)   aten::mm [410 445)
 *	launches   0   198                   315           440        4          5     none
 *	stream 7  a [0 100) b [200 300) c [320 400) d [450 500) e [510 520) f [560 570) g [600 610)
 *
 * Launched late are b, c and d, with 2, 5 and 10 us to their work: launching takes 5.
 *
 *	[100 200)  nothing 5, data loader 90, nothing 3, launch 2
 *	[300 320)  the call had waited for 10 when the gap began: sync 1, nothing 14, of it 9 behind
 *	           the call, launch 5
 *	[400 450)  nothing 10, op 30, launch 5, dependency 5
 *	[500 510) and [520 560)  dependency
 *	[570 600)  unknown */
static void make_classes(struct run *r, uint32_t *q)
{
	uint32_t t, g;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	*q = hand_stream(r, 0, 7);
	(void)hand_event(r, KIND_OP, t, "enumerate(DataLoader)#_X.__next__", 105 * US, 90 * US);
	(void)hand_event(r, KIND_RUNTIME, t, "cudaStreamSynchronize", 290 * US, 11 * US);
	(void)hand_event(r, KIND_OP, t, "aten::mm", 410 * US, 35 * US);
	launch(r, t, *q, 0, 0, 100 * US, 1);
	launch(r, t, *q, 198 * US, 200 * US, 100 * US, 2);
	launch(r, t, *q, 315 * US, 320 * US, 80 * US, 3);
	launch(r, t, *q, 440 * US, 450 * US, 50 * US, 4);
	launch(r, t, *q, 4 * US, 510 * US, 10 * US, 5);
	launch(r, t, *q, 5 * US, 560 * US, 10 * US, 6);
	g = hand_event(r, KIND_KERNEL, *q, "unlinked", 600 * US, 10 * US);
	hand_ids(r, g, 99, 0);
}

static void test_classes(void **state)
{
	static const struct {
		enum gap_cause cls;
		nsec us, us_of_class;
		const char *doing;
	} want[] = {
		{ GAP_CAUSE_DATA, 100, 90, "enumerate(DataLoader)#_X.__next__" },
		{ GAP_CAUSE_NOTHING, 20, 14, NULL },
		{ GAP_CAUSE_OP, 50, 30, "aten::mm" },
		{ GAP_CAUSE_DEPENDENCY, 10, 10, NULL },
		{ GAP_CAUSE_DEPENDENCY, 40, 40, NULL },
		{ GAP_CAUSE_UNKNOWN, 30, 30, NULL },
	};
	struct run r;
	struct seen s;
	uint32_t q;
	size_t i;

	(void)state;
	make_classes(&r, &q);
	look(&s, &r, 0);
	assert_int_equal(s.n, COUNT_OF(want));
	for (i = 0; i < s.n; i++) {
		assert_int_equal(s.gap[i].cls, want[i].cls);
		assert_int_equal(s.gap[i].end - s.gap[i].start, want[i].us * US);
		assert_int_equal(s.gap[i].ns[want[i].cls], want[i].us_of_class * US);
		assert_int_equal(s.gap[i].is_late, i < 3);
		if (want[i].doing)
			assert_true(span_is(run_name(&r, s.gap[i].doing), want[i].doing));
		else
			assert_int_equal(s.gap[i].doing, NO_ROW);
	}
	assert_int_equal(s.gap[2].doing_ns, 35 * US);
	/* span 610 less busy 360; launched late: 100 + 20 + 50; launched ahead below 30: 10 */
	assert_int_equal(s.sums.all_ns, 250 * US);
	assert_int_equal(s.sums.max, 100 * US);
	assert_hta(&r, 170 * US, 10 * US, 70 * US);
	assert_int_equal(s.sums.ns[GAP_CAUSE_NOTHING], 32 * US);
	assert_int_equal(s.sums.ns[GAP_CAUSE_SYNC], 1 * US);
	assert_int_equal(s.sums.behind_ns, 9 * US);
	assert_int_equal(s.sums.held, 1);
	assert_int_equal(s.sums.ns[GAP_CAUSE_LAUNCH], 12 * US);
	assert_int_equal(s.sums.ns[GAP_CAUSE_DEPENDENCY], 55 * US);
	assert_int_equal(s.sums.count[GAP_CAUSE_DEPENDENCY], 2);
	assert_int_equal(s.sums.all, 6);
	run_clear(&r);
}

/* The table's classes add up to its idle time, and span is busy + idle. */
static const char *const keys[] = {
#define X(name, key, word, doc) key,
	GAP_CAUSES(X)
#undef X
};

static void assert_sums(const struct table *t, size_t row)
{
	int64_t sum = 0;
	char key[64];
	int i;

	for (i = 0; i < GAP_CAUSE_COUNT; i++) {
		(void)snprintf(key, sizeof(key), "%s_ns", keys[i]);
		if (i != GAP_CAUSE_UNRECORDED)
			sum += hand_int(t, row, key);
	}
	assert_int_equal(sum, hand_int(t, row, "idle_ns"));
	assert_int_equal(hand_int(t, row, "busy_ns") + sum, hand_int(t, row, "span_ns"));
}

static void test_tables(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t q;

	(void)state;
	make_classes(&r, &q);
	hand_ask(&h, &analysis_idle, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "devices");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "span_ns"), 610 * US);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 250 * US);
	assert_int_equal(hand_int(t, 0, "dataloader_ns"), 90 * US);
	assert_sums(t, 0);
	t = hand_table(&h, "streams");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 0);
	assert_sums(t, 0);
	t = hand_table(&h, "longest");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(hand_int(t, 0, "gap_ns"), 100 * US);
	assert_true(span_is(hand_text(t, 0, "class"), "data loader"));
	assert_int_equal(hand_int(t, 5, "gap_ns"), 10 * US);
	assert_false(hand_knows(t, 5, "name"));
	t = hand_table(&h, "causes");
	assert_int_equal(hand_int(t, hand_find(t, "name", "aten::mm"), "idle_ns"), 50 * US);
	hand_release(&h);
	run_clear(&r);
}

/* HTA's rule: before work without a launch in the trace a gap below the threshold is kernel wait,
 * one that is not is other, in us.
 *
 *	stream 7  a [0 10)  b [30 40)  c [70 80)      b, c: launched before the recording
 *	gap            20         30 */
static void test_hta_of_unlinked(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t q;

	(void)state;
	run_init(&r, NEEDS);
	q = hand_stream(&r, 0, 7);
	launch(&r, hand_thread(&r, 1), q, 0, 0, 10 * US, 1);
	(void)hand_event(&r, KIND_KERNEL, q, "b", 30 * US, 10 * US);
	(void)hand_event(&r, KIND_KERNEL, q, "c", 70 * US, 10 * US);
	hand_ask(&h, &analysis_idle, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "streams");
	assert_int_equal(hand_int(t, 0, "hta_host_wait_ns"), 0);
	assert_int_equal(hand_int(t, 0, "hta_kernel_wait_ns"), 20 * US);
	assert_int_equal(hand_int(t, 0, "hta_other_ns"), 30 * US);
	hand_release(&h);
	run_clear(&r);
}

/* In a window idle is its time less busy: parts of gaps, what is before the first work and what is
 * behind the last.
 *
 *	thread 1  #1 [0                100)  #2 [100                 200)
 *	launches     1  5                         120
 *	stream 7      a [20 40)     b [90     110)         c [150 170)
 *
 * Only c was launched when the device had nothing to do: launching takes 30.  What is behind c the
 * thread spends in step 2. */
static void make_steps(struct run *r)
{
	uint32_t t, q;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	q = hand_stream(r, 0, 7);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#2", 100, 100);
	launch(r, t, q, 1, 20, 20, 1);
	launch(r, t, q, 5, 90, 20, 2);
	launch(r, t, q, 120, 150, 20, 3);
}

static void test_window(void **state)
{
	static const struct interval second = { 100, 200 };
	struct seen s;
	struct run r;

	(void)state;
	make_steps(&r);
	look_in(&s, &r, 0, &second, 1);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.gap[0].start, 110);
	assert_int_equal(s.gap[0].end, 150);
	assert_int_equal(s.gap[0].cls, GAP_CAUSE_LAUNCH);
	assert_int_equal(s.gap[0].ns[GAP_CAUSE_PYTHON], 10);
	assert_int_equal(s.gap[0].ns[GAP_CAUSE_LAUNCH], 30);
	assert_int_equal(s.gap[1].start, 170);
	assert_int_equal(s.gap[1].end, 200);
	assert_int_equal(s.gap[1].ns[GAP_CAUSE_PYTHON], 30);
	assert_int_equal(s.gap[1].next, NO_ROW);
	run_clear(&r);
}

/* The same in [30 60) and [130 140): a gap that a window cuts is split as a whole, and only the
 * part inside counts.  [40 90) was launched at 5 and launching takes 30: dependency, as is [40 60).
 * [110 150) is launch from 120 on, so [130 140) is that. */
static void test_cut_gaps(void **state)
{
	static const struct interval two[] = { { 30, 60 }, { 130, 140 } };
	struct seen s;
	struct run r;

	(void)state;
	make_steps(&r);
	look_in(&s, &r, 0, two, 2);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.gap[0].start, 40);
	assert_int_equal(s.gap[0].end, 60);
	assert_int_equal(s.gap[0].ns[GAP_CAUSE_DEPENDENCY], 20);
	assert_int_equal(s.gap[1].start, 130);
	assert_int_equal(s.gap[1].end, 140);
	assert_int_equal(s.gap[1].ns[GAP_CAUSE_LAUNCH], 10);
	assert_int_equal(s.sums.all_ns, 30);
	run_clear(&r);
}

/* Without device events there is nothing to say, and a note says that. */
static void test_no_device(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	run_init(&r, NEEDS);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "aten::mm", 0, 10);
	hand_ask(&h, &analysis_idle, &r, true);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.result.ntable, 0);
	assert_int_equal(h.result.nnote, 1);
	assert_string_equal(h.result.note[0].id, "no_device_events");
	hand_release(&h);
	run_clear(&r);
}

/* Two devices are two rows, of one window, and neither is idle because the other works.
 *
 *	launches  0 2    25
 *	device 0     a [10 20)  b [30 40)
 *	device 1   c [5                             100)
 *
 * The window is [0 100): device 0 is idle for 10 + 10 + 60, device 1 for the first 5. */
static void test_two_devices(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread, a, b;

	(void)state;
	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	b = hand_stream(&r, 1, 7);
	a = hand_stream(&r, 0, 7);
	launch(&r, thread, a, 0, 10, 10, 1);
	launch(&r, thread, a, 25, 30, 10, 2);
	launch(&r, thread, b, 2, 5, 95, 3);
	hand_ask(&h, &analysis_idle, &r, false);
	t = hand_table(&h, "devices");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "device"), 0);
	assert_int_equal(hand_int(t, 0, "span_ns"), 100);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 80);
	assert_int_equal(hand_int(t, 0, "gaps"), 3);
	assert_int_equal(hand_int(t, 1, "idle_ns"), 5);
	assert_int_equal(hand_int(t, 1, "gaps"), 1);
	hand_release(&h);
	run_clear(&r);
}

/*
 *	A [0                100)      D [200 210)
 *	  B [10    40) C [50 60)
 *	    b [20 20)
 */
static void test_hostpath(void **state)
{
	struct hostpath h;
	struct run r;
	uint32_t t, a, b, c, at;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	a = hand_event(&r, KIND_OP, t, "A", 0, 100);
	b = hand_event(&r, KIND_OP, t, "B", 10, 30);
	(void)hand_event(&r, KIND_RUNTIME, t, "b", 20, 0);
	c = hand_event(&r, KIND_RUNTIME, t, "C", 50, 10);
	(void)hand_event(&r, KIND_OP, t, "D", 200, 10);
	index_build(&r, NEEDS);
	hostpath_init(&h, &r);
	assert_int_equal(hostpath_at(&h, t, -1), NO_ROW);
	assert_int_equal(hostpath_row(&h, hostpath_at(&h, t, 55)), c);
	at = hostpath_at(&h, t, 25); /* backwards, and past what has no length */
	assert_int_equal(hostpath_row(&h, at), b);
	assert_int_equal(hostpath_row(&h, hostpath_up(&h, at)), a);
	assert_int_equal(hostpath_up(&h, hostpath_up(&h, at)), NO_ROW);
	assert_int_equal(hostpath_row(&h, hostpath_at(&h, t, 40)), a);
	assert_int_equal(hostpath_at(&h, t, 100), NO_ROW);
	assert_int_equal(hostpath_at(&h, t, 500), NO_ROW);
	assert_int_equal(hostpath_row(&h, hostpath_covering(&h, t, 12, 42)), b);
	assert_int_equal(hostpath_row(&h, hostpath_covering(&h, t, 30, 70)), a);
	assert_int_equal(hostpath_covering(&h, t, 90, 190), NO_ROW);
	hostpath_clear(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_end),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_hta_of_unlinked),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_cut_gaps),
		cmocka_unit_test(test_no_device),
		cmocka_unit_test(test_two_devices),
		cmocka_unit_test(test_hostpath),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
