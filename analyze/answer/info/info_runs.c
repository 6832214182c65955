/*
 * `info` of a job's ranks: a row for each.
 */
#include "analyze/answer/info/info.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[IRUN_COLUMNS] = {
	[IRUN_RANK] = { "trace", "rank", NULL, NULL },
	[IRUN_WORLD] = { "trace", "world_size", NULL, NULL },
	[IRUN_HOST] = { "trace", "host_name", NULL, NULL },
	[IRUN_EVENTS] = { "trace", "events", NULL, NULL },
	[IRUN_SPAN] = { "trace", "span_ns", NULL, NULL },
	[IRUN_STEPS] = { "trace", "steps", NULL, NULL },
	[IRUN_STEP] = { "trace", "step_median_ns", NULL, NULL },
	[IRUN_STATE] = { "trace", "state", NULL, NULL },
};

const struct runs_doc info_runs = { .doc = &info_docs[INFO_RUNS], .cell = cells };
