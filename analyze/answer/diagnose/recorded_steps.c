/* Rules about steps, from logs and metrics: waiting for data (R04), utilisation (R05), steps that
 * get slower (R13), their variance (R14), and which of them were profiled (R15). */
#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/curve.h"
#include "analyze/trace/figure.h"
#include "analyze/trace/unit_of_measure.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

static void check_wait(struct look *k)
{
	const struct scalar *s = recorded_find(k, "dataloader_wait_pct");
	double wait = scalar_number(s) / 100;
	bool is_high = wait > look_limit(k, "R04.warn");

	if (!s || isnan(wait))
		return;
	struct finding *f = look_found(k, is_high ? SEVERITY_WARN : SEVERITY_OK, s->artifact,
		"%.1f%% of step time waiting for data%s", 100 * wait,
		is_high ? ": significant" : "");
	f->value = wait;
	f->saves = wait;
}

RULE(R04, "waiting for data", "dataloader_wait_pct of a canary's metrics above 20.",
	"rlhf-canary, compare/heuristics.py", .advice = "More workers / Better preprocessing",
	.limits = LIMITS(LIMIT("diagnose.R04.warn", RATIO, "20%",
		"WARN when more of the step time waits for data")),
	.record = check_wait)

/* ---- R05 ---- */

static void judge_busy(struct look *k, double busy, const char *what, int artifact)
{
	enum severity s = SEVERITY_OK;
	const char *word = busy < look_limit(k, "R05.target") ? ", below the target" : "";

	if (busy < look_limit(k, "R05.warn")) {
		s = SEVERITY_WARN;
		word = ": low, which indicates a CPU bottleneck";
	} else if (busy < look_limit(k, "R05.target")) {
		s = SEVERITY_NOTE;
		word = busy < look_limit(k, "R05.note") ? ": a CPU bottleneck, says the guide"
							: word;
	}
	struct finding *f =
		look_found(k, s, artifact, "%s utilization %.0f%%%s", what, 100 * busy, word);
	f->value = busy;
	f->saves = 1 - busy;
}

static void check_busy(struct look *k)
{
	const struct scalar *s = recorded_find(k, "gpu_utilization_avg");

	if (s && !isnan(scalar_number(s)))
		judge_busy(k, scalar_number(s) / 100, "GPU", s->artifact);
	for (size_t i = 0; i < k->record->nseries; i++) {
		const struct series *v = k->record->series[i];

		if (v->n == 0 || !span_starts(v->name, "utilization.gpu"))
			continue;
		judge_busy(k, v->mean * measure_infos[v->measure].factor,
			v->group.n ? arena_printf(
					     k->mem, "GPU %.*s, mean", (int)v->group.n, v->group.p)
				   : "GPU, mean",
			v->artifact);
	}
}

RULE(R05, "GPU utilisation",
	"gpu_utilization_avg of a canary's metrics, and the mean of nvidia-smi's "
	"utilization.gpu: below the target of 80% a note, below 70% a CPU bottleneck, below 50% serious. "
	"nvidia-smi counts the time in which any kernel runs.",
	"PyTorch Profiler Analysis Guide; rlhf-canary, compare/heuristics.py",
	.advice = "a trace says what the GPU waits for; it should be above 80%",
	.limits = LIMITS(LIMIT("diagnose.R05.target", RATIO, "80%",
				 "a note below this: the guide's target for efficient training"),
		LIMIT("diagnose.R05.note", RATIO, "70%",
			"below this it is a CPU bottleneck, says the guide"),
		LIMIT("diagnose.R05.warn", RATIO, "50%", "WARN below this: serious")),
	.record = check_busy)

/* ---- R13, R14 ---- */

enum { WARMUP = 10, WARMUP_SHARE = 5, SERIES_MOST = 16 };

