/*
 * Charts of work by name: kernels, ops, copies, collectives, stages, idle time.
 */
#include <math.h>

#include "report/chart/chart_build.h"

enum { NAMES_MAX = 15 };

static const char kernels[] = "kernels --limit=15";
static const char top[] = "top --limit=10 --memory";

/* Lying bars of one column by name, the axis as said. */
static bool draw_names(const struct answers *in, struct chart *c, const char *ask, const char *id,
	const char *name, struct chart_part part, struct chart_axis axis, const char *why)
{
	struct chart_rows r = chart_rows_of_first(c, in, ask, id, NAMES_MAX);
	struct chart_panel *p;
	size_t i, known = 0;

	for (i = 0; i < r.n; i++)
		known += rows_number(&r, i, part.key) > 0;
	if (known == 0)
		return chart_refuse(c, "%s", why);
	while (!(rows_number(&r, r.n - 1, part.key) > 0))
		r.n--;
	p = chart_bars(c, PANEL_ROWS, &r, name, &part, 1, NULL);
	p->y = axis;
	p->has_values = true;
	return true;
}

#define TIME_AXIS(title) ((struct chart_axis){ title, UNIT_NS, NULL, true, false, 0 })

static bool draw_top_kernels(const struct answers *in, struct chart *c)
{
	return draw_names(in, c, kernels, "kernels", "name",
		(struct chart_part){ "device_sum_ns", NULL, COLOR_COMPUTE },
		TIME_AXIS("device time, summed"), "no kernels");
}

const struct chart_kind chart_kind_top_kernels = {
	.id = "top-kernels",
	.title = "Kernels with the most device time",
	.doc = "Device time of each kernel, summed over its launches; the 15 heaviest.",
	.source = "torch_tb_profiler, kernel view; HTA, kernel breakdown",
	.ask = { kernels },
	.draw = draw_top_kernels,
};

static bool draw_kernel_mean(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, kernels, "kernels", NAMES_MAX);

	if (r.n == 0)
		return chart_refuse(c, "no kernels");
	(void)chart_ranges(c, &r, "duration: mean, and from shortest to longest");
	return true;
}

const struct chart_kind chart_kind_kernel_mean = {
	.id = "kernel-mean",
	.title = "How long the heaviest kernels run",
	.doc = "Mean duration of each kernel with its shortest and longest run.",
	.source = "HTA, kernel breakdown",
	.ask = { kernels },
	.draw = draw_kernel_mean,
};

static bool draw_kernel_type(const struct answers *in, struct chart *c)
{
	static const struct chart_part part = { "time_ns", NULL, COLOR_COMPUTE };
	static const struct chart_part type[] = { { "computation", NULL, COLOR_COMPUTE },
		{ "communication", NULL, COLOR_COMM }, { "memory", NULL, COLOR_COPY },
		{ "computation overlapping communication", NULL, COLOR_HOST },
		{ "computation overlapping memory", NULL, COLOR_OTHER },
		{ "communication overlapping memory", NULL, COLOR_DATA },
		{ "computation overlapping communication and memory", NULL, COLOR_EIGHTH } };
	struct chart_rows r = chart_rows(c, in, kernels, "types", 0);
	struct chart_panel *p;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	p = chart_places(&r) > 1 ? chart_stacks(c, &r, "types", "time_ns", type, COUNT_OF(type))
				 : chart_bars(c, PANEL_ROWS, &r, "types", &part, 1, NULL);
	p->y = TIME_AXIS("time in which exactly these run");
	p->has_values = true;
	return true;
}

const struct chart_kind chart_kind_kernel_type = {
	.id = "kernel-type",
	.title = "Busy time by what ran at once",
	.doc = "Each device's busy time, divided by which of computation, communication and memory "
	       "work ran at the same time; they add up to its busy time. A stacked bar for each of "
	       "several devices.",
	.source = "HTA, kernel type breakdown",
	.ask = { kernels },
	.draw = draw_kernel_type,
};

/* Kernels and their time by ranges of duration, two panels. */
static bool draw_durations(const struct answers *in, struct chart *c)
{
	static const struct chart_part part[] = { { "kernels", NULL, COLOR_COMPUTE },
		{ "device_sum_ns", NULL, COLOR_COPY } };
	struct chart_rows r = chart_rows(c, in, kernels, "durations", 0);
	bool is_one = chart_places(&r) == 1;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no kernels");
	for (i = 0; i < COUNT_OF(part); i++) {
		struct chart_panel *p = is_one
			? chart_bars(c, PANEL_ROWS, &r, "range", &part[i], 1, NULL)
			: chart_stacks(c, &r, "range", part[i].key, NULL, 0);

		p->title = i ? "Their time" : "How many";
		p->y = i ? TIME_AXIS("device time, summed")
			 : (struct chart_axis){ "kernels", UNIT_COUNT, NULL, true, false, 0 };
		p->has_values = true;
	}
	return true;
}

