/* `smi` on samples written by hand: weights, trimming, missing values, several GPUs, a trace. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/smi/smi.h"
#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/record.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

#define NEAR(a, b, eps) assert_true(fabs((a) - (b)) <= (eps))
#define MIB             1048576.0

static void new_run(struct run *r)
{
	run_init(r, NEED_ORDER);
	r->record = record_new();
	(void)record_artifact(r->record, "gpu_usage.csv", "smi", "samples of nvidia-smi");
}

static struct series *series(struct run *r, const char *name, const char *group, enum measure m)
{
	struct series *s = record_series(r->record, 0, span_of(name), span_of(group));

	s->measure = m;
	s->axis = AXIS_TIME;
	return s;
}

static void ask(struct hand_answer *h, struct run *r, bool for_people)
{
	hand_ask(h, &analysis_smi, r, for_people);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

/*
 *	time   0    1    2    3    4    5         8    9
 *	%      0   80  100   40    4   90        90    0
 * Trimmed: 80 at 1 ... 90 at 8.  Weights: 0 and 9 still are neighbours: 1: 1, 2: 1, 3: 1, 4: 1,
 * 5: 0.5 + 1.5 = 2, 8: 1.5 + 0.5 = 2; together 8.
 * Mean (80 + 100 + 40 + 4 + 180 + 180) / 8 = 73; idle 1/8; at least 80: (1 + 1 + 2 + 2) / 8.
 */
static const double times[] = { 0, 1, 2, 3, 4, 5, 8, 9 };
static const double utils[] = { 0, 80, 100, 40, 4, 90, 90, 0 };

static void fill_one(struct run *r)
{
	struct series *u, *used, *left, *heat, *power;
	size_t i;

	new_run(r);
	u = series(r, "utilization.gpu", "0", MEASURE_PERCENT);
	used = series(r, "memory.used", "0", MEASURE_MIB);
	left = series(r, "memory.free", "0", MEASURE_MIB);
	heat = series(r, "temperature.gpu", "0", MEASURE_NONE);
	power = series(r, "power.draw", "0", MEASURE_WATT);
	for (i = 0; i < COUNT_OF(times); i++) {
		series_add(u, times[i], utils[i]);
		series_add(used, times[i], 100 + 10 * (double)i);
		series_add(left, times[i], 900 - 10 * (double)i);
		series_add(heat, times[i], 50 + (double)i);
		if (i == 3)
			series_add_missing(power);
		else
			series_add(power, times[i], 200);
	}
}

static void weights_and_trimming(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;

	(void)state;
	fill_one(&r);
	ask(&h, &r, false);
	t = hand_table(&h, "gpus");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "samples"), 6);
	assert_int_equal(hand_int(t, 0, "trimmed"), 2);
	assert_int_equal(hand_int(t, 0, "missing"), 1);
	NEAR(hand_real(t, 0, "span_s"), 8, 1e-12);
	NEAR(hand_real(t, 0, "interval_s"), 1, 1e-12);
	NEAR(hand_real(t, 0, "utilization_ratio"), 0.73, 1e-12);
	NEAR(hand_real(t, 0, "idle_ratio"), 1 / 8.0, 1e-12);
	NEAR(hand_real(t, 0, "busy80_ratio"), 6 / 8.0, 1e-12);
	NEAR(hand_real(t, 0, "utilization_p50_ratio"), 0.85, 1e-12); /* of 4 40 80 90 90 100 */
	NEAR(hand_real(t, 0, "utilization_p10_ratio"), 0.22, 1e-12);
	NEAR(hand_real(t, 0, "peak_used_bytes"), 160 * MIB, 1);
	NEAR(hand_real(t, 0, "capacity_bytes"), 1000 * MIB, 1);
	NEAR(hand_real(t, 0, "peak_ratio"), 0.16, 1e-12);
	NEAR(hand_real(t, 0, "temperature_max_c"), 56, 0);
	NEAR(hand_real(t, 0, "power_mean_w"), 200, 1e-9);
	NEAR(hand_real(t, 0, "energy_j"), 1600, 1e-9);
	assert_false(hand_knows(t, 0, "throttled_ratio"));
	assert_false(hand_knows(t, 0, "over_time"));
	assert_true(span_is(hand_text(t, 0, "verdict"), "under-used"));
	hand_release(&h);
	ask(&h, &r, true);
	t = hand_table(&h, "gpus");
	assert_true(span_is(hand_text(t, 0, "over_time"), "▇█▄▁██"));
	assert_null(hand_table(&h, "timeline"));
	hand_release(&h);
	run_clear(&r);
}

/* Stretches add up to what the whole says: mean weighted by the same weights. */
static void timeline_has_every_sample(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct run r;
	int64_t samples = 0;
	size_t i;

	(void)state;
	fill_one(&r);
	ask(&h, &r, false);
	t = hand_table(&h, "timeline");
	for (i = 0; i < t->nrow; i++) {
		samples += hand_int(t, i, "samples");
		assert_true(i == 0 || hand_int(t, i, "at_ns") > hand_int(t, i - 1, "at_ns"));
	}
	assert_int_equal(samples, 6);
	assert_int_equal(hand_int(t, 0, "at_ns"), 0);
	NEAR(hand_real(t, 0, "utilization_ratio"), 0.8, 1e-12);
	hand_release(&h);
	run_clear(&r);
}

