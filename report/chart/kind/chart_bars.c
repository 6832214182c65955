/* Charts that are rows drawn as bars: data, and a few functions that say what a bar is called. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char summary[] = "summary";
static const char kernels[] = "kernels --limit=15";
static const char top[] = "top --limit=10 --memory";
static const char by_self_device[] = "top --limit=10 --sort=self_cuda_time_total";
static const char by_cpu[] = "top --limit=10 --sort=cpu_time_total";
static const char by_device[] = "top --limit=10 --sort=cuda_time_total";
static const char stages[] = "stages --limit=15";
static const char idle[] = "idle --streams --limit=15";

enum { CHANGES_MAX = 10, SCORES_MAX = 24 };

const struct chart_kind chart_kind_temporal_breakdown = {
	.id = "temporal-breakdown",
	.title = "What each GPU's time was",
	.doc = "Compute, exposed communication, exposed copies and idle time as shares of each "
	       "GPU's span, from its first event to its last; they add up to all of it. A row "
	       "for each GPU of each input.",
	.source = "HTA, temporal breakdown",
	.ask = { summary },
	.bars = { { "run_devices", NULL, "no GPU events", "share of the GPU's span", UNIT_RATIO,
		{ { "compute_ns", "compute", COLOR_COMPUTE },
			{ "exposed_comm_ns", "exposed communication", COLOR_COMM },
			{ "exposed_memcpy_ns", "exposed copies", COLOR_COPY },
			{ "idle_ns", "idle", COLOR_IDLE } },
		.things = "devices", .of = "span_ns", .at_least = 1, .is_bare = true } },
};

const struct chart_kind chart_kind_comm_comp_overlap = {
	.id = "comm-comp-overlap",
	.title = "Communication hidden behind compute",
	.doc = "Of the time in which a GPU communicates, the share in which it also computes; "
	       "a row for each GPU of each input.",
	.source = "HTA, communication computation overlap",
	.ask = { summary },
	.bars = { { "run_devices", NULL, "no communication kernels",
		"communication time that compute hides", UNIT_RATIO,
		{ { "comm_compute_overlap_ratio", NULL, COLOR_OVERLAP } }, .things = "devices",
		.needs = "comm_union_ns", .at_least = 1 } },
};

const struct chart_kind chart_kind_dist_overview = {
	.id = "dist-overview",
	.title = "Compute and communication of each GPU",
	.doc = "Each GPU's span, from its first event to its last: kernels that compute alone, "
	       "beside collectives, collectives alone, and the rest (copies, sets, idle).",
	.source = "torch_tb_profiler, distributed view, overview",
	.ask = { summary },
	.bars = { { "run_devices", NULL, "no communication kernels", "time of the GPU's span",
		UNIT_NS,
		{ { "compute_kernel_union_ns -comm_compute_kernel_overlap_ns", "compute only",
			  COLOR_COMPUTE },
			{ "comm_compute_kernel_overlap_ns", "compute and communication",
				COLOR_OVERLAP },
			{ "comm_union_ns -comm_compute_kernel_overlap_ns", "communication only",
				COLOR_COMM },
			{ "span_ns -compute_kernel_union_ns -comm_union_ns +comm_compute_kernel_overlap_ns",
				"neither", COLOR_IDLE } },
		.things = "devices", .needs = "comm_union_ns", .is_bare = true } },
};

const struct chart_kind chart_kind_execution_summary = {
	.id = "execution-summary",
	.title = "The average step by role",
	.doc = "What the average step's time was, each instant counted for the first of the eight "
	       "roles that applies; a stacked bar for each of several inputs. Bars instead of the "
	       "usual pie: lengths compare, angles do not.",
	.source = "torch_tb_profiler, execution summary",
	.ask = { "steps --limit=0 --roles" },
	.bars = { { "roles", "role", "no steps", "time in the average step", UNIT_NS,
		{ { "mean_ns", NULL, COLOR_SHADE_4 } }, .is_of_all = true, .is_by_place = true,
		.word = { { "kernel", NULL, COLOR_COMPUTE }, { "memcpy", NULL, COLOR_COPY },
			{ "memset", NULL, COLOR_SHADE_3 }, { "communication", NULL, COLOR_COMM },
			{ "runtime", NULL, COLOR_CALL }, { "data loader", NULL, COLOR_DATA },
			{ "CPU exec", NULL, COLOR_HOST }, { "other", NULL, COLOR_IDLE } } } },
};

const struct chart_kind chart_kind_top_kernels = {
	.id = "top-kernels",
	.title = "Kernels with the most GPU time",
	.doc = "GPU time of each kernel, summed over its launches; the 15 heaviest.",
	.source = "torch_tb_profiler, kernel view; HTA, kernel breakdown",
	.ask = { kernels },
	.bars = { { "kernels", "name", "no kernels", "GPU time, summed", UNIT_NS,
		{ { "device_sum_ns", NULL, COLOR_COMPUTE } }, .is_trimmed = true } },
};

const struct chart_kind chart_kind_kernel_mean = {
	.id = "kernel-mean",
	.title = "How long the heaviest kernels run",
	.doc = "Mean duration of each kernel with its shortest and longest run.",
	.source = "HTA, kernel breakdown",
	.ask = { kernels },
	.bars = { { "kernels", "name", "no kernels", "duration: mean, and from shortest to longest",
		UNIT_NS, { { "mean_ns", NULL, COLOR_COMPUTE } }, .lo = "min_ns", .hi = "max_ns" } },
};

const struct chart_kind chart_kind_kernel_type = {
	.id = "kernel-type",
	.title = "Busy time by what ran at once",
	.doc = "Each GPU's busy time, divided by which of computation, communication and "
	       "memory work ran at the same time; they add up to its busy time. A stacked bar "
	       "for each of several GPUs.",
	.source = "HTA, kernel type breakdown",
	.ask = { kernels },
	.bars = { { "types", "types", "no GPU events", "time in which exactly these run", UNIT_NS,
		{ { "time_ns", NULL, COLOR_SHADE_4 } }, .is_of_all = true, .is_by_place = true,
		.word = { { "computation", NULL, COLOR_COMPUTE },
			{ "communication", NULL, COLOR_COMM }, { "memory", NULL, COLOR_COPY },
			{ "computation overlapping communication", NULL, COLOR_OVERLAP },
			{ "computation overlapping memory", NULL, COLOR_SHADE },
			{ "communication overlapping memory", NULL, COLOR_SHADE_3 },
			{ "computation overlapping communication and memory", NULL,
				COLOR_SHADE_5 } } } },
};

/* Ranges have an order, and so their colours. */
#define DURATION_WORDS                                                                      \
	{                                                                                   \
		{ "below 1 us", NULL, COLOR_SHADE }, { "1 to 10 us", NULL, COLOR_SHADE_2 }, \
			{ "10 to 100 us", NULL, COLOR_SHADE_3 },                            \
			{ "100 us to 1 ms", NULL, COLOR_SHADE_4 },                          \
			{ "1 to 10 ms", NULL, COLOR_SHADE_5 },                              \
			{ "10 ms and more", NULL, COLOR_SHADE_6 },                          \
	}

