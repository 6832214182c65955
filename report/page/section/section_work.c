/*
 * Sections about what a run does: the heaviest work, waiting, copies and communication, memory.
 */
#include <stddef.h>

#include "report/page/section/section.h"

enum { ROWS = 8, RECORDED_ROWS = 10, BOTTLENECKS = 5, CAUSES = 6 };

/* Tables of a run without a trace: what its files list, each by what it is sorted by. */
static const struct {
	const char *id, *caption;
	struct page_pick pick[6];
} recorded[] = {
	{ "recorded_device", "by device time",
		{ { "self_device_ns", "device time" }, { "sorted_ratio", "share" },
			{ "calls", "calls" }, { "self_cpu_ns", "self CPU" }, { "name", "op" } } },
	{ "recorded_ops", "by CPU time",
		{ { "self_cpu_ns", "self CPU" }, { "sorted_ratio", "share" }, { "calls", "calls" },
			{ "self_device_ns", "device time" }, { "name", "op" } } },
	{ "recorded_memory", "by device memory",
		{ { "device_bytes", "device memory" }, { "sorted_ratio", "share" },
			{ "calls", "calls" }, { "self_device_bytes", "of its own" },
			{ "name", "op" } } },
	{ "recorded_host_memory", "by host memory",
		{ { "cpu_bytes", "host memory" }, { "sorted_ratio", "share" }, { "calls", "calls" },
			{ "self_cpu_bytes", "of its own" }, { "name", "op" } } },
};

bool section_has_recorded(const struct answers *in)
{
	size_t i;

	for (i = 0; i < COUNT_OF(recorded); i++)
		if (answers_rows(in, ask_top, recorded[i].id))
			return true;
	return false;
}

static void write_bottlenecks(const struct answers *in, struct page *d)
{
	static const struct page_pick pick[] = { { "rank", "#" }, { "share_ratio", "of the steps" },
		{ "per_step_ns", "per step" }, { "bound", "bound by" }, { "what", "what" } };
	const struct table *t = answers_rows(in, ask_summary, "bottlenecks");
	const struct table *over = answers_rows(in, ask_summary, "overview");

	if (!t)
		return;
	page_heading(d, "Top bottlenecks");
	page_pick_table(d, NULL, t, pick, COUNT_OF(pick), BOTTLENECKS);
	if (over)
		section_fact(d, over, "bound_text", "primary class");
}

const struct section section_bottlenecks = {
	.id = "bottlenecks",
	.ask = { ask_summary },
	.write = write_bottlenecks,
};

static void put_recorded(const struct answers *in, struct page *d)
{
	size_t i, n;

	for (i = 0; i < COUNT_OF(recorded); i++) {
		const struct table *t = answers_rows(in, ask_top, recorded[i].id);

		for (n = 0; n < COUNT_OF(recorded[i].pick) && recorded[i].pick[n].key;)
			n++;
		if (t)
			page_pick_table(
				d, recorded[i].caption, t, recorded[i].pick, n, RECORDED_ROWS);
	}
}

static void write_work(const struct answers *in, struct page *d)
{
	static const struct page_pick kernel[] = { { "device_sum_ns", "device time" },
		{ "share_ratio", "share" }, { "calls", "calls" }, { "mean_ns", "mean" },
		{ "tensor_core", "tensor cores" }, { "name", "kernel" } };
	static const struct page_pick op[] = { { "self_cpu_ns", "self CPU" },
		{ "share_ratio", "share" }, { "calls", "calls" },
		{ "self_device_ns", "device time" }, { "name", "op" } };
	const struct table *kernels = answers_rows(in, ask_kernels, "kernels");
	const struct table *ops = answers_rows(in, ask_top, "ops");

	if (!kernels && !ops && !section_has_recorded(in))
		return;
	page_heading(d, "Heaviest work");
	if (kernels)
		page_pick_table(d, NULL, kernels, kernel, COUNT_OF(kernel), ROWS);
	if (ops)
		page_pick_table(d, NULL, ops, op, COUNT_OF(op), ROWS);
	else
		put_recorded(in, d);
}

