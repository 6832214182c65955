/* Which files of a folder belong together.
 *
 * rocprofv3's outputs: the tables of one recording, PREFIX_kernel_trace.csv and those beside it,
 * are one trace; where PREFIX_results.db or .json is there, too, that has all of it.  Records of
 * digests are what their traces are, in whichever files they lie.  Logs beside databases: what a
 * database is read with is no file of its own.  Logs are known by their names, which SQLite makes:
 * the database's, and what they are behind it. */
#pragma once

#include "analyze/input/folder_file.h"

/* Says of each file that stands behind another, or is read with it, what it is and why. */
void folder_settle(struct folder *f);
