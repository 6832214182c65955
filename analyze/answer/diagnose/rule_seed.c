/*
 * The documents' quick diagnosis, with its own formulas, thresholds and words, for comparison.
 *
 * Both are notes at most: the first counts nested operators several times, the second looks at ten
 * rows in which the same time stands twice.  The text has our own number beside it.
 */
#include <math.h>

#include "analyze/answer/diagnose/rules.h"
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
		"the share of those whose name contains 'copy'. Above 30 % they say WARNING.\n\n"
		"Rows of operators and of kernels are in one list, so the same time may be in it "
		"twice; 'Memcpy HtoD' does not contain 'copy'; kernels that change a type do. The "
		"number beside it is the share of copies in all device work.",
		"Profiler Deep Dive, QUICK DIAGNOSIS" },
	.verdict = "copy-bound",
	.setting = share_settings,
	.nsetting = COUNT_OF(share_settings),
	.check = check_share,
};
