/*
 * `summary`: a run on one screen.  The order of work, and what of several runs stands side by side.
 */
#include "analyze/answer/summary/summary.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/notes.h"
#include "analyze/analysis/runs_table.h"
#include "analyze/analysis/shared.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/run_steps.h"
#include "base/opt.h"
#include "base/parallel.h"

/* ---- of several runs: what stands side by side ---- */

static const struct runs_cell cells[SRUN_COLUMNS] = {
	[SRUN_STEPS] = { "overview", "steps", NULL, NULL },
	[SRUN_STEP] = { "overview", "step_median_ns", NULL, NULL },
	[SRUN_VERDICT] = { "overview", "verdict", NULL, NULL },
	[SRUN_LAUNCHES] = { "overview", "launches_per_step", NULL, NULL },
	[SRUN_PEAK] = { "memory", "peak_allocated_bytes", "device", NULL },
};

static bool wants_pages(const void *opts)
{
	return ((const struct summary_options *)opts)->limit >= 0;
}

static const struct runs_doc runs = {
	.doc = &summary_docs[SUMMARY_RUNS],
	.from = "devices",
	.cell = cells,
	.each = "devices",
	.wants_pages = wants_pages,
};

/* ---- the order of work ---- */

#define AT(field) offsetof(struct summary_options, field)
static const struct opt options[] = {
	LIMIT_OPT(AT(limit), "rows of the table of bottlenecks; 0 = all [3]"),
};

/* judge_window_fn */
static const struct window *window_of(void *ctx)
{
	const struct summary *s = ctx;

	return s->window.ndevice > 0 ? &s->window : NULL;
}

static void collect(struct summary *s)
{
	struct perrun *at = s->at;
	unsigned kinds = optree_kinds(at->run);
	struct step_gap_causes waiting;

	for (int k = 0; k < KIND_COUNT; k++)
		s->has_host |= (kinds >> k & 1) && at->run->kind_count[k] > 0;
	classes_init(&s->classes, at->run, &at->mem);
	shared_window(at->shared, &s->window, &s->ledgers, &waiting, at->run, &s->classes,
		&at->view, &at->mem);
	s->inside = window_view(&s->window, &at->view);
	verdict_init(&s->verdict, at->run, &s->window, &s->classes, &at->view, &at->mem);
	struct judge own = { 0 };
	const struct judge *judge = shared_judge(at->shared, &own, at->run, window_of, s,
		parallel_threads(at->q->threads, at->run->events.n), &at->mem);
	if (judge)
		judge_name(judge, &s->verdict);
	judge_clear(&own);
	summary_collect_device(s);
	summary_collect_host(s);
	summary_judge(s);
}

static enum status answer_run(struct perrun *at)
{
	struct summary s = { .at = at, .o = at->q->opts };

	collect(&s);
	notes_add_steps(at->out, at->run, at->input, &s.ledgers);
	notes_add_window(at->out, at->run, at->input, &s.window);
	summary_overview_table(&s);
	summary_device_tables(&s);
	summary_phase_table(&s);
	summary_ratio_tables(&s);
	summary_bottleneck_table(&s);
	summary_launch_table(&s);
	return OK;
}

/* What ranks of a job are folded by. */
static const struct fold_doc fold_docs[] = {
	FOLD("phases", "phase", "self_cpu_ns", "self_device_ns"),
	FOLD("bottlenecks", "bound|what", "per_step_ns", "share_ratio", .rows = 5),
	FOLD("memory", "device_type", "peak_allocated_bytes", "peak_reserved_bytes|peak_ratio",
		.is_figure = true),
};

ANALYSIS(summary) = {
	.name = "summary",
	.summary = "a run on one screen: steps, GPUs, phases, ratios, the top bottlenecks",
	.help.doc = "How long a step takes and how much that varies; what each GPU does in it "
		    "(computing, exposed communication and copies, idle: they add up to the step), "
		    "and how well kernels fill it; CPU self time by phase; the CPU/GPU ratio and "
		    "the share of copies, by the formulas in use and by ones that count nothing "
		    "twice; launches; the peak of memory; the largest bottlenecks.\n\n"
		    "The verdict is the one word of 'diagnose', by the same function: the largest "
		    "part of the time of the steps that count names the run. The guides' four "
		    "classes follow from it. Compute: computing, but for kernels that only copy or "
		    "cast, which are memory, as are copies within the GPU. I/O: exposed copies to "
		    "and from the host, exposed communication, waiting for the data loader. CPU: "
		    "all other waiting.",
	.help.source = "docs/definitions.md",
	.help.examples = "traceq summary trace.json.gz\ntraceq summary rank*.json.gz --steps 5-9\n"
			 "traceq summary --json trace.json.gz",
	ANALYSIS_EACH_RUN(NEED_ORDER | NEED_FUNCTIONS | NEED_LINKS | NEED_STEPS | NEED_CALLS |
		NEED_KERNEL | NEED_MEMORY | NEED_SYNC),
	.options.ignores = FILTER_MATCH | FILTER_EXCLUDE,
	.shares = SHARED_BIT(WAITING) | SHARED_BIT(LEDGERS) | SHARED_BIT(DEVTIME) |
		SHARED_BIT(JUDGE),
	.weight = 4,
	ANALYSIS_OPTIONS(options, struct summary_options, .limit = -1),
	ANALYSIS_TABLES(summary, SUMMARY),
	.help.main_table = "runs|overview",
	.per_run = { .answer = answer_run,
		.needs = PERRUN_VIEW,
		.runs = &runs,
		.folds = FOLDS(fold_docs, .is_verdict = true) },
};
