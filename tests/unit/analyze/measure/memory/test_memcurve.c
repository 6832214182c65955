/* Memory curves: peaks, growth, ops and thinning by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/measure/host/hostpath.h"
#include "analyze/measure/memory/memcurve.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/index.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

enum { NEEDS = NEED_ORDER | NEED_STEPS | NEED_MEMORY, CUDA = 1 };
#define MIB (INT64_C(1) << 20)

static uint32_t record(struct run *r, uint32_t t, int64_t device, nsec at, int64_t address,
	int64_t bytes, int64_t allocated, int64_t reserved)
{
	uint32_t row = hand_event(r, KIND_MEMORY, t, "[memory]", at, 0);
	size_t side = r->events.args[row] - 1;

	r->args.col[ARG_MEMORY_ADDRESS].i64[side] = address;
	r->args.col[ARG_MEMORY_BYTES].i64[side] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[side] = CUDA;
	r->args.col[ARG_MEMORY_DEVICE].i64[side] = device;
	r->args.col[ARG_MEMORY_ALLOCATED].i64[side] = allocated;
	r->args.col[ARG_MEMORY_RESERVED].i64[side] = reserved;
	return row;
}

/*
 *	thread 1   linear [0            100)   relu [110 130)
 *	             mm [10 40)
 *	records    +40 at 20, +10 at 60, -40 at 120 (address 1), +5 at 200 outside
 *	thread 2   add [0 100): its records are its own
 *	record     +7 at 30
 *	allocated  1040 at 20, 1047 at 30, 1057 at 60, 1017 at 120, 1022 at 200
 */
static void make_run(struct run *r)
{
	uint32_t t, u;

	run_init(r, NEEDS);
	t = hand_thread(r, 1);
	u = hand_thread(r, 2);
	(void)hand_event(r, KIND_OP, t, "linear", 0, 100);
	(void)hand_event(r, KIND_OP, t, "mm", 10, 30);
	(void)hand_event(r, KIND_OP, t, "relu", 110, 20);
	(void)hand_event(r, KIND_OP, u, "add", 0, 100);
	(void)record(r, t, 0, 20, 1, 40, 1040, 2000);
	(void)record(r, t, 0, 60, 2, 10, 1057, 2000);
	(void)record(r, t, 0, 120, 1, -40, 1017, 2000);
	(void)record(r, t, 0, 200, 4, 5, 1022, 1500);
	(void)record(r, u, 0, 30, 3, 7, 1047, 2000); /* later in the file than in time */
}

static void test_curve(void **state)
{
	struct memcurves m;
	struct hostpath h;
	struct run r;

	(void)state;
	make_run(&r);
	index_build(&r, NEEDS);
	memcurves_init(&m, &r, NULL);
	assert_int_equal(m.n, 1);
	assert_int_equal(m.v[0].n, 5);
	assert_false(m.v[0].is_relative);
	assert_int_equal(m.v[0].allocated[1], 1047);
	assert_int_equal(m.v[0].peak, 2);
	assert_int_equal(m.v[0].peak_reserved, 0);
	assert_int_equal(m.v[0].alloc_bytes, 62);
	assert_int_equal(m.v[0].free_bytes, 40);
	assert_int_equal(memcurve_at(&m.v[0], &r, 19), SIZE_MAX);
	assert_int_equal(memcurve_at(&m.v[0], &r, 119), 2);
	hostpath_init(&h, &r);
	assert_true(span_is(run_name(&r, memcurve_op(&h, m.v[0].row[0])), "mm"));
	assert_true(span_is(run_name(&r, memcurve_op(&h, m.v[0].row[1])), "add"));
	assert_int_equal(memcurve_op(&h, m.v[0].row[4]), NO_ROW);
	hostpath_clear(&h);
	memcurves_clear(&m);
	run_clear(&r);
}

/* A record is of the deepest op of its own thread, not of every thread's. */
static void test_ops(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t row;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_memory, &r, false);
	assert_int_equal(h.status, OK);
	t = hand_table(&h, "peaks");
	assert_int_equal(hand_int(t, 0, "peak_allocated_bytes"), 1057);
	assert_int_equal(hand_int(t, 0, "peak_growth_bytes"), 57); /* 1000 before the first */
	assert_int_equal(hand_int(t, 0, "unused_at_peak_bytes"), 2000 - 1057);
	assert_true(span_is(hand_text(t, 0, "op"), "linear"));
	t = hand_table(&h, "ops");
	row = hand_find(t, "name", "linear");
	assert_int_equal(hand_int(t, row, "self_alloc_bytes"), 10);
	assert_int_equal(hand_int(t, row, "total_alloc_bytes"), 50);
	row = hand_find(t, "name", "mm");
	assert_int_equal(hand_int(t, row, "self_alloc_bytes"), 40);
	row = hand_find(t, "name", "relu");
	assert_int_equal(hand_int(t, row, "self_net_bytes"), -40);
	row = hand_find(t, "name", "add");
	assert_int_equal(hand_int(t, row, "total_alloc_bytes"), 7);
	t = hand_table(&h, "live"); /* at 60: 40 of mm, 10 of linear, 7 of add */
	assert_int_equal(t->nrow, 3);
	assert_int_equal(hand_int(t, 0, "live_bytes"), 40);
	assert_true(span_is(hand_text(t, 0, "name"), "mm"));
	hand_release(&h);
	run_clear(&r);
}

