/* `diagnose` of several runs: what stands side by side. */
#include "analyze/answer/diagnose/diagnose.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[DRUN_COLUMNS] = {
	[DRUN_COMPUTE] = { "ledger", "share_ratio", "part", "compute" },
	[DRUN_COMM] = { "ledger", "share_ratio", "part", "exposed comm" },
	[DRUN_MEMCPY] = { "ledger", "share_ratio", "part", "exposed copies" },
};

const struct runs_doc diagnose_runs = { .doc = &diagnose_docs[DIAGNOSE_RUNS],
	.from = "verdict",
	.cell = cells,
	.kept = "recorded_findings" };
