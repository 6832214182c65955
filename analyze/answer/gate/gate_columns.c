/*
 * The tables of `gate`, column by column.  Data only.
 */
#include "analyze/answer/gate/gate.h"
#include "analyze/query/columns.h"
#include "base/compiler.h"

static const struct column verdict_columns[VER_COLUMNS] = {
	[VER_STATE] = COL_TEXT("verdict", "verdict",
		"fail: a check is in a state that --fail-on names; else the worst state of the checks that "
		"counts: warn, noisy, pass, improved.",
		0),
	[VER_SUMMARY] = COL_TEXT("summary", "summary", "How many checks failed, and how.", 0),
	[VER_RUNS] = COL_TEXT("runs", "runs", "Runs on both sides.", 0),
	[VER_TIER] = COL_TEXT("tier", "tier", "Tolerances the checks started from.", 0),
	[VER_NOISE] = COL_TEXT("noise", "noise",
		"Variation between runs of the same code: measured, with three runs or more on both sides, "
		"or declared.",
		0),
	[VER_NOISE_RATIO] = COL_REAL("noise_ratio", "declared noise",
		"Coefficient of variation between runs that is used where it is not measured.",
		UNIT_RATIO, COLUMN_HIDDEN),
	[VER_CHECKS] = COL_INT(
		"checks", "checks", "Checks that compared something.", UNIT_COUNT, COLUMN_HIDDEN),
	[VER_FAILED] =
		COL_INT("failed", "failed", "Checks that failed.", UNIT_COUNT, COLUMN_HIDDEN),
	[VER_WARNED] = COL_INT(
		"warned", "warned", "Checks that are a warning.", UNIT_COUNT, COLUMN_HIDDEN),
	[VER_NOISY] = COL_INT("noisy", "noisy", "Checks that noise alone may explain.", UNIT_COUNT,
		COLUMN_HIDDEN),
	[VER_SKIPPED] = COL_INT(
		"skipped", "skipped", "Checks without data on a side.", UNIT_COUNT, COLUMN_HIDDEN),
	[VER_IMPROVED] = COL_INT(
		"improved", "improved", "Checks that got better.", UNIT_COUNT, COLUMN_HIDDEN),
};

#define RULE "docs/statistics.md, \"The rule\""
static const struct column check_columns[CHECK_COLUMNS] = {
	[CHECK_STATE] = { "state", "",
		"FAIL: worse than the tolerance, also where noise is granted. NOISY: the estimate is beyond "
		"it, but noise alone may explain that. WARN: a failure that does not count as one. IMPROVED: "
		"better by more than the tolerance. SKIP: no data on a side. NOTE: for information.",
		RULE, CELL_TEXT, UNIT_NONE, 0 },
	[CHECK_ID] = COL_TEXT("check", "check", "Its id.", 0),
	[CHECK_BASE] = COL_REAL("base", "base",
		"Centre of the base's runs: the geometric mean of their medians.", UNIT_OF_ROW, 0),
	[CHECK_NOW] = COL_REAL("new", "new", "The same of the new runs.", UNIT_OF_ROW, 0),
	[CHECK_CHANGE] = COL_TEXT("change", "change",
		"New against base, in per cent; in points for shares, in units where there is no ratio.",
		0),
	[CHECK_INTERVAL] = { "interval", "interval",
		"Both one-sided 95 % bounds of the change, noise between runs included.", RULE,
		CELL_TEXT, UNIT_NONE, COLUMN_SPARE },
	[CHECK_TOLERANCE] = COL_TEXT("tolerance", "tolerance", "What is tolerated.", 0),
	[CHECK_WEAK] = { "weak", "",
		"Passes, but so much worse is not excluded: more runs would tell.", RULE, CELL_TEXT,
		UNIT_NONE, 0 },
	[CHECK_SUITE] = COL_TEXT("suite", "suite", "What it is about.", COLUMN_HIDDEN),
	[CHECK_RATIO] = COL_REAL(
		"change_ratio", "ratio", "(new - base) / base.", UNIT_RATIO, COLUMN_HIDDEN),
	[CHECK_DELTA] =
		COL_REAL("change_delta", "delta", "new - base.", UNIT_OF_ROW, COLUMN_HIDDEN),
	[CHECK_LO] = COL_REAL("change_low", "from",
		"Lower bound of the change: of its ratio, or of its delta where there is none.",
		UNIT_NONE, COLUMN_HIDDEN),
	[CHECK_HI] = COL_REAL("change_high", "to", "The upper one.", UNIT_NONE, COLUMN_HIDDEN),
	[CHECK_P] = COL_REAL("p", "p",
		"Probability of a change this large where there is none, two-sided, noise included.",
		UNIT_NONE, COLUMN_HIDDEN),
	[CHECK_DECISION] = { "decision", "decision",
		"What the rule says of the figures alone: fail, noisy, improved, pass, skip; the state also "
		"knows the check's level and the machines.",
		RULE, CELL_TEXT, UNIT_NONE, COLUMN_HIDDEN },
	[CHECK_NEEDED] = COL_REAL("needed_runs", "runs needed",
		"Of a noisy check: runs on each side that would decide.", UNIT_COUNT,
		COLUMN_HIDDEN),
	[CHECK_RUNS_BASE] = COL_INT(
		"base_runs", "base runs", "Runs of base that say it.", UNIT_COUNT, COLUMN_HIDDEN),
	[CHECK_RUNS_NOW] = COL_INT(
		"new_runs", "new runs", "Runs of new that say it.", UNIT_COUNT, COLUMN_HIDDEN),
	[CHECK_MEASURED] = COL_BOOL("noise_is_measured", "measured",
		"The noise comes from the runs (three or more on both sides), not from --noise.",
		COLUMN_HIDDEN),
	[CHECK_MESSAGE] = COL_TEXT("message", "message", "All of it in a line.", COLUMN_HIDDEN),
};

