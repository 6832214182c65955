/*
 * Charts of how values spread: steps by duration, stages from their shortest to their longest run,
 * ops with all they call.
 */
#include <math.h>
#include <stdlib.h>

#include "report/chart/chart_build.h"

static const char steps[] = "steps --limit=0 --roles";
static const char stages[] = "stages --limit=15";
static const char by_cpu[] = "top --limit=10 --sort=cpu_time_total";
static const char by_device[] = "top --limit=10 --sort=cuda_time_total";
static const char kernels[] = "kernels --limit=15";

enum { BINS_MIN = 5, BINS_MAX = 60, STEPS_MIN = 5, NAMES_MAX = 15 };

/* The first input's steps, once each, though there is a row for each of its devices. */
static size_t walls(const struct chart_rows *r, double *v)
{
	double device = r->n ? rows_number(r, 0, "device") : NAN;
	size_t n = 0, i;

	for (i = 0; i < r->n; i++) {
		double d = rows_number(r, i, "device");

		if (r->t[i] == r->t[0] && (d == device || isnan(device)))
			v[n++] = rows_number(r, i, "wall_ns");
	}
	return n;
}

/* Square root of the number, between BINS_MIN and BINS_MAX. */
static size_t bins_for(size_t n)
{
	size_t bins = (size_t)ceil(sqrt((double)n));

	bins = bins < BINS_MIN ? BINS_MIN : bins;
	return bins > BINS_MAX ? BINS_MAX : bins;
}

static void put_bins(struct chart *c, struct chart_panel *p, const double *v, size_t n)
{
	double low = v[0], high = v[0], width;
	size_t bins = bins_for(n), i;
	struct chart_series *s;

	for (i = 1; i < n; i++) {
		low = v[i] < low ? v[i] : low;
		high = v[i] > high ? v[i] : high;
	}
	width = high > low ? (high - low) / (double)bins : low > 0 ? low / 100 : 1;
	bins = high > low ? bins : 1;
	s = chart_series(c, p, MARK_BOXES, NULL, COLOR_COMPUTE, bins);
	for (i = 0; i < bins; i++) {
		s->x[i] = low + width * (double)i;
		s->lo[i] = low + width * (double)(i + 1);
		s->y[i] = 0;
	}
	for (i = 0; i < n; i++) {
		size_t bin = (size_t)((v[i] - low) / width);

		s->y[bin < bins ? bin : bins - 1]++;
	}
}

static bool draw_steps(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, steps, "steps", 0);
	double *v = arena_array(&c->mem, r.n, sizeof(*v));
	size_t n = walls(&r, v);
	struct chart_panel *p;

	if (n < STEPS_MIN)
		return chart_refuse(c, "%zu step%s: a histogram wants %d or more", n,
			n == 1 ? "" : "s", STEPS_MIN);
	p = chart_panel(c, PANEL_XY, NULL);
	p->x = (struct chart_axis){ "step time", UNIT_NS, NULL, false, false, 0 };
	p->y = (struct chart_axis){ "steps", UNIT_COUNT, NULL, true, false, 0 };
	put_bins(c, p, v, n);
	return true;
}

const struct chart_kind chart_kind_step_hist = {
	.id = "step-hist",
	.title = "Steps by duration",
	.doc = "How many steps of the first input took how long, in as many bins as the square root "
	       "of their number, 5 to 60, from the shortest step to the longest. Two heaps are two "
	       "kinds of steps.",
	.source = "rlhf-canary, step time histogram",
	.ask = { steps },
	.draw = draw_steps,
};

static bool draw_stages(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_first(c, in, stages, "stages", NAMES_MAX);
	struct chart_panel *p;
	struct chart_series *s;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no user annotations");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "wall time of a call: median, quartiles, shortest to longest",
		UNIT_NS, NULL, true, false, 0 };
	p->has_values = true;
	chart_names(c, p, r.n);
	s = chart_series(c, p, MARK_BOX, NULL, COLOR_OTHER, r.n);
	for (i = 0; i < r.n; i++) {
		chart_name(c, p, i, rows_word(&r, i, "name"));
		s->y[i] = rows_number(&r, i, "median_ns");
		s->lo[i] = rows_number(&r, i, "min_ns");
		s->hi[i] = rows_number(&r, i, "max_ns");
		s->box_lo[i] = rows_number(&r, i, "p25_ns");
		s->box_hi[i] = rows_number(&r, i, "p75_ns");
	}
	return true;
}

