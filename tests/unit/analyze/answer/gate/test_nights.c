/* Nights against a store, by simulation: how often one without a change fails, all checks together,
 * and how often one with a change is found.  Five figures of independent noise each night.  Seeds
 * are fixed; the bounds are those of docs/statistics.md. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/stat/rng.h"
#include "analyze/trace/history.h"
#include "base/arena.h"
#include "base/compiler.h"
#include "tests/unit/near.h"

enum { NIGHTS = 400, RUNS = 20, STEPS = 100 };

static const struct figure {
	const char *id;
	enum unit unit;
	enum metric_better better;
	bool is_points;
	double value;
} figures[] = {
	{ "step_time", UNIT_NS, BETTER_LOWER, false, 6e7 },
	{ "tokens_per_sec", UNIT_NONE, BETTER_HIGHER, false, 1.3e5 },
	{ "peak_memory", UNIT_BYTES, BETTER_LOWER, false, 4e9 },
	{ "gpu_busy", UNIT_RATIO, BETTER_HIGHER, true, 0.9 },
	{ "exposed_comm", UNIT_NS, BETTER_LOWER, false, 2e7 },
};

/* What nights are like. */
struct climate {
	double noise;     /* between runs, as a ratio */
	double alike;     /* correlation of a night with the one before */
	double bad_share; /* of nights that are slower by 5 times the noise */
};

struct weather {
	const struct climate *of;
	struct rng rng;
	double last[COUNT_OF(figures)];
};

/* One figure of a night: ratio times what it is, and noise. */
static double night(struct weather *w, size_t i, double ratio)
{
	double a = w->of->alike, e;

	w->last[i] = a * w->last[i] + sqrt(1 - a * a) * near_normal(&w->rng);
	e = w->of->noise * w->last[i];
	if (w->of->bad_share > 0 && rng_unit(&w->rng) < w->of->bad_share)
		e += 5 * w->of->noise;
	if (figures[i].better == BETTER_HIGHER) {
		e = -e;
		ratio = 1 / ratio;
	}
	return figures[i].is_points ? figures[i].value + e + (ratio - 1)
				    : figures[i].value * exp(e) * ratio;
}

static void add_run(struct history *h, struct weather *w, size_t number, double ratio)
{
	struct history_run *r = history_add(h);
	size_t i;

	r->time_s = 1767225600 + 86400 * (int64_t)number;
	r->label = "night";
	for (i = 0; i < COUNT_OF(figures); i++) {
		size_t at = history_metric(h, span_of(figures[i].id));

		h->metric[at].unit = figures[i].unit;
		h->metric[at].better = figures[i].better;
		h->metric[at].is_points = figures[i].is_points;
		history_set(h, r, at,
			(struct history_value){ night(w, i, i == 0 ? ratio : 1), NAN, STEPS, NAN });
	}
}

static void make_new(struct metricset *m, struct weather *w, double ratio, struct arena *mem)
{
	size_t i;

	m->v = arena_array(mem, COUNT_OF(figures), sizeof(*m->v));
	m->n = COUNT_OF(figures);
	for (i = 0; i < m->n; i++) {
		m->v[i] = (struct metric){ .id = figures[i].id,
			.title = figures[i].id,
			.unit = figures[i].unit,
			.better = figures[i].better,
			.is_points = figures[i].is_points,
			.n = 1 };
		m->v[i].sample = arena_array(mem, 1, sizeof(*m->v[i].sample));
		m->v[i].sample[0] = (struct metric_sample){ .run = "new",
			.centre = night(w, i, i == 0 ? ratio : 1),
			.sd = NAN,
			.count = STEPS };
	}
}

