/*
 * Charts of a device's time as a whole: what it was spent on, and what hid behind what.
 */
#include <math.h>

#include "report/chart/chart_build.h"

static const char summary[] = "summary";

static const struct chart_part ledger[] = {
	{ "compute_ns", "compute", COLOR_COMPUTE },
	{ "exposed_comm_ns", "exposed communication", COLOR_COMM },
	{ "exposed_memcpy_ns", "exposed copies", COLOR_COPY },
	{ "idle_ns", "idle", COLOR_IDLE },
};

static bool draw_temporal(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_places(c, in, summary, "run_devices", "devices");
	struct chart_panel *p;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	p = chart_bars(c, PANEL_ROWS, &r, NULL, ledger, COUNT_OF(ledger), "span_ns");
	p->y = (struct chart_axis){ "share of the device's span", UNIT_RATIO, NULL, true, false,
		1 };
	return true;
}

const struct chart_kind chart_kind_temporal_breakdown = {
	.id = "temporal-breakdown",
	.title = "What each device's time was",
	.doc = "Compute, exposed communication, exposed copies and idle time as shares of each "
	       "device's span, from its first event to its last; they add up to all of it. A row "
	       "for each device of each input.",
	.source = "HTA, temporal breakdown",
	.ask = { summary },
	.draw = draw_temporal,
};

/* Communication or copies of one device: what was hidden and what was exposed. */
static void put_hidden(struct chart_panel *p, const struct chart_rows *r, size_t at, size_t i,
	const char *all, const char *exposed)
{
	double total = rows_number(r, i, all), open = rows_number(r, i, exposed);

	p->series[0].y[at] = open;
	p->series[1].y[at] = total - open;
}

static bool draw_overlap(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows_of_places(c, in, summary, "run_devices", "devices");
	struct chart_panel *p;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "time with it on the device", UNIT_NS, NULL, true, false, 0 };
	p->is_stacked = true;
	p->has_values = true;
	chart_names(c, p, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed", COLOR_DATA, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "hidden behind other work", COLOR_OTHER, 2 * r.n);
	for (i = 0; i < r.n; i++) {
		const char *place = rows_place(c, &r, i);

		chart_name(c, p, 2 * i, span_of(arena_printf(&c->mem, "%s, communication", place)));
		chart_name(c, p, 2 * i + 1, span_of(arena_printf(&c->mem, "%s, copies", place)));
		put_hidden(p, &r, 2 * i, i, "comm_union_ns", "exposed_comm_ns");
		put_hidden(p, &r, 2 * i + 1, i, "memcpy_union_ns", "exposed_memcpy_ns");
	}
	return true;
}

const struct chart_kind chart_kind_overlap_regions = {
	.id = "overlap-regions",
	.title = "Exposed and hidden transfers",
	.doc = "How much of the time with communication, and of that with copies, passed while "
	       "nothing more useful ran (exposed) or behind other work (hidden). Exposed copies "
	       "include sets that ran alone.",
	.source = "TraceLens, exposed communication",
	.ask = { summary },
	.draw = draw_overlap,
};

static bool draw_comm_overlap(const struct answers *in, struct chart *c)
{
	static const struct chart_part part[] = {
		{ "comm_compute_overlap_ratio", NULL, COLOR_COMM },
	};
	struct chart_rows r = chart_rows_of_places(c, in, summary, "run_devices", "devices");
	struct chart_panel *p;
	size_t i, known = 0;

	for (i = 0; i < r.n; i++)
		known += rows_number(&r, i, "comm_union_ns") > 0;
	if (known == 0)
		return chart_refuse(c, "no communication kernels");
	p = chart_bars(c, PANEL_ROWS, &r, NULL, part, COUNT_OF(part), NULL);
	p->y = (struct chart_axis){ "communication time that compute hides", UNIT_RATIO, NULL, true,
		false, 1 };
	p->has_values = true;
	return true;
}

const struct chart_kind chart_kind_comm_comp_overlap = {
	.id = "comm-comp-overlap",
	.title = "Communication hidden behind compute",
	.doc = "Of the time in which a device communicates, the share in which it also computes; a "
	       "row for each device of each input.",
	.source = "HTA, communication computation overlap",
	.ask = { summary },
	.draw = draw_comm_overlap,
};

static bool draw_roles(const struct answers *in, struct chart *c)
{
	static const struct chart_part part[] = { { "mean_ns", NULL, COLOR_COMPUTE } };
	static const struct chart_part role[] = { { "kernel", NULL, COLOR_COMPUTE },
		{ "memcpy", NULL, COLOR_COPY }, { "memset", NULL, COLOR_EIGHTH },
		{ "communication", NULL, COLOR_COMM }, { "runtime", NULL, COLOR_HOST },
		{ "data loader", NULL, COLOR_DATA }, { "CPU exec", NULL, COLOR_OTHER },
		{ "other", NULL, COLOR_IDLE } };
	struct chart_rows r = chart_rows(c, in, "steps --limit=0 --roles", "roles", 0);
	struct chart_panel *p;

	if (r.n == 0)
		return chart_refuse(c, "no steps");
	p = chart_places(&r) > 1
		? chart_stacks(c, &r, "role", "mean_ns", role, COUNT_OF(role))
		: chart_bars(c, PANEL_ROWS, &r, "role", part, COUNT_OF(part), NULL);
	p->y = (struct chart_axis){ "time in the average step", UNIT_NS, NULL, true, false, 0 };
	p->has_values = true;
	return true;
}

const struct chart_kind chart_kind_execution_summary = {
	.id = "execution-summary",
	.title = "The average step by role",
	.doc = "What the average step's time was, each instant counted for the first of the eight "
	       "roles that applies; a stacked bar for each of several inputs. Bars instead of the "
	       "usual pie: lengths compare, angles do not.",
	.source = "torch_tb_profiler, execution summary",
	.ask = { "steps --limit=0 --roles" },
	.draw = draw_roles,
};
