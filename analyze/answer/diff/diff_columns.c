/*
 * The tables of `diff`, column by column.  Data only.
 */
#include "analyze/answer/diff/diff.h"
#include "analyze/query/columns.h"

static const struct column why[DWHY_COLUMNS] = {
	[DWHY_TEXT] = COL_TEXT("text", "why",
		"What changed, in words: the largest part of the ledger, the work behind it, what was "
		"replaced, what is configured differently.",
		0),
};

static const struct column sides[DSIDE_COLUMNS] = {
	[DSIDE_SIDE] = COL_TEXT("side", "", "base or new.", 0),
	[DSIDE_RUNS] = COL_INT(
		"runs", "runs", "Runs of the side: repeats of the same thing.", UNIT_COUNT, 0),
	[DSIDE_RANKS] = COL_INT("ranks", "ranks",
		"Traces of a run, one for each rank; the largest number where runs differ.",
		UNIT_COUNT, 0),
	[DSIDE_STEPS] = COL_INT("steps", "steps",
		"Counted steps of all its traces: the first and the last of a trace are set aside when "
		"five or more remain.",
		UNIT_COUNT, 0),
	[DSIDE_STEP] = COL_REAL("step_ns", "step",
		"Step time: the slowest rank of each step, the median of the steps, the geometric mean "
		"of the runs.",
		UNIT_NS, 0),
	[DSIDE_GPU] = COL_TEXT("gpu", "GPU", "Names of the GPUs with work.", 0),
	[DSIDE_LABEL] = COL_TEXT("label", "what", "The label or the paths given.", COLUMN_ELASTIC),
};

static const struct column step[DSTEP_COLUMNS] = {
	[DSTEP_BASE] = COL_REAL("base_ns", "base", "Step time of base.", UNIT_NS, 0),
	[DSTEP_NEW] = COL_REAL("new_ns", "new", "Step time of new.", UNIT_NS, 0),
	[DSTEP_DELTA] = COL_REAL("delta_ns", "delta", "new less base.", UNIT_NS, 0),
	[DSTEP_CHANGE] = COL_REAL("change_ratio", "change", "delta over base.", UNIT_RATIO, 0),
	[DSTEP_LO] = { "change_low_ratio", "from",
		"Lower bound of the change: with 95 % confidence it is larger. The error has two parts: "
		"the spread of the steps, and the noise between runs.",
		"docs/statistics.md, the rule", CELL_REAL, UNIT_RATIO, 0 },
	[DSTEP_HI] = { "change_high_ratio", "to", "Upper bound of the change, the same.",
		"docs/statistics.md, the rule", CELL_REAL, UNIT_RATIO, 0 },
	[DSTEP_VERDICT] = { "verdict", "verdict",
		"regression: the lower bound is above --threshold; improvement: the upper bound is below "
		"minus it; within noise: neither is shown; no change: nothing differs; cannot tell: too "
		"few steps.",
		"docs/statistics.md, the rule", CELL_TEXT, UNIT_NONE, 0 },
	[DSTEP_P] = COL_REAL("p", "p",
		"Probability of a change at least as large by noise alone, "
		"two-sided.",
		UNIT_NONE, COLUMN_HIDDEN),
	[DSTEP_NOISE] = COL_REAL("noise_ratio", "noise",
		"Standard deviation between runs of the same code, as declared by --noise; absent where "
		"it is measured.",
		UNIT_RATIO, 0),
	[DSTEP_MEASURED] = COL_BOOL("is_noise_measured", "measured",
		"The noise is measured: three or more runs on both sides.", COLUMN_HIDDEN),
	[DSTEP_NEEDED] = COL_REAL("runs_needed", "runs needed",
		"Runs on each side that would decide a change that noise may explain.", UNIT_COUNT,
		COLUMN_HIDDEN),
};

static const struct column env[DENV_COLUMNS] = {
	[DENV_KIND] = COL_TEXT("kind", "what", "environment or config.", 0),
	[DENV_KEY] = COL_TEXT("key", "key",
		"What differs; configs by the names they are written "
		"with, nested ones with dots.",
		0),
	[DENV_BASE] = COL_TEXT("base", "base", "Its values in base.", 0),
	[DENV_NEW] = COL_TEXT("new", "new", "Its values in new.", COLUMN_ELASTIC),
};

static const struct column ledger[DLED_COLUMNS] = {
	[DLED_PART] = COL_TEXT("part", "per step",
		"Where the step goes: computing, exposed communication and copies, idle; indented, what "
		"the host does while the GPU is idle. Without a GPU: the phases of the main thread.",
		0),
	[DLED_BASE] = COL_INT("base_ns", "base", "Mean per step of base.", UNIT_NS, 0),
	[DLED_NEW] = COL_INT("new_ns", "new", "Mean per step of new.", UNIT_NS, 0),
	[DLED_DELTA] = COL_INT("delta_ns", "delta",
		"new less base. The parts add up to the step's, to the nanosecond.", UNIT_NS, 0),
	[DLED_SHARE] = COL_REAL("share_ratio", "share",
		"delta over the step's; negative: it went the other way.", UNIT_RATIO, 0),
	[DLED_KEY] = COL_TEXT("key", "key", "The part's word for machines.", COLUMN_HIDDEN),
	[DLED_DETAIL] = COL_BOOL("is_detail", "detail",
		"A part of GPU idle; not in the sum beside it.", COLUMN_HIDDEN),
};