const struct chart_kind chart_kind_stage_range = {
	.id = "stage-range",
	.title = "How much each stage varies",
	.doc = "Wall time of each annotated region on the CPU: a box from the first to the third "
	       "quartile of its calls, a line at the median, whiskers to the shortest and the "
	       "longest call; the number is the median.",
	.source = "rldk, stage times as boxes",
	.ask = { stages },
	.draw = draw_stages,
};

/* A panel of one total; false when no op has any. */
static bool put_totals(const struct answers *in, struct chart *c, const char *ask,
	struct chart_part part, struct chart_axis y)
{
	const char *id = answers_rows(in, ask, "recorded_ops") ? "recorded_ops" : "ops";
	struct chart_rows r = chart_rows_of_first(c, in, ask, id, NAMES_MAX);
	size_t i, known = 0;
	struct chart_panel *p;

	for (i = 0; i < r.n; i++)
		known += rows_number(&r, i, part.key) > 0;
	if (known == 0)
		return false;
	p = chart_bars(c, PANEL_ROWS, &r, "name", &part, 1, NULL);
	p->title = part.title;
	p->series[0].title = NULL;
	p->y = y;
	p->has_values = true;
	return true;
}

static bool draw_totals(const struct answers *in, struct chart *c)
{
	bool any = put_totals(in, c, by_cpu,
		(struct chart_part){ "cpu_total_ns", "On the CPU", COLOR_HOST },
		(struct chart_axis){ "CPU time with all it calls", UNIT_NS, NULL, true, false, 0 });

	any |= put_totals(in, c, by_device,
		(struct chart_part){ "device_total_ns", "On the device", COLOR_COMPUTE },
		(struct chart_axis){ "device time of all that it and its calls launch", UNIT_NS,
			NULL, true, false, 0 });
	return any || chart_refuse(c, "no CPU ops");
}

const struct chart_kind chart_kind_op_totals = {
	.id = "op-totals",
	.title = "Ops with all they call",
	.doc = "Total CPU time and total device time of each op, with those of the calls it makes: "
	       "what is nested counts at each level, so bars do not add up. Self times are in "
	       "top-cpu-ops and top-device-ops.",
	.source = "torch_tb_profiler, operator view, total duration",
	.ask = { by_cpu, by_device },
	.draw = draw_totals,
};

static bool draw_tensor(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_places(c, in, kernels, "devices", "devices");
	struct chart_panel *p;
	size_t i, known = 0;

	for (i = 0; i < r.n; i++)
		known += isnan(rows_number(&r, i, "tensor_core_ratio")) ? 0 : 1;
	if (known == 0)
		return chart_refuse(c, "no kernels");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->is_stacked = true;
	p->y = (struct chart_axis){ "share of kernel time", UNIT_RATIO, NULL, true, false, 1 };
	chart_names(c, p, r.n);
	(void)chart_series(c, p, MARK_LINE, "on tensor cores", COLOR_COMPUTE, r.n);
	(void)chart_series(c, p, MARK_LINE, "cannot tell by name", COLOR_OTHER, r.n);
	(void)chart_series(c, p, MARK_LINE, "not on them", COLOR_IDLE, r.n);
	for (i = 0; i < r.n; i++) {
		double sure = rows_number(&r, i, "tensor_core_ratio");
		double most = rows_number(&r, i, "tensor_core_most_ratio");

		chart_name(c, p, i, span_of(rows_place(c, &r, i)));
		p->series[0].y[i] = sure;
		p->series[1].y[i] = most - sure;
		p->series[2].y[i] = 1 - most;
	}
	return true;
}

const struct chart_kind chart_kind_tensor_cores = {
	.id = "tensor-cores",
	.title = "Kernel time on tensor cores",
	.doc = "By the names of kernels: time that is surely on tensor cores, time that may be, and "
	       "time that is not; a bar for each device of each input.",
	.source = "torch_tb_profiler, kernel view, tensor cores utilization",
	.ask = { kernels },
	.draw = draw_tensor,
};
