/* Sections about what a run does: the heaviest work, waiting, copies and communication, memory. */
#include "base/name/name.h"
#include "report/documents/week1.h"

enum { ROWS = 8, RECORDED_ROWS = 10, BOTTLENECKS = 5, CAUSES = 6 };

/* Tables of a run without a trace: what its files list, each by what it is sorted by. */
static const struct section_table recorded[] = {
	SECTION_TABLE(ask_top, "recorded_device", "by GPU time", RECORDED_ROWS,
		{ "self_device_ns", "GPU time" }, { "sorted_ratio", "share" }, { "calls", "calls" },
		{ "self_cpu_ns", "self CPU" }, { "name", "op" }),
	SECTION_TABLE(ask_top, "recorded_ops", "by CPU time", RECORDED_ROWS,
		{ "self_cpu_ns", "self CPU" }, { "sorted_ratio", "share" }, { "calls", "calls" },
		{ "self_device_ns", "GPU time" }, { "name", "op" }),
	SECTION_TABLE(ask_top, "recorded_memory", "by GPU memory", RECORDED_ROWS,
		{ "device_bytes", "GPU memory" }, { "sorted_ratio", "share" }, { "calls", "calls" },
		{ "self_device_bytes", "of its own" }, { "name", "op" }),
	SECTION_TABLE(ask_top, "recorded_host_memory", "by host memory", RECORDED_ROWS,
		{ "cpu_bytes", "host memory" }, { "sorted_ratio", "share" }, { "calls", "calls" },
		{ "self_cpu_bytes", "of its own" }, { "name", "op" }),
};

bool section_has_recorded(const struct answers *in)
{
	return ANY(i, COUNT_OF(recorded), answers_rows(in, ask_top, recorded[i].id));
}

static void write_class(const struct answers *in, struct page *d)
{
	section_fact(d, answers_rows(in, ask_summary, "overview"), "bound_text", "primary class");
}

const struct section section_bottlenecks = {
	.id = "bottlenecks",
	.ask = { ask_summary },
	.heading = "Top bottlenecks",
	.table = { SECTION_TABLE(ask_summary, "bottlenecks", NULL, BOTTLENECKS, { "rank", "#" },
		{ "share_ratio", "of the steps" }, { "per_step_ns", "per step" },
		{ "bound", "bound by" }, { "what", "what" }) },
	.write = write_class,
};

static void write_work(const struct answers *in, struct page *d)
{
	static const struct section_table work[] = {
		SECTION_TABLE(ask_kernels, "kernels", NULL, ROWS, { "device_sum_ns", "GPU time" },
			{ "share_ratio", "share" }, { "calls", "calls" }, { "mean_ns", "mean" },
			{ "tensor_core", "tensor cores" }, { "name", "kernel" }),
		SECTION_TABLE(ask_top, "ops", NULL, ROWS, { "self_cpu_ns", "self CPU" },
			{ "share_ratio", "share" }, { "calls", "calls" },
			{ "self_device_ns", "GPU time" }, { "name", "op" }),
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
	.table = { SECTION_TABLE(ask_idle, "devices", NULL, 0, { "device", "GPU" },
			   { "idle_ns", "idle" }, { "idle_ratio", "%" },
			   { "dataloader_ns", "loader" }, { "sync_ns", "sync" },
			   { "cpu_op_ns", "CPU op" }, { "python_ns", "Python" },
			   { "launch_ns", "launch" }, { "gaps", "gaps" }),
		SECTION_TABLE(ask_idle, "causes", "causes", CAUSES, { "idle_ns", "idle" },
			{ "share_ratio", "share" }, { "class", "class" }, { "gaps", "gaps" },
			{ "name", "what the CPU did" }) },
};

const struct section section_transfers = {
	.id = "transfers",
	.ask = { ask_copies, ask_comms },
	.chart = { "overlap-regions" },
	.heading = "Copies and communication",
	.table = { SECTION_TABLE(ask_copies, "copies", NULL, ROWS, { "direction", "direction" },
			   { "from", "from" }, { "to", "to" }, { "calls", "calls" },
			   { "bytes", "bytes" }, { "device_sum_ns", "GPU time" },
			   { "share_ratio", "of it" }, { "exposed_ns", "exposed" },
			   { "bandwidth_bytes_per_s", "bandwidth" }),
		SECTION_TABLE(ask_comms, "collectives", NULL, ROWS, { "collective", "collective" },
			{ "dtype", "type" }, { "calls", "calls" }, { "mean_ns", "mean" },
			{ "device_sum_ns", "GPU time" }, { "exposed_ns", "exposed" },
			{ "bus_bytes_per_s", "bus bandwidth" }) },
	.is_any = true,
};

/* ---- the same of a run without a trace ---- */

enum { TOP = 3, NAME_LETTERS = 48 };

/* The table of operations by device time, else by CPU time; *key: what that is. */
static const struct table *table_of_ops(const struct answers *in, const char **key)
{
	const struct table *t = answers_rows(in, ask_top, "recorded_device");

	*key = "self_device_ns";
	if (t && !isnan(table_number(t, 0, *key)))
		return t;
	*key = "device_total_ns";
	if (t)
		return t;
	*key = "self_cpu_ns";
	return answers_rows(in, ask_top, "recorded_ops");
}

/* Any row has time on the CPU: rows that have none are then device work, which its op counts too.
 */
static bool has_hosts(const struct table *t)
{
	return ANY(i, table_rows(t),
		table_number(t, i, "self_cpu_ns") > 0 && table_number(t, i, "self_device_ns") > 0);
}

static bool is_counted(const struct table *t, size_t row, bool hosts)
{
	return !hosts || table_number(t, row, "self_cpu_ns") > 0 ||
		table_number(t, row, "cpu_total_ns") > 0;
}

static double sum_of(const struct table *t, const char *key, bool hosts)
{
	double sum = 0;

	for (size_t i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, key);

		if (v > 0 && is_counted(t, i, hosts))
			sum += v;
	}
	return sum;
}