/* The gate's exit status for one night of that ratio in its step time against `runs` others. */
static int gate_of(struct weather *w, size_t runs, double ratio)
{
	static const struct gate_options options;
	struct history h;
	struct query query = { .history = &h };
	struct result out;
	struct gate g = { .query = &query, .o = &options, .out = &out };
	struct err e;
	size_t i;

	history_init(&h, "store");
	result_init(&out, "traceq.gate/1");
	assert_int_equal(gate_rules_init(&g.rules, &options, NULL, INT64_MIN, &out.mem, &e), OK);
	g.segments = segment_usual;
	g.now_label = "new";
	for (i = 0; i < runs; i++)
		add_run(&h, w, i, 1);
	segment_metricset(&g.base, &h, &g.segments, &g.mem);
	g.series = arena_array(&g.mem, h.nmetric, sizeof(*g.series));
	for (i = 0; i < h.nmetric; i++)
		segment_series(&g.series[i], &h, i, &g.segments, &g.mem);
	make_new(&g.now, w, ratio, &g.mem);
	assert_int_equal(gate_judge(&g, &e), OK);
	gate_rules_clear(&g.rules);
	arena_clear(&g.mem);
	result_clear(&out);
	history_clear(&h);
	return g.exit_code;
}

/* Share of nights that fail. */
static double rate(const struct climate *climate, size_t runs, double ratio)
{
	struct weather w = { .of = climate };
	size_t i, k, n = 0;

	rng_init(&w.rng, 20);
	for (i = 0; i < NIGHTS; i++) {
		for (k = 0; k < COUNT_OF(figures); k++)
			w.last[k] = near_normal(&w.rng);
		n += gate_of(&w, runs, ratio) != 0;
	}
	return (double)n / NIGHTS;
}

/* At most `most`, but for chance: three standard errors of NIGHTS nights. */
static void at_most(double got, double most)
{
	assert_true(got <= most + 3 * sqrt(most * (1 - most) / NIGHTS));
}

static void false_alarms(void **state)
{
	static const struct climate noises[] = { { 0.005, 0, 0 }, { 0.01, 0, 0 }, { 0.02, 0, 0 },
		{ 0.04, 0, 0 }, { 0.08, 0, 0 } };
	static const size_t runs[] = { 10, 20, 40 };
	size_t i, k;

	(void)state;
	for (i = 0; i < COUNT_OF(noises); i++)
		for (k = 0; k < COUNT_OF(runs); k++) {
			double got = rate(&noises[i], runs[k], 1);

			print_message("noise %.1f%%, %zu runs: %.1f%% false alarms\n",
				100 * noises[i].noise, runs[k], 100 * got);
			at_most(got, 0.01);
		}
}

static void detection(void **state)
{
	static const struct {
		struct climate climate;
		double ratio, least;
	} cases[] = {
		{ { 0.005, 0, 0 }, 1.03, 0.95 },
		{ { 0.005, 0, 0 }, 1.05, 0.99 },
		{ { 0.01, 0, 0 }, 1.05, 0.80 },
		{ { 0.01, 0, 0 }, 1.10, 0.99 },
		{ { 0.02, 0, 0 }, 1.10, 0.75 },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		double got = rate(&cases[i].climate, RUNS, cases[i].ratio);

		print_message("noise %.1f%%, +%.0f%%: found in %.1f%% of nights\n",
			100 * cases[i].climate.noise, 100 * (cases[i].ratio - 1), 100 * got);
		assert_true(got >= cases[i].least);
	}
}

/* Nights that are like the one before, and bad nights among the good: what they cost is bounded. */
static void odd_nights(void **state)
{
	static const struct climate alike = { 0.01, 0.4, 0 }, bad = { 0.01, 0, 0.05 };
	double got;

	(void)state;
	got = rate(&alike, 40, 1);
	print_message("nights alike (0.4): %.1f%% false alarms\n", 100 * got);
	at_most(got, 0.04);
	/* of five figures one is bad in 23 of 100 nights; a fifth of the noise hides it */
	got = rate(&bad, 40, 1);
	print_message("one night of 20 bad by 5 times the noise: %.1f%% fail\n", 100 * got);
	assert_true(got < 0.25);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(false_alarms),
		cmocka_unit_test(detection),
		cmocka_unit_test(odd_nights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
