/*
 * The tables of `diagnose`, column by column.  Data only.
 */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/answer/diagnose/diagnose_record.h"
#include "analyze/query/columns.h"

static const struct column verdict[DIAG_COLUMNS] = {
	[DIAG_VERDICT] = COL_TEXT("verdict", "verdict",
		"What the run is, in one word: that of its worst finding; where that says only how much "
		"is lost, of a cause that explains half of it; healthy when nothing is above a "
		"note; then no-device or device-only where the trace lacks the other side.",
		0),
	[DIAG_RULE] = COL_TEXT("rule", "rule", "The rule of that finding.", COLUMN_HIDDEN),
	[DIAG_WHY] = COL_TEXT("why", "because", "What it found.", 0),
	[DIAG_STEPS] = COL_INT("steps", "steps",
		"Steps that count: the first and the last are set aside when five or more remain.",
		UNIT_COUNT, 0),
	[DIAG_STEP] =
		COL_REAL("step_ns", "step", "Mean duration of the steps that count.", UNIT_NS, 0),
	[DIAG_DEVICE] = COL_INT("device", "device",
		"The device looked at: the one that was busy longest.", UNIT_NONE, 0),
	[DIAG_BUSY] = COL_REAL("busy_ratio", "GPU busy",
		"Share of the steps in which the device does anything.", UNIT_RATIO, 0),
	[DIAG_SHARE] = COL_REAL("share_ratio", "share",
		"The share of the step of the finding that gives the verdict.", UNIT_RATIO,
		COLUMN_HIDDEN),
	[DIAG_CRIT] = COL_INT("crit", "CRIT", "Findings that are CRIT.", UNIT_COUNT, COLUMN_HIDDEN),
	[DIAG_WARN] = COL_INT("warn", "WARN", "Findings that are WARN.", UNIT_COUNT, COLUMN_HIDDEN),
	[DIAG_NOTE] =
		COL_INT("note", "note", "Findings that are a note.", UNIT_COUNT, COLUMN_HIDDEN),
	[DIAG_UNKNOWN] = COL_INT("unknown", "unknown", "Rules that the trace cannot answer.",
		UNIT_COUNT, COLUMN_HIDDEN),
	[DIAG_OK] = COL_INT("ok", "ok", "Rules that found nothing.", UNIT_COUNT, COLUMN_HIDDEN),
};

static const struct column ledger[LEDGER_COLUMNS] = {
	[LEDGER_WHAT] = COL_TEXT("part", "where a step goes",
		"compute: a kernel that is no collective, or a set, runs; exposed comm: a collective and "
		"nothing computes; memcpy: a copy and neither; GPU idle: nothing.",
		0),
	[LEDGER_BAR] = COL_TEXT("bar", " ", "The share as a bar, for people.", 0),
	[LEDGER_PER_STEP] =
		COL_REAL("per_step_ns", "per step", "Mean over the steps that count.", UNIT_NS, 0),
	[LEDGER_SHARE] = COL_REAL("share_ratio", "%", "Of the steps' time.", UNIT_RATIO, 0),
	[LEDGER_NS] = COL_INT("sum_ns", "sum",
		"Over the steps that count; the parts add up to the last row, to the nanosecond.",
		UNIT_NS, COLUMN_HIDDEN),
};

static const struct column findings[FIND_COLUMNS] = {
	[FIND_SEVERITY] = COL_TEXT("severity", " ",
		"CRIT, WARN, note; unknown: the trace does not say; ok. Each rule has its limits: "
		"'traceq explain G03', 'traceq config diagnose'.",
		0),
	[FIND_RULE] =
		COL_TEXT("rule", "rule", "The rule's id; 'traceq explain ID' explains it.", 0),
	[FIND_NAME] = COL_TEXT("name", "about", "The rule's name.", 0),
	[FIND_TEXT] = COL_TEXT("finding", "finding",
		"What was found, with the number; for unknown: why. For people evidence and action (->) "
		"follow below it.",
		COLUMN_ELASTIC),
	[FIND_SHARE] = COL_REAL("share_ratio", "share",
		"Of the time of the steps that count. Shares of several findings may be of the same time.",
		UNIT_RATIO, COLUMN_HIDDEN),
	[FIND_VALUE_NS] = COL_REAL("value_ns", "measured",
		"The rule's number where it is a time: per step.", UNIT_NS, COLUMN_HIDDEN),
	[FIND_VALUE_RATIO] = COL_REAL("value_ratio", "measured",
		"The rule's number where it is a share.", UNIT_RATIO, COLUMN_HIDDEN),
	[FIND_VALUE_BYTES] = COL_REAL("value_bytes", "measured",
		"The rule's number where it is a size: per step.", UNIT_BYTES, COLUMN_HIDDEN),
	[FIND_VALUE] = COL_REAL("value", "measured",
		"The rule's number where it is a count, over all steps that count, or a factor.",
		UNIT_NONE, COLUMN_HIDDEN),
	[FIND_COUNT] = COL_INT("count", "count",
		"How many of what the rule looks at, over all steps that count.", UNIT_COUNT,
		COLUMN_HIDDEN),
	[FIND_OP] =
		COL_TEXT("op", "op", "The op, call or kernel that is the evidence.", COLUMN_HIDDEN),
	[FIND_AT] = COL_INT("at_ns", "at", "Start of the longest of them; ns as in the file.",
		UNIT_TIMESTAMP, COLUMN_HIDDEN),
	[FIND_DUR] = COL_INT("longest_ns", "longest", "How long that is.", UNIT_NS, COLUMN_HIDDEN),
	[FIND_STEP] = COL_INT(
		"step", "step", "The number of the step it is in.", UNIT_NONE, COLUMN_HIDDEN),
	[FIND_EVIDENCE] = COL_TEXT("evidence", "evidence", "The same in words.", COLUMN_HIDDEN),
	[FIND_ACTION] = COL_TEXT("action", "action", "What to do about it.", COLUMN_HIDDEN),
	[FIND_VERDICT] = COL_TEXT("verdict", "verdict",
		"What a run is called whose worst finding this is.", COLUMN_HIDDEN),
};

const struct table_doc diagnose_docs[DIAGNOSE_TABLES] = {
	[DIAGNOSE_VERDICT] = { "verdict", "Verdict", verdict, DIAG_COLUMNS },
	[DIAGNOSE_LEDGER] = { "ledger", "Where a step goes", ledger, LEDGER_COLUMNS },
	[DIAGNOSE_FINDINGS] = { "findings", "Findings", findings, FIND_COLUMNS },
	[DIAGNOSE_RECORDED] = { "recorded_findings", "Findings without a trace",
		diagnose_recorded_columns, DIAGNOSE_RECORDED_COLUMNS },
};
