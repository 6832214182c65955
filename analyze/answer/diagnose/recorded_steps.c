/*
 * Rules about steps, from logs and metrics: waiting for data (R04), utilisation (R05), steps that
 * get slower (R13), their variance (R14), and which of them were profiled (R15).
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analyze/answer/diagnose/recorded.h"
#include "analyze/measure/curve.h"
#include "analyze/measure/metricname.h"
#include "analyze/measure/slowing.h"
#include "analyze/trace/unit_of_measure.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

static const struct setting wait_settings[] = {
	RULE_SETTING("R04.warn", RATIO, "20%", "WARN when more of the step time waits for data"),
};

static void check_wait(struct recorded *k)
{
	const struct scalar *s = recorded_find(k, "dataloader_wait_pct");
	double wait = scalar_number(s) / 100;
	bool is_high = wait > recorded_limit(k, "R04.warn");
	struct recorded_finding *f;

	if (!s || isnan(wait))
		return;
	f = recorded_found(k, is_high ? SEVERITY_WARN : SEVERITY_OK, s->artifact,
		"%.1f%% of step time waiting for data%s", 100 * wait,
		is_high ? ": significant" : "");
	f->value = wait;
	f->cost = wait;
	f->action = is_high ? "More workers / Better preprocessing" : NULL;
}

const struct recorded_rule recorded_R04 = {
	.word = { "R04", "waiting for data", "dataloader_wait_pct of a canary's metrics above 20.",
		"rlhf-canary, compare/heuristics.py" },
	.setting = wait_settings,
	.nsetting = COUNT_OF(wait_settings),
	.check = check_wait,
};

/* ---- R05 ---- */

static const struct setting busy_settings[] = {
	RULE_SETTING("R05.target", RATIO, "80%", "the guide's target for efficient training"),
	RULE_SETTING(
		"R05.note", RATIO, "70%", "a note below this: a CPU bottleneck, says the guide"),
	RULE_SETTING("R05.warn", RATIO, "50%", "WARN below this: serious"),
};

static void judge_busy(struct recorded *k, double busy, const char *what, int artifact)
{
	struct recorded_finding *f;
	enum severity s = SEVERITY_OK;
	const char *word = busy < recorded_limit(k, "R05.target") ? ", below the target" : "";

	if (busy < recorded_limit(k, "R05.warn")) {
		s = SEVERITY_WARN;
		word = ": low, which indicates a CPU bottleneck";
	} else if (busy < recorded_limit(k, "R05.note")) {
		s = SEVERITY_NOTE;
		word = ": a CPU bottleneck, says the guide";
	}
	f = recorded_found(k, s, artifact, "%s utilization %.0f%%%s", what, 100 * busy, word);
	f->value = busy;
	f->cost = 1 - busy;
	if (s != SEVERITY_OK)
		f->action = "a trace says what the device waits for; it should be above 80%";
}

static void check_busy(struct recorded *k)
{
	const struct scalar *s = recorded_find(k, "gpu_utilization_avg");
	size_t i;

	if (s && !isnan(scalar_number(s)))
		judge_busy(k, scalar_number(s) / 100, "GPU", s->artifact);
	for (i = 0; i < k->r->nseries; i++) {
		const struct series *v = k->r->series[i];

		if (v->n == 0 || !span_starts(v->name, "utilization.gpu"))
			continue;
		judge_busy(k, v->mean * measure_infos[v->measure].factor,
			v->group.n ? arena_printf(
					     k->mem, "GPU %.*s, mean", (int)v->group.n, v->group.p)
				   : "GPU, mean",
			v->artifact);
	}
}

const struct recorded_rule recorded_R05 = {
	.word = { "R05", "GPU utilisation",
		"gpu_utilization_avg of a canary's metrics, and the mean of nvidia-smi's "
		"utilization.gpu: below 70% a CPU bottleneck, below 50% serious; the target is 80%. "
		"nvidia-smi counts the time in which any kernel runs.",
		"PyTorch Profiler Analysis Guide; rlhf-canary, compare/heuristics.py" },
	.setting = busy_settings,
	.nsetting = COUNT_OF(busy_settings),
	.check = check_busy,
};

/* ---- R13, R14 ---- */

enum { WARMUP = 10, WARMUP_SHARE = 5, SERIES_MOST = 16 };

/* Step times without the first ones, where enough is left; false: too few. */
static bool times_of(const struct recorded *k, const struct series *s, struct curve *c)
{
	size_t skip = s->n >= WARMUP_SHARE * WARMUP ? WARMUP : 0;

	if (metric_role(s->name) != ROLE_STEP_TIME ||
		(k->r->nartifact && k->r->artifact[s->artifact].is_copy))
		return false;
	curve_of(c, s, NULL, skip, k->scratch);
	return c->n >= SLOWING_LEAST;
}

/* A step's time in words; what has no unit is seconds. */
static const char *time_text(const struct recorded *k, const struct series *s, double v)
{
	enum measure m = s->measure == MEASURE_NONE ? MEASURE_S : s->measure;

	return recorded_time(k, v * measure_infos[m].factor);
}

static const struct setting slower_settings[] = {
	RULE_SETTING("R13.warn", RATIO, "5%", "WARN when steps get slower by more than this"),
};

