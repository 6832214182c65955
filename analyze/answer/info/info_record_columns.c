/*
 * The tables of `info` about artifacts, column by column.  Data only.
 */
#include "analyze/answer/info/info.h"

#define TEXT(key, title, doc, flags)                               \
	{                                                          \
		key, title, doc, NULL, CELL_TEXT, UNIT_NONE, flags \
	}
#define NUMBER(key, title, doc, unit, flags)                 \
	{                                                    \
		key, title, doc, NULL, CELL_INT, unit, flags \
	}
#define REAL(key, title, doc, flags)                                 \
	{                                                            \
		key, title, doc, NULL, CELL_REAL, UNIT_OF_ROW, flags \
	}
#define YES_NO(key, title, doc, flags)                             \
	{                                                          \
		key, title, doc, NULL, CELL_BOOL, UNIT_NONE, flags \
	}

const struct column info_files[FILES_COLUMNS] = {
	[FILES_NAME] = TEXT("file", "file", "Path below the folder.", COLUMN_ELASTIC),
	[FILES_KIND] = TEXT("kind", "kind",
		"What it is by its content: a trace, or a kind of artifact.", COLUMN_HIDDEN),
	[FILES_TITLE] = TEXT("kind_title", "what it is", "The same for people.", 0),
	[FILES_BYTES] = NUMBER("file_bytes", "size", "Size on disk.", UNIT_BYTES, 0),
	[FILES_STATE] = TEXT("state", "state",
		"read; left out: a further trace, as a run has the events of one; not known: nothing "
		"that is read here; damaged: it should be, but cannot.",
		0),
	[FILES_WHY] = TEXT("why", "why", "Why it was not read.", 0),
};

const struct column info_artifacts[ARTIFACTS_COLUMNS] = {
	[ARTIFACTS_INDEX] =
		NUMBER("artifact", "#", "Its number in the other tables.", UNIT_NONE, 0),
	[ARTIFACTS_PATH] = TEXT("path", "artifact", "The file.", COLUMN_ELASTIC),
	[ARTIFACTS_KIND] = TEXT("kind", "kind", "The kind of artifact.", COLUMN_HIDDEN),
	[ARTIFACTS_TITLE] = TEXT("kind_title", "what it is", "The same for people.", 0),
	[ARTIFACTS_FILE] =
		NUMBER("file_bytes", "size", "Size on disk; unknown for a pipe.", UNIT_BYTES, 0),
	[ARTIFACTS_TEXT] = NUMBER("text_bytes", "text", "Inflated size.", UNIT_BYTES, 0),
	[ARTIFACTS_ROWS] =
		NUMBER("rows", "rows", "Lines, rows or objects that were read.", UNIT_COUNT, 0),
	[ARTIFACTS_COMPLETE] = YES_NO("is_complete", "complete",
		"The text ends where its grammar says; no: it was cut off.", 0),
};

const struct column info_series[SERIES_COLUMNS] = {
	[SERIES_NAME] = TEXT(
		"series", "series", "Key, as written; nested ones joined by dots.", COLUMN_ELASTIC),
	[SERIES_GROUP] =
		TEXT("group", "group", "What else tells it apart: GPU, phase, category.", 0),
	[SERIES_UNIT] = TEXT(
		"unit", "unit", "Unit of its values, as far as the key or the heading says.", 0),
	[SERIES_COUNT] = NUMBER("values", "values", "Finite values.", UNIT_COUNT, 0),
	[SERIES_LATEST] = REAL("latest", "last", "The last finite value.", 0),
	[SERIES_MEAN] = REAL("mean", "mean", "Mean of the finite values.", 0),
	[SERIES_LOWEST] = REAL("min", "min", "Smallest finite value.", 0),
	[SERIES_HIGHEST] = REAL("max", "max", "Largest finite value.", 0),
	[SERIES_ODD] =
		NUMBER("not_finite", "NaN, inf", "Values that are NaN or infinite.", UNIT_COUNT, 0),
	[SERIES_MISSING] = NUMBER("missing", "missing",
		"Values that are absent: null, [N/A], an empty cell.", UNIT_COUNT, 0),
	[SERIES_AXIS] = TEXT("axis", "by",
		"What its positions are: steps as logged, rows of the file, or times.", 0),
	[SERIES_EXACTLY] = YES_NO("is_exact", "exact",
		"Every value is kept; no: beyond 65,536 values moments, extremes, first and last "
		"values and block means are exact, quantiles are of a random sample of 8,192.",
		COLUMN_HIDDEN),
	[SERIES_ARTIFACT] = NUMBER("artifact", "#", "The artifact it is from.", UNIT_NONE, 0),
};

const struct column info_sheets[SHEETS_COLUMNS] = {
	[SHEETS_ID] = TEXT("sheet", "sheet", "Kind of table.", COLUMN_HIDDEN),
	[SHEETS_TITLE] = TEXT("sheet_title", "table", "The same for people.", 0),
	[SHEETS_ROWS] = NUMBER("rows", "rows", "Its rows.", UNIT_COUNT, 0),
	[SHEETS_LEFT_OUT] = NUMBER("left_out", "left out",
		"Rows beyond the limit: 1,048,576, or 65,536 samples.", UNIT_COUNT, 0),
	[SHEETS_ARTIFACT] = NUMBER("artifact", "#", "The artifact it is from.", UNIT_NONE, 0),
};

const struct column info_scalars[SCALARS_COLUMNS] = {
	[SCALARS_OF] = TEXT("of", "of",
		"config: how the run was set up; env: where it ran; value: what it says of itself.",
		0),
	[SCALARS_KEY] = TEXT("key", "key", "Key; nested ones joined by dots.", 0),
	[SCALARS_VALUE] = TEXT("value", "value", "As written; absent: null.", COLUMN_ELASTIC),
	[SCALARS_NUMBER] = REAL("number", "number", "The value as a number.", COLUMN_HIDDEN),
	[SCALARS_UNIT] = TEXT("unit", "unit", "Its unit, as far as the key says.", 0),
	[SCALARS_ARTIFACT] = NUMBER("artifact", "#", "The artifact it is from.", UNIT_NONE, 0),
};
