/*
 * Rules about the steps themselves: waiting for data (G10), a slow first step (G12).
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* ---- G10 ---- */

static void check_loader(struct look *k)
{
	const struct profile *x = k->profile;
	struct finding *f = look_add(k);
	const struct profile_host *h = &x->host;

	if (finding_unknown(f, !x->has_host, "the trace has no host events") ||
		finding_unknown(f, !h->has_loader && x->verdict.ns[PART_OF_DATA] == 0,
			"nothing in the trace is named enumerate(DataLoader) or data_loading"))
		return;
	nsec wait = x->has_device ? x->verdict.ns[PART_OF_DATA] : h->loader.in_steps;
	rules_put_time(k, f, wait, "G10.warn", "G10.crit");
	if (f->severity > SEVERITY_NOTE && f->value < look_limit(k, "G10.least"))
		f->severity = SEVERITY_NOTE;
	f->count = h->loader.count;
	f->place = x->gaps.worst_of[GAP_CAUSE_DATA].at;
	f->text = arena_printf(x->mem, "%s (%s) in the data loader%s%s", rules_step_time(x, wait),
		unit_percent(x->mem, f->share), x->has_device ? " while the GPU is idle" : "",
		rules_behind(x, &x->gaps.behind[0], wait));
	f->is_untold = h->loader.count == 0;
	if (h->loader.count > 0) {
		f->row = h->loader.row;
		f->name = x->run->events.name[f->row];
		f->evidence = arena_printf(x->mem, "%s x %s, %s; longest %s",
			rules_count(x, h->loader.count), rules_name(x, f->name),
			rules_step_time(x, h->loader.in_steps),
			unit_time(x->mem, (double)x->run->events.dur[f->row]));
	}
}

const struct rule rule_G10 = {
	.word = { "G10", "data loader",
		"Time the GPU is idle because the thread that launches its next work, or the "
		"main thread, is in the data loader (enumerate(DataLoader)..., data_loading). "
		"Loading that is hidden behind GPU work costs nothing and does not count.",
		"Training Profiling Guide: data loading should be minimal" },
	.advice = "raise num_workers; persistent_workers=True; prefetch_factor=4",
	.plain_advice = "load and decode the next batch on other threads while this one computes",
	.verdict = "dataloader-bound",
	.has_saving = true,
	.change = ONE_CHANGE(.kind = CHANGE_DATA, .ns = -1),
	.limits = LIMITS(
		LIMIT("diagnose.G10.warn", RATIO, "5%",
			"WARN when the data loader takes more than this share of a step with "
			"the GPU idle"),
		LIMIT("diagnose.G10.crit", RATIO, "20%", "CRIT above this share"),
		LIMIT("diagnose.G10.least", TIME, "200us",
			"less than this in a step is a note at most")),
	.run = check_loader,
};

/* ---- G12 ---- */

static void check_first(struct look *k)
{
	const struct profile *x = k->profile;
	struct finding *f = look_add(k);
	double ratio = x->window.stat.first_ratio;

	if (finding_unknown(f, !x->has_steps, "nothing marks steps") ||
		finding_unknown(f, isnan(ratio), "there are no further steps to compare it with") ||
		finding_unknown(f, x->run->steps->source != STEPS_PROFILER,
			"the steps are annotations, which need not be alike"))
		return;
	f->unit = UNIT_NONE;
	f->value = ratio;
	f->place = (struct interval){ x->run->steps->step[0].start, x->run->steps->step[0].end };
	f->severity = look_above(k, ratio, "G12.warn", NULL);
	f->text = arena_printf(x->mem,
		"the first step takes %.2f times the median of the others (%s)", ratio,
		unit_time(x->mem, x->window.stat.median));
}

const struct rule rule_G12 = {
	.word = { "G12", "first step",
		"The first step of the trace over the median of the others. A slow one is still "
		"warming up (compilation, cuDNN benchmarks, allocation) and does not stand for the "
		"others.",
		"Training Profiling Guide: skip the first steps" },
	.advice = "raise wait and warmup of the profiler's schedule, or --steps without it",
	.verdict = "slow-first-step",
	.is_symptom = true,
	.limits = LIMITS(LIMIT("diagnose.G12.warn", NUMBER, "1.5",
		"WARN when the first step takes more than this many times the others' median")),
	.run = check_first,
};
