/* Charts over time: utilisation, queues, bandwidth of copies; histograms of launches. */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char timeline[] = "timeline --slices=500";

#define TIME_X AXIS("time since the first event of the trace", UNIT_NS)

static void put_line(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	struct chart_series *s = chart_series(c, p, MARK_STEP, title, color, to - from + 1);

	rows_fill(s->x, r, from, to, "at_ns");
	rows_fill(s->y, r, from, to, key);
	/* The last slice lasts, too. */
	s->x[to - from] = rows_number(r, to - 1, "at_ns") + rows_number(r, to - 1, "length_ns");
	s->y[to - from] = s->y[to - from - 1];
}

/* Lines over time, in a panel for each place. */
struct over_time {
	const char *table, *nothing;   /* why there is no chart: no row, */
	const char *unknown;           /* or none says the first figure; NULL: each does */
	const char *things, *alike_by; /* a column that says what is alike; NULL: devices are */
	struct chart_axis y;
	struct {
		const char *key, *title;
		enum theme_color color;
	} line[2];
};

static bool draw_over_time(
	const struct answers *in, struct chart *c, const char *ask, const struct over_time *o)
{
	struct chart_rows r = chart_rows(c, in, ask, o->table, 0);
	size_t to;

	c->things = o->things;
	for (size_t from = 0; from < r.n; from = to) {
		to = rows_end_of_place(&r, from);
		if (o->unknown && isnan(rows_number(&r, from, o->line[0].key)))
			continue;
		struct chart_panel *p = chart_panel(c, PANEL_XY, rows_place(c, &r, from));
		p->alike = o->alike_by
			? arena_printf(&c->mem, "%.0f", rows_number(&r, from, o->alike_by))
			: "device";
		p->judged = o->line[1].key ? 1 : 0;
		p->x = TIME_X;
		p->y = o->y;
		for (size_t k = 0; k < COUNT_OF(o->line) && o->line[k].key; k++)
			put_line(c, p, &r, from, to, o->line[k].key, o->line[k].title,
				o->line[k].color);
	}
	return c->npanel > 0 || chart_refuse(c, "%s", r.n ? o->unknown : o->nothing);
}

static bool draw_util(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct over_time util = { "timeline", "no GPU events", NULL, "devices", NULL,
		{ "share of the slice", UNIT_RATIO, NULL, true, false, 1 },
		{ { "busy_ratio", "busy", COLOR_SHADE },
			{ "compute_ratio", "computing", COLOR_COMPUTE } } };

	return draw_over_time(in, c, ask, &util);
}

const struct chart_kind chart_kind_gpu_util = {
	.id = "gpu-util",
	.title = "GPU utilization over time",
	.doc = "Share of each of 500 slices of time in which the GPU is busy with anything, "
	       "and in which it computes; the space between is exposed communication and copies.",
	.source = "torch_tb_profiler, GPU utilization",
	.ask = { timeline },
	.draw = draw_util,
};

static bool draw_sm(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct over_time sm = { "timeline", "no GPU events",
		"kernels do not say how many blocks they have per SM", "devices", NULL,
		{ "SMs with a block, share", UNIT_RATIO, NULL, true, false, 1 },
		{ { "est_sm_efficiency_ratio", NULL, COLOR_COMPUTE } } };

	return draw_over_time(in, c, ask, &sm);
}

const struct chart_kind chart_kind_sm_eff = {
	.id = "sm-eff",
	.title = "Estimated SM efficiency over time",
	.doc = "Share of the GPU's SMs that have at least one block, as the launches' blocks "
	       "per SM say, mean over each of 500 slices of time. A GPU that is busy but low "
	       "here runs kernels that are too small for it.",
	.source = "torch_tb_profiler, Est. SM Efficiency",
	.ask = { timeline },
	.draw = draw_sm,
};

static bool draw_queue(const struct answers *in, struct chart *c, const char *ask)
{
	static const struct over_time queue = { "queues", "no launches of GPU events", NULL,
		"streams", "stream", { "launches in the queue", UNIT_COUNT, NULL, true, false, 1 },
		{ { "depth_max", "most", COLOR_SHADE }, { "depth_mean", "mean", COLOR_SHADE_5 } } };

	if (!draw_over_time(in, c, ask, &queue))
		return false;
	c->ncol = c->npanel > 2 ? 2 : 1;
	return true;
}

const struct chart_kind chart_kind_queue_length = {
	.id = "queue-length",
	.title = "Queue of each stream",
	.doc = "How many launches wait, or are being made, in each of 500 slices of time: mean "
	       "and most. A queue that is empty most of the time starves the GPU.",
	.source = "HTA, queue length",
	.ask = { timeline },
	.draw = draw_queue,
};

static bool draw_bandwidth(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "copies", 0);
	size_t to;

	if (r.n == 0)
		return chart_refuse(c, "no copies with a size");
	c->things = "devices";
	for (size_t from = 0; from < r.n; from = to) {
		const char *way = chart_text(c, rows_word(&r, from, "direction"));

		to = rows_end_of_place(&r, from);
		/* Directions differ by a factor of ten and more: each has its own scale. */
		struct chart_panel *p = chart_panel(
			c, PANEL_XY, arena_printf(&c->mem, "%s, %s", rows_place(c, &r, from), way));
		p->alike = way;
		p->x = TIME_X;
		p->y = AXIS("bytes per second", UNIT_BYTES_PER_S, .from_zero = true);
		put_line(c, p, &r, from, to, "bytes_per_s", NULL, COLOR_COPY);
	}
	c->ncol = c->npanel > 2 ? 2 : 1;
	return true;
}

const struct chart_kind chart_kind_memcpy_bw = {
	.id = "memcpy-bw",
	.title = "Bandwidth of copies over time",
	.doc = "A panel for each direction, with its own scale: bytes moved per second of each of "
	       "500 slices of time; a copy's "
	       "bytes are spread evenly over the time it takes.",
	.source = "HTA, memory bandwidth time series",
	.ask = { timeline },
	.draw = draw_bandwidth,
};

static bool draw_histograms(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows_of_first(c, in, ask, "histograms", 0);
	size_t to;

	if (r.n == 0)
		return chart_refuse(c, "no GPU events");
	for (size_t from = 0; from < r.n && c->npanel < 3; from = to) {
		to = ROWS_END(&r, from, "what");
		struct chart_panel *p =
			chart_panel(c, PANEL_XY, chart_text(c, rows_word(&r, from, "what")));
		struct chart_series *s =
			chart_series(c, p, MARK_BOXES, NULL, COLOR_COMPUTE, to - from);
		p->x = AXIS("time", UNIT_NS, .is_log = true);
		p->y = AXIS("how many", UNIT_COUNT, .from_zero = true);
		rows_fill(s->x, &r, from, to, "from_ns");
		rows_fill(s->lo, &r, from, to, "to_ns");
		rows_fill(s->y, &r, from, to, "count");
	}
	c->ncol = c->npanel;
	return true;
}

const struct chart_kind chart_kind_launch_hist = {
	.id = "launch-hist",
	.title = "Kernels, launching calls and delays by duration",
	.doc = "How many kernels, launching calls and delays between call and work are how long, in "
	       "ten bins for each power of ten; of the first input.",
	.source = "HTA, CUDA kernel launch statistics",
	.ask = { "launches" },
	.draw = draw_histograms,
};