static const char *top_sampled(const struct answers *in, struct page *d, struct str *b)
{
	const struct table *t = answers_rows(in, ask_stacks, "sampled_functions");

	for (size_t i = 0; i < table_rows(t) && i < TOP; i++) {
		str_addf(b, "%s%zu. ", i ? "; " : "", i + 1);
		name_shorten(b, table_word(t, i, "name"), NAME_LETTERS, true);
		str_addf(b, ", %s of the samples", page_value(d, t, i, "self_ratio"));
	}
	return "sampled profile";
}

const char *week1_heaviest(const struct answers *in, struct page *d, size_t most, const char **from)
{
	const char *key;
	const struct table *t = table_of_ops(in, &key);
	bool hosts = has_hosts(t);
	double all = sum_of(t, key, hosts);
	SCOPED_STR b = { 0 };
	size_t shown = 0;

	*from = strcmp(key, "self_cpu_ns") == 0 ? "table of operations, CPU time"
						: "table of operations, GPU time";
	for (size_t i = 0; i < table_rows(t) && shown < most; i++) {
		double v = table_number(t, i, key);

		if (!(v > 0) || !is_counted(t, i, hosts))
			continue;
		str_addf(&b, "%s%zu. ", shown ? "; " : "", shown + 1);
		name_shorten(&b, table_word(t, i, "name"), NAME_LETTERS, true);
		str_addf(&b, ", %s", section_percent(d, v / all));
		shown++;
	}
	if (!shown)
		*from = top_sampled(in, d, &b);
	return b.n ? arena_copy(&d->mem, b.s, b.n) : NULL;
}

/* What an op is bound by, as its name says. */
enum bound { BOUND_COMPUTE, BOUND_COPY, BOUND_MEMORY, BOUNDS };

static enum bound bound_of(struct span name)
{
	static const struct meaning words[] = {
		{ span_has_in_nocase, "memcpy|copy|::to", BOUND_COPY },
		{ span_has_in_nocase, "mm|gemm|linear|conv|attention|flash|matmul|cutlass",
			BOUND_COMPUTE },
	};

	return (enum bound)MEANING_OF(name, words, BOUND_MEMORY);
}

const char *week1_bound(const struct answers *in, struct page *d, double *passes)
{
	const struct table *t = answers_rows(in, ask_top, "recorded_device");
	double sum[BOUNDS] = { 0 }, all;
	bool hosts = has_hosts(t);

	for (size_t i = 0; i < table_rows(t); i++) {
		double v = table_number(t, i, "self_device_ns");

		if (v > 0 && is_counted(t, i, hosts))
			sum[bound_of(table_word(t, i, "name"))] += v;
	}
	all = sum[BOUND_COMPUTE] + sum[BOUND_COPY] + sum[BOUND_MEMORY];
	*passes = all > 0 ? sum[BOUND_MEMORY] / all : NAN;
	if (!(all > 0))
		return NULL;
	enum bound most = sum[BOUND_COPY] > sum[BOUND_COMPUTE] ? BOUND_COPY : BOUND_COMPUTE;
	most = sum[BOUND_MEMORY] > sum[most] ? BOUND_MEMORY : most;
	return page_printf(d,
		"%s: by the names of operations compute %s, memory %s, copies %s of GPU time",
		most == BOUND_COPY              ? "I/O"
			: most == BOUND_COMPUTE ? "compute"
						: "memory",
		section_percent(d, sum[BOUND_COMPUTE] / all),
		section_percent(d, sum[BOUND_MEMORY] / all),
		section_percent(d, sum[BOUND_COPY] / all));
}

double week1_busy(const struct answers *in, const char **from)
{
	const struct table *over = answers_rows(in, ask_summary, "overview");
	const struct table *gpus = answers_rows(in, ask_smi, "gpus");
	double v = over ? table_number(over, 0, "busy_ratio") : NAN;

	*from = "trace, busy time of the steps";
	if (!isnan(v) || !gpus)
		return v;
	*from = "nvidia-smi, share of time with any kernel";
	return table_number(gpus, 0, "utilization_ratio");
}
