/* Re-timing and slack on timelines drawn by hand.  Times in microseconds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "base/compiler.h"
#include "tests/unit/analyze/depgraph/sketch.h"
#include "tests/unit/handmade.h"

#define FACTOR(name, by)                                        \
	{                                                       \
		.kind = CHANGE_##name, .factor = (by), .ns = -1 \
	}
#define TIME(name, us)                                                   \
	{                                                                \
		.kind = CHANGE_##name, .factor = 1, .ns = (us)*SKETCH_US \
	}

/* Names that a change is about. */
struct names {
	bool is[64];
};

static struct change named(
	const struct sketch *s, struct names *n, enum change_kind kind, const char *has, double by)
{
	sym i;

	for (i = 0; i < s->run.strings.n; i++) {
		assert_true(i < COUNT_OF(n->is));
		n->is[i] = span_has(strings_get(&s->run.strings, i), has);
	}
	return (struct change){ .kind = kind, .match = n->is, .factor = by, .ns = -1 };
}

/*
 *	thread    step [0                                          111)
 *	          X [0 10)  Y [10      40)  sync [50    95)  Z [100 110)
 *	                       N [15 30)
 *	                      L [20 24)
 *	stream 0                 K [30         90)
 */
struct step {
	struct sketch s;
	uint32_t k, sync;
};

enum { END = 1 }; /* row of the mark: step 0, doubled, + 1 */

static void draw(struct step *d)
{
	struct sketch *s = &d->s;

	sketch_begin(s);
	(void)sketch_region(s, 0, "ProfilerStep#1", 0, 111);
	(void)sketch_op(s, 0, "X", 0, 10);
	(void)sketch_op(s, 0, "Y outer", 10, 40);
	(void)sketch_op(s, 0, "N inner", 15, 30);
	(void)sketch_call(s, 0, "cudaLaunchKernel", 20, 24);
	d->k = sketch_work(s, 0, "K", 30, 90);
	d->sync = sketch_call(s, 0, "cudaStreamSynchronize", 50, 95);
	(void)sketch_op(s, 0, "Z", 100, 110);
	sketch_made(s);
}

/* K, the return of the sync and the step end at these times. */
static void ends(struct step *d, const struct change *c, size_t n, nsec k, nsec sync, nsec end)
{
	assert_int_equal(sketch_if(&d->s, c, n, d->k, POINT_WORK), k);
	assert_int_equal(sketch_if(&d->s, c, n, d->sync, POINT_RETURN), sync);
	assert_int_equal(sketch_if(&d->s, c, n, END, POINT_MARK), end);
}

#define ENDS(d, k, sync, end, ...)                               \
	do {                                                     \
		const struct change c_[] = { __VA_ARGS__ };      \
		ends((d), c_, COUNT_OF(c_), (k), (sync), (end)); \
	} while (0)

/* A call that waits takes 2 where it need not wait (the floor, as no such call was seen): from the
 * launch at 20 on the thread needs 30 to the sync, so that it returns at 52 at least.  It returns 5
 * after the device is done, and the step ends 16 behind that. */
static void test_work(void **state)
{
	struct step d;

	(void)state;
	draw(&d);
	ends(&d, NULL, 0, 90, 95, 111);
	ENDS(&d, 60, 65, 81, FACTOR(KERNEL, 0.5));
	ENDS(&d, 40, 52, 68, TIME(KERNEL, 10));
	ENDS(&d, 150, 155, 171, FACTOR(KERNEL, 2));
	ENDS(&d, 90, 95, 111, FACTOR(COPY, 0), FACTOR(COMM, 0), FACTOR(GAP, 0), FACTOR(DATA, 0));
	sketch_release(&d.s);
}

static void test_syncs(void **state)
{
	struct step d;

	(void)state;
	draw(&d);
	ENDS(&d, 90, 52, 68, FACTOR(SYNC, 0));
	ENDS(&d, 90, 52, 68, TIME(SYNC, 0));
	/* A wait cannot be halved. */
	ENDS(&d, 90, 95, 111, FACTOR(SYNC, 0.5));
	ENDS(&d, 60, 52, 68, FACTOR(KERNEL, 0.5), FACTOR(SYNC, 0));
	sketch_release(&d.s);
}

