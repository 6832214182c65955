/*
 * The chart of what hid behind what on a device: two bars a row.
 */
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"

static const char summary[] = "summary";

/* What is exposed has the colour of what it is, as in charts of steps; what is hidden has one. */
enum { EXPOSED_COMM, EXPOSED_COPIES, HIDDEN };

/* Communication or copies of one device: what was exposed and what was hidden. */
static void put_hidden(struct chart_panel *p, const struct chart_rows *r, size_t at, size_t i,
	const char *all, const char *exposed)
{
	double total = rows_number(r, i, all), open = rows_number(r, i, exposed);

	p->series[at % 2 ? EXPOSED_COPIES : EXPOSED_COMM].y[at] = open;
	p->series[HIDDEN].y[at] = total - open;
}

static bool draw_overlap(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, summary, "run_devices", 0);
	struct chart_panel *p;
	double *sort;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no device events");
	p = chart_panel(c, PANEL_ROWS, NULL);
	p->y = (struct chart_axis){ "time with it on the device", UNIT_NS, NULL, true, false, 0 };
	p->is_stacked = true;
	p->has_values = true;
	p->things = "bars of devices";
	p->sort = sort = arena_array(&c->mem, 2 * r.n, sizeof(*sort));
	chart_names(c, p, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed communication", COLOR_COMM, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "exposed copies", COLOR_COPY, 2 * r.n);
	(void)chart_series(c, p, MARK_LINE, "hidden behind other work", COLOR_OTHER, 2 * r.n);
	for (i = 0; i < r.n; i++) {
		const char *place = rows_place(c, &r, i);

		chart_name(c, p, 2 * i, span_of(arena_printf(&c->mem, "%s, communication", place)));
		chart_name(c, p, 2 * i + 1, span_of(arena_printf(&c->mem, "%s, copies", place)));
		sort[2 * i + 1] = 1;
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
