/*
 * `check`: whether a trace can be relied on.  Options, and the order of work.
 */
#include "analyze/answer/check/check.h"

#include "analyze/analysis/fold.h"

#include "analyze/trace/filter.h"
#include "analyze/trace/columns/record.h"
#include "base/opt.h"

#define AT(field) offsetof(struct check_options, field)
static const struct opt options[] = {
	OPT("all", 0, OPT_FLAG, NULL, "show the checks that found nothing, too", AT(all), NULL,
		NULL),
	OPT("analysis", 0, OPT_FLAG, NULL,
		"with --format seed: the documents' analysis of stages and operations, too",
		AT(analysis), NULL, NULL),
	OPT("report", 0, OPT_FLAG, NULL, "with --format seed: the summary of their report, too",
		AT(report), NULL, NULL),
	OPT("limit", 'n', OPT_INT, "N", "rows of the table of launching calls; 0 = all [10]",
		AT(limit), NULL, "row-limit"),
};
#undef AT

static void set_defaults(void *opts)
{
	((struct check_options *)opts)->limit = -1;
}

static void put_verdict(const struct check *c, struct table *t)
{
	t->title = NULL;
	t->layout = TABLE_LIST;
	table_row(t);
	table_text(t, VERDICT_RELIABLE,
		c->worst == VERDICT_IS_BAD            ? SPAN("no")
			: c->worst == VERDICT_WARNING ? SPAN("with care")
						      : SPAN("yes"));
	if (c->why)
		table_text(t, VERDICT_WHY, span_of(c->why));
	table_int(t, VERDICT_BAD, c->verdicts[VERDICT_IS_BAD]);
	table_int(t, VERDICT_WARNINGS, c->verdicts[VERDICT_WARNING]);
	table_int(t, VERDICT_NOTES, c->verdicts[VERDICT_NOTE]);
	if (c->at->q->for_people)
		table_drop_empty(t);
	if (c->worst == VERDICT_IS_BAD)
		*(bool *)c->at->ctx = true;
}

/* The documents' own layout is about folders, or what would be in one. */
static enum status answer_in_seed(struct check *c)
{
	if (!c->at->record || !c->at->record->is_folder)
		return err_set(c->at->e, E_USAGE, -1,
			"--format seed is about a run's folder, and this is a file");
	if (!check_put_seed(c))
		*(bool *)c->at->ctx = true;
	return OK;
}

static enum status answer_run(struct perrun *at)
{
	struct check c = { .at = at, .o = at->q->opts };
	struct table *verdict;

	if (at->q->layout == TABLE_TEXT)
		return answer_in_seed(&c);
	if (c.o->analysis || c.o->report) {
		(void)err_set(at->e, E_USAGE, -1, "--%s is a part of --format seed",
			c.o->analysis ? "analysis" : "report");
		return err_hint(at->e, "%s",
			c.o->analysis
				? "the document's layout: traceq check --format seed --analysis"
				: "the document's layout: traceq check --format seed --report");
	}
	verdict = perrun_table(at, &check_docs[CHECK_VERDICT]);
	if (at->record)
		check_record_tables(&c);
	if (!perrun_is_record(at)) {
		check_count(&c);
		check_health_tables(&c);
		check_launch_tables(&c);
	}
	put_verdict(&c, verdict);
	return OK;
}

static enum status compute(const struct query *q, struct result *out, int *exit_code, struct err *e)
{
	bool is_unreliable = false;

	TRY(perrun_all(q, &q->analysis->per_run, &is_unreliable, out, e));
	*exit_code = is_unreliable;
	return OK;
}

static const struct analysis_word *word(size_t i)
{
	return i < CHECK_WORDS ? &check_words[i] : NULL;
}

static const struct folds folds = {
	.ranks = &check_runs,
	.kept = "run",
};

ANALYSIS(check) = {
	.name = "check",
	.summary = "whether a trace can be relied on: damage, gaps, broken links",
	.help.doc =
		"One line says whether the trace can be relied on: yes, with care, or no; then comes "
		"everything that is odd about it, with how often, where first, and what it means. Exit "
		"status 1 when the answer is no for one of the files.\n\n"
		"No: there are no events; the file is truncated or its compressed stream is damaged; more "
		"than 1% of the events or of the text is lost; more than 50% of the device events have "
		"no launching call although calls were recorded, those aside that were launched before "
		"recording began. With care: something else is a warning. "
		"Notes are oddities that change no figure.\n\n"
		"A folder is checked for what the documents list. A profiled run leaves a trace, a table of "
		"operations, times of stages, memory statistics; with neither a trace nor times of stages "
		"the answer is no, as it is for a folder that is not there. Where there is a trace, what "
		"else is missing counts as a note, else as a warning. A folder with a table of stages "
		"(summary.csv) needs that, a trace, ops.csv and at least 6 stages. One of week 1 "
		"(baseline_metrics.json, detailed_metrics.csv or val_df.csv in it) needs both of the first, "
		"plots/batch_size_comparison.png, profiler_traces/trace.json and an accuracy; it is "
		"reliable when its data set, report and heatmap are there, too.\n\n"
		"--format seed prints what the documents' check_profile.py does, with --analysis and --report "
		"as there; exit status 1 where it says INVALID.\n\n"
		"The tables below it are about launches: how device events are linked to calls, how long "
		"after their call they start, and which calls launch them.",
	.help.source = "torch/profiler/_trace_validator.py and the traces of many producers",
	.help.examples =
		"traceq check trace.json.gz\ntraceq check --all trace.json.gz\n"
		"traceq check --json trace.json.gz >health.json\ntraceq check runs/run_1764504000/\n"
		"traceq check runs/run_1764504000/ --format seed --analysis --report",
	.runs.needs = NEED_LINKS | NEED_ORDER | NEED_STEPS,
	.options.ignores = FILTER_ALL & ~FILTER_RANK,
	.runs.min = 1,
	.runs.is_one_by_one = true,
	.runs.max = 0,
	.runs.takes_records = true,
	.runs.is_of_folders = true,
	.runs.takes_missing = true,
	.options.opt = options,
	.options.n = COUNT_OF(options),
	.options.layouts = 1u << TABLE_TEXT,
	.options.size = sizeof(struct check_options),
	.options.set_defaults = set_defaults,
	.help.tables = check_docs,
	.help.ntables = CHECK_TABLES,
	.help.main_table = "health",
	.help.notes = check_notes,
	.help.word = word,
	.per_run = { .answer = answer_run, .folds = &folds },
	.compute = compute,
};
