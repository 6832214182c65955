/* `check`: whether a trace can be relied on.  Options, and the order of work. */
#include "analyze/answer/check/check.h"

#include "analyze/analysis/fold.h"
#include "analyze/analysis/runs_table.h"
#include "analyze/rule/list.h"
#include "analyze/trace/columns/record.h"

/* `check` of a job's ranks: a row for each. */

static const struct runs_cell cells[CRUN_COLUMNS] = {
	[CRUN_LINKED] = { "launch", "linked", NULL, NULL },
	[CRUN_DELAY] = { "delays", "median_ns", "delay", "start" },
};

/* A row for each rank of a job. */
static const struct runs_doc check_runs = {
	.doc = &check_docs[CHECK_RUNS], .from = "verdict", .cell = cells
};

#define AT(field) offsetof(struct check_options, field)
static const struct opt options[] = {
	FLAG_OPT("all", 0, AT(all), "show the checks that found nothing, too"),
	LIMIT_OPT(AT(limit), "rows of the table of launching calls; 0 = all [10]"),
};

static enum status answer_run(struct perrun *at)
{
	struct check c = { .at = at, .o = at->q->opts };
	struct table *verdict = perrun_table(at, &check_docs[CHECK_VERDICT]);

	if (at->record)
		check_record_tables(&c);
	if (!perrun_is_record(at)) {
		check_count(&c);
		check_health_tables(&c);
		check_launch_tables(&c);
	}
	verdict->title = NULL;
	verdict->layout = TABLE_LIST;
	TABLE_ROW(verdict,
		[VERDICT_RELIABLE] = cell_word(c.worst == SEVERITY_CRIT ? "no"
				: c.worst == SEVERITY_WARN              ? "with care"
									: "yes"),
		[VERDICT_WHY] = cell_word(c.why),
		[VERDICT_BAD] = cell_int(c.verdicts[SEVERITY_CRIT]),
		[VERDICT_WARNINGS] = cell_int(c.verdicts[SEVERITY_WARN]),
		[VERDICT_NOTES] = cell_int(c.verdicts[SEVERITY_NOTE]));
	if (c.at->q->for_people)
		table_drop_empty(verdict);
	if (c.worst == SEVERITY_CRIT)
		*(bool *)c.at->ctx = true;
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	bool is_unreliable = false;

	TRY(perrun_all(q, &q->analysis->per_run, &is_unreliable, out, e));
	*exit_code = is_unreliable;
	return OK;
}

ANALYSIS(check) = {
	.name = "check",
	.summary = "whether a trace can be relied on: damage, gaps, broken links",
	.help.doc =
		"One line says whether the trace can be relied on: yes, with care, or no; then "
		"comes everything that is odd about it, with how often, where first, and what "
		"it means. Exit status 1 when the answer is no for one of the files.\n\n"
		"No: there are no events; the file is truncated or its compressed stream is "
		"damaged; more than 1% of the events or of the text is lost; more than 50% of "
		"the GPU events have no launching call although calls were recorded, those "
		"aside that were launched before recording began. With care: something else is "
		"a warning. Notes are oddities that change no figure.\n\n"
		"A folder is checked for what the guides list. A profiled run leaves a "
		"trace, a table of operations, times of stages, memory statistics; with neither "
		"a trace nor times of stages the answer is no, as it is for a folder that is "
		"not there. Where there is a trace, what else is missing counts as a note, else "
		"as a warning. A folder with a table of stages (summary.csv) needs that, a "
		"trace, ops.csv and at least 6 stages. One of week 1 (baseline_metrics.json, "
		"detailed_metrics.csv or val_df.csv in it) needs both of the first, "
		"plots/batch_size_comparison.png, profiler_traces/trace.json and an accuracy; "
		"it is reliable when its data set, report and heatmap are there, too.\n\n"
		"The tables below it are about launches: how GPU events are linked to calls, "
		"how long after their call they start, and which calls launch them.",
	.help.source = "torch/profiler/_trace_validator.py and the traces of many producers",
	.help.examples =
		"traceq check trace.json.gz\ntraceq check --all trace.json.gz\n"
		"traceq check --json trace.json.gz >health.json\ntraceq check runs/run_1764504000/",
	ANALYSIS_EACH_RUN(NEED_LINKS | NEED_ORDER | NEED_STEPS),
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	.runs.takes_records = true,
	.runs.is_of_folders = true,
	.runs.takes_missing = true,
	ANALYSIS_OPTIONS(options, struct check_options, .limit = -1),
	ANALYSIS_TABLES(check, CHECK),
	.help.main_table = "health",
	.help.rules = READS_QUALITY,
	.per_run = { .answer = answer_run,
		.folds = &(const struct folds){ .ranks = &check_runs, .kept = "run" } },
	.compute = compute,
};