const struct chart_kind chart_kind_kernel_durations = {
	.id = "kernel-durations",
	.title = "Kernels by duration",
	.doc = "How many kernels are how short, and what they add up to. Many kernels of a few "
	       "microseconds cost more to launch than to run. A stacked bar for each of several inputs.",
	.source = "TraceLens, short kernel study",
	.ask = { kernels },
	.bars = { { "durations", "range", "no kernels", "kernels", UNIT_COUNT,
			  { { "kernels", NULL, COLOR_COMPUTE } }, .is_of_all = true,
			  .is_by_place = true, .word = DURATION_WORDS, .title = "How many" },
		{ "durations", "range", "no kernels", "GPU time, summed", UNIT_NS,
			{ { "device_sum_ns", NULL, COLOR_COMPUTE } }, .is_of_all = true,
			.is_by_place = true, .word = DURATION_WORDS, .title = "Their time" } },
};

const struct chart_kind chart_kind_tensor_cores = {
	.id = "tensor-cores",
	.title = "Kernel time on tensor cores",
	.doc = "By the names of kernels: time that is surely on tensor cores, time that may "
	       "be, and time that is not; a bar for each GPU of each input.",
	.source = "torch_tb_profiler, kernel view, tensor cores utilization",
	.ask = { kernels },
	.bars = { { "devices", NULL, "no kernels", "share of kernel time", UNIT_RATIO,
		{ { "tensor_core_ratio", "on tensor cores", COLOR_COMPUTE },
			{ "tensor_core_most_ratio -tensor_core_ratio", "cannot tell by name",
				COLOR_SHADE },
			{ "1 -tensor_core_most_ratio", "not on them", COLOR_IDLE } },
		.things = "devices", .needs = "1 +tensor_core_ratio", .at_least = 1,
		.is_bare = true } },
};