static void test_threads(void **state)
{
	struct step d;

	(void)state;
	draw(&d);
	/* The launch at 10; of the delay the 4 in the call are the host's: the work [18 78), the
	 * return at 83, 8 behind it. */
	ENDS(&d, 78, 83, 91, FACTOR(HOST, 0.5));
	ENDS(&d, 66, 71, 71, FACTOR(HOST, 0));
	/* The call and the delay behind its start. */
	ENDS(&d, 80, 85, 101, FACTOR(LAUNCH, 0));
	ENDS(&d, 84, 89, 105, TIME(LAUNCH, 4));
	/* X, Y and what it calls, Z. */
	ENDS(&d, 70, 75, 81, FACTOR(OP, 0));
	sketch_release(&d.s);
}

static void test_names(void **state)
{
	struct names n, m;
	struct change c[2];
	struct step d;

	(void)state;
	draw(&d);
	c[0] = named(&d.s, &n, CHANGE_OP, "outer", 0);
	ends(&d, c, 1, 80, 85, 101);
	c[0] = named(&d.s, &n, CHANGE_OP, "inner", 0);
	ends(&d, c, 1, 85, 90, 106);
	/* What is in one that is changed is not changed again. */
	c[0] = named(&d.s, &n, CHANGE_OP, "er", 0.5);
	ends(&d, c, 1, 85, 90, 106);
	/* But by another change. */
	c[0] = named(&d.s, &n, CHANGE_OP, "outer", 0.5);
	c[1] = named(&d.s, &m, CHANGE_HOST, "outer", 0.4);
	ends(&d, c, 2, 82, 87, 103);
	c[0] = named(&d.s, &n, CHANGE_OP, "Z", 1);
	c[0].ns = 4 * SKETCH_US;
	ends(&d, c, 1, 90, 95, 105);
	c[0] = named(&d.s, &n, CHANGE_KERNEL, "other", 0);
	ends(&d, c, 1, 90, 95, 111);
	c[0] = named(&d.s, &n, CHANGE_SYNC, "cudaDevice", 0);
	ends(&d, c, 1, 90, 95, 111);
	c[0] = named(&d.s, &n, CHANGE_LAUNCH, "cudaLaunchKernel", 0);
	ends(&d, c, 1, 80, 85, 101);
	sketch_release(&d.s);
}

/*
 *	thread     loader [0        40)  L 50
 *	              stack [10 30)
 *	stream 0                           K [60 70)
 */
static void test_loader(void **state)
{
	const struct change none = FACTOR(DATA, 0), half = FACTOR(DATA, 0.5);
	struct change c;
	struct names n;
	struct sketch s;
	uint32_t k;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 80);
	(void)sketch_op(
		&s, 0, "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 0, 40);
	(void)sketch_op(&s, 0, "aten::stack", 10, 30);
	k = sketch_launch(&s, 0, 50, 0, "K", 60, 70);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &none, 1, k, POINT_WORK), 30);
	assert_int_equal(sketch_if(&s, &half, 1, k, POINT_WORK), 50);
	c = named(&s, &n, CHANGE_DATA, "aten::stack", 0);
	assert_int_equal(sketch_if(&s, &c, 1, k, POINT_WORK), 50);
	c = named(&s, &n, CHANGE_DATA, "DataLoader", 0);
	c.ns = 20 * SKETCH_US;
	assert_int_equal(sketch_if(&s, &c, 1, k, POINT_WORK), 50);
	sketch_release(&s);
}

/*
 *	thread     L 0  op [1   100)  L 100  op [101   200)  L 200
 *	stream 0       A [10 20)          B [110 115)         C [210 230)
 *
 * As one launch B and C follow A, each by the 1 us that a GPU takes between two: nothing shows how
 * long this one does.
 */
static void test_graph(void **state)
{
	const struct change one = { .kind = CHANGE_LAUNCH, .factor = 1, .ns = -1, .is_one = true };
	struct sketch s;
	uint32_t c;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "A", 10, 20);
	(void)sketch_op(&s, 0, "op", 1, 100);
	(void)sketch_launch(&s, 0, 100, 0, "B", 110, 115);
	(void)sketch_op(&s, 0, "op", 101, 200);
	c = sketch_launch(&s, 0, 200, 0, "C", 210, 230);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &one, 1, c, POINT_WORK), 20 + 1 + 5 + 1 + 20);
	sketch_release(&s);
}

