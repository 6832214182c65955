/*
 * `diagnose` of several runs: what stands side by side.
 */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[DRUN_COLUMNS] = {
	[DRUN_VERDICT] = { "verdict", "verdict", NULL, NULL },
	[DRUN_DEVICE] = { "verdict", "device", NULL, NULL },
	[DRUN_STEPS] = { "verdict", "steps", NULL, NULL },
	[DRUN_STEP] = { "verdict", "step_ns", NULL, NULL },
	[DRUN_BUSY] = { "verdict", "busy_ratio", NULL, NULL },
	[DRUN_COMPUTE] = { "ledger", "share_ratio", "part", "compute" },
	[DRUN_COMM] = { "ledger", "share_ratio", "part", "exposed comm" },
	[DRUN_MEMCPY] = { "ledger", "share_ratio", "part", "exposed copies" },
	[DRUN_IDLE] = { "verdict", "idle_ratio", NULL, NULL },
	[DRUN_CRIT] = { "verdict", "crit", NULL, NULL },
	[DRUN_WARN] = { "verdict", "warn", NULL, NULL },
	[DRUN_WHY] = { "verdict", "why", NULL, NULL },
	[DRUN_PATH] = { NULL, "path", NULL, NULL },
};

const struct runs_doc diagnose_runs = { .doc = &diagnose_docs[DIAGNOSE_RUNS], .cell = cells };
