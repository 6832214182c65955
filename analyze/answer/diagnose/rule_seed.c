/* The documents' quick diagnosis, with its own formulas, thresholds and words, for comparison.
 *
 * All are notes at most: the first counts nested operators several times, the second looks at ten
 * rows in which the same time stands twice, the third fires in every training.  The text has our
 * own number beside it. */

#include "analyze/answer/diagnose/rules.h"
#include "analyze/measure/memory/leakcheck.h"
#include "analyze/trace/producers.h"
#include "analyze/trace/run.h"

nsec rules_documents_cuda(const struct profile *x)
{
	return saturate_add(
		saturate_add(x->host.device_total, rules_device_ns(x)), x->device.annotations);
}

static const char *no_times(const struct profile *x)
{
	return arena_printf(x->mem, "No %s kernel times recorded; here the trace has none",
		producers_device(x->run));
}

static void check_ratio(struct look *k, struct finding *f, const struct profile *x)
{
	nsec cuda = rules_documents_cuda(x);

	if (finding_unknown(f, !x->has_host, "the trace has no host events"))
		return;
	if (finding_unknown(f, cuda == 0, no_times(x)))
		return;
	f->value = (double)x->host.cpu_total / (double)cuda;
	const char *device = producers_device(x->run);
	if (f->value > look_limit(k, "Q01.high"))
		f->severity = SEVERITY_NOTE;
	f->text = arena_printf(x->mem,
		"CPU time is %.2f times %s time over all rows of the table, %.2f times by self times",
		f->value, device, (double)x->host.cpu_self / (double)rules_device_ns(x));
	f->evidence = arena_printf(x->mem, "CPU %s, %s %s; self: CPU %s, %s %s",
		unit_time(x->mem, (double)x->host.cpu_total), device,
		unit_time(x->mem, (double)cuda), unit_time(x->mem, (double)x->host.cpu_self),
		device, unit_time(x->mem, (double)rules_device_ns(x)));
}

RULE(Q01, "CPU/GPU ratio",
	"The profiling guides' formula: the sum of cpu_time_total over all rows of torch's "
	"table, over the sum of cuda_time_total over all rows. Above 2 they call it a CPU "
	"bottleneck, below 0.5 compute-bound, else balanced.\n\n"
	"Nested operators are in it several times, on both sides; the number beside it "
	"takes self times, which count once. Neither knows whether the GPU waits.",
	"Profiler Deep Dive, QUICK DIAGNOSIS",
	.advice = "G02, G09 and G10 say whether the GPU really waits for the CPU",
	.verdict = "cpu-bound",
	.limits = LIMITS(LIMIT("diagnose.Q01.high", NUMBER, "2",
				 "a CPU bottleneck above this CPU/GPU ratio"),
		LIMIT("diagnose.Q01.low", NUMBER, "0.5", "compute-bound below it")),
	.run = check_ratio, .record = recorded_ratio)

static void check_share(struct look *k, struct finding *f, const struct profile *x)
{
	const struct profile_device *d = &x->device;

	if (finding_unknown(f, !x->has_device || d->top10 == 0, no_times(x)))
		return;
	rules_put_ratio(k, f, (double)d->top10_copies / (double)d->top10, "Q02.high");
	f->text = arena_printf(x->mem,
		"copies are %s of %s time among the ten heaviest rows of the table; by class %s",
		unit_percent(x->mem, f->value), producers_device(x->run),
		unit_percent(x->mem, (double)d->sum[CLASS_MEMCPY] / (double)rules_device_ns(x)));
}

RULE(Q02, "copy dominance",
	"The profiling guides' formula: of the ten heaviest rows of torch's table by self "
	"CUDA time, the share of those whose name contains 'copy'. Above 30% they warn.\n\n"
	"Rows of operators and of kernels are in one list, so the same time may be in "
	"it twice; 'Memcpy HtoD' does not contain 'copy'; kernels that change a type "
	"do. The number beside it is the share of copies in all GPU work.",
	"Profiler Deep Dive, QUICK DIAGNOSIS",
	.advice = "reducing CPU<->GPU transfers, using pinned memory; G03 says what is exposed",
	.verdict = "copy-bound",
	.limits = LIMITS(LIMIT("diagnose.Q02.high", RATIO, "30%", "a warning above this share")),
	.run = check_share, .record = recorded_copies)

/* What our own rule says of it. */
static const char *trend_text(const struct profile *x)
{
	struct memcurve_trend t;

	if (!memcurve_trend(&t, x->curve, x->run, x->query_view))
		return "";
	return arena_printf(x->mem, "; from step to step %s (G14)", memcurve_sign_word(t.sign));
}

static void check_documents_leak(struct look *k, struct finding *f, const struct profile *x)
{
	if (!rules_know_memory(x, f) || finding_unknown(f, !x->has_steps, "nothing marks steps"))
		return;
	struct leakcheck l =
		leakcheck_trace(x->curve, x->run, x->query_view, look_limit(k, "Q03.growth"));
	if (finding_unknown(
		    f, l.checks == 0, "its [memory] events do not say what is allocated in all"))
		return;
	f->unit = UNIT_BYTES;
	f->value = l.growth;
	f->count = (int64_t)l.checks;
	f->place = rules_all_steps(x);
	f->text = arena_printf(x->mem, "no leak: %s over the baseline of %s",
		unit_bytes(x->mem, l.growth), unit_bytes(x->mem, l.baseline));
	if (!l.is_found)
		return;
	f->severity = SEVERITY_NOTE;
	f->text = arena_printf(x->mem, "a leak at step %.0f by this check: +%s over the baseline%s",
		l.x, unit_bytes(x->mem, l.growth), trend_text(x));
}

RULE(Q03, "leak check",
	"The profiling guides' detect_leak: allocated memory less the baseline above 0.5 GB. In logs "
	"the baseline is the measurement tagged so, else the first value, and the check is at "
	"every 100th step; in a trace the baseline is what is allocated when the first step "
	"begins, and the check at the end of each step.\n\n"
	"In training it fires always, as gradients and the optimizer's state come after the "
	"baseline: rule G14, and D07 of metrics, tell whether memory grows from step to step.",
	"Profiling & Metrics, detect_leak",
	.advice = "G14 tells a leak from memory that is taken once", .verdict = "memory-leak",
	.limits = LIMITS(LIMIT("diagnose.Q03.growth", BYTES, "0.5GiB", "a leak above this growth")),
	.run = check_documents_leak, .record = recorded_leak)
