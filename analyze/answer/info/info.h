/*
 * `info`: what its parts share.  Private to analyze/answer/info/.
 */
#ifndef ANALYZE_ANSWER_INFO_INFO_H
#define ANALYZE_ANSWER_INFO_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/query/analysis.h"
#include "analyze/trace/run.h"
#include "analyze/trace/sheet.h"
#include "base/arena.h"

#define INFO_UNSET INT64_MIN

/* info_columns.c: the tables and their columns, with what each means. */
enum info_table {
	INFO_TRACE,
	INFO_GPUS,
	INFO_SOFTWARE,
	INFO_RECORDED,
	INFO_CATEGORIES,
	INFO_LANES,
	INFO_STEPS,
	INFO_MEMORY,
	INFO_METADATA,
	INFO_FILES,
	INFO_ARTIFACTS,
	INFO_SERIES,
	INFO_SHEETS,
	INFO_SCALARS,
#define X(name, id, title, columns) INFO_SHEET_##name,
	SHEETS(X)
#undef X
		INFO_TABLES
};
extern const struct table_doc info_docs[INFO_TABLES];

enum {
	TRACE_PRODUCER,
	TRACE_SOFTWARE,
	TRACE_NAME,
	TRACE_ID,
	TRACE_HOST,
	TRACE_SCHEMA,
	TRACE_RANK,
	TRACE_WORLD,
	TRACE_BACKEND,
	TRACE_FORM,
	TRACE_CONTAINER,
	TRACE_FILE,
	TRACE_TEXT,
	TRACE_COMPRESSION,
	TRACE_STATE,
	TRACE_COMPLETE,
	TRACE_EVENTS,
	TRACE_BASE,
	TRACE_START,
	TRACE_FIRST,
	TRACE_LAST,
	TRACE_SPAN,
	TRACE_STEPS,
	TRACE_STEP_SOURCE,
	TRACE_STEP_NAME,
	TRACE_STEP_FIRST,
	TRACE_STEP_LAST,
	TRACE_STEP_MEDIAN,
	TRACE_COLUMNS
};
enum {
	GPU_ID,
	GPU_NAME,
	GPU_MEMORY,
	GPU_SMS,
	GPU_CAPABILITY,
	GPU_THREADS,
	GPU_WARP,
	GPU_LISTED,
	GPU_ACTIVE,
	GPU_STREAMS,
	GPU_EVENTS,
	GPU_BUSY,
	GPU_COLUMNS
};
enum { SOFTWARE_COMPONENT, SOFTWARE_VERSION, SOFTWARE_RAW, SOFTWARE_COLUMNS };
enum { RECORDED_WHAT, RECORDED_SAID, RECORDED_SEEN, RECORDED_COLUMNS };
enum { CATEGORY_CAT, CATEGORY_PH, CATEGORY_COUNT, CATEGORY_SHARE, CATEGORY_COLUMNS };
enum {
	LANE_KIND,
	LANE_PROCESS,
	LANE_LABELS,
	LANE_NAME,
	LANE_PID,
	LANE_TID,
	LANE_DEVICE,
	LANE_STREAM,
	LANE_EVENTS,
	LANE_COLUMNS
};
enum {
	STEP_NUMBER,
	STEP_NAME,
	STEP_PID,
	STEP_TID,
	STEP_START,
	STEP_DUR,
	STEP_DEVICE,
	STEP_BUSY,
	STEP_BUSY_RATIO,
	STEP_EVENTS,
	STEP_INCOMPLETE,
	STEP_COLUMNS
};
enum {
	MEMORY_TYPE,
	MEMORY_WORD,
	MEMORY_ID,
	MEMORY_EVENTS,
	MEMORY_OOM,
	MEMORY_ALLOC,
	MEMORY_FREE,
	MEMORY_PEAK_ALLOCATED,
	MEMORY_PEAK_RESERVED,
	MEMORY_COLUMNS
};
enum { METADATA_KEY, METADATA_VALUE, METADATA_COLUMNS };

/* info_record_columns.c: the tables about artifacts. */
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

struct info_options {
	int64_t limit;  /* rows of lanes and steps; INFO_UNSET: for people a few; 0 or less: all */
	bool arguments; /* look into shapes and stacks */
	bool metadata;  /* the metadata table, for people too */
};

/* A device that has work in the trace. */
struct info_device {
	int64_t id;
	int64_t events, streams;
	bool listed;         /* deviceProperties has it; set by info_gpu_table */
	nsec busy, *in_step; /* in_step: by step shown */
};

/* One run being described. */
struct info {
	const struct query *q;
	const struct info_options *o;
	struct result *out;
	const struct run *run;
	int input;
	struct info_device *device; /* by id, at most DEVICES_MAX */
	size_t ndevice;
	size_t nstep_rows; /* of the table of steps: one a step and device with busy time */
};

/* info_table.c: a new table about this run. */
struct table *info_table(const struct info *f, enum info_table table);

/* The row limit: the option's, else for people `people`, else none (SIZE_MAX). */
size_t info_limit(const struct info *f, size_t people);

/* The foot row that says how many rows were cut, in text column `col`. */
void info_cut(struct table *t, size_t col, size_t cut);

/* The text of id as a cell, unless it is 0. */
void info_text(const struct info *f, struct table *t, size_t col, sym id);

/* A number, unless it is negative (the metadata's "not said"). */
void info_count(struct table *t, size_t col, int64_t v);

/* info_version.c: "12040" as "12.4", as each component counts; text of anything else as it is. */
enum info_component { INFO_CUDA, INFO_HIP, INFO_NCCL, INFO_PLAIN };
void info_version(struct str *b, enum info_component c, struct span raw);
/* "CUDA runtime 12.4, NCCL 2.21.5", as far as it is known; and the table. */
void info_software(const struct info *f, struct str *b);
void info_software_table(struct info *f);

/* Counts the rows of the table of steps; busy times of the first nbusy devices.  Memory: mem's. */
void info_busy(struct info *f, struct arena *mem);

/* The tables. */
void info_trace_table(struct info *f);
void info_metadata_table(struct info *f);
void info_gpu_table(struct info *f);
void info_recorded_table(struct info *f);
void info_category_table(struct info *f);
void info_lane_table(struct info *f);
void info_step_table(struct info *f);
void info_memory_table(struct info *f);

/* info_record.c, info_sheet.c: tables of run->record, which is there. */
void info_sheet_tables(struct info *f);
void info_record_tables(struct info *f);

#endif
