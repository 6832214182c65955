/* `top` of several runs: what stands side by side. */
#include "analyze/answer/top/top.h"
#include "analyze/analysis/runs_table.h"

static const struct runs_cell cells[TRUN_COLUMNS] = {
	[TRUN_STEPS] = { "totals", "steps", NULL, NULL },
	[TRUN_STEP] = { "totals", "step_median_ns", NULL, NULL },
	[TRUN_BUSY] = { "totals", "busy_ratio", NULL, NULL },
	[TRUN_GPU] = { "totals", "device_sum_ns", NULL, NULL },
	[TRUN_KERNELS] = { "totals", "kernel_ns", NULL, NULL },
	[TRUN_COPIES] = { "totals", "memcpy_ns", NULL, NULL },
	[TRUN_CPU] = { "totals", "cpu_total_ns", NULL, NULL },
	[TRUN_WORK_SHARE] = { "device|recorded_device", "share_ratio|sorted_ratio", NULL, NULL },
	[TRUN_WORK] = { "device|recorded_device", "name", NULL, NULL },
	[TRUN_OP_SHARE] = { "ops|recorded_ops", "share_ratio|sorted_ratio", NULL, NULL },
	[TRUN_OP] = { "ops|recorded_ops", "name", NULL, NULL },
	[TRUN_PATH] = { NULL, "path", NULL, NULL },
};

bool top_wants_pages(const void *opts)
{
	const struct top_options *o = opts;

	return o->by || o->per || o->sort || o->tree || o->memory;
}

/* Rows, too, are asked of the pages. */
static bool wants_pages(const void *opts)
{
	return ((const struct top_options *)opts)->limit >= 0 || top_wants_pages(opts);
}

const struct runs_doc top_runs = {
	.doc = &top_docs[TOP_RUNS],
	.cell = cells,
	.wants_pages = wants_pages,
};
