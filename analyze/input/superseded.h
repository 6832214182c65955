/* What a run has twice: a file of the same name and kind in two folders of one run, as
 * stage_times.json in its root and in profiler_context/.  The documents' tools look in the root,
 * then in torch_profiler/ and profiler_context/; so does this.  Where they take the first and leave
 * the others, a file that says something else is read, too (load_twice.h). */
#pragma once

#include "base/base.h"

struct folder;

/* Turns all but one of such files into FOLDER_TWICE.  home: by file, a number for the folder that
 * it lies in, where folders that hold a part of the same run have one.  O(n log n). */
void superseded_mark(struct folder *f, const size_t *home);

/* Files of a kind side by side that differ in the moment their names say tell of one run again and
 * again (profiling_epoch{N}.json, step_100_metrics.json beside metrics_DATE.json): all but the last
 * get a `later`.  For those who count runs; what reads a run reads all of them.  O(n log n). */
void superseded_mark_later(struct folder *f);
