/* `info`: what its parts share.  Private to analyze/answer/info/. */
#pragma once

#include "analyze/analysis/perrun.h"
#include "analyze/trace/columns/sheet.h"

#define TABLES_DEF "analyze/answer/info/info_tables.def"
#include "base/table_names_impl.h"

struct info_options {
	int64_t limit;  /* rows of lanes and steps; below 0: for people a few; 0: all */
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
	struct perrun *at;
	const struct info_options *o;
	struct info_device *device; /* by id, at most DEVICES_MAX */
	size_t ndevice;
	size_t nstep_rows; /* of the table of steps: one a step and device with busy time */
};

/* The text of id as a cell, unless it is 0. */
static inline struct row_cell info_cell(const struct info *f, sym id)
{
	return id ? cell_text(strings_get(&f->at->run->strings, id)) : NO_CELL;
}

/* info_trace.c: "12040" as "12.4", as each component counts; text of anything else as it is. */
enum info_component { INFO_CUDA, INFO_HIP, INFO_NCCL, INFO_PLAIN };
void info_version(struct str *b, enum info_component c, struct span raw);
void info_software_table(struct info *f);

/* Counts the rows of the table of steps; busy times of the first nbusy devices. */
void info_busy(struct info *f);

/* The tables. */
void info_trace_table(struct info *f);
void info_metadata_table(struct info *f);
void info_gpu_table(struct info *f);
void info_recorded_table(struct info *f);
void info_category_table(struct info *f);
void info_lane_table(struct info *f);
void info_step_table(struct info *f);
void info_memory_table(struct info *f);

/* info_record.c: tables of run->record, which is there. */
void info_record_tables(struct info *f);
