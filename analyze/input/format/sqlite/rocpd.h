/*
 * rocpd, the database of rocprofv3: what its readers have in common.
 *
 * A table is one kind of record; each process writes tables of its own, whose names end in its id,
 * so that those of several can lie in one file.  Rows refer to others by their ids.  Version 3 says
 * of each row whose it is; version 4 of a track, which rows name.  What a version lacks is absent.
 * Source: rocpd_tables.sql of the ROCprofiler-SDK, 3.0.0 to 4.1.0; what its tool writes in them.
 */
#ifndef ANALYZE_INPUT_FORMAT_SQLITE_ROCPD_H
#define ANALYZE_INPUT_FORMAT_SQLITE_ROCPD_H

#include "analyze/input/format/rocm/rocm.h"
#include "analyze/input/format/sqlite/database.h"
#include "analyze/trace/columns/keymap.h"

/* What an id stands for. */
struct rocpd_value {
	struct span text;       /* of strings, kernels, categories */
	int64_t number, second; /* a kernel's VGPRs, a process's id, a GPU's number */
};

struct rocpd {
	struct database *d;
	struct rocm rocm;
	const char *suffix; /* of the tables that are read now */
	/* By id, int64_t: struct rocpd_value. */
	struct valuemap strings, categories, kernels, agents, processes, threads;
	struct valuemap nodes; /* of all suffixes: by hash, what is added to GPUs' numbers */
	int64_t gpus;          /* that were met: numbers from 0 */
	int64_t gpu_base;      /* what is added to the numbers of this suffix's GPUs */
	int64_t nprocess;      /* of all suffixes */
	struct str sql;
};

/* What the ids of this suffix's tables stand for. */
enum status rocpd_names(struct rocpd *r, struct err *e) MUST_CHECK;

/* Its records. */
enum status rocpd_events(struct rocpd *r, struct err *e) MUST_CHECK;

/* The value of an id, or NULL. */
const struct rocpd_value *rocpd_find(struct valuemap *m, int64_t id);

/* Begins a question about a table of this suffix; columns are added by rocpd_column. */
void rocpd_select(struct rocpd *r);

/* Adds the column of a table to the question, NULL where the table has none; alias: "k". */
void rocpd_column(struct rocpd *r, const char *table, const char *alias, const char *column);

/* Whether this suffix has that table, and the column (NULL: any). */
bool rocpd_has(struct rocpd *r, const char *table, const char *column);

/* Asks: " FROM table alias", and then `more`, in which % stands for the suffix. */
enum status rocpd_ask(struct rocpd *r, const char *table, const char *alias, const char *more,
	struct rows **rows, struct err *e) MUST_CHECK;

#endif