/*
 *	thread     L [0 4)  copy [10         70)  sync [70 72)
 *	stream 0     K [8 40)  C [40 60)
 *
 * Without waiting the copy's call takes what a launch does, the only call there is: 4.  It does
 * so in any case, and half of that when the host is twice as fast.
 */
static void test_blocking_copy(void **state)
{
	const struct change host = FACTOR(HOST, 0.5), sync = FACTOR(SYNC, 0),
			    none = FACTOR(KERNEL, 0), both[] = { none, FACTOR(COPY, 0) };
	struct sketch s;
	uint32_t call;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 100);
	(void)sketch_call(&s, 0, "cudaLaunchKernel", 0, 4);
	(void)sketch_work(&s, 0, "K", 8, 40);
	call = sketch_call(&s, 0, "cudaMemcpyAsync", 10, 70);
	(void)sketch_copy(&s, 0, "Memcpy HtoD (Pageable -> Device)", 40, 60);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &sync, 1, call, POINT_RETURN), 14);
	assert_int_equal(sketch_if(&s, &host, 1, call, POINT_RETURN), 68);
	/* The copy begins 8 behind its call then, as launches do, and the call is back 10 behind
	 * it. */
	assert_int_equal(sketch_if(&s, &none, 1, call, POINT_RETURN), 48);
	assert_int_equal(sketch_if(&s, both, 2, call, POINT_RETURN), 28);
	sketch_release(&s);
}

/*
 *	thread     L 0  L 4      device sync [10  95)
 *	stream 0     A [8          90)
 *	stream 1          B [12 70)
 *
 * It waits for both.
 */
static void test_all_streams(void **state)
{
	struct change c;
	struct names n;
	struct sketch s;
	uint32_t call;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 100);
	(void)sketch_launch(&s, 0, 0, 0, "A", 8, 90);
	(void)sketch_launch(&s, 0, 4, 1, "B", 12, 70);
	call = sketch_call(&s, 0, "cudaDeviceSynchronize", 10, 95);
	sketch_made(&s);
	c = named(&s, &n, CHANGE_KERNEL, "A", 0);
	assert_int_equal(sketch_if(&s, &c, 1, call, POINT_RETURN), 75);
	c = named(&s, &n, CHANGE_KERNEL, "A", 0.5);
	assert_int_equal(sketch_if(&s, &c, 1, call, POINT_RETURN), 75);
	c = named(&s, &n, CHANGE_KERNEL, "B", 2);
	assert_int_equal(sketch_if(&s, &c, 1, call, POINT_RETURN), 133);
	c = named(&s, &n, CHANGE_SYNC, "Device", 0);
	assert_int_equal(sketch_if(&s, &c, 1, call, POINT_RETURN), 12);
	sketch_release(&s);
}

/*
 *	thread     L 0    free [40 90)
 *	stream 0     K [10 30)
 *
 * What a call takes that began when the device was done is its own, as any call's.
 */
static void test_waits_in_vain(void **state)
{
	const struct change host = FACTOR(HOST, 0.5), sync = FACTOR(SYNC, 0);
	const struct change allocator = FACTOR(ALLOCATOR, 0.5);
	struct change c;
	struct names n;
	struct sketch s;
	uint32_t call;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 100);
	(void)sketch_launch(&s, 0, 0, 0, "K", 10, 30);
	call = sketch_call(&s, 0, "cudaFree", 40, 90);
	sketch_made(&s);
	c = named(&s, &n, CHANGE_HOST, "cudaFree", 0);
	assert_int_equal(sketch_if(&s, &c, 1, call, POINT_RETURN), 40);
	assert_int_equal(sketch_if(&s, &host, 1, call, POINT_RETURN), 70);
	assert_int_equal(sketch_if(&s, &allocator, 1, call, POINT_RETURN), 65);
	assert_int_equal(sketch_if(&s, &sync, 1, call, POINT_RETURN), 90);
	sketch_release(&s);
}