static const struct column ops[DOP_COLUMNS] = {
	[DOP_DELTA] = COL_INT("delta_ns", "delta", "new less base, per step.", UNIT_NS, 0),
	[DOP_BASE] = COL_INT("base_ns", "base",
		"Sum of durations per step in base (device work), or of self CPU time (host calls); mean "
		"over steps and ranks. Absent: there is none.",
		UNIT_NS, 0),
	[DOP_NEW] = COL_INT("new_ns", "new", "The same in new.", UNIT_NS, 0),
	[DOP_CALLS] =
		COL_TEXT("calls", "calls", "Calls per step: base -> new, or the one number.", 0),
	[DOP_BY_CALLS] = { "by_calls_ns", "by calls",
		"What more or fewer calls make of delta: (c1 - c0)(m0 + m1)/2, c calls per step and m "
		"mean duration. New and removed work is by calls alone.",
		"Shapley 1953, two factors", CELL_INT, UNIT_NS, 0 },
	[DOP_BY_DURATION] = { "by_duration_ns", "by dur",
		"What longer or shorter calls make of delta: (m1 - m0)(c0 + c1)/2. With by_calls_ns it is "
		"delta, exactly.",
		"Shapley 1953, two factors", CELL_INT, UNIT_NS, 0 },
	[DOP_MIX] = COL_INT("by_shapes_ns", "by shapes",
		"The part of by_duration_ns that comes from other input shapes; the rest is there within "
		"the same shapes. Absent: shapes are the same or not known.",
		UNIT_NS, COLUMN_HIDDEN),
	[DOP_Q] = { "q", "q",
		"False discovery rate at which the row's time differs: Mann-Whitney's test on its time in "
		"each step (Welch's on runs, from three on each side), adjusted for the number of rows "
		"tested. Rows below 0.5 % of the step on both sides are not tested.",
		"Benjamini and Hochberg 1995", CELL_REAL, UNIT_NONE, COLUMN_HIDDEN },
	[DOP_STATUS] = COL_TEXT("status", "status",
		"new, removed, changed (q <= --alpha, and beyond the noise between runs unless the number "
		"of calls changed), within noise, not tested (too little time or too few steps), same.",
		0),
	[DOP_WHAT] = COL_TEXT("what", "what",
		"The op that launched it and the kernel, copy or set; the call on the host.",
		COLUMN_ELASTIC),
	[DOP_SHARE] = COL_REAL("share_ratio", "share",
		"delta over the step's. More than 1 is possible: what runs at the same time overlaps.",
		UNIT_RATIO, COLUMN_HIDDEN),
	[DOP_CONTRIBUTION] = COL_REAL("contribution_ratio", "contribution",
		"delta over the sum of all rows' deltas without their signs.", UNIT_RATIO,
		COLUMN_HIDDEN),
	[DOP_NAME] = COL_TEXT("name", "name",
		"Name of the kernel, copy or set, or of the call; addresses and whole numbers in "
		"templates are taken out unless --exact-names.",
		COLUMN_HIDDEN),
	[DOP_OP] = COL_TEXT(
		"op", "op", "The op that launched it; absent when none is known.", COLUMN_HIDDEN),
	[DOP_DIMS] = COL_TEXT("dims", "dims", "Input shapes, with --by shape.", COLUMN_HIDDEN),
	[DOP_KIND] = COL_TEXT("kind", "kind", "kernel, memcpy, memset, cpu_op, ...", COLUMN_HIDDEN),
	[DOP_BASE_PER_STEP] = COL_REAL("base_calls_per_step", "base calls/step",
		"Calls per step in base.", UNIT_COUNT, COLUMN_HIDDEN),
	[DOP_NEW_PER_STEP] = COL_REAL("new_calls_per_step", "new calls/step",
		"Calls per step in new.", UNIT_COUNT, COLUMN_HIDDEN),
	[DOP_BASE_CALLS] = COL_INT("base_calls", "base calls",
		"Calls in the counted steps of all traces of base.", UNIT_COUNT, COLUMN_HIDDEN),
	[DOP_NEW_CALLS] =
		COL_INT("new_calls", "new calls", "The same in new.", UNIT_COUNT, COLUMN_HIDDEN),
	[DOP_BASE_ALL] = COL_INT("base_all_calls", "base calls, all",
		"Calls in the traces of base as a whole, also outside of steps.", UNIT_COUNT,
		COLUMN_HIDDEN),
	[DOP_NEW_ALL] = COL_INT(
		"new_all_calls", "new calls, all", "The same in new.", UNIT_COUNT, COLUMN_HIDDEN),
	[DOP_BASE_ALL_NS] = COL_INT("base_all_ns", "base time, all",
		"Time in the traces of base as a whole.", UNIT_NS, COLUMN_HIDDEN),
	[DOP_NEW_ALL_NS] =
		COL_INT("new_all_ns", "new time, all", "The same in new.", UNIT_NS, COLUMN_HIDDEN),
	[DOP_PARTNER] = COL_TEXT("replaced", "replaced",
		"Of a removed row: what came in its place; of a new one: what it replaced. They are "
		"called equally often, and the same op launched both or both follow the same work.",
		COLUMN_HIDDEN),
	[DOP_P] =
		COL_REAL("p", "p", "Of the test, before the adjustment.", UNIT_NONE, COLUMN_HIDDEN),
};