const struct chart_kind chart_kind_top_cpu_ops = {
	.id = "top-cpu-ops",
	.title = "Ops with the most CPU time",
	.doc = "Self CPU time of each op: without the calls it makes.",
	.source = "rldk, top operations by CPU time; torch_tb_profiler, operator view",
	.ask = { top },
	.bars = { { "ops", "name", "no CPU ops", "self CPU time", UNIT_NS,
		{ { "self_cpu_ns", NULL, COLOR_HOST } }, .rather = "recorded_ops",
		.is_trimmed = true } },
};

const struct chart_kind chart_kind_top_device_ops = {
	.id = "top-device-ops",
	.title = "Ops with the most GPU time",
	.doc = "Time of the GPU work that each op launched itself.",
	.source = "torch_tb_profiler, operator view",
	.ask = { by_self_device },
	.bars = { { "ops", "name", "no op launched GPU work", "GPU time of what the op launched",
		UNIT_NS, { { "self_device_ns", NULL, COLOR_COMPUTE } }, .rather = "recorded_ops",
		.is_trimmed = true } },
};

const struct chart_kind chart_kind_op_totals = {
	.id = "op-totals",
	.title = "Ops with all they call",
	.doc = "Total CPU time and total GPU time of each op, with those of the calls it "
	       "makes: what is nested counts at each level, so bars do not add up. Self times "
	       "are in top-cpu-ops and top-device-ops.",
	.source = "torch_tb_profiler, operator view, total duration",
	.ask = { by_cpu, by_device },
	.bars = { { "ops", "name", "no CPU ops", "CPU time with all it calls", UNIT_NS,
			  { { "cpu_total_ns", NULL, COLOR_HOST } }, .rather = "recorded_ops",
			  .needs = "cpu_total_ns", .title = "On the CPU" },
		{ "ops", "name", "no CPU ops", "GPU time of all that it and its calls launch",
			UNIT_NS, { { "device_total_ns", NULL, COLOR_COMPUTE } }, .ask = by_device,
			.rather = "recorded_ops", .needs = "device_total_ns",
			.title = "On the GPU" } },
};

const struct chart_kind chart_kind_top_memory_ops = {
	.id = "top-memory-ops",
	.title = "Ops with the most GPU memory",
	.doc = "Bytes each op allocated itself, freed again or not; of a table of operations, "
	       "the GPU memory that its ten first rows state.",
	.source = "rldk, top operations by CUDA memory usage",
	.ask = { "memory --points=4000", top },
	.bars = { { "recorded_memory", "name", "no ops with memory",
			  "GPU memory of the op and what it calls", UNIT_BYTES,
			  { { "device_bytes", NULL, COLOR_SHADE_3 } }, .ask = top,
			  .is_trimmed = true },
		{ "ops", "name", "no allocator events; 'traceq memory' says what records them",
			"bytes allocated by the op itself", UNIT_BYTES,
			{ { "self_alloc_bytes", NULL, COLOR_SHADE_3 } }, .is_trimmed = true } },
	.is_either = true,
};

/* "HtoD, pinned": the direction and what kind of memory the host's end is. */
static struct span copy_name(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct span d = rows_word(r, i, "direction");
	struct span host = rows_word(r, i, d.n && d.p[0] == 'H' ? "from" : "to");

	if (!host.n || span_is(host, "device"))
		return d;
	return span_of(arena_printf(&c->mem, "%.*s, %.*s", (int)d.n, d.p, (int)host.n, host.p));
}

/* What sets memory moves nothing: its rate is the memory's own, and would make the scale. */
static bool is_set(const struct chart_rows *r, size_t i)
{
	return span_is(rows_word(r, i, "direction"), "set");
}

