/*
 * `metrics`: what the rules D01 to D22 are called and mean, and the rows they write.
 */
#include <stdarg.h>
#include <stdio.h>

#include "analyze/answer/metrics/metrics.h"
#include "base/compiler.h"

static const char canary[] = "rlhf-canary, compare/heuristics.py and collect/metrics.py";

/* clang-format off */
static const struct {
	struct analysis_word word;
	const char *severity, *action;
} rules[METRICS_RULE_COUNT] = {
#define X(id, severity, name, doc, source, action) \
	[RULE_##id] = { { #id, name, doc, source }, severity, action }
	X(D01, "WARN", "loss rose, documents' rule",
		"More than 20 values, and the mean of the last 10 is above 1.5 times the mean of the first "
		"10 (for negative losses: below). It sees only the two ends; D02 looks at all of it.",
		canary, "lower the learning rate, clip gradients; look at the batch where it begins"),
	X(D02, "CRIT", "diverged",
		"The mean of the last window is above the lowest mean of an earlier window by more than "
		"3 x 1.4826 x MAD of that window, and values rise since then (Mann-Kendall, p below "
		"0.01). For rewards, below the highest. Works for losses of any sign.",
		NULL, "go back to the checkpoint at the best window; lower the learning rate"),
	X(D03, "note", "plateau",
		"The mean of the last window differs from that of the window before by less than 1%, and "
		"the 95% interval of the difference holds 0: no more progress shows.",
		NULL, "stop, or change the learning rate"),
	X(D04, "note", "spikes",
		"Values above the median of the 50 before them by more than 6 x 1.4826 x MAD; neighbours are one "
		"spike. It has recovered when a value within the next 20 is below that limit again.",
		NULL, "look at the data of those steps; clip gradients"),
	X(D05, "CRIT", "not finite",
		"A value is NaN or infinite. Such values are counted and are in no figure.",
		canary, "look at the step before the first; lower the learning rate, check mixed precision"),
	X(D06, "WARN", "gradient norm",
		"exploding: at least 10 values, and the mean of the last third is above twice the mean of "
		"the first third; unstable: more than 20 values, and standard deviation over mean is "
		"above 0.5.",
		canary, "clip gradients, lower the learning rate, lengthen the warm-up"),
	X(D07, "WARN", "memory leak",
		"Allocated memory grows from step to step: Mann-Kendall p below 0.01, the 95% interval "
		"of Theil-Sen's slope above 0, growth above 1 MiB and 0.1% of the peak, and no single "
		"jump explains it.",
		"Theil 1950, Sen 1968; Mann 1945, Kendall 1975",
		"look for tensors kept across steps: losses added up without item(), growing lists"),
	X(D08, "WARN", "reserved memory grows",
		"Reserved memory grows as in D07 while allocated memory does not: the allocator cannot "
		"reuse what is freed.",
		NULL, "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True; fewer different shapes"),
	X(D09, "note", "one-time increase of memory",
		"Memory rose once and stayed: two levels explain it better than a line, and neither has "
		"a trend. Gradients and the optimizer's state come so, evaluation, too.",
		NULL, NULL),
	X(D10, "WARN", "KL grows",
		"The mean of the last window is above twice the mean of the middle third; or, as the "
		"documents' monitor has it, a least-squares line through the last 200 values (at least "
		"10) changes by more than 0.01 a value.",
		"the documents' monitor; docs/definitions.md", "raise beta (the weight of the KL term)"),
	X(D11, "WARN", "groups without spread",
		"More than half of the groups have rewards that are all equal: no gradient comes from "
		"them.",
		"TRL, frac_reward_zero_std", "harder or easier prompts, a higher temperature, larger groups"),
	X(D12, "WARN", "reward grows with length",
		"Rewards and lengths of completions rise together: Kendall's tau above 1/3 (a correlation "
		"of 0.5) with p below 0.01, and both trends rise.",
		"Kendall 1938", "look whether long answers are rewarded for being long"),
	X(D13, "WARN", "waiting for data",
		"Loading data takes more than 20% of the time: wait over wait + step. The canary's own "
		"figure divides by the step without the wait, and may pass 100%.",
		canary, "more workers, persistent_workers, prefetch_factor, pin_memory"),
	X(D14, "WARN", "GPU under-used",
		"The mean GPU utilization the file says is below 50%.",
		canary, "traceq diagnose on a trace says why"),
	X(D15, "WARN", "stages do not add up",
		"The stages' sum differs from the iteration by more than 5%: time between them is not "
		"measured, or stages lie in each other.",
		NULL, "time what lies between the stages"),
	X(D16, "WARN", "scores drift",
		"The second half of the scores differs from the first: Mann-Whitney, p below 0.01.",
		"Mann and Whitney 1947", "look whether the verifier or the data changed"),
	X(D17, "WARN", "invalid scores",
		"The lower end of the 95% interval of the share of invalid scores is above 10%.",
		"Wilson 1927", "look at answers that the verifier could not score"),
	X(D18, "WARN", "reward variance",
		"The mean of the last 100 values of a reward variance is above 2, the documents' limit.",
		"the documents' monitor", "scale or clip rewards"),
	X(D19, "note", "leak check, documents' rule",
		"The documents' detect_leak: allocated memory less the baseline above 0.5 GB "
		"(--leak-threshold), looked at every 100 steps. In training it fires always, as gradients "
		"and the optimizer's state come after the baseline; D07 tells a leak from that.",
		"Profiling & Metrics, detect_leak", "see D07: memory that grows from step to step is a leak"),
	X(D20, "WARN", "steps get slower",
		"Step times rise: one jump that explains it all, or a slope that neighbours and outliers do "
		"not fake (p below 0.001), and the level at the end is above that of the beginning by more "
		"than 5%.",
		"Profiler Deep Dive: my run got slower after N steps",
		"profile before and after that step: 'traceq diff EARLY LATE'"),
	X(D21, "WARN", "memory nearly full",
		"The peak of allocated memory is above 95% of what the GPU has (--capacity, a trace, a "
		"file that says it). The guide: 85 to 95% is ideal, above 98% may run out of memory.",
		"PyTorch Profiler Analysis Guide; Profiling & Metrics", "Reduce batch size / Gradient accumulation"),
	X(D22, "WARN", "creeps over epochs",
		"Profiling results of one epoch after the other: a time or a peak of memory ends more than "
		"10% above where it began, and rises in each epoch, or, of 5 and more, with p below 0.05 "
		"(Mann-Kendall); rates likewise, falling.",
		"Profiling & Metrics, profiling_epoch{N}.json", "compare the first and the last epoch's traces"),
#undef X
};
/* clang-format on */

const struct analysis_word *metrics_word(size_t i)
{
	return i < METRICS_RULE_COUNT ? &rules[i].word : NULL;
}

void metrics_found(struct metrics *m, enum metrics_rule rule, struct span key, const char *fmt, ...)
{
	struct metrics_finding *f;
	char text[512];
	va_list args;

	if (m->nfinding == METRICS_FINDINGS) {
		m->findings_left_out++;
		return;
	}
	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!m->finding)
		m->finding = arena_array(&m->at->mem, METRICS_FINDINGS, sizeof(*m->finding));
	f = &m->finding[m->nfinding++];
	*f = (struct metrics_finding){ rule, key, arena_printf(&m->at->out->mem, "%s", text) };
}

static void put_finding(struct table *t, const struct metrics_finding *f)
{
	table_row(t);
	table_text(t, MFIND_RULE, span_of(rules[f->rule].word.id));
	table_text(t, MFIND_SEVERITY, span_of(rules[f->rule].severity));
	table_text(t, MFIND_NAME, span_of(rules[f->rule].word.text));
	if (f->key.n)
		table_text(t, MFIND_KEY, f->key);
	table_text(t, MFIND_TEXT, span_of(f->text));
	if (rules[f->rule].action)
		table_text(t, MFIND_ACTION, span_of(rules[f->rule].action));
}

void metrics_put_findings(const struct metrics *m, struct table *t)
{
	static const char *const order[] = { "CRIT", "WARN", "note" };
	size_t i, k;

	for (k = 0; k < COUNT_OF(order); k++)
		for (i = 0; i < m->nfinding; i++)
			if (span_is(span_of(rules[m->finding[i].rule].severity), order[k]))
				put_finding(t, &m->finding[i]);
	t->ncut = m->findings_left_out;
}