static const struct column metrics[DMET_COLUMNS] = {
	[DMET_METRIC] = COL_TEXT("metric", "metric",
		"Figures of the runs: of traces, by step; of logs and summaries, by their own names.",
		0),
	[DMET_BASE] = COL_REAL("base", "base",
		"Centre of base, in the row's unit: the median over steps, the geometric mean over runs.",
		UNIT_OF_ROW, 0),
	[DMET_NEW] = COL_REAL("new", "new", "Centre of new.", UNIT_OF_ROW, 0),
	[DMET_DELTA] = COL_REAL("delta", "delta", "new less base.", UNIT_OF_ROW, 0),
	[DMET_CHANGE] = COL_REAL("change_ratio", "change",
		"delta over base; absent for shares and where base is 0.", UNIT_RATIO, 0),
	[DMET_LO] = COL_REAL(
		"change_low_ratio", "from", "Lower bound of the change, 95 %.", UNIT_RATIO, 0),
	[DMET_HI] = COL_REAL(
		"change_high_ratio", "to", "Upper bound of the change, 95 %.", UNIT_RATIO, 0),
	[DMET_VERDICT] = COL_TEXT("verdict", "verdict",
		"As the step's, in the metric's own direction; higher or lower where none is better.",
		0),
	[DMET_UNIT] = COL_TEXT("unit", "unit", "Unit of base, new and delta.", COLUMN_HIDDEN),
	[DMET_BETTER] = COL_TEXT("better", "better", "lower, higher or neither.", COLUMN_HIDDEN),
	[DMET_BASE_RUNS] = COL_INT(
		"base_runs", "base runs", "Runs of base that say it.", UNIT_COUNT, COLUMN_HIDDEN),
	[DMET_NEW_RUNS] = COL_INT(
		"new_runs", "new runs", "Runs of new that say it.", UNIT_COUNT, COLUMN_HIDDEN),
	[DMET_BASE_COUNT] = COL_INT("base_values", "base values",
		"Values behind it: steps, records.", UNIT_COUNT, COLUMN_HIDDEN),
	[DMET_NEW_COUNT] =
		COL_INT("new_values", "new values", "The same of new.", UNIT_COUNT, COLUMN_HIDDEN),
	[DMET_P] = COL_REAL("p", "p", "Probability of a change at least as large by noise alone.",
		UNIT_NONE, COLUMN_HIDDEN),
};

static const struct column runs[DRUN_COLUMNS] = {
	[DRUN_SIDE] = COL_TEXT("side", "", "base or new.", 0),
	[DRUN_RUN] = COL_TEXT("run", "run",
		"The folder or file it is known by; repeats in one folder are numbered.", 0),
	[DRUN_RANK] = COL_INT("rank", "rank", "Of the document, else of the path.", UNIT_NONE, 0),
	[DRUN_KIND] = COL_TEXT("kind", "kind", "What the file is.", 0),
	[DRUN_STEPS] = COL_INT("steps", "steps", "Counted steps.", UNIT_COUNT, 0),
	[DRUN_STEP] = COL_REAL("step_ns", "step", "Median of their durations.", UNIT_NS, 0),
	[DRUN_FILE] = COL_TEXT("file", "file", "The file.", COLUMN_ELASTIC),
};

const struct table_doc diff_docs[DIFF_TABLES] = {
	[DIFF_WHY_TABLE] = { "why", NULL, why, DWHY_COLUMNS },
	[DIFF_SIDES_TABLE] = { "sides", NULL, sides, DSIDE_COLUMNS },
	[DIFF_STEP_TABLE] = { "step", "step time", step, DSTEP_COLUMNS },
	[DIFF_ENV_TABLE] = { "differences", "what is not the same", env, DENV_COLUMNS },
	[DIFF_LEDGER_TABLE] = { "ledger", "where the change is", ledger, DLED_COLUMNS },
	[DIFF_OPS_TABLE] = { "ops", "device work, per step", ops, DOP_COLUMNS },
	[DIFF_HOST_TABLE] = { "host", "host calls, self CPU time per step", ops, DOP_COLUMNS },
	[DIFF_METRICS_TABLE] = { "metrics", "metric by metric", metrics, DMET_COLUMNS },
	[DIFF_RUNS_TABLE] = { "runs", "what was compared", runs, DRUN_COLUMNS },
};
