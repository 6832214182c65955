/* The folder that Parquet is exported into: which file a table of a run is, and what is there
 * already. */
#pragma once

#include "base/base.h"

struct export_folder {
	const char *path; /* borrowed */
	bool is_forced;
	bool is_parted; /* of several runs: those that say their rank are in rank=N/ */
	char **old;     /* files of an export before */
	size_t nold, old_cap;
	const char **made; /* folders that were not there, the innermost last */
	size_t nmade, made_cap;
	bool is_held;  /* files wait until all are there (base/io.h) */
	int64_t *rank; /* of the runs so far; -1: it does not say */
	size_t nrank, rank_cap;
	struct arena mem;
};

/* Looks at what is in the folder, be it there or not.  E_USAGE where it holds an export already
 * and that is not to be replaced; E_IO.  export_folder_close in any case. */
enum status export_folder_open(struct export_folder *f, const char *path, bool is_forced,
	bool is_parted, struct err *e) MUST_CHECK;

/* The next run begins, of that rank (-1: it does not say).  E_IO where nothing can be written. */
enum status export_folder_run(struct export_folder *f, int64_t rank, struct err *e) MUST_CHECK;

/* The file of a table of the run, which may be written (base/door.h): E_USAGE.  The path is the
 * folder's until it is closed. */
enum status export_folder_file(
	struct export_folder *f, const char *table, const char **path, struct err *e) MUST_CHECK;

/* All was written, and appears; what is left of the export before is removed.  E_USAGE, E_IO. */
enum status export_folder_settle(struct export_folder *f, struct err *e) MUST_CHECK;

/* Before that: nothing appears, and what was there is as it was. */
void export_folder_close(struct export_folder *f);
