/*
 * `summary` of several runs: what stands side by side.
 */
#include "analyze/answer/summary/summary.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[SRUN_COLUMNS] = {
	[SRUN_DEVICE] = { "devices", "device", NULL, NULL },
	[SRUN_STEPS] = { "overview", "steps", NULL, NULL },
	[SRUN_STEP] = { "overview", "step_median_ns", NULL, NULL },
	[SRUN_BUSY] = { "devices", "busy_ratio", NULL, NULL },
	[SRUN_VERDICT] = { "overview", "verdict", NULL, NULL },
	[SRUN_COMPUTE] = { "devices", "compute_ratio", NULL, NULL },
	[SRUN_COMM] = { "devices", "exposed_comm_ratio", NULL, NULL },
	[SRUN_MEMCPY] = { "devices", "exposed_memcpy_ratio", NULL, NULL },
	[SRUN_IDLE] = { "devices", "idle_ratio", NULL, NULL },
	[SRUN_LAUNCHES] = { "overview", "launches_per_step", NULL, NULL },
	[SRUN_PEAK] = { "memory", "peak_allocated_bytes", "device", NULL },
	[SRUN_PATH] = { NULL, "path", NULL, NULL },
};

static bool wants_pages(const void *opts)
{
	return ((const struct summary_options *)opts)->limit >= 0;
}

const struct runs_doc summary_runs = {
	.doc = &summary_docs[SUMMARY_RUNS],
	.cell = cells,
	.each = "devices",
	.wants_pages = wants_pages,
};
