/* The styles of documents: which sections, in which order. */

#include "report/documents/layout.h"
#include "report/page/section/section.h"

static const struct style style_run = {
	.name = "run",
	.title = "Run report",
	.summary = "one page about a run: the verdict, where the time goes, metrics, what to do",
	.section = { &section_oom, &section_overview, &section_ranks, &section_ledger,
		&section_findings, &section_bottlenecks, &section_critical, &section_profiler,
		&section_work, &section_roofline, &section_sampled, &section_waiting,
		&section_transfers, &section_memory, &section_metrics, &section_scores,
		&section_gpus, &section_batch, &section_opportunities, &section_missing },
	.document = document_run,
	.document_ask = { DOCUMENT_RUN_ASKS },
};

static const struct style style_week1 = {
	.name = "week1",
	.title = "Week 1: baseline profiling summary",
	.summary =
		"a results folder: model, batch sizes, bottlenecks, its logs, questions, targets",
	.section = { &section_overview, &section_model, &section_data, &section_performance,
		&section_batch, &section_bottlenecks, &section_work, &section_metrics,
		&section_sampled, &section_memory, &section_gpus, &section_opportunities,
		&section_questions, &section_targets, &section_expected, &section_checklist,
		&section_open, &section_missing },
	.document = document_week1,
	.document_ask = { DOCUMENT_WEEK1_ASKS },
};

static const struct style style_diff = {
	.name = "diff",
	.title = "What changed",
	.summary = "two runs: the verdict, where the change is, what is not the same",
	.section = { &section_verdict, &section_change, &section_figures, &section_differences },
};

static const struct style style_nightly = {
	.name = "nightly",
	.title = "Nightly runs",
	.summary = "a history: is the newest run off, and when did levels change",
	.section = { &section_tonight, &section_newest, &section_levels },
};

#define X(name) &style_##name,
static const struct style *const styles[] = { STYLES(X) };
#undef X

const struct style *style_find(const char *name)
{
	return FIND_NAMED(styles, COUNT_OF(styles), name, name);
}