const struct chart_kind chart_kind_copies = {
	.id = "copies",
	.title = "Copies by direction",
	.doc = "Time of copies and sets by direction and kind of host memory, and the bandwidth of "
	       "copies.",
	.source = "HTA, memory copy summary",
	.ask = { "copies" },
	.bars = { { "copies", NULL, "no copies", "GPU time, summed", UNIT_NS,
			  { { "device_sum_ns", NULL, COLOR_COPY } }, .call = copy_name,
			  .title = "Time" },
		{ "copies", NULL, "only sets", "bytes moved per second of copying",
			UNIT_BYTES_PER_S, { { "bandwidth_bytes_per_s", NULL, COLOR_COPY } },
			.call = copy_name, .is_left_out = is_set, .title = "Bandwidth" } },
};

/* "all_reduce bf16": the collective, or its kernel where that is not known. */
static struct span comm_name(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct span name = rows_word(r, i, "collective"), type = rows_word(r, i, "dtype");

	if (!name.n)
		name = rows_word(r, i, "kernel");
	return span_of(arena_printf(
		&c->mem, "%.*s %.*s", (int)name.n, name.p, (int)type.n, type.n ? type.p : ""));
}

const struct chart_kind chart_kind_comms = {
	.id = "comms",
	.title = "Communication by collective",
	.doc = "Time with each collective on the GPU, exposed or hidden behind compute.",
	.source = "TraceLens, collectives",
	.ask = { "comms" },
	.bars = { { "collectives", NULL, "no collectives", "time with it on the GPU", UNIT_NS,
		{ { "exposed_ns", "exposed", COLOR_COMM },
			{ "union_ns -exposed_ns", "hidden behind compute", COLOR_OVERLAP } },
		.call = comm_name } },
};

const struct chart_kind chart_kind_idle_breakdown = {
	.id = "idle-breakdown",
	.title = "Why each stream was idle",
	.doc = "Gaps between a stream's GPU events, by what they waited for.",
	.source = "HTA, idle time breakdown",
	.ask = { idle },
	.bars = { { "streams", NULL, "no GPU events", "idle time of the stream", UNIT_NS,
		{ { "dataloader_ns", "data loader", COLOR_DATA },
			{ "sync_ns +queue_ns", "sync, full queue", COLOR_SYNC },
			{ "runtime_call_ns +allocator_ns +compile_ns",
				"runtime call, allocator, compiling", COLOR_CALL },
			{ "cpu_op_ns +python_ns +checkpoint_ns +logging_ns +gc_ns",
				"CPU op, Python, files, GC", COLOR_HOST },
			{ "nothing_ns +unknown_ns", "unknown", COLOR_IDLE },
			{ "launch_ns", "launch", COLOR_LAUNCH },
			{ "dependency_ns", "dependency", COLOR_WAIT } },
		.things = "streams" } },
};

static struct span cause_name(struct chart *c, const struct chart_rows *r, size_t i)
{
	struct span name = rows_word(r, i, "name"), class = rows_word(r, i, "class");

	if (!name.n)
		name = SPAN("(no call in the trace)");
	return span_of(arena_printf(
		&c->mem, "%.*s (%.*s)", (int)name.n, name.p, (int)class.n, class.n ? class.p : ""));
}

const struct chart_kind chart_kind_idle_causes = {
	.id = "idle-causes",
	.title = "What the CPU did while the GPU was idle",
	.doc = "Idle time of GPUs by the innermost call that covered most of the gap, and, in "
	       "brackets, by the class of the gap.",
	.source = "docs/definitions.md, idle",
	.ask = { idle },
	.bars = { { "causes", NULL, "no gaps between GPU events", "idle time of the GPU meanwhile",
		UNIT_NS, { { "idle_ns", NULL, COLOR_IDLE } }, .call = cause_name } },
};

const struct chart_kind chart_kind_stage_bar = {
	.id = "stage-bar",
	.title = "Average time per stage",
	.doc = "Mean wall time of each stage as files of the run say it, else of each annotated "
	       "region of the program, on the CPU, moved in below the region that it is part of; "
	       "the longest first.",
	.source = "rldk, average time per stage",
	.ask = { stages, "metrics" },
	.bars = { { "stages", "stage", "no stages", "mean wall time of a call", UNIT_NS,
			  { { "mean_ns", NULL, COLOR_HOST } }, .ask = "metrics", .is_trimmed = true,
			  .is_sorted = true },
		{ "stages", "name", "no user annotations", "mean wall time of a call", UNIT_NS,
			{ { "mean_ns", NULL, COLOR_HOST } }, .is_trimmed = true, .is_sorted = true,
			.depth = "depth" } },
	.is_either = true,
};

