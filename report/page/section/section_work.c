/*
 * Sections about what a run does: the heaviest work, waiting, copies and communication, memory.
 */
#include <stddef.h>

#include "report/page/section/section.h"

enum { ROWS = 8, RECORDED_ROWS = 10, BOTTLENECKS = 5, CAUSES = 6 };

/* Tables of a run without a trace: what its files list, each by what it is sorted by. */
static const struct section_table recorded[] = {
	{ ask_top, "recorded_device",
		{ "by device time", RECORDED_ROWS,
			{ { "self_device_ns", "device time" }, { "sorted_ratio", "share" },
				{ "calls", "calls" }, { "self_cpu_ns", "self CPU" },
				{ "name", "op" } } } },
	{ ask_top, "recorded_ops",
		{ "by CPU time", RECORDED_ROWS,
			{ { "self_cpu_ns", "self CPU" }, { "sorted_ratio", "share" },
				{ "calls", "calls" }, { "self_device_ns", "device time" },
				{ "name", "op" } } } },
	{ ask_top, "recorded_memory",
		{ "by device memory", RECORDED_ROWS,
			{ { "device_bytes", "device memory" }, { "sorted_ratio", "share" },
				{ "calls", "calls" }, { "self_device_bytes", "of its own" },
				{ "name", "op" } } } },
	{ ask_top, "recorded_host_memory",
		{ "by host memory", RECORDED_ROWS,
			{ { "cpu_bytes", "host memory" }, { "sorted_ratio", "share" },
				{ "calls", "calls" }, { "self_cpu_bytes", "of its own" },
				{ "name", "op" } } } },
};

bool section_has_recorded(const struct answers *in)
{
	size_t i;

	for (i = 0; i < COUNT_OF(recorded); i++)
		if (answers_rows(in, ask_top, recorded[i].id))
			return true;
	return false;
}

static void write_class(const struct answers *in, struct page *d)
{
	section_fact(d, answers_rows(in, ask_summary, "overview"), "bound_text", "primary class");
}

const struct section section_bottlenecks = {
	.id = "bottlenecks",
	.ask = { ask_summary },
	.heading = "Top bottlenecks",
	.table = { { ask_summary, "bottlenecks",
		{ NULL, BOTTLENECKS,
			{ { "rank", "#" }, { "share_ratio", "of the steps" },
				{ "per_step_ns", "per step" }, { "bound", "bound by" },
				{ "what", "what" } } } } },
	.write = write_class,
};

static void write_work(const struct answers *in, struct page *d)
{
	static const struct section_table work[] = {
		{ ask_kernels, "kernels",
			{ NULL, ROWS,
				{ { "device_sum_ns", "device time" }, { "share_ratio", "share" },
					{ "calls", "calls" }, { "mean_ns", "mean" },
					{ "tensor_core", "tensor cores" },
					{ "name", "kernel" } } } },
		{ ask_top, "ops",
			{ NULL, ROWS,
				{ { "self_cpu_ns", "self CPU" }, { "share_ratio", "share" },
					{ "calls", "calls" }, { "self_device_ns", "device time" },
					{ "name", "op" } } } },
	};
	bool has_ops = answers_rows(in, ask_top, "ops") != NULL;

	if (!answers_rows(in, ask_kernels, "kernels") && !has_ops && !section_has_recorded(in))
		return;
	page_heading(d, "Heaviest work");
	section_put_tables(in, d, work, COUNT_OF(work));
	if (!has_ops)
		section_put_tables(in, d, recorded, COUNT_OF(recorded));
}

const struct section section_work = {
	.id = "work",
	.ask = { ask_kernels, ask_top },
	.chart = { "top-kernels", "kernel-durations", "top-memory-ops" },
	.write = write_work,
};

const struct section section_waiting = {
	.id = "waiting",
	.ask = { ask_idle },
	.chart = { "idle-breakdown", "idle-causes" },
	.heading = "Waiting",
	.table = { { ask_idle, "devices",
			   { NULL, 0,
				   { { "device", "GPU" }, { "idle_ns", "idle" },
					   { "idle_ratio", "%" }, { "dataloader_ns", "loader" },
					   { "sync_ns", "sync" }, { "cpu_op_ns", "CPU op" },
					   { "python_ns", "Python" }, { "launch_ns", "launch" },
					   { "gaps", "gaps" } } } },
		{ ask_idle, "causes",
			{ "causes", CAUSES,
				{ { "idle_ns", "idle" }, { "share_ratio", "share" },
					{ "class", "class" }, { "gaps", "gaps" },
					{ "name", "what the CPU did" } } } } },
};

const struct section section_transfers = {
	.id = "transfers",
	.ask = { ask_copies, ask_comms },
	.chart = { "overlap-regions" },
	.heading = "Copies and communication",
	.table = { { ask_copies, "copies",
			   { NULL, ROWS,
				   { { "direction", "direction" }, { "from", "from" },
					   { "to", "to" }, { "calls", "calls" },
					   { "bytes", "bytes" }, { "device_sum_ns", "device time" },
					   { "share_ratio", "of it" }, { "exposed_ns", "exposed" },
					   { "bandwidth_bytes_per_s", "bandwidth" } } } },
		{ ask_comms, "collectives",
			{ NULL, ROWS,
				{ { "collective", "collective" }, { "dtype", "type" },
					{ "calls", "calls" }, { "mean_ns", "mean" },
					{ "device_sum_ns", "device time" },
					{ "exposed_ns", "exposed" },
					{ "bus_bytes_per_s", "bus bandwidth" } } } } },
	.is_any = true,
};

const struct section section_memory = {
	.id = "memory",
	.ask = { ask_memory },
	.chart = { "memory-curve" },
	.heading = "Memory",
	.table = { { ask_memory, "peaks",
			   { NULL, 0,
				   { { "device", "device" },
					   { "peak_allocated_bytes", "peak allocated" },
					   { "peak_reserved_bytes", "peak reserved" },
					   { "capacity_ratio", "of capacity" }, { "step", "step" },
					   { "op", "op" } } } },
		{ ask_memory, "trend",
			{ "from step to step", 0,
				{ { "device", "device" }, { "sign", "trend" },
					{ "slope_bytes_per_step", "per step" },
					{ "steps", "steps" } } } },
		{ ask_memory, "ops",
			{ "who allocates", ROWS,
				{ { "self_alloc_bytes", "allocated" }, { "share_ratio", "share" },
					{ "self_allocations", "allocations" },
					{ "name", "op" } } } } },
};
