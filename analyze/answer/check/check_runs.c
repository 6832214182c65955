/* `check` of a job's ranks: a row for each. */
#include "analyze/answer/check/check.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[CRUN_COLUMNS] = {
	[CRUN_RELIABLE] = { "verdict", "reliable", NULL, NULL },
	[CRUN_BAD] = { "verdict", "bad", NULL, NULL },
	[CRUN_WARNINGS] = { "verdict", "warnings", NULL, NULL },
	[CRUN_NOTES] = { "verdict", "notes", NULL, NULL },
	[CRUN_LINKED] = { "launch", "linked", NULL, NULL },
	[CRUN_DELAY] = { "delays", "median_ns", "delay", "start" },
	[CRUN_WHY] = { "verdict", "why", NULL, NULL },
};

const struct runs_doc check_runs = { .doc = &check_docs[CHECK_RUNS], .cell = cells };
