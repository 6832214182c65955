/* Energy in `smi`: a trace of three steps and samples of its GPU, computed by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "analyze/analysis/analysis.h"
#include "analyze/trace/columns/record.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

#define S    INT64_C(1000000000)
#define NOON INT64_C(1764504000)

static struct series *series(struct run *r, const char *name, const char *group, enum measure m)
{
	struct series *s = record_series(r->record, 0, span_of(name), span_of(group));

	s->measure = m;
	s->axis = AXIS_TIME;
	return s;
}

/* Steps of 2 s, in the first second of which a matmul runs; the last one takes 4 s. */
static void draw_trace(struct run *r, int64_t steps, nsec last)
{
	uint32_t thread, stream;
	int64_t i;

	run_init(r, NEED_ORDER | NEED_LINKS | NEED_STEPS);
	r->path = "hand.json";
	r->meta.has_base = true;
	r->meta.base_ns = NOON * S;
	r->record = record_new();
	(void)record_artifact(r->record, "gpu.csv", "smi_csv", "samples of nvidia-smi");
	thread = hand_thread(r, 100);
	stream = hand_stream(r, 0, 7);
	for (i = 0; i < steps; i++) {
		char name[32];
		nsec at = i * 2 * S;

		(void)snprintf(name, sizeof(name), "ProfilerStep#%d", (int)i);
		hand_event(r, KIND_ANNOTATION, thread, name, at, i + 1 < steps ? 2 * S : last);
		hand_launch(r, thread, stream, at, at, S, (uint64_t)i + 1);
	}
}

static void ask(struct hand_answer *h, struct run *r)
{
	hand_ask(h, &analysis_smi, r, false);
	if (h->status != OK)
		fail_msg("%s", h->err.text);
}

/* 100 W at all times, an hour ahead of UTC: 200 J a step, half of it for nothing. */
static void constant_power(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *power, *tokens;
	struct run r;
	size_t i;

	(void)state;
	draw_trace(&r, 3, 2 * S);
	power = series(&r, "power.draw", "0", MEASURE_WATT);
	for (i = 0; i < 11; i++)
		series_add(power, (double)(NOON + 3600) - 1 + (double)i, 100);
	tokens = series(&r, "num_tokens", "", MEASURE_NONE);
	tokens->axis = AXIS_STEP;
	for (i = 0; i < 3; i++)
		series_add(tokens, (double)i, 5000 * (double)(i + 1));
	ask(&h, &r);
	t = hand_table(&h, "energy");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "energy_nj"), 600 * S);
	assert_int_equal(hand_int(t, 0, "work_nj"), 300 * S);
	assert_int_equal(hand_int(t, 0, "idle_nj"), 300 * S);
	assert_true(hand_real(t, 0, "error_nj") == 0);
	assert_true(hand_real(t, 0, "step_nj") == 200e9);
	assert_true(hand_real(t, 0, "token_nj") == 200e9 / 5000);
	assert_true(hand_real(t, 0, "mean_w") == 100);
	assert_true(hand_real(t, 0, "covered_ratio") == 1);
	t = hand_table(&h, "energy_steps");
	assert_int_equal(t->nrow, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(hand_int(t, i, "energy_nj"), 200 * S);
	assert_false(hand_knows(t, 0, "limit_ratio"));
	hand_release(&h);
	run_clear(&r);
}

/* 0 W at noon and 10 W more each second: 5 t^2 joules at t seconds. */
static void a_ramp(void **state)
{
	struct hand_answer h;
	const struct table *t;
	struct series *power;
	struct run r;
	size_t i;
	int64_t sum = 0;

	(void)state;
	draw_trace(&r, 3, 2 * S);
	power = series(&r, "power.draw.instant", "0", MEASURE_WATT);
	for (i = 0; i < 8; i++)
		series_add(power, (double)NOON + (double)i, 10 * (double)i);
	ask(&h, &r);
	t = hand_table(&h, "energy_steps");
	for (i = 0; i < 3; i++)
		assert_int_equal(hand_int(t, i, "energy_nj"),
			5 * S * (int64_t)(4 * (i + 1) * (i + 1) - 4 * i * i));
	t = hand_table(&h, "energy_parts");
	/* matmul: 5 * (1 + (9 - 4) + (25 - 16)) */
	assert_int_equal(hand_int(t, hand_find(t, "what", "idle"), "energy_nj"), 105 * S);
	for (i = 0; i < t->nrow; i++)
		sum += hand_int(t, i, "energy_nj");
	assert_int_equal(sum, 180 * S);
	hand_release(&h);
	run_clear(&r);
}