/* Without totals the sum of Bytes stands in, and the peak itself is unknown. */
static void test_relative(void **state)
{
	struct hand_answer h;
	struct run r;
	uint32_t t;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	(void)record(&r, t, 0, 10, 1, 100, ARG_UNKNOWN, ARG_UNKNOWN);
	(void)record(&r, t, 0, 20, 2, 50, ARG_UNKNOWN, ARG_UNKNOWN);
	(void)record(&r, t, 0, 30, 1, -100, ARG_UNKNOWN, ARG_UNKNOWN);
	hand_ask(&h, &analysis_memory, &r, false);
	assert_false(hand_knows(hand_table(&h, "peaks"), 0, "peak_allocated_bytes"));
	assert_false(hand_knows(hand_table(&h, "peaks"), 0, "unused_at_peak_bytes"));
	assert_int_equal(hand_int(hand_table(&h, "peaks"), 0, "peak_growth_bytes"), 150);
	assert_int_equal(hand_int(hand_table(&h, "curve"), 2, "allocated_bytes"), 50);
	assert_false(hand_knows(hand_table(&h, "curve"), 2, "reserved_bytes"));
	assert_string_equal(h.result.note[0].id, "memory_relative");
	hand_release(&h);
	run_clear(&r);
}

/* One record at the end of each of n steps. */
static void trend_of(
	struct memcurve_trend *t, const int64_t *mib, const int64_t *reserved, size_t n)
{
	struct memcurves m;
	struct run r;
	uint32_t thread;
	char name[32];
	size_t i;

	run_init(&r, NEEDS);
	thread = hand_thread(&r, 1);
	for (i = 0; i < n; i++) {
		(void)snprintf(name, sizeof(name), "ProfilerStep#%zu", i);
		(void)hand_event(&r, KIND_ANNOTATION, thread, name, (nsec)i * 100, 100);
		(void)record(
			&r, thread, 0, (nsec)i * 100 + 90, 1, 1, mib[i] * MIB, reserved[i] * MIB);
	}
	index_build(&r, NEEDS);
	memcurves_init(&m, &r, NULL);
	(void)memcurve_trend(t, &m.v[0], &r, NULL);
	memcurves_clear(&m);
	run_clear(&r);
}

/* The first of six or more steps is set aside: 7 steps leave 6. */
static void test_trends(void **state)
{
	static const int64_t flat[] = { 500, 500, 500, 500, 500, 500, 500, 500 };
	static const int64_t leak[] = { 100, 500, 524, 548, 572, 596, 620, 644 };
	static const int64_t jump[] = { 500, 500, 500, 500, 700, 700, 700, 700 };
	static const int64_t noise[] = { 500, 510, 490, 505, 495, 508, 492, 500 };
	struct memcurve_trend t;

	(void)state;
	trend_of(&t, flat, flat, 8);
	assert_int_equal(t.sign, MEMCURVE_STEADY);
	assert_true(t.slope == 0 && t.p == 1);
	trend_of(&t, leak, leak, 8);
	assert_int_equal(t.sign, MEMCURVE_LEAK);
	assert_true(t.is_leak);
	assert_int_equal(t.steps, 7);
	assert_true(t.slope == 24 * (double)MIB);
	assert_true(t.slope_lo == 24 * (double)MIB && t.slope_hi == 24 * (double)MIB);
	assert_true(fabs(t.p - 2.0 / 5040) < 1e-12); /* one of 7! orders, and its reverse */
	trend_of(&t, leak, leak, 4);
	assert_int_equal(t.sign, MEMCURVE_JUMP); /* 100 to 500 is most of it */
	trend_of(&t, leak + 1, flat, 4);
	assert_int_equal(t.sign, MEMCURVE_RISING);
	assert_false(t.is_leak);
	trend_of(&t, jump, flat, 8);
	assert_int_equal(t.sign, MEMCURVE_JUMP);
	trend_of(&t, noise, flat, 8);
	assert_int_equal(t.sign, MEMCURVE_STEADY);
	assert_true(t.slope_lo < t.slope && t.slope < t.slope_hi); /* 0 is inside */
	assert_true(t.slope_lo < 0 && t.slope_hi > 0);
	trend_of(&t, flat, leak + 1, 7);
	assert_int_equal(t.sign, MEMCURVE_RESERVED);
	trend_of(&t, flat, flat, 2);
	assert_int_equal(t.sign, MEMCURVE_UNKNOWN);
	assert_true(isnan(t.slope));
}

/* 1,000 records of which few are kept: ascending, with both ends and the peak. */
static void test_thin(void **state)
{
	enum { N = 1000, MOST = 40 };
	size_t keep[MOST + 8], n, i;
	bool has_peak = false;
	struct memcurves m;
	struct run r;
	uint32_t t;

	(void)state;
	run_init(&r, NEEDS);
	t = hand_thread(&r, 1);
	for (i = 0; i < N; i++)
		(void)record(&r, t, 0, (nsec)i * 7, 1, 1, i == 333 ? 9999 : (int64_t)(i % 100),
			i == 777 ? 20000 : 10000);
	index_build(&r, NEEDS);
	memcurves_init(&m, &r, NULL);
	n = memcurve_thin(&m.v[0], &r, MOST, keep);
	assert_true(n <= MOST + 8 && n >= 10);
	assert_int_equal(keep[0], 0);
	assert_int_equal(keep[n - 1], N - 1);
	for (i = 1; i < n; i++)
		assert_true(keep[i] > keep[i - 1]);
	for (i = 0; i < n; i++)
		has_peak |= keep[i] == 333;
	assert_true(has_peak);
	for (i = 0; i < n && keep[i] != 777; i++)
		;
	assert_true(i < n);
	memcurves_clear(&m);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_ops),
		cmocka_unit_test(test_relative),
		cmocka_unit_test(test_trends),
		cmocka_unit_test(test_thin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