const struct chart_kind chart_kind_kernel_durations = {
	.id = "kernel-durations",
	.title = "Kernels by duration",
	.doc = "How many kernels are how short, and what they add up to. Many kernels of a few "
	       "microseconds cost more to launch than to run. A stacked bar for each of several inputs.",
	.source = "TraceLens, short kernel study",
	.ask = { kernels },
	.draw = draw_durations,
};

static bool draw_cpu_ops(const struct answers *in, struct chart *c)
{
	return draw_names(in, c, top,
		answers_rows(in, top, "recorded_ops") ? "recorded_ops" : "ops", "name",
		(struct chart_part){ "self_cpu_ns", NULL, COLOR_HOST }, TIME_AXIS("self CPU time"),
		"no CPU ops");
}

const struct chart_kind chart_kind_top_cpu_ops = {
	.id = "top-cpu-ops",
	.title = "Ops with the most CPU time",
	.doc = "Self CPU time of each op: without the calls it makes.",
	.source = "rldk, top operations by CPU time; torch_tb_profiler, operator view",
	.ask = { top },
	.draw = draw_cpu_ops,
};

static bool draw_device_ops(const struct answers *in, struct chart *c)
{
	static const char ask[] = "top --limit=10 --sort=self_cuda_time_total";

	return draw_names(in, c, ask,
		answers_rows(in, ask, "recorded_ops") ? "recorded_ops" : "ops", "name",
		(struct chart_part){ "self_device_ns", NULL, COLOR_COMPUTE },
		TIME_AXIS("device time of what the op launched"), "no op launched device work");
}

const struct chart_kind chart_kind_top_device_ops = {
	.id = "top-device-ops",
	.title = "Ops with the most device time",
	.doc = "Time of the device work that each op launched itself.",
	.source = "torch_tb_profiler, operator view",
	.ask = { "top --limit=10 --sort=self_cuda_time_total" },
	.draw = draw_device_ops,
};

static bool draw_memory_ops(const struct answers *in, struct chart *c)
{
	return draw_names(in, c, "memory --points=4000", "ops", "name",
		(struct chart_part){ "self_alloc_bytes", NULL, COLOR_COPY },
		(struct chart_axis){
			"bytes allocated by the op itself", UNIT_BYTES, NULL, true, false, 0 },
		"no allocator events; they are recorded with profile_memory=True");
}

const struct chart_kind chart_kind_top_memory_ops = {
	.id = "top-memory-ops",
	.title = "Ops that allocate the most",
	.doc = "Bytes each op allocated itself, freed again or not.",
	.source = "rldk, top operations by CUDA memory usage",
	.ask = { "memory --points=4000" },
	.draw = draw_memory_ops,
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

static bool draw_copies(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, "copies", "copies", NAMES_MAX);
	static const struct chart_part part[] = { { "device_sum_ns", NULL, COLOR_COPY },
		{ "bandwidth_bytes_per_s", NULL, COLOR_OTHER } };
	size_t i, j;

	if (r.n == 0)
		return chart_refuse(c, "no copies");
	for (j = 0; j < COUNT_OF(part); j++) {
		struct chart_panel *p =
			chart_bars(c, PANEL_ROWS, &r, "direction", &part[j], 1, NULL);

		for (i = 0; i < r.n; i++) {
			chart_name(c, p, i, copy_name(c, &r, i));
		}
		p->title = j ? "Bandwidth" : "Time";
		p->y = j ? (struct chart_axis){ "bytes moved per second of copying",
			UNIT_BYTES_PER_S, NULL, true, false, 0 }
			 : TIME_AXIS("device time, summed");
		p->has_values = true;
	}
	return true;
}

const struct chart_kind chart_kind_copies = {
	.id = "copies",
	.title = "Copies by direction",
	.doc = "Time and bandwidth of copies and sets by direction and kind of host memory.",
	.source = "HTA, memory copy summary",
	.ask = { "copies" },
	.draw = draw_copies,
};

static bool draw_stages(const struct answers *in, struct chart *c)
{
	if (answers_rows(in, "metrics", "stages"))
		return draw_names(in, c, "metrics", "stages", "stage",
			(struct chart_part){ "mean_ns", NULL, COLOR_HOST },
			TIME_AXIS("mean wall time of a call"), "no stages");
	return draw_names(in, c, "stages --limit=15", "stages", "name",
		(struct chart_part){ "mean_ns", NULL, COLOR_HOST },
		TIME_AXIS("mean wall time of a call"), "no user annotations");
}

const struct chart_kind chart_kind_stage_bar = {
	.id = "stage-bar",
	.title = "Average time of each stage",
	.doc = "Mean wall time of each stage as files of the run say it, else of each annotated "
	       "region of the program, on the CPU.",
	.source = "rldk, average time per stage",
	.ask = { "stages --limit=15", "metrics" },
	.draw = draw_stages,
};
