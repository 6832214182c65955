/*
 * Rules about the steps themselves: waiting for data (G10), a slow first step (G12).
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* ---- G10 ---- */

static const struct setting loader_settings[] = {
	RULE_SETTING("G10.warn", RATIO, "5%",
		"WARN when the data loader takes more than this share of a step with the device idle"),
	RULE_SETTING("G10.crit", RATIO, "20%", "CRIT above this share"),
	RULE_SETTING("G10.least", TIME, "200us", "less than this in a step is a note at most"),
};

static const struct change no_loader[] = { { .kind = CHANGE_DATA, .ns = -1 } };

static void check_loader(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_host *h = &x->host;
	nsec wait;

	if (!x->has_host || !h->has_loader) {
		rules_unknown(f,
			x->has_host
				? "nothing in the trace is named enumerate(DataLoader) or data_loading"
				: "the trace has no host events");
		return;
	}
	wait = x->has_device ? x->verdict.ns[PART_OF_DATA] : h->loader.ns;
	f->unit = UNIT_NS;
	f->value = rules_per_step(x, (double)wait);
	f->share = rules_share(x, wait);
	f->severity = rules_above(in, f->share, "G10.warn", "G10.crit");
	if (f->severity > SEVERITY_NOTE && f->value < rules_limit(in, "G10.least")->r)
		f->severity = SEVERITY_NOTE;
	f->count = h->loader.count;
	f->place = x->gaps.worst_of[GAP_CAUSE_DATA].at;
	f->text = rules_text(x, "%s (%s) in the data loader%s", rules_step_time(x, wait),
		rules_percent(x, f->share), x->has_device ? " with the device idle" : "");
	if (h->loader.count > 0) {
		f->row = h->loader.row;
		f->name = x->run->events.name[f->row];
		f->evidence =
			rules_text(x, "%s x %s, %s; longest %s", rules_count(x, h->loader.count),
				rules_name(x, f->name), rules_step_time(x, h->loader.ns),
				rules_time(x, (double)x->run->events.dur[f->row]));
	}
	f->action = "raise num_workers; persistent_workers=True; prefetch_factor=4";
}

const struct rule rule_G10 = {
	.word = { "G10", "dataloader",
		"Time the device does nothing because the thread that launches its next work, or "
		"the main thread, is in the data loader (enumerate(DataLoader)..., data_loading). "
		"Loading that is hidden behind device work costs nothing and does not count.",
		"Training Profiling Guide: data loading should be minimal" },
	.verdict = "dataloader-bound",
	.has_saving = true,
	.what_if = { .change = no_loader, .n = COUNT_OF(no_loader) },
	.setting = loader_settings,
	.nsetting = COUNT_OF(loader_settings),
	.check = check_loader,
};

/* ---- G12 ---- */

static const struct setting first_settings[] = {
	RULE_SETTING("G12.warn", NUMBER, "1.5",
		"WARN when the first step takes more than this many times the others' median"),
};

static void check_first(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	double ratio = x->window.stat.first_ratio;

	if (!x->has_steps || x->run->steps->source != STEPS_PROFILER || isnan(ratio)) {
		rules_unknown(f,
			!x->has_steps ? "nothing marks steps"
				: isnan(ratio)
				? "there are no further steps to compare it with"
				: "the steps are annotations, which need not be alike");
		return;
	}
	f->unit = UNIT_NONE;
	f->value = ratio;
	f->place = (struct interval){ x->run->steps->step[0].start, x->run->steps->step[0].end };
	f->severity = rules_above(in, ratio, "G12.warn", NULL);
	f->text = rules_text(x, "the first step takes %.2f times the median of the others (%s)",
		ratio, rules_time(x, x->window.stat.median));
	f->action = "raise wait and warmup of the profiler's schedule, or --steps without it";
}

const struct rule rule_G12 = {
	.word = { "G12", "first step",
		"The first step of the trace over the median of the others. A slow one is still "
		"warming up (compilation, cuDNN benchmarks, allocation) and does not stand for the "
		"others.",
		"Training Profiling Guide: skip the first steps" },
	.verdict = "slow-first-step",
	.is_symptom = true,
	.setting = first_settings,
	.nsetting = COUNT_OF(first_settings),
	.check = check_first,
};
