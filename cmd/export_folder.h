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
	int64_t *rank; /* of the runs so far; -1: it does not say */
	size_t nrank, rank_cap;
	struct arena mem;
};

/* Makes the folder where it is not there, and looks at what is in it.  E_USAGE where it holds an
 * export already and that is not to be replaced; E_IO.  export_folder_close in any case. */
enum status export_folder_open(struct export_folder *f, const char *path, bool is_forced,
	bool is_parted, struct err *e) MUST_CHECK;

/* The next run begins, of that rank (-1: it does not say): its part is made.  E_IO. */
enum status export_folder_run(struct export_folder *f, int64_t rank, struct err *e) MUST_CHECK;

/* The file of a table of the run, which may be written (base/door.h): E_USAGE.  The path is the
 * folder's until it is closed. */
enum status export_folder_file(
	struct export_folder *f, const char *table, const char **path, struct err *e) MUST_CHECK;

/* All was written: what is left of the export before is removed. */
void export_folder_settle(struct export_folder *f);
void export_folder_close(struct export_folder *f);