/* A pause of 100 s counts as one interval; the clock fell in half of the busy time. */
static void pauses_and_clocks(void **state)
{
	static const double at[] = { 0, 1, 2, 3, 103, 104, 105, 106 };
	static const double mhz[] = { 1400, 1400, 1400, 1400, 1000, 1000, 1000, 1000 };
	struct hand_answer h;
	const struct table *t;
	struct series *u, *clock;
	struct run r;
	size_t i;

	(void)state;
	new_run(&r);
	u = series(&r, "utilization.gpu [%]", "", MEASURE_PERCENT);
	clock = series(&r, "clocks.current.sm [MHz]", "", MEASURE_MHZ);
	for (i = 0; i < COUNT_OF(at); i++) {
		series_add(u, at[i], 100);
		series_add(clock, at[i], mhz[i]);
	}
	ask(&h, &r, false);
	t = hand_table(&h, "gpus");
	assert_int_equal(hand_int(t, 0, "pauses"), 1);
	NEAR(hand_real(t, 0, "span_s"), 7, 1e-12);
	NEAR(hand_real(t, 0, "throttled_ratio"), 0.5, 1e-12);
	NEAR(hand_real(t, 0, "clock_top_hz"), 1.4e9, 1);
	assert_true(span_is(hand_text(t, 0, "verdict"), "busy"));
	t = hand_table(&h, "timeline");
	for (i = 0; i < t->nrow; i++)
		assert_int_equal(hand_bool(t, i, "is_after_pause"),
			hand_int(t, i, "at_ns") == 103 * (int64_t)1000000000);
	hand_release(&h);
	run_clear(&r);
}

/* Two GPUs, one of which never worked: nothing to trim, all of it idle. */
static void several_gpus(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *a, *b;
	struct run r;
	int i;

	(void)state;
	new_run(&r);
	a = series(&r, "utilization.gpu", "0", MEASURE_PERCENT);
	b = series(&r, "utilization.gpu", "1", MEASURE_PERCENT);
	for (i = 0; i < 10; i++) {
		series_add(a, i, 45);
		series_add(b, i, 0);
	}
	ask(&h, &r, false);
	t = hand_table(&h, "gpus");
	assert_int_equal(t->nrow, 2);
	assert_true(span_is(hand_text(t, 0, "verdict"), "under-used: seriously CPU-bound"));
	assert_true(span_is(hand_text(t, 1, "verdict"), "idle"));
	assert_int_equal(hand_int(t, 1, "samples"), 10);
	NEAR(hand_real(t, 1, "idle_ratio"), 1, 0);
	hand_release(&h);
	run_clear(&r);
}

/* Kernels [0, 60) and [80, 100): 80 of 100 ns. */
static void a_trace_beside_it(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *u;
	struct run r;
	uint32_t s;

	(void)state;
	new_run(&r);
	u = series(&r, "utilization.gpu", "", MEASURE_PERCENT);
	series_add(u, 0, 100);
	r.path = "trace.json";
	s = hand_stream(&r, 0, 7);
	(void)hand_event(&r, KIND_KERNEL, s, "a", 0, 60);
	(void)hand_event(&r, KIND_KERNEL, s, "b", 80, 20);
	ask(&h, &r, false);
	t = hand_table(&h, "traces");
	assert_non_null(t);
	assert_int_equal(hand_int(t, 0, "device_busy_ns"), 80);
	assert_int_equal(hand_int(t, 0, "device_span_ns"), 100);
	NEAR(hand_real(t, 0, "busy_span_ratio"), 0.8, 1e-12);
	t = hand_table(&h, "gpus");
	NEAR(hand_real(t, 0, "utilization_ratio"), 1, 1e-12);
	hand_release(&h);
	run_clear(&r);
}

static void nothing_of_it_is_an_error(void **state)
{
	struct hand_answer h;
	struct run r;

	(void)state;
	new_run(&r);
	series_add(series(&r, "loss", "", MEASURE_NONE), 0, 1);
	hand_ask(&h, &analysis_smi, &r, false);
	assert_int_equal(h.status, E_NODATA);
	hand_release(&h);
	run_clear(&r);
}

static void fields_by_name(void **state)
{
	(void)state;
	assert_int_equal(smi_field_of(SPAN("utilization.gpu")), SMI_UTIL);
	assert_int_equal(smi_field_of(SPAN("utilization.gpu [%]")), SMI_UTIL);
	assert_int_equal(smi_field_of(SPAN("memory.used [MiB]")), SMI_USED);
	assert_int_equal(smi_field_of(SPAN("clocks.max.sm")), SMI_CLOCK_MAX);
	assert_int_equal(smi_field_of(SPAN("utilization.gpus")), SMI_FIELDS_N);
	assert_int_equal(smi_field_of(SPAN("")), SMI_FIELDS_N);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(weights_and_trimming),
		cmocka_unit_test(timeline_has_every_sample),
		cmocka_unit_test(pauses_and_clocks),
		cmocka_unit_test(several_gpus),
		cmocka_unit_test(a_trace_beside_it),
		cmocka_unit_test(nothing_of_it_is_an_error),
		cmocka_unit_test(fields_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