const struct section section_work = {
	.id = "work",
	.ask = { ask_kernels, ask_top },
	.chart = { "top-kernels", "kernel-durations", "top-memory-ops" },
	.write = write_work,
};

static void write_waiting(const struct answers *in, struct page *d)
{
	static const struct page_pick device[] = { { "device", "GPU" }, { "idle_ns", "idle" },
		{ "idle_ratio", "%" }, { "dataloader_ns", "loader" }, { "sync_ns", "sync" },
		{ "cpu_op_ns", "CPU op" }, { "python_ns", "Python" }, { "launch_ns", "launch" },
		{ "gaps", "gaps" } };
	static const struct page_pick cause[] = { { "idle_ns", "idle" }, { "share_ratio", "share" },
		{ "class", "class" }, { "gaps", "gaps" }, { "name", "what the CPU did" } };
	const struct table *t = answers_rows(in, ask_idle, "devices");

	if (!t)
		return;
	page_heading(d, "Waiting");
	page_pick_table(d, NULL, t, device, COUNT_OF(device), 0);
	t = answers_rows(in, ask_idle, "causes");
	if (t)
		page_pick_table(d, "causes", t, cause, COUNT_OF(cause), CAUSES);
}

const struct section section_waiting = {
	.id = "waiting",
	.ask = { ask_idle },
	.chart = { "idle-breakdown", "idle-causes" },
	.write = write_waiting,
};

static void write_transfers(const struct answers *in, struct page *d)
{
	static const struct page_pick copy[] = { { "direction", "direction" }, { "from", "from" },
		{ "to", "to" }, { "calls", "calls" }, { "bytes", "bytes" },
		{ "device_sum_ns", "device time" }, { "share_ratio", "of it" },
		{ "exposed_ns", "exposed" }, { "bandwidth_bytes_per_s", "bandwidth" } };
	static const struct page_pick comm[] = { { "collective", "collective" },
		{ "dtype", "type" }, { "calls", "calls" }, { "mean_ns", "mean" },
		{ "device_sum_ns", "device time" }, { "exposed_ns", "exposed" },
		{ "bus_bytes_per_s", "bus bandwidth" } };
	const struct table *copies = answers_rows(in, ask_copies, "copies");
	const struct table *comms = answers_rows(in, ask_comms, "collectives");

	if (!copies && !comms)
		return;
	page_heading(d, "Copies and communication");
	if (copies)
		page_pick_table(d, NULL, copies, copy, COUNT_OF(copy), ROWS);
	if (comms)
		page_pick_table(d, NULL, comms, comm, COUNT_OF(comm), ROWS);
}

const struct section section_transfers = {
	.id = "transfers",
	.ask = { ask_copies, ask_comms },
	.chart = { "overlap-regions" },
	.write = write_transfers,
};

static void write_memory(const struct answers *in, struct page *d)
{
	static const struct page_pick peak[] = { { "device", "device" },
		{ "peak_allocated_bytes", "peak allocated" },
		{ "peak_reserved_bytes", "peak reserved" }, { "capacity_ratio", "of capacity" },
		{ "step", "step" }, { "op", "op" } };
	static const struct page_pick trend[] = { { "device", "device" }, { "sign", "trend" },
		{ "slope_bytes_per_step", "per step" }, { "steps", "steps" } };
	static const struct page_pick op[] = { { "self_alloc_bytes", "allocated" },
		{ "share_ratio", "share" }, { "self_allocations", "allocations" },
		{ "name", "op" } };
	const struct table *t = answers_rows(in, ask_memory, "peaks");

	if (!t)
		return;
	page_heading(d, "Memory");
	page_pick_table(d, NULL, t, peak, COUNT_OF(peak), 0);
	t = answers_rows(in, ask_memory, "trend");
	if (t)
		page_pick_table(d, "from step to step", t, trend, COUNT_OF(trend), 0);
	t = answers_rows(in, ask_memory, "ops");
	if (t)
		page_pick_table(d, "who allocates", t, op, COUNT_OF(op), ROWS);
}

const struct section section_memory = {
	.id = "memory",
	.ask = { ask_memory },
	.chart = { "memory-curve" },
	.write = write_memory,
};