static void judge_slowing(struct recorded *k, const struct series *s, const struct curve *c)
{
	struct recorded_finding *f;
	struct slowing slow;

	slowing_of(&slow, c, recorded_limit(k, "R13.warn"), k->scratch);
	if (!slow.is_known)
		return;
	if (!slow.is_found) {
		f = recorded_found(k, SEVERITY_OK, s->artifact, "%.*s: no slower at the end",
			(int)s->name.n, s->name.p);
		f->value = slow.to / slow.from - 1;
		return;
	}
	f = recorded_found(k, SEVERITY_WARN, s->artifact,
		"%.*s: slower after %s %.0f: %s %s, %s more (p %s %.0e)", (int)s->name.n, s->name.p,
		s->axis == AXIS_STEP ? "step" : "value", slow.x,
		slow.is_jump ? "at once to" : "creeping to", time_text(k, s, slow.to),
		recorded_percent(k, slow.to / slow.from - 1), slow.p < SLOWING_P_SHOWN ? "<" : "=",
		fmax(slow.p, SLOWING_P_SHOWN));
	f->value = slow.to / slow.from - 1;
	f->cost = (slow.to - slow.from) / slow.to;
	f->action = "profile after that step and before it: 'traceq diff EARLY LATE'; look for "
		    "growing lists, caches, memory, longer inputs, a hot GPU";
}

static void check_slowing(struct recorded *k)
{
	struct curve c;
	size_t i, n = 0;

	for (i = 0; i < k->r->nseries && n < SERIES_MOST; i++) {
		if (!times_of(k, k->r->series[i], &c))
			continue;
		judge_slowing(k, k->r->series[i], &c);
		n++;
	}
}

const struct recorded_rule recorded_R13 = {
	.word = { "R13", "slower steps",
		"Step times of a log rise: one jump that explains it all (Welch's test, for "
		"values that depend on their neighbours and for the number of places), or a slope that "
		"neighbours and outliers do not fake (Theil-Sen, Mann-Kendall), p below 0.001, and the "
		"level at the end is above that of the beginning by more than the limit. The first 10 "
		"of 50 or more steps are set aside.",
		"Profiler Deep Dive: my run got slower after N steps" },
	.setting = slower_settings,
	.nsetting = COUNT_OF(slower_settings),
	.check = check_slowing,
};

static const struct setting spread_settings[] = {
	RULE_SETTING("R14.note", RATIO, "10%",
		"a note when the standard deviation of step times is above this share of their mean"),
};

static void check_spread(struct recorded *k)
{
	struct curve c;
	size_t i;

	for (i = 0; i < k->r->nseries; i++) {
		const struct series *s = k->r->series[i];
		struct recorded_finding *f;
		double spread;

		if (!times_of(k, s, &c) || !c.is_exact)
			continue;
		spread = slowing_spread(&c);
		if (isnan(spread))
			continue;
		f = recorded_found(k,
			spread > recorded_limit(k, "R14.note") ? SEVERITY_NOTE : SEVERITY_OK,
			s->artifact, "%.*s: standard deviation %s of the mean", (int)s->name.n,
			s->name.p, recorded_percent(k, spread));
		f->value = spread;
		if (f->severity == SEVERITY_NOTE)
			f->action =
				"'traceq plot' the step times: single slow steps, two levels, or "
				"a trend";
	}
}

const struct recorded_rule recorded_R14 = {
	.word = { "R14", "step variance",
		"Standard deviation of step times over their mean; the guide wants less than 10%. The "
		"first 10 of 50 or more steps are set aside.",
		"PyTorch Profiler Analysis Guide" },
	.setting = spread_settings,
	.nsetting = COUNT_OF(spread_settings),
	.check = check_spread,
};

/* ---- R15 ---- */

/* A number of the configuration, wherever it was read from; NULL: none. */
static const struct scalar *configured(const struct recorded *k, const char *key)
{
	const struct scalar *s = record_find(&k->r->config, key);

	return s ? s : record_find(&k->r->scalars, arena_printf(k->mem, "config.%s", key));
}

static void check_window(struct recorded *k)
{
	const struct scalar *first = configured(k, "profiler.start_step");
	const struct scalar *many = configured(k, "profiler.num_steps");
	const struct steps *steps = k->run->steps;
	double start = scalar_number(first), wanted = scalar_number(many);
	struct recorded_finding *f;
	bool is_same;

	if (!k->in.profile || !many || isnan(wanted))
		return;
	if (!steps || steps->source == STEPS_WHOLE || steps->n == 0) {
		f = recorded_found(k, SEVERITY_UNKNOWN, many->artifact,
			"%.0f steps from step %.0f on are configured; nothing in the trace marks "
			"steps",
			wanted, start);
		f->value = wanted;
		return;
	}
	is_same = (double)steps->n == wanted;
	f = recorded_found(k, is_same ? SEVERITY_OK : SEVERITY_NOTE, many->artifact,
		"%zu steps in the trace, numbered from %" PRId64 " to %" PRId64
		"; configured are %.0f from step %.0f on",
		steps->n, steps->step[0].number, steps->step[steps->n - 1].number, wanted, start);
	f->value = (double)steps->n / wanted;
	if (!is_same)
		f->action = (double)steps->n < wanted
			? "the run ended early, or its schedule has warm-up or repeats that are not "
			  "recorded"
			: "the trace is of another run, or several windows were recorded";
}

const struct recorded_rule recorded_R15 = {
	.word = { "R15", "profiled window",
		"The steps of the trace beside profiler.start_step and num_steps of the "
		"configuration. Steps are numbered by the profiler, which may count from the start of "
		"its window.",
		"Profiler Deep Dive, profiler configuration" },
	.check = check_window,
};