/* Step times without the first ones, where enough is left; false: too few. */
static bool times_of(const struct look *k, const struct series *s, struct curve *c)
{
	size_t skip = s->n >= WARMUP_SHARE * WARMUP ? WARMUP : 0;

	if (metric_role(s->name) != ROLE_STEP_TIME ||
		(k->record->nartifact && k->record->artifact[s->artifact].is_copy))
		return false;
	curve_of(c, s, NULL, skip, k->mem);
	return c->n >= SLOWING_LEAST;
}

/* A step's time in words.  What has no unit is seconds. */
static const char *time_text(const struct look *k, const struct series *s, double v)
{
	enum measure m = s->measure == MEASURE_NONE ? MEASURE_S : s->measure;

	return unit_time(k->mem, v * measure_infos[m].factor);
}

static void judge_slowing(struct look *k, const struct series *s, const struct curve *c)
{
	struct finding *f;
	struct slowing slow;

	slowing_of(&slow, c, look_limit(k, "R13.warn"), k->mem);
	if (!slow.is_known)
		return;
	if (!slow.is_found) {
		f = look_found(k, SEVERITY_OK, s->artifact, "%.*s: no slower at the end",
			(int)s->name.n, s->name.p);
		f->value = slow.to / slow.from - 1;
		return;
	}
	f = look_found(k, SEVERITY_WARN, s->artifact,
		"%.*s: slower after %s %.0f: %s to %s, %s more (p %s %.0e)", (int)s->name.n,
		s->name.p, s->axis == AXIS_STEP ? "step" : "value", slow.x,
		slow.is_jump
			? "at once"
			: arena_printf(k->mem, "growing by %s each", time_text(k, s, slow.slope)),
		time_text(k, s, slow.to), unit_percent(k->mem, slow.to / slow.from - 1),
		slow.p < SLOWING_P_SHOWN ? "<" : "=", fmax(slow.p, SLOWING_P_SHOWN));
	f->value = slow.to / slow.from - 1;
	f->saves = (slow.to - slow.from) / slow.to;
}

static void check_slowing(struct look *k)
{
	struct curve c;
	size_t n = 0;

	for (size_t i = 0; i < k->record->nseries && n < SERIES_MOST; i++) {
		if (!times_of(k, k->record->series[i], &c))
			continue;
		judge_slowing(k, k->record->series[i], &c);
		n++;
	}
}

RULE(R13, "slower steps",
	"Step times of a log rise: one jump that explains it all (Welch's test, for "
	"values that depend on their neighbours and for the number of places), or a slope that "
	"neighbours and outliers do not fake (Theil-Sen, Mann-Kendall), p below 0.001, and the "
	"level at the end is above that of the beginning by more than the limit. The first 10 "
	"of 50 or more steps are set aside.",
	"Profiler Deep Dive: my run got slower after N steps",
	.advice = "profile after that step and before it: 'traceq diff EARLY LATE'; look for "
		  "growing lists, caches, memory, longer inputs, a hot GPU",
	.limits = LIMITS(LIMIT(
		"diagnose.R13.warn", RATIO, "5%", "WARN when steps get slower by more than this")),
	.record = check_slowing)

static void check_spread(struct look *k)
{
	struct curve c;

	for (size_t i = 0; i < k->record->nseries; i++) {
		const struct series *s = k->record->series[i];

		if (!times_of(k, s, &c) || !c.is_exact)
			continue;
		double spread = slowing_spread(&c);
		if (isnan(spread))
			continue;
		struct finding *f = look_found(k,
			spread > look_limit(k, "R14.note") ? SEVERITY_NOTE : SEVERITY_OK,
			s->artifact, "%.*s: standard deviation %s of the mean", (int)s->name.n,
			s->name.p, unit_percent(k->mem, spread));
		f->value = spread;
	}
}

RULE(R14, "step variance",
	"Standard deviation of step times over their mean; the guide wants less than 10%. The "
	"first 10 of 50 or more steps are set aside.",
	"PyTorch Profiler Analysis Guide",
	.advice = "'traceq plot' the step times: single slow steps, two levels, or a trend",
	.limits = LIMITS(LIMIT("diagnose.R14.note", RATIO, "10%",
		"a note when the standard deviation of step times is above this share of their mean")),
	.record = check_spread)