static const char stage_key[] = "stage_times.";

static struct span stage_name(struct chart *c UNUSED, const struct chart_rows *r, size_t i)
{
	struct span key = rows_word(r, i, "key");

	return (struct span){ key.p + sizeof(stage_key) - 1, key.n - (sizeof(stage_key) - 1) };
}

/* As files of the run say it, else as the trace does. */
static bool draw_stage_range(const struct answers *in, struct chart *c, const char *ask)
{
	static const char axis[] = "wall time of a call: median, quartiles, shortest to longest";
	static const struct bars logged = { "keys", NULL, NULL, axis, UNIT_NS,
		{ { "median", NULL, COLOR_HOST } }, .call = stage_name, .lo = "min", .hi = "max",
		.box_lo = "p25", .box_hi = "p75" };
	static const struct bars annotated = { "stages", "name", "no user annotations", axis,
		UNIT_NS, { { "median_ns", NULL, COLOR_HOST } }, .lo = "min_ns", .hi = "max_ns",
		.box_lo = "p25_ns", .box_hi = "p75_ns" };
	struct chart_rows r = chart_rows_of_first(c, in, "metrics", "keys", 0);
	const char *why = NULL;

	/* The rows of stages' times, of the first file that has any. */
	struct span file = { "", 0 };
	size_t n = 0;
	for (size_t i = 0; i < r.n; i++) {
		if (!span_starts(rows_word(&r, i, "key"), stage_key))
			continue;
		if (n == 0)
			file = rows_word(&r, i, "file");
		if (!span_eq(rows_word(&r, i, "file"), file))
			continue;
		r.t[n] = r.t[i];
		r.row[n++] = r.row[i];
	}
	r.n = n;
	if (r.n > 0)
		(void)bars_panel(c, PANEL_ROWS, &r, &logged);
	else
		why = bars_draw(in, c, ask, &annotated);
	return !why || chart_refuse(c, "%s", why);
}

const struct chart_kind chart_kind_stage_range = {
	.id = "stage-range",
	.title = "Stage time distribution",
	.doc = "Wall time of each stage as files of the run list it, else of each annotated region "
	       "on the CPU: a box from the first to the third quartile of its calls, a line at the "
	       "median, whiskers to the shortest and the longest call; the number is the median.",
	.source = "rldk, stage time distribution",
	.ask = { stages, "metrics" },
	.draw = draw_stage_range,
};

const struct chart_kind chart_kind_score_dist = {
	.id = "score-dist",
	.title = "Scores",
	.doc = "Share of each score among the valid ones, with Wilson's interval.",
	.source = "the guides of DeepSeekMath-V2: score distribution",
	.ask = { "metrics" },
	.bars = { { "score_shares", "score", "no scores",
		"share of the valid scores, and its 95% interval", UNIT_RATIO,
		{ { "ratio", NULL, COLOR_SHADE_3 } }, .is_of_all = true, .most = SCORES_MAX,
		.lo = "lo_ratio", .hi = "hi_ratio", .at_least = 1 } },
};

const struct chart_kind chart_kind_compare_ops = {
	.id = "compare-ops",
	.title = "GPU work that changed most",
	.doc = "Time and calls per step of the ten kernels and copies that changed most, BASE beside "
	       "NEW; a missing bar is work that only one side does.",
	.source = "HTA, trace diff",
	.ask = { "diff" },
	.bars = { { "ops", "what", "no GPU work on both sides", "GPU time per step", UNIT_NS,
			  { { "base_ns", "base", COLOR_IDLE }, { "new_ns", "new", COLOR_COMPUTE } },
			  .is_of_all = true, .most = CHANGES_MAX, .is_beside = true,
			  .title = "Time" },
		{ "ops", "what", "no GPU work on both sides", "calls per step", UNIT_NONE,
			{ { "base_calls_per_step", "base", COLOR_IDLE },
				{ "new_calls_per_step", "new", COLOR_COMPUTE } },
			.is_of_all = true, .most = CHANGES_MAX, .is_beside = true,
			.title = "Calls" } },
};
