/*
 * `diagnose` in the layout of the documents: the page of the canary's notebook.  Where a summary
 * has no CUDA times its explanation is one of two; here the trace says which.
 */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/analysis/printed_canary.h"
#include "analyze/trace/run.h"
#include "base/saturate.h"

static const double NS_PER_MS = 1e6;

static const char *why_no_times(const struct profile *x)
{
	if (!x)
		return "(traceq: or torch renamed the attribute that the summary reads; a trace "
		       "would tell)";
	if (x->has_device)
		return "(traceq: the trace has device work; torch renamed the attribute that the "
		       "summary reads)";
	return x->has_runtime ? "(traceq: the trace has CUDA calls and no device work, either)"
			      : "(traceq: the trace has neither CUDA calls nor device work)";
}

/* Times by the documents' formulas. */
static void take_times(struct canary_trace *t, const struct profile *x)
{
	nsec cuda = saturate_add(x->host.device_total, x->device.annotations);
	int k;

	for (k = 0; k < CLASS_COUNT; k++)
		saturate_onto(&cuda, x->device.sum[k]);
	t->has_times = true;
	t->cuda = (double)cuda / NS_PER_MS;
	t->cpu = (double)x->host.cpu_total / NS_PER_MS;
	t->copies = (double)x->device.top10_copies;
	t->top = (double)x->device.top10;
}

enum status diagnose_seed(struct perrun *at, const struct profile *x)
{
	struct canary_trace t = { .why = why_no_times(x) };

	if (x)
		take_times(&t, x);
	if (printed_canary(at->out, at->input, at->run, &t))
		return OK;
	return err_set(
		at->e, E_NODATA, -1, "no profiler summary and no trace in %s", at->run->path);
}