/* The slow step at a low clock, by the power limit; what samples do not cover has no energy. */
static void a_step_that_was_slowed_down(void **state)
{
	struct series *power, *clock, *limit, *reasons;
	struct hand_answer h;
	const struct table *t;
	bool is_said = false, is_uncovered = false;
	struct run r;
	size_t i;

	(void)state;
	draw_trace(&r, 7, 4 * S);
	power = series(&r, "power.draw", "0", MEASURE_WATT);
	limit = series(&r, "power.limit", "0", MEASURE_WATT);
	clock = series(&r, "clocks.sm", "0", MEASURE_MHZ);
	reasons = series(&r, "clocks_throttle_reasons.active", "0", MEASURE_NONE);
	for (i = 2; i < 20; i++) {
		double at = (double)NOON + (double)i;

		series_add(power, at, 400);
		series_add(limit, at, 400);
		series_add(clock, at, i < 12 ? 2000 : 1000);
		series_add(reasons, at, i < 12 ? 0 : 0x44);
	}
	ask(&h, &r);
	t = hand_table(&h, "energy_steps");
	assert_false(hand_knows(t, 0, "energy_nj"));
	assert_int_equal(hand_int(t, 1, "energy_nj"), 800 * S);
	assert_true(hand_real(t, 1, "limit_ratio") == 1);
	assert_true(hand_real(t, 1, "clock_ratio") == 1);
	assert_true(hand_real(t, 6, "clock_ratio") == 0.5);
	assert_true(span_is(hand_text(t, 6, "reasons"), "power cap, heat (hw)"));
	assert_int_equal(hand_text(t, 1, "reasons").n, 0);
	assert_true(span_has(hand_text(t, 6, "mark"), "slow"));
	for (i = 0; i < h.result.nnote; i++) {
		const struct note *n = &h.result.note[i];

		is_said |= span_is(span_of(n->id), "energy_throttled") && n->count == 1;
		is_uncovered |= span_is(span_of(n->id), "energy_uncovered");
	}
	assert_true(is_said && is_uncovered);
	hand_release(&h);
	run_clear(&r);
}

/* Two GPUs sampled, and a device that is neither; a log without dates. */
static void no_samples_of_it(void **state)
{
	struct hand_answer h;
	struct series *s;
	struct run r;
	size_t i, k;

	(void)state;
	draw_trace(&r, 3, 2 * S);
	for (k = 3; k < 5; k++) {
		s = series(&r, "power.draw", k == 3 ? "3" : "4", MEASURE_WATT);
		for (i = 0; i < 8; i++)
			series_add(s, (double)NOON + (double)i, 100);
	}
	ask(&h, &r);
	assert_int_equal(hand_table(&h, "energy")->nrow, 0);
	for (i = 0; i < h.result.nnote && !span_is(span_of(h.result.note[i].id), "energy_no_gpu");)
		i++;
	assert_true(i < h.result.nnote);
	hand_release(&h);
	run_clear(&r);
	draw_trace(&r, 3, 2 * S);
	s = series(&r, "power.draw", "0", MEASURE_WATT);
	s->axis = AXIS_ROW;
	for (i = 0; i < 8; i++)
		series_add(s, (double)i, 100);
	ask(&h, &r);
	assert_null(hand_table(&h, "energy"));
	for (i = 0; i < h.result.nnote && !span_is(span_of(h.result.note[i].id), "energy_apart");)
		i++;
	assert_true(i < h.result.nnote);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(constant_power),
		cmocka_unit_test(a_ramp),
		cmocka_unit_test(a_step_that_was_slowed_down),
		cmocka_unit_test(no_samples_of_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