/* ---- R15 ---- */

/* A number of the configuration, wherever it was read from; NULL: none. */
static const struct scalar *configured(const struct look *k, const char *key)
{
	const struct scalar *s = record_find(&k->record->config, key);

	return s ? s : record_find(&k->record->scalars, arena_printf(k->mem, "config.%s", key));
}

/* The window that is configured: so many steps, from one on; by a configuration, or by the options
 * of a program that a log begins with, whose schedule waits and warms up before.  NULL: none is. */
static const struct scalar *window_of(const struct look *k, double *start)
{
	const struct scalar *many = configured(k, "profiler.num_steps");
	double wait = scalar_number(configured(k, "profiler-wait-steps"));
	double warm = scalar_number(configured(k, "profiler-warmup-steps"));

	*start = scalar_number(configured(k, "profiler.start_step"));
	if (many)
		return many;
	*start = (isnan(wait) ? 0 : wait) + (isnan(warm) ? 0 : warm);
	return configured(k, "profiler-active-steps");
}

static void compare_window(struct look *k)
{
	const struct steps *steps = k->run->steps;
	double start, wanted;
	const struct scalar *many = window_of(k, &start);
	struct finding *f;

	wanted = scalar_number(many);
	if (!many || isnan(wanted))
		return;
	if (!steps || steps->source == STEPS_WHOLE || steps->n == 0) {
		f = look_found(k, SEVERITY_UNKNOWN, many->artifact,
			"%.0f steps from step %.0f on are configured; nothing in the trace marks "
			"steps",
			wanted, start);
		f->value = wanted;
		return;
	}
	bool is_same = (double)steps->n == wanted;
	f = look_found(k, is_same ? SEVERITY_OK : SEVERITY_NOTE, many->artifact,
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

/* Whether operators say it; as the trace says where that was not loaded. */
static enum tristate has_texts(const struct run *r, enum arg arg, enum tristate said)
{
	if (!args_keeps(&r->args, arg))
		return said;
	return ANY(i, r->args.n[arg_infos[arg].table], args_sym(&r->args, arg, i) != 0) ? YES : NO;
}

/* What the profiler was told to record, and whether the trace has any of it. */
static void compare_flags(struct look *k)
{
	const struct run *r = k->run;
	const struct {
		const char *key, *of;
		enum tristate is_there;
	} flags[] = {
		{ "record_shapes", "input shapes",
			has_texts(r, ARG_OP_DIMS, r->meta.record_shapes) },
		{ "profile_memory", "allocator events", r->kind_count[KIND_MEMORY] > 0 },
		{ "with_stack", "Python functions or call stacks",
			r->kind_count[KIND_PYTHON] > 0
				? YES
				: has_texts(r, ARG_OP_STACK, r->meta.with_stack) },
	};

	for (size_t i = 0; i < COUNT_OF(flags); i++) {
		const struct scalar *s =
			configured(k, arena_printf(k->mem, "profiler.%s", flags[i].key));

		if (!s || s->type != SCALAR_BOOL || flags[i].is_there == NOT_SAID ||
			(s->number > 0) == (flags[i].is_there == YES))
			continue;
		struct finding *f = look_found(k, SEVERITY_NOTE, s->artifact,
			"profiler.%s is %s, and the trace has %s%s", flags[i].key,
			s->number > 0 ? "true" : "false", s->number > 0 ? "no " : "", flags[i].of);
		f->value = s->number;
		f->action = "the trace is of another run, or of other settings";
	}
}

static void check_window(struct look *k)
{
	if (!k->profile)
		return;
	compare_window(k);
	compare_flags(k);
}

RULE(R15, "profiled window",
	"The steps of the trace beside profiler.start_step and num_steps of the configuration, or "
	"--profiler-wait-steps, -warmup-steps and -active-steps that a log begins with; and whether "
	"record_shapes, profile_memory and with_stack of it are what the trace has. "
	"Steps are numbered by the profiler, which may count from the start of its window.",
	"Profiler Deep Dive, profiler configuration", .record = check_window)
