/* What paths of a run's files say: which rank, and which run. */
#pragma once

#include "base/base.h"

/* The rank a path says: "rank3", "rank-3", "rank_03", "rank=3", "worker3" in its last parts, or
 * "attempt_0/3/", as torchrun has it; -1: none. */
int64_t runpath_rank(const char *path);

/* The moment of a run that a file's name says: "profiling_epoch3.json", "step_100_metrics.json";
 * -1. */
int64_t runpath_moment(const char *path);

/* A folder of that name holds a part of a run: rank0, worker_1, torch_profiler, logs,
 * HOST_PID_TIME_ascend_pt ... */
bool runpath_is_part(struct span name);

/* The folders that tell runs apart: "run1/" of "run1/rank0/trace.json"; "" when no folder counts.
 * Those that hold a part of a run (runpath_is_part) do not. */
const char *runpath_key(const char *within, struct arena *mem);

/* How many bytes of a path name the folder that its key does, and all above it; 0: none. */
size_t runpath_folder(const char *within);

/* Bytes of a key that name the next folder below the first len bytes of it.  From 0 on, while
 * key[len], this goes through all folders above the key, the highest first. */
size_t runpath_level(const char *key, size_t len);
