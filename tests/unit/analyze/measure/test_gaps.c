/*
 * Gaps, idle: classes by hand, the latest end so far, sums, and host paths.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/gaps.h"
#include "analyze/query/analysis.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "base/compiler.h"
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

static void look(struct seen *s, struct run *r, int64_t device)
{
	struct gaps g;

	*s = (struct seen){ 0 };
	index_build(r, NEEDS);
	gaps_init(&g, r, NULL, GAPS_KERNEL_WAIT_NS);
	gaps_of_device(&g, device, see, s);
	gaps_clear(&g);
}

static void look_at_stream(struct seen *s, struct run *r, uint32_t lane)
{
	struct gaps g;

	*s = (struct seen){ 0 };
	index_build(r, NEEDS);
	gaps_init(&g, r, NULL, GAPS_KERNEL_WAIT_NS);
	gaps_of_stream(&g, lane, see, s);
	gaps_clear(&g);
}

/* A launch of `name` and its kernel. */
static void launch(
	struct run *r, uint32_t thread, uint32_t stream, nsec at, nsec start, nsec dur, uint64_t id)
{
	(void)hand_launch(r, thread, stream, at, start, dur, id);
}

/*
 * HTA takes the end of the row before; the right one is the latest end so far.
 *
 *	stream 7   a [0                 100)             d [130 140)
 *	           b      [10 20)  c [30 40)
 *
 * Rows before would say gaps of 10 (b to c) and 90 (c to d); there is one, of 30.
 */
static void test_running_end(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t, q;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	q = hand_stream(&r, 0, 7);
	launch(&r, t, q, -40, 0, 100, 1);
	launch(&r, t, q, -30, 10, 10, 2);
	launch(&r, t, q, -20, 30, 10, 3);
	launch(&r, t, q, -10, 130, 10, 4);
	look_at_stream(&s, &r, q);
	assert_int_equal(s.n, 1);
	assert_int_equal(s.gap[0].start, 100);
	assert_int_equal(s.gap[0].end, 130);
	assert_int_equal(s.gap[0].cls, GAP_KERNEL);
	assert_int_equal(s.sums.all_ns, 30);
	run_clear(&r);
}

/*
 * A stream's own gap is none of its device while another stream works.
 *
 *	stream 7   a [0 10)            c [50 60)
 *	stream 9        b [5      45)             d [70 80)
 *
 * Stream 7: [10 50).  Stream 9: [45 70).  Device: [45 50) and [60 70).
 */
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

/*
 * One gap of each class, in us.
 *
 *	thread 1  enumerate(DataLoader) [105 195)   sync [290 301)   aten::mm [410 445)
 *	launches   0   198                   305           440        4          5     none
 *	stream 7  a [0 100) b [200 300) c [320 400) d [450 500) e [510 520) f [560 570) g [600 610)
 *	gap            data        sync        host       kernel 10    other 40    other 30
 */
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
	launch(r, t, *q, 305 * US, 320 * US, 80 * US, 3);
	launch(r, t, *q, 440 * US, 450 * US, 50 * US, 4);
	launch(r, t, *q, 4 * US, 510 * US, 10 * US, 5);
	launch(r, t, *q, 5 * US, 560 * US, 10 * US, 6);
	g = hand_event(r, KIND_KERNEL, *q, "unlinked", 600 * US, 10 * US);
	hand_ids(r, g, 99, 0);
}

static void test_classes(void **state)
{
	static const struct {
		enum gap_class cls;
		nsec us;
		const char *doing;
	} want[] = {
		{ GAP_DATA, 100, "enumerate(DataLoader)#_X.__next__" },
		{ GAP_SYNC, 20, NULL },
		{ GAP_HOST, 50, "aten::mm" },
		{ GAP_KERNEL, 10, NULL },
		{ GAP_OTHER, 40, NULL },
		{ GAP_OTHER, 30, NULL },
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
		if (want[i].doing)
			assert_true(span_is(run_name(&r, s.gap[i].doing), want[i].doing));
		else
			assert_int_equal(s.gap[i].doing, NO_ROW);
	}
	/* span 610 less busy 360 */
	assert_int_equal(s.sums.all_ns, 250 * US);
	assert_int_equal(s.sums.late_ns, 170 * US);
	run_clear(&r);
}

