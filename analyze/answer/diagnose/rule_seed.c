/*
 * The documents' quick diagnosis, with its own formulas, thresholds and words, for comparison.
 *
 * All are notes at most: the first counts nested operators several times, the second looks at ten
 * rows in which the same time stands twice, the third fires in every training.  The text has our
 * own number beside it.
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/trace/recording.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

static nsec device_ns(const struct profile *x)
{
	nsec sum = 0;
	int k;

	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&sum, x->device.sum[k]);
	return sum;
}

static const struct setting ratio_settings[] = {
	RULE_SETTING("Q01.high", NUMBER, "2", "the documents' WARNING above this CPU/CUDA ratio"),
	RULE_SETTING("Q01.low", NUMBER, "0.5", "their GOOD below it"),
};

static void check_ratio(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	nsec cuda = saturate_add(
		saturate_add(x->host.device_total, device_ns(x)), x->device.annotations);
	const char *word;

	if (!x->has_host) {
		rules_unknown(f, "the trace has no host events");
		return;
	}
	if (cuda == 0) {
		rules_unknown(f, "INFO: No CUDA kernel times recorded; here the trace has none");
		return;
	}
	f->value = (double)x->host.cpu_total / (double)cuda;
	word = "BALANCED: CPU time ~ CUDA time";
	if (f->value > rules_limit(in, "Q01.high")->r) {
		f->severity = SEVERITY_NOTE;
		word = "WARNING: CPU time >> CUDA time";
	} else if (f->value < rules_limit(in, "Q01.low")->r) {
		word = "GOOD: CUDA time >> CPU time";
	}
	f->text = rules_text(x, "%s: %.2f by the documents' formula, %.2f on self times", word,
		f->value, (double)x->host.cpu_self / (double)device_ns(x));
	f->evidence = rules_text(x, "CPU %s, CUDA %s; self: CPU %s, CUDA %s",
		rules_time(x, (double)x->host.cpu_total), rules_time(x, (double)cuda),
		rules_time(x, (double)x->host.cpu_self), rules_time(x, (double)device_ns(x)));
	f->action = "G02, G09 and G10 say whether the device really waits for the CPU";
}

const struct rule rule_Q01 = {
	.word = { "Q01", "CPU/CUDA ratio",
		"The documents' formula: the sum of cpu_time_total over all rows of torch's table, "
		"over the sum of cuda_time_total over all rows. Above 2 they say WARNING (a CPU "
		"bottleneck), below 0.5 GOOD (compute-bound), else BALANCED.\n\n"
		"Nested operators are in it several times, on both sides; the number beside it takes "
		"self times, which count once. Neither knows whether the device waits.",
		"Profiler Deep Dive, QUICK DIAGNOSIS" },
	.verdict = "cpu-bound",
	.setting = ratio_settings,
	.nsetting = COUNT_OF(ratio_settings),
	.check = check_ratio,
};

static const struct setting share_settings[] = {
	RULE_SETTING("Q02.high", RATIO, "30%", "the documents' WARNING above this share"),
};

static void check_share(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	const struct profile_device *d = &x->device;

	if (!x->has_device || d->top10 == 0) {
		rules_unknown(f, "No CUDA kernel times recorded; here the trace has none");
		return;
	}
	f->unit = UNIT_RATIO;
	f->value = (double)d->top10_copies / (double)d->top10;
	if (f->value > rules_limit(in, "Q02.high")->r)
		f->severity = SEVERITY_NOTE;
	f->text = rules_text(x, "%s %s of CUDA time%s; by class %s",
		f->severity == SEVERITY_NOTE ? "WARNING: Memory copies are"
					     : "Memory copy overhead:",
		rules_percent(x, f->value), f->severity == SEVERITY_NOTE ? "" : " (acceptable)",
		rules_percent(x, (double)d->sum[CLASS_MEMCPY] / (double)device_ns(x)));
	f->action = "reducing CPU<->GPU transfers, using pinned memory; G03 says what is exposed";
}

const struct rule rule_Q02 = {
	.word = { "Q02", "copy dominance",
		"The documents' formula: of the ten heaviest rows of torch's table by self CUDA time, "
		"the share of those whose name contains 'copy'. Above 30% they say WARNING.\n\n"
		"Rows of operators and of kernels are in one list, so the same time may be in it "
		"twice; 'Memcpy HtoD' does not contain 'copy'; kernels that change a type do. The "
		"number beside it is the share of copies in all device work.",
		"Profiler Deep Dive, QUICK DIAGNOSIS" },
	.verdict = "copy-bound",
	.setting = share_settings,
	.nsetting = COUNT_OF(share_settings),
	.check = check_share,
};

static const struct setting leak_settings[] = {
	RULE_SETTING("Q03.growth", BYTES, "0.5GiB", "the documents' leak above this growth"),
};

/* What our own rule says of it. */
static const char *trend_text(const struct profile *x)
{
	struct memcurve_trend t;

	if (!memcurve_trend(&t, x->curve, x->run, x->query_view))
		return "";
	return rules_text(x, "; from step to step %s (G14)", memcurve_sign_word(t.sign));
}

static void check_documents_leak(const struct rule_input *in, struct finding *f)
{
	const struct profile *x = in->profile;
	struct leakcheck l;

	if (!x->curve || !x->has_steps) {
		rules_unknown(f,
			x->curve ? "nothing marks steps"
				 : recording_word(x->run, RECORDING_NO_MEMORY));
		return;
	}
	l = leakcheck_trace(x->curve, x->run, x->query_view, rules_limit(in, "Q03.growth")->r);
	if (l.checks == 0) {
		rules_unknown(f, "its [memory] events do not say what is allocated in all");
		return;
	}
	f->unit = UNIT_BYTES;
	f->value = l.growth;
	f->count = (int64_t)l.checks;
	f->place = rules_all_steps(x);
	f->text = rules_text(x, "no leak: %s over the baseline of %s", rules_bytes(x, l.growth),
		rules_bytes(x, l.baseline));
	if (!l.is_found)
		return;
	f->severity = SEVERITY_NOTE;
	f->text = rules_text(x, "\xe2\x9a\xa0 Leak detected at step %.0f: +%s over the baseline%s",
		l.x, rules_bytes(x, l.growth), trend_text(x));
	f->action = "G14 tells a leak from memory that is taken once";
}

const struct rule rule_Q03 = {
	.word = { "Q03", "leak check",
		"The documents' detect_leak: allocated memory less the baseline above 0.5 GB. In logs "
		"the baseline is the measurement tagged so, else the first value, and the check is at "
		"every 100th step; in a trace the baseline is what is allocated when the first step "
		"begins, and the check at the end of each step.\n\n"
		"In training it fires always, as gradients and the optimizer's state come after the "
		"baseline: rule G14, and D07 of metrics, tell whether memory grows from step to step.",
		"Profiling & Metrics, detect_leak" },
	.verdict = "memory-leak",
	.setting = leak_settings,
	.nsetting = COUNT_OF(leak_settings),
	.check = check_documents_leak,
};
