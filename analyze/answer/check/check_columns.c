/*
 * The tables of `check`, column by column.  Data only.
 */
#include "analyze/answer/check/check.h"

#define TEXT(key, title, doc, flags)                               \
	{                                                          \
		key, title, doc, NULL, CELL_TEXT, UNIT_NONE, flags \
	}
#define NUMBER(key, title, doc, unit)                    \
	{                                                \
		key, title, doc, NULL, CELL_INT, unit, 0 \
	}
#define REAL(key, title, doc, unit)                       \
	{                                                 \
		key, title, doc, NULL, CELL_REAL, unit, 0 \
	}

static const struct column verdict[VERDICT_COLUMNS] = {
	[VERDICT_RELIABLE] = TEXT("reliable", "reliable",
		"no: a check is bad; with care: a check is a warning; yes: neither.", 0),
	[VERDICT_WHY] = TEXT("why", "why", "What the bad checks found, else the warnings.", 0),
	[VERDICT_BAD] = NUMBER("bad", "bad", "Checks that are bad.", UNIT_COUNT),
	[VERDICT_WARNINGS] =
		NUMBER("warnings", "warnings", "Checks that are a warning.", UNIT_COUNT),
	[VERDICT_NOTES] = NUMBER("notes", "notes", "Checks that are a note.", UNIT_COUNT),
};

static const struct column health[HEALTH_COLUMNS] = {
	[HEALTH_VERDICT] = TEXT("verdict", "verdict",
		"ok; note: odd, but no figure is wrong; warning: figures lack something or may be off; "
		"bad: the trace cannot be relied on. Bad are no events, truncation (a warning when Kineto's "
		"last event is there), a damaged compressed "
		"stream, more than 1 % of events or text lost, more than 50 % of device events without "
		"launch where calls were recorded. Up to 1 % of crossing slices, of device events "
		"without launch or before their call is a note, more a warning.",
		0),
	[HEALTH_CHECK] = TEXT("check", "check", "Its id.", 0),
	[HEALTH_COUNT] = NUMBER("count", "count", "How many.", UNIT_COUNT),
	[HEALTH_SHARE] = REAL("share_ratio", "%",
		"Of what it is about: all events, device events, slices of the op tree, steps, or bytes of "
		"text.",
		UNIT_RATIO),
	[HEALTH_AT] = NUMBER("first_at_ns", "first at",
		"Start of the first such event; ns as in the file.", UNIT_TIMESTAMP),
	[HEALTH_OFFSET] = NUMBER("offset_bytes", "offset",
		"Where the text has the first: bytes from its beginning, inflated.", UNIT_NONE),
	[HEALTH_LINE] = NUMBER("line", "line", "The line of that.", UNIT_NONE),
	[HEALTH_TEXT] = TEXT("what", "what it means", "In short.", COLUMN_ELASTIC),
	[HEALTH_MEANING] =
		TEXT("meaning", "definition", "What is counted, and what follows.", COLUMN_HIDDEN),
};

static const struct column launch[LAUNCH_COLUMNS] = {
	[LAUNCH_DEVICE] =
		NUMBER("device_events", "device events", "Kernels, copies and sets.", UNIT_COUNT),
	[LAUNCH_MATCHED] = NUMBER("matched", "with a launch",
		"Device events whose launching call is in the trace: linked + graph.", UNIT_COUNT),
	[LAUNCH_LINKED] = NUMBER("linked", "linked",
		"Device events launched by a call that launched only them.", UNIT_COUNT),
	[LAUNCH_GRAPH] = NUMBER("graph", "graph-linked",
		"Device events launched by a call that launched several: CUDA and HIP graphs.",
		UNIT_COUNT),
	[LAUNCH_UNLINKED] = NUMBER("unlinked", "unlinked",
		"Device events whose launching call is not in the trace.", UNIT_COUNT),
	[LAUNCH_UNLINKED_NS] = NUMBER(
		"unlinked_ns", "unlinked time", "Sum of the durations of the unlinked.", UNIT_NS),
	[LAUNCH_BY_EXTERNAL] = NUMBER("unlinked_with_op", "of a known op",
		"Of the unlinked, those whose op is known by External id.", UNIT_COUNT),
	[LAUNCH_DISTINCT] = NUMBER(
		"launches", "launching calls", "Calls that launched device events.", UNIT_COUNT),
	[LAUNCH_GRAPHS] = NUMBER("graph_launches", "graph launches",
		"Calls that launched several device events.", UNIT_COUNT),
	[LAUNCH_DUPLICATES] = NUMBER("duplicate_correlations", "duplicate ids",
		"Calls whose correlation id another call has; the earliest call counts.",
		UNIT_COUNT),
	[LAUNCH_WITHOUT_DEVICE] = NUMBER("launches_without_device", "calls without work",
		"Calls named as launches, copies or sets whose device event is not in the trace.",
		UNIT_COUNT),
	[LAUNCH_OUTSIDE] = NUMBER("outside_ops", "outside of ops",
		"Device events whose launching call is in no op and no annotation.", UNIT_COUNT),
	[LAUNCH_OUTSIDE_NS] = NUMBER("outside_ops_ns", "time outside of ops",
		"Sum of the durations of those launched outside of ops.", UNIT_NS),
	[LAUNCH_NO_EXTERNAL] = NUMBER("no_external_op", "no External id",
		"Device events without an External id, or with one that no op has.", UNIT_COUNT),
};

