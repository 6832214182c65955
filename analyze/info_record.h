/*
 * `info`: the tables about artifacts.  Private to analyze/info*.c.
 */
#ifndef ANALYZE_INFO_RECORD_H
#define ANALYZE_INFO_RECORD_H

#include "base/table.h"

struct info;

enum { FILES_NAME, FILES_KIND, FILES_TITLE, FILES_BYTES, FILES_STATE, FILES_WHY, FILES_COLUMNS };
enum {
	ARTIFACTS_INDEX,
	ARTIFACTS_PATH,
	ARTIFACTS_KIND,
	ARTIFACTS_TITLE,
	ARTIFACTS_FILE,
	ARTIFACTS_TEXT,
	ARTIFACTS_ROWS,
	ARTIFACTS_COMPLETE,
	ARTIFACTS_COLUMNS
};
enum {
	SERIES_NAME,
	SERIES_GROUP,
	SERIES_UNIT,
	SERIES_COUNT,
	SERIES_LATEST,
	SERIES_MEAN,
	SERIES_LOWEST,
	SERIES_HIGHEST,
	SERIES_ODD,
	SERIES_MISSING,
	SERIES_AXIS,
	SERIES_EXACTLY,
	SERIES_ARTIFACT,
	SERIES_COLUMNS
};
enum { SHEETS_ID, SHEETS_TITLE, SHEETS_ROWS, SHEETS_LEFT_OUT, SHEETS_ARTIFACT, SHEETS_COLUMNS };
enum {
	SCALARS_OF,
	SCALARS_KEY,
	SCALARS_VALUE,
	SCALARS_NUMBER,
	SCALARS_UNIT,
	SCALARS_ARTIFACT,
	SCALARS_COLUMNS
};

extern const struct column info_files[FILES_COLUMNS];
extern const struct column info_artifacts[ARTIFACTS_COLUMNS];
extern const struct column info_series[SERIES_COLUMNS];
extern const struct column info_sheets[SHEETS_COLUMNS];
extern const struct column info_scalars[SCALARS_COLUMNS];

/* Tables of run->record, which is there. */
void info_record_tables(struct info *f);

#endif
