/* `launches`: what it costs to launch work, and how far the CPU is ahead of the device.  Options,
 * totals, notes. */
#include "analyze/answer/launches/launches.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"

enum { PEOPLE_ROWS = 10, MAX_US = 1000000000 };
enum { SLOW_CALL_US = 50, LONG_DELAY_US = 100 };

#define AT(field) offsetof(struct launches_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of each list; 0 = all [10; all for machines]"),
	INT_OPT("slow-call", 0, "US", AT(slow_call_us),
		"a launching call beyond so many microseconds is slow, and no short kernel [50]"),
	INT_OPT("long-delay", 0, "US", AT(long_delay_us),
		"work that starts later than so many microseconds after its call is delayed [100]"),
};

static void put_notes(const struct launches *l)
{
	const struct perrun *at = l->at;

	result_note(at->out, NOTE_INFO, "launch_thresholds", at->input, -1,
		"a slow call takes more than %" PRId64 " us, a long delay is more than %" PRId64
		" us; a short kernel took less time than its call",
		l->o->slow_call_us, l->o->long_delay_us);
	if (at->view.step)
		result_note(at->out, NOTE_INFO, "queue_whole", at->input, -1,
			"queues are those of the whole trace, not of --steps");
	if (l->calls == 0)
		result_note(at->out, NOTE_INFO, "no_launches", at->input, -1,
			"no GPU event has its launch in the trace, or none passes the filters: "
			"delays and queues are unknown");
}

static enum status answer_run(struct perrun *at)
{
	struct launches l = { .at = at, .o = at->q->opts };

	if (notes_no_device(at->out, at->run, at->input,
		    "the trace has no GPU events, so nothing is known of their launches"))
		return OK;
	l.limit = rows_limit(at->q, l.o->limit, PEOPLE_ROWS, SIZE_MAX);
	launches_collect(&l);
	const struct steps *s = l.at->run->steps;
	struct table *t = perrun_table(l.at, &launches_docs[LAUNCHES_TOTALS]);
	struct fields_of of = { .for_people = l.at->q->for_people };
	if (s && s->source != STEPS_WHOLE && l.calls > 0)
		of.steps = (double)l.at->view.nstep;
	l.without_device = (int64_t)l.at->run->links->nwithout_device;
	t->layout = TABLE_LIST;
	fields_row(t, &l, &of);
	if (l.calls > 0)
		table_real(t, LTOTAL_COST, ratio_of((double)l.call_ns, (double)l.device_ns));
	rows_for_people(l.at->q, t);
	if (l.calls > 0) {
		launches_put_launchers(&l);
		launches_put_delays(&l, &launches_docs[LAUNCHES_DELAYS]);
		launches_put_queues(&l, &launches_docs[LAUNCHES_QUEUES]);
	}
	launches_put_graphs(&l);
	launches_put_short(&l);
	launches_put_outliers(&l);
	launches_put_unmatched(&l);
	if (!at->q->for_people)
		launches_put_histograms(&l, &launches_docs[LAUNCHES_HISTOGRAMS]);
	put_notes(&l);
	return OK;
}

static enum status compute(
	const struct query *q, struct result *out, int *exit_code UNUSED, struct err *e)
{
	const struct launches_options *o = q->opts;

	if (o->slow_call_us < 0 || o->slow_call_us > MAX_US || o->long_delay_us < 0 ||
		o->long_delay_us > MAX_US)
		return err_set(e, E_USAGE, -1,
			"--slow-call and --long-delay want 0 to %d microseconds", MAX_US);
	return perrun_all(q, &q->analysis->per_run, NULL, out, e);
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("launchers", "name", "call_ns", "calls|delay_p50_ns"),
	FOLD("delays", "of|delay", "median_ns", "p95_ns", .is_figure = true, .in_order = true),
};

ANALYSIS(launches) = {
	.name = "launches",
	.summary = "what launching work costs, and how far the CPU runs ahead",
	.help.doc =
		"For each launching call: how long it took, and how long its work waited after "
		"it. The queue of a stream holds what was launched and has not started; an "
		"empty queue means that the GPU waits for the CPU, one of 1024 that the CPU "
		"waits for the GPU.\n\n"
		"Short kernels take less time than their own launch: candidates for fusion, "
		"torch.compile, or CUDA graphs. A graph launch is one call with many nodes; its "
		"delay is that of the first node, except in the table of launch delays, where "
		"every node counts.",
	.help.source = "HTA cuda_kernel_analysis.py, trace_counters.py; nsys cuda_kern_exec_sum; "
		       "docs/definitions.md",
	.help.examples = "traceq launches trace.json.gz\n"
			 "traceq launches trace.json.gz --slow-call 20 -n 0\n"
			 "traceq launches trace.json.gz -f gemm --steps 5-9",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_LINKS | NEED_STEPS),
	ANALYSIS_OPTIONS(options, struct launches_options, .limit = -1,
		.slow_call_us = SLOW_CALL_US, .long_delay_us = LONG_DELAY_US),
	.options.ignores = FILTER_COMM,
	ANALYSIS_TABLES(launches, LAUNCHES),
	.help.main_table = "launchers",
	.per_run = { .answer = answer_run, .needs = PERRUN_VIEW, .folds = FOLDS(fold_docs) },
	.compute = compute,
};
