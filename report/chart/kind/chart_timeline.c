/*
 * Charts over time: utilisation, queues, bandwidth of copies; and histograms of launches.
 */
#include <math.h>

#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char timeline[] = "timeline --slices=500";
static const char launches[] = "launches";

enum { LINES_MAX = 8 };

#define TIME_X                \
	((struct chart_axis){ \
		"time since the first event of the trace", UNIT_NS, NULL, false, false, 0 })

/* Rows from `from` on that are of one place: the same table, device and stream or direction. */
static size_t end_of_place(const struct chart_rows *r, size_t from)
{
	size_t to = from + 1;

	while (to < r->n && r->t[to] == r->t[from] &&
		rows_number(r, to, "at_ns") > rows_number(r, to - 1, "at_ns"))
		to++;
	return to;
}

static void put_line(struct chart *c, struct chart_panel *p, const struct chart_rows *r,
	size_t from, size_t to, const char *key, const char *title, enum theme_color color)
{
	struct chart_series *s = chart_series(c, p, MARK_STEP, title, color, to - from + 1);
	size_t i;

	for (i = from; i < to; i++) {
		s->x[i - from] = rows_number(r, i, "at_ns");
		s->y[i - from] = rows_number(r, i, key);
	}
	/* The last slice lasts, too. */
	s->x[to - from] = rows_number(r, to - 1, "at_ns") + rows_number(r, to - 1, "length_ns");
	s->y[to - from] = s->y[to - from - 1];
}

static bool draw_util(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, timeline, "timeline", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	c->things = "devices";
	for (from = 0; from < r.n; from = to) {
		struct chart_panel *p = chart_panel(c, PANEL_XY, rows_place(c, &r, from));

		to = end_of_place(&r, from);
		p->alike = "device";
		p->judged = 1;
		p->x = TIME_X;
		p->y = (struct chart_axis){ "share of the slice", UNIT_RATIO, NULL, true, false,
			1 };
		put_line(c, p, &r, from, to, "busy_ratio", "busy", COLOR_HOST);
		put_line(c, p, &r, from, to, "compute_ratio", "computing", COLOR_COMPUTE);
	}
	return true;
}

const struct chart_kind chart_kind_gpu_util = {
	.id = "gpu-util",
	.title = "GPU utilization over time",
	.doc = "Share of each of 500 slices of time in which the device is busy with anything, and "
	       "in which it computes; the space between is exposed communication and copies.",
	.source = "torch_tb_profiler, GPU utilization",
	.ask = { timeline },
	.draw = draw_util,
};

static bool draw_sm(const struct answers *in, struct chart *c)
{
	static const char key[] = "est_sm_efficiency_ratio";
	struct chart_rows r = chart_rows(c, in, timeline, "timeline", 0);
	size_t from, to;

	c->things = "devices";
	for (from = 0; from < r.n; from = to) {
		struct chart_panel *p;

		to = end_of_place(&r, from);
		if (isnan(rows_number(&r, from, key)))
			continue;
		p = chart_panel(c, PANEL_XY, rows_place(c, &r, from));
		p->alike = "device";
		p->x = TIME_X;
		p->y = (struct chart_axis){ "SMs with a block, share", UNIT_RATIO, NULL, true,
			false, 1 };
		put_line(c, p, &r, from, to, key, NULL, COLOR_COMPUTE);
	}
	return c->npanel > 0 ||
		chart_refuse(c,
			r.n ? "kernels do not say how many blocks they have per SM"
			    : "no device events");
}

const struct chart_kind chart_kind_sm_eff = {
	.id = "sm-eff",
	.title = "Estimated SM efficiency over time",
	.doc = "Share of the device's SMs that have at least one block, as the launches' blocks per "
	       "SM say, mean over each of 500 slices of time. A device that is busy but low here "
	       "runs kernels that are too small for it.",
	.source = "torch_tb_profiler, Est. SM Efficiency",
	.ask = { timeline },
	.draw = draw_sm,
};

static bool draw_queue(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, timeline, "queues", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no launches of device events");
	c->things = "streams";
	for (from = 0; from < r.n; from = to) {
		struct chart_panel *p = chart_panel(c, PANEL_XY, rows_place(c, &r, from));

		to = end_of_place(&r, from);
		p->alike = arena_printf(&c->mem, "%.0f", rows_number(&r, from, "stream"));
		p->judged = 1;
		p->x = TIME_X;
		p->y = (struct chart_axis){ "launches in the queue", UNIT_COUNT, NULL, true, false,
			1 };
		put_line(c, p, &r, from, to, "depth_max", "most", COLOR_OTHER);
		put_line(c, p, &r, from, to, "depth_mean", "mean", COLOR_COMPUTE);
	}
	c->ncol = c->npanel > 2 ? 2 : 1;
	return true;
}

const struct chart_kind chart_kind_queue_length = {
	.id = "queue-length",
	.title = "Queue of each stream",
	.doc = "How many launches wait, or are being made, in each of 500 slices of time: mean and "
	       "most. A queue that is empty most of the time starves the device.",
	.source = "HTA, queue length",
	.ask = { timeline },
	.draw = draw_queue,
};

static bool draw_bandwidth(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, timeline, "copies", 0);
	struct chart_panel *p = NULL;
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no copies with a size");
	c->things = "devices";
	for (from = 0; from < r.n; from = to) {
		struct span direction = rows_word(&r, from, "direction");

		to = end_of_place(&r, from);
		if (!p || p->nseries == LINES_MAX ||
			(from > 0 && !rows_same_device(&r, from - 1, from))) {
			p = chart_panel(c, PANEL_XY, rows_place(c, &r, from));
			p->alike = "device";
			p->x = TIME_X;
			p->y = (struct chart_axis){ "bytes moved per second", UNIT_BYTES_PER_S,
				NULL, true, false, 0 };
		}
		put_line(c, p, &r, from, to, "bytes_per_s", chart_text(c, direction),
			theme_series(p->nseries));
	}
	return true;
}

const struct chart_kind chart_kind_memcpy_bw = {
	.id = "memcpy-bw",
	.title = "Bandwidth of copies over time",
	.doc = "Bytes moved in each direction per second of each of 500 slices of time; a copy's "
	       "bytes are spread evenly over the time it takes.",
	.source = "HTA, memory bandwidth time series",
	.ask = { timeline },
	.draw = draw_bandwidth,
};

static void put_histogram(struct chart *c, const struct chart_rows *r, size_t from, size_t to)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, chart_text(c, rows_word(r, from, "what")));
	struct chart_series *s = chart_series(c, p, MARK_BOXES, NULL, COLOR_COMPUTE, to - from);
	size_t i;

	p->x = (struct chart_axis){ "time", UNIT_NS, NULL, false, true, 0 };
	p->y = (struct chart_axis){ "how many", UNIT_COUNT, NULL, true, false, 0 };
	for (i = from; i < to; i++) {
		s->x[i - from] = rows_number(r, i, "from_ns");
		s->lo[i - from] = rows_number(r, i, "to_ns");
		s->y[i - from] = rows_number(r, i, "count");
	}
}

static bool draw_histograms(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, launches, "histograms", 0);
	size_t from, to;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	for (from = 0; from < r.n && c->npanel < 3; from = to) {
		for (to = from; to < r.n && r.t[to] == r.t[from] &&
			span_eq(rows_word(&r, to, "what"), rows_word(&r, from, "what"));)
			to++;
		put_histogram(c, &r, from, to);
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
	.ask = { launches },
	.draw = draw_histograms,
};
