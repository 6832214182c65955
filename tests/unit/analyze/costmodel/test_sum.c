/* Sums over calls: each figure over the time it is of, and no order gives another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/ops.h"
#include "analyze/costmodel/op_call.h"
#include "analyze/costmodel/sum.h"
#include "tests/unit/near.h"

static struct roof_peaks one_of_each(void)
{
	struct roof_peaks p = { .memory_Bps = 1e9, .link_Bps = NAN };
	int d;

	for (d = 0; d < ROOF_DTYPE_COUNT; d++)
		p.matrix[d] = p.vector[d] = 1e12;
	return p;
}

static struct roof_cost cost(int64_t flop, int64_t bytes, enum roof_reason why)
{
	return (struct roof_cost){ .op = roof_op_of(SPAN("aten::mm")),
		.work = { .flop = flop,
			.done = flop,
			.bytes = bytes,
			.why = why,
			.dtype = ROOF_BF16 },
		.bus = COMM_BUS_UNKNOWN };
}

/* 3 calls of 2000 FLOP and 1 byte: 2 ns of compute, 1 ns of memory each, in 12 ns: half of the
 * roof, 0.5 TFLOP/s.  With 1 call of 7 bytes in 28 ns memory is 7 of 13 ns.  An unknown call adds
 * its time. */
static void test_figures(void **state)
{
	const struct roof_peaks p = one_of_each();
	const struct roof_cost known = cost(2000, 1, ROOF_WHY_KNOWN),
			       moved = cost(0, 7, ROOF_WHY_KNOWN),
			       none = cost(-1, -1, ROOF_WHY_NO_SHAPES);
	struct roof_sum s = { 0 };

	(void)state;
	assert_null(roof_sum_bound(&s));
	assert_true(isnan(roof_sum_ratio(&s)) && isnan(roof_sum_tflops(&s)));
	roof_sum_add(&s, &known, &p, 3, 12, 12);
	near(roof_sum_ratio(&s), 0.5, 1e-12);
	near(roof_sum_tflops(&s), 0.5, 1e-12);
	assert_string_equal(roof_sum_bound(&s), "compute");
	roof_sum_add(&s, &moved, &p, 1, 28, 20);
	near(roof_sum_ratio(&s), 13.0 / 40, 1e-12);
	assert_string_equal(roof_sum_bound(&s), "memory");
	assert_int_equal(roof_sum_why(&s), ROOF_WHY_KNOWN);
	roof_sum_add(&s, &none, &p, 5, 60, 50);
	assert_int_equal(s.calls, 9);
	assert_int_equal(s.flop, 6000);
	assert_int_equal(s.flop_busy, 40);
	near(roof_sum_ratio(&s), 13.0 / 40, 1e-12);
	near(roof_sum_known(&s), 0.4, 1e-12);
	assert_int_equal(roof_sum_why(&s), ROOF_WHY_NO_SHAPES);
	assert_int_equal(s.roof_own, 32);
}

/* One by one or together, in either order, the same bits. */
static void test_order(void **state)
{
	const struct roof_peaks p = one_of_each();
	const struct roof_cost a = cost(1001, 1, ROOF_WHY_KNOWN), b = cost(77, 3, ROOF_WHY_KNOWN);
	struct roof_sum one = { 0 }, two = { 0 }, part = { 0 };
	int i;

	(void)state;
	roof_sum_add(&one, &a, &p, 1000, 5000, 5000);
	roof_sum_add(&one, &b, &p, 3, 500, 500);
	roof_sum_add(&two, &b, &p, 3, 500, 500);
	for (i = 0; i < 1000; i++)
		roof_sum_add(&part, &a, &p, 1, 5, 5);
	roof_sum_join(&two, &part);
	assert_true(one.at_roof == two.at_roof && one.at_compute == two.at_compute);
	assert_true(roof_sum_ratio(&one) == roof_sum_ratio(&two));
	assert_true(roof_sum_tflops(&one) == roof_sum_tflops(&two));
}

/* Figures that no device has end in no overflow. */
static void test_limits_of_sums(void **state)
{
	struct roof_peaks p = one_of_each();
	const struct roof_cost most = cost(INT64_MAX, INT64_MAX, ROOF_WHY_KNOWN);
	struct roof_sum s = { 0 };

	(void)state;
	p.memory_Bps = 1e-9;
	roof_sum_add(&s, &most, &p, UINT32_MAX, INT64_MAX, INT64_MAX);
	roof_sum_add(&s, &most, &p, UINT32_MAX, INT64_MAX, INT64_MAX);
	assert_int_equal(s.flop, INT64_MAX);
	assert_int_equal(s.busy, INT64_MAX);
	assert_true(s.at_roof > 0 && isfinite(roof_sum_ratio(&s)));
}

static void shown(const char *dims, const char *want)
{
	SCOPED_ARENA mem = { 0 };
	struct span got;

	got = roof_shapes_text(span_of(dims), &mem);
	if (!span_is(got, want))
		fail_msg("%s: %.*s", dims, (int)got.n, got.p);
}

static void test_shapes(void **state)
{
	(void)state;
	shown("", "");
	shown("[[], []]", "");
	shown("[[512], [141, 512], [], []]", "[512] [141,512]");
	shown("[[16, 16, 1024, 64], [16, 16, 1024, 64], []]", "[16,16,1024,64] ..");
	shown("[[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17]]", "..");
	shown("[[2, 3", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_limits_of_sums),
		cmocka_unit_test(test_shapes),
	};

	return cmocka_run_group_tests_name("roof_sum", tests, NULL, NULL);
}