static const struct column delays[DELAY_COLUMNS] = {
	[DELAY_OF] =
		TEXT("of", "of", "kernel, memcpy, memset, or all three; linked events only.", 0),
	[DELAY_FROM] = TEXT("delay", "delay",
		"start: from the start of the call to the start of the device event; end: from the end of "
		"the call, negative when the event starts before the call returns; end_clip0: the same, "
		"negative values as 0 (HTA's launch delay).",
		0),
	[DELAY_COUNT] = NUMBER("count", "count", "Device events.", UNIT_COUNT),
	[DELAY_MEAN] = REAL("mean_ns", "mean", "Mean.", UNIT_NS),
	[DELAY_MEDIAN] =
		REAL("median_ns", "median", "Median, of two middle values their mean.", UNIT_NS),
	[DELAY_MIN] = NUMBER("min_ns", "min", "Smallest.", UNIT_NS),
	[DELAY_MAX] = NUMBER("max_ns", "max", "Largest.", UNIT_NS),
	[DELAY_SUM] = NUMBER("sum_ns", "sum", "Sum.", UNIT_NS),
	[DELAY_NEGATIVE] = NUMBER("negative", "negative", "How many are below 0.", UNIT_COUNT),
};

static const struct column launchers[LAUNCHER_COLUMNS] = {
	[LAUNCHER_NAME] = TEXT("name", "call", "Name of the launching call.", COLUMN_ELASTIC),
	[LAUNCHER_EVENTS] = NUMBER("device_events", "device events",
		"Device events that such calls launched.", UNIT_COUNT),
	[LAUNCHER_SHARE] =
		REAL("share_ratio", "%", "Of the device events that have a launch.", UNIT_RATIO),
};

static const struct column recorded[RUN_COLUMNS] = {
	[RUN_VERDICT] = TEXT("verdict", "verdict",
		"ok: it is there; note; warning: it is missing, damaged or cut off; bad: nothing at all "
		"could be read.",
		0),
	[RUN_ARTIFACT] = TEXT("artifact", "artifact",
		"One of the four a profiled run leaves, wherever in the folder and under whatever name; "
		"or the kind of another file.",
		0),
	[RUN_WHAT] = TEXT("description", "description", "What that is.", 0),
	[RUN_FILE] = TEXT("file", "file", "Where it was found.", COLUMN_ELASTIC),
	[RUN_TEXT] = TEXT("finding", "finding",
		"In the words of check_profile.py, the documents' validator, where it has some.",
		0),
};

const struct table_doc check_docs[CHECK_TABLES] = {
	[CHECK_VERDICT] = { "verdict", "Verdict", verdict, VERDICT_COLUMNS },
	[CHECK_HEALTH] = { "health", "Health", health, HEALTH_COLUMNS },
	[CHECK_LAUNCH] = { "launch", "Launches", launch, LAUNCH_COLUMNS },
	[CHECK_DELAYS] = { "delays", "Launch delays", delays, DELAY_COLUMNS },
	[CHECK_LAUNCHERS] = { "launchers", "Launching calls", launchers, LAUNCHER_COLUMNS },
	[CHECK_RUN] = { "run", "What the run left", recorded, RUN_COLUMNS },
};