/*
 *	thread     L 0    free [10     42)                   L 90
 *	stream 0          K [10      40)                          L [95 105)
 *	Python                             save [45    85)
 *
 * Freeing memory waits for the device: without the allocator nobody waits.  What a word names is
 * no part of the host's.
 */
static void test_words(void **state)
{
	const struct change allocator = FACTOR(ALLOCATOR, 0), save = FACTOR(CHECKPOINT, 0);
	const struct change host = FACTOR(HOST, 0);
	struct sketch s;
	uint32_t k;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 110);
	(void)sketch_launch(&s, 0, 0, 0, "K", 10, 40);
	(void)sketch_call(&s, 0, "cudaFree", 10, 42);
	(void)hand_event(&s.run, KIND_PYTHON, s.thread[0], "torch/serialization.py(9): save",
		45 * SKETCH_US, 40 * SKETCH_US);
	k = sketch_launch(&s, 0, 90, 0, "L", 95, 105);
	sketch_made(&s);
	/* Without the allocator 10 to the call and 48 behind it; 5 to the work, which takes 10. */
	assert_int_equal(sketch_if(&s, &save, 1, k, POINT_WORK), 50 + 15);
	assert_int_equal(sketch_if(&s, &allocator, 1, k, POINT_WORK), 10 + 48 + 15);
	/* Of the delay of either launch 1 is its call's. */
	assert_int_equal(sketch_if(&s, &host, 1, k, POINT_WORK), 41 + 40 + 14);
	sketch_release(&s);
}

/*
 *	thread    L 0  L 2
 *	stream 0    A [10 30)     B [35 50)      launched in time: a gap of 5, the floor
 */
static void test_gap(void **state)
{
	const struct change none = FACTOR(GAP, 0), one = TIME(GAP, 1), launch = FACTOR(LAUNCH, 0);
	struct sketch s;
	uint32_t b;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "A", 10, 30);
	b = sketch_launch(&s, 0, 2, 0, "B", 35, 50);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &none, 1, b, POINT_WORK), 45);
	assert_int_equal(sketch_if(&s, &one, 1, b, POINT_WORK), 46);
	assert_int_equal(sketch_if(&s, &launch, 1, b, POINT_WORK), 40);
	sketch_release(&s);
}

/* The second copy waits for the engine: 1 behind the first, which takes 10. */
static void test_engine(void **state)
{
	const struct change half = FACTOR(COPY, 0.5);
	struct sketch s;
	uint32_t b;

	(void)state;
	sketch_begin(&s);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 10, 11);
	(void)sketch_copy(&s, 0, "Memcpy HtoD (Pinned -> Device)", 20, 40);
	(void)sketch_call(&s, 0, "cudaMemcpyAsync", 12, 13);
	b = sketch_copy(&s, 1, "Memcpy HtoD (Pinned -> Device)", 41, 51);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &half, 1, b, POINT_WORK), 36);
	sketch_release(&s);
}

#define COMM "ncclDevKernel_AllReduce_Sum_f32_RING_LL"

/*
 *	thread    L 0  event 2  wait 4  L 6  event 8  wait 10  L 12
 *	stream 0    K1 [10 30)                                        K2 [64 80)
 *	stream 1                             C [32         62)
 *
 * Hidden: K2 waits for what C waits for, with the delays of both: 30 + 2 + 2.  C ends at 62 all the
 * same.
 */
static void test_hidden(void **state)
{
	const struct change hidden = { .kind = CHANGE_COMM,
		.match = NULL,
		.factor = 1,
		.ns = -1,
		.is_hidden = true },
			    none = FACTOR(COMM, 0);
	struct sketch s;
	uint32_t k, c;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "K1", 10, 30);
	(void)sketch_call(&s, 0, "cudaEventRecord", 2, 3);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 4, 5);
	sketch_event(&s, sketch_sync(&s, 1, "Stream Wait Event", 4), 0, 2);
	c = sketch_launch(&s, 0, 6, 1, COMM, 32, 62);
	(void)sketch_call(&s, 0, "cudaEventRecord", 8, 9);
	(void)sketch_call(&s, 0, "cudaStreamWaitEvent", 10, 11);
	sketch_event(&s, sketch_sync(&s, 0, "Stream Wait Event", 10), 1, 5);
	k = sketch_launch(&s, 0, 12, 0, "K2", 64, 80);
	sketch_made(&s);
	assert_int_equal(sketch_if(&s, &hidden, 1, k, POINT_WORK), 50);
	assert_int_equal(sketch_if(&s, &hidden, 1, c, POINT_WORK), 62);
	assert_int_equal(sketch_if(&s, &none, 1, k, POINT_WORK), 50);
	assert_int_equal(sketch_if(&s, &none, 1, c, POINT_WORK), 32);
	sketch_release(&s);
}