/* The table's classes add up to its idle time, and span is busy + idle. */
static void assert_sums(const struct table *t, size_t row)
{
	int64_t sum = hand_int(t, row, "host_wait_ns") + hand_int(t, row, "dataloader_ns") +
		hand_int(t, row, "sync_ns") + hand_int(t, row, "kernel_wait_ns") +
		hand_int(t, row, "other_ns");

	assert_int_equal(sum, hand_int(t, row, "idle_ns"));
	assert_int_equal(hand_int(t, row, "busy_ns") + sum, hand_int(t, row, "span_ns"));
	assert_int_equal(sum,
		hand_int(t, row, "hta_host_wait_ns") + hand_int(t, row, "hta_kernel_wait_ns") +
			hand_int(t, row, "hta_other_ns"));
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
	assert_int_equal(hand_int(t, 0, "idle_ns"), 250 * US);
	assert_int_equal(hand_int(t, 0, "dataloader_ns"), 100 * US);
	assert_sums(t, 0);
	t = hand_table(&h, "streams");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 0);
	assert_sums(t, 0);
	t = hand_table(&h, "longest");
	assert_int_equal(t->nrow, 6);
	assert_int_equal(hand_int(t, 0, "gap_ns"), 100 * US);
	assert_true(span_is(hand_text(t, 0, "class"), "dataloader"));
	assert_int_equal(hand_int(t, 5, "gap_ns"), 10 * US);
	assert_false(hand_knows(t, 5, "name"));
	t = hand_table(&h, "causes");
	assert_int_equal(hand_int(t, hand_find(t, "name", "aten::mm"), "idle_ns"), 50 * US);
	hand_release(&h);
	run_clear(&r);
}

/*
 * With steps chosen, idle is their wall time less busy: parts of gaps, what is before the first
 *work and what is behind the last.
 *
 *	steps     #1 [0 100)  #2 [100 200)
 *	stream 7  a [20 40)  b [90 110)  c [150 170)
 *
 * Step 2: [110 150) and [170 200).
 */
static void test_steps(void **state)
{
	const struct filter filter = { .steps = "2" };
	struct filter_set set;
	struct filter_view view;
	struct seen s = { 0 };
	struct arena mem;
	struct gaps g;
	struct err e;
	struct run r;
	uint32_t t, q;

	(void)state;
	run_init(&r, NEEDS);
	arena_init(&mem);
	err_clear(&e);
	t = hand_thread(&r, 1);
	q = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_ANNOTATION, t, "ProfilerStep#1", 0, 100);
	(void)hand_event(&r, KIND_ANNOTATION, t, "ProfilerStep#2", 100, 100);
	launch(&r, t, q, 1, 20, 20, 1);
	launch(&r, t, q, 5, 90, 20, 2);
	launch(&r, t, q, 120, 150, 20, 3);
	index_build(&r, NEEDS);
	assert_int_equal(filter_parse(&set, &filter, &e), OK);
	assert_int_equal(filter_view_init(&view, &set, &r, &mem, &e), OK);
	gaps_init(&g, &r, &view, GAPS_KERNEL_WAIT_NS);
	gaps_of_device(&g, 0, see, &s);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.gap[0].start, 110);
	assert_int_equal(s.gap[0].end, 150);
	assert_int_equal(s.gap[0].cls, GAP_HOST);
	assert_int_equal(s.gap[1].start, 170);
	assert_int_equal(s.gap[1].end, 200);
	assert_int_equal(s.gap[1].cls, GAP_OTHER);
	assert_int_equal(s.gap[1].next, NO_ROW);
	gaps_clear(&g);
	filter_free(&set);
	arena_clear(&mem);
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

/* Two devices are two rows, and neither is idle because the other works. */
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
	launch(&r, thread, b, 2, 0, 100, 3);
	hand_ask(&h, &analysis_idle, &r, false);
	t = hand_table(&h, "devices");
	assert_int_equal(t->nrow, 2);
	assert_int_equal(hand_int(t, 0, "device"), 0);
	assert_int_equal(hand_int(t, 0, "idle_ns"), 10);
	assert_int_equal(hand_int(t, 1, "idle_ns"), 0);
	assert_int_equal(hand_int(t, 1, "gaps"), 0);
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

static void test_sync_names(void **state)
{
	static const char *const yes[] = { "cudaDeviceSynchronize", "cudaStreamSynchronize",
		"cudaEventSynchronize", "hipDeviceSynchronize", "cuCtxSynchronize", "cudaMemcpy",
		"hipMemcpyWithStream" };
	static const char *const no[] = { "cudaMemcpyAsync", "cudaStreamWaitEvent",
		"cudaLaunchKernel", "cudaEventQuery" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(yes); i++)
		assert_true(gaps_is_sync_name(span_of(yes[i])));
	for (i = 0; i < COUNT_OF(no); i++)
		assert_false(gaps_is_sync_name(span_of(no[i])));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_running_end),
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_no_device),
		cmocka_unit_test(test_two_devices),
		cmocka_unit_test(test_hostpath),
		cmocka_unit_test(test_sync_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