static const struct column why_columns[] = {
	COL_TEXT("text", "why", "What the change of the step comes from, as diff says it.",
		COLUMN_ELASTIC),
};

static const struct column newest_columns[] = {
	COL_TEXT("state", "",
		"FAIL: the level changed for the worse among the last --recent runs, or so "
		"many runs in a row as --confirm says are off. WARN: the newest is off. SKIP: fewer than "
		"10 runs.",
		0),
	COL_TEXT("check", "check", "The figure.", 0),
	COL_TEXT("run", "newest", "The newest run that says it.", 0),
	COL_REAL("value", "value", "What it says.", UNIT_OF_ROW, 0),
	COL_REAL("median", "median", "Median of the last 40 runs of the level before it.",
		UNIT_OF_ROW, 0),
	COL_TEXT("change", "change", "Newest against that; points for shares.", 0),
	{ "z", "z",
		"0.6745 (value - median) / MAD of those runs; beyond 4, and beyond the tolerance for "
		"the worse, a run is off.",
		"Iglewicz and Hoaglin 1993", CELL_REAL, UNIT_NONE, 0 },
	COL_REAL("tolerance_ratio", "tolerance", "What is tolerated.", UNIT_RATIO, COLUMN_HIDDEN),
	COL_TEXT("message", "message", "All of it in a line.", COLUMN_ELASTIC),
};

static const struct column history_columns[] = {
	COL_TEXT("check", "check", "The figure.", 0),
	COL_TEXT("run", "run", "The run, as the history names it.", 0),
	COL_INT("number", "#", "Its place in the history, from 0.", UNIT_COUNT, 0),
	COL_REAL("value", "value", "What the run measured.", UNIT_OF_ROW, 0),
	COL_REAL("level", "level", "Median of the level the run is in.", UNIT_OF_ROW, 0),
};

static const struct column segment_columns[] = {
	COL_TEXT("check", "check", "The figure.", 0),
	COL_TEXT("from", "from", "First run of the level.", 0),
	COL_TEXT("to", "to", "Its last run.", 0),
	COL_INT("runs", "runs", "Runs between.", UNIT_COUNT, 0),
	COL_REAL("median", "median", "Their median.", UNIT_OF_ROW, 0),
	COL_REAL("cv_ratio", "CV", "Their standard deviation over their mean.", UNIT_RATIO, 0),
	COL_REAL("change_ratio", "change", "Mean of the level over that of the one before, less 1.",
		UNIT_RATIO, 0),
	{ "p", "p", "Student's test of both levels, with one pooled variance.",
		"Fleming et al. 2023 (Hunter), mended: docs/statistics.md", CELL_REAL, UNIT_NONE,
		0 },
	COL_TEXT("commit", "commit", "Of the first run of the level.", 0),
};

const struct table_doc gate_docs[GATE_TABLES] = {
	[GATE_TABLE_VERDICT] = { "verdict", "Verdict", verdict_columns, VER_COLUMNS },
	[GATE_TABLE_CHECKS] = { "checks", "Checks", check_columns, CHECK_COLUMNS },
	[GATE_TABLE_WHY] = { "why", NULL, why_columns, COUNT_OF(why_columns) },
	[GATE_TABLE_NEWEST] = { "newest", "Newest runs", newest_columns, COUNT_OF(newest_columns) },
	[GATE_TABLE_HISTORY] = { "history", "Runs", history_columns, COUNT_OF(history_columns) },
	[GATE_TABLE_SEGMENTS] = { "segments", "Levels", segment_columns,
		COUNT_OF(segment_columns) },
};