/* All on one stream, two collectives: K2 still waits for K1. */
static void test_hidden_in_order(void **state)
{
	const struct change hidden = {
		.kind = CHANGE_COMM, .match = NULL, .factor = 1, .ns = -1, .is_hidden = true
	};
	struct change c;
	struct names n;
	struct sketch s;
	uint32_t k;

	(void)state;
	sketch_begin(&s);
	(void)sketch_launch(&s, 0, 0, 0, "K1", 10, 30);
	(void)sketch_launch(&s, 0, 2, 0, COMM, 31, 61);
	(void)sketch_launch(&s, 0, 4, 0, "ncclDevKernel_AllGather_RING_LL", 62, 82);
	k = sketch_launch(&s, 0, 6, 0, "K2", 83, 90);
	sketch_made(&s);
	/* 30 + 1 + 1 + 1, and 7 */
	assert_int_equal(sketch_if(&s, &hidden, 1, k, POINT_WORK), 40);
	/* One of the two. */
	c = named(&s, &n, CHANGE_COMM, "AllGather", 1);
	c.is_hidden = true;
	assert_int_equal(sketch_if(&s, &c, 1, k, POINT_WORK), 70);
	sketch_release(&s);
}

/*
 *	thread    step [0                                70)
 *	          L 0  L 2  L 4  sync [8             65)
 *	stream 0    A [10 30)  B [31             60)
 *	stream 1    M [12 20)
 *
 * Launching takes 10, so that L 4 could come at 21; nobody waits for M.
 */
static void test_slack(void **state)
{
	struct sketch s;
	uint32_t a, b, m, l;
	nsec *room;

	(void)state;
	sketch_begin(&s);
	(void)sketch_region(&s, 0, "ProfilerStep#1", 0, 70);
	a = sketch_launch(&s, 0, 0, 0, "A", 10, 30);
	m = sketch_launch(&s, 0, 2, 1, "M", 12, 20);
	l = sketch_call(&s, 0, "cudaLaunchKernel", 4, 5);
	b = sketch_work(&s, 0, "B", 31, 60);
	(void)sketch_call(&s, 0, "cudaStreamSynchronize", 8, 65);
	(void)sketch_sync(&s, 0, "Stream Sync", 9);
	sketch_made(&s);
	room = slack(&s.d, &s.l, 70 * SKETCH_US);
	assert_int_equal(room[sketch_node(&s, a, POINT_WORK)], 0);
	assert_int_equal(room[sketch_node(&s, b, POINT_WORK)], 0);
	assert_int_equal(room[sketch_node(&s, m, POINT_WORK)], 50 * SKETCH_US);
	assert_int_equal(room[sketch_node(&s, l, POINT_LAUNCH)], 17 * SKETCH_US);
	free(room);
	/* Of a window that ends at 25 A is no part. */
	room = slack(&s.d, &s.l, 25 * SKETCH_US);
	assert_int_equal(room[sketch_node(&s, m, POINT_WORK)], 5 * SKETCH_US);
	assert_true(room[sketch_node(&s, a, POINT_WORK)] == INT64_MAX);
	free(room);
	sketch_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_syncs),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_loader),
		cmocka_unit_test(test_graph),
		cmocka_unit_test(test_blocking_copy),
		cmocka_unit_test(test_all_streams),
		cmocka_unit_test(test_waits_in_vain),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_gap),
		cmocka_unit_test(test_engine),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_hidden_in_order),
		cmocka_unit_test(test_slack),
	};

	return cmocka_run_group_tests_name("retime", tests, NULL, NULL);
}
