/*
 * The chart of lanes beside each other: when each was busy.
 */
#include <math.h>

#include "base/unit.h"
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/escape.h"
#include "base/width.h"

static const char slices[] = "timeline --slices=120 --lanes=24";

enum { LANES_MAX = 64, TICS = 6 };

static size_t end_of_lane(const struct chart_rows *r, size_t from)
{
	size_t to = from + 1;

	while (to < r->n && r->t[to] == r->t[from] &&
		rows_number(r, to, "at_ns") > rows_number(r, to - 1, "at_ns"))
		to++;
	return to;
}

/* 1, 2 or 5 times a power of ten: TICS of them cover the span, or a few less. */
static double tic_of(double span)
{
	double power = pow(10, floor(log10(span / TICS))), in = span / TICS / power;

	return power * (in <= 1 ? 1 : in <= 2 ? 2 : in <= 5 ? 5 : 10);
}

/* Round times under the columns they are in; the title says the unit. */
static void name_slices(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t n)
{
	double last = rows_number(r, n - 1, "at_ns"), length = rows_number(r, n - 1, "length_ns");
	double tic = tic_of(last + length), t;
	struct unit_range range = { 0 };
	struct unit_scale scale;
	size_t i = 0;

	unit_range_add(&range, last + length);
	scale = unit_scale_time(range, NULL);

	for (t = 0; t < last + length && i < n; t += tic) {
		while (i + 1 < n && rows_number(r, i + 1, "at_ns") <= t)
			i++;
		chart_name(c, p, i, span_of(arena_printf(&c->mem, "%.6g", t / scale.divisor)));
	}
	p->x.title = arena_printf(&c->mem, "time since the first device event%s (%s)",
		*rows_input(c, r, 0) ? " of each input" : "", scale.suffix + 1);
}

/* Counts lanes, at most LANES_MAX of them; *nslice grows to the slices of the longest. */
static size_t count_lanes(const struct chart_rows *r, size_t *nslice, bool *is_cut)
{
	size_t n = 0, from, to;

	for (from = 0; from < r->n && n < LANES_MAX; from = to, n++) {
		to = end_of_lane(r, from);
		*nslice = to - from > *nslice ? to - from : *nslice;
	}
	*is_cut = from < r->n;
	return n;
}

/* A row of cells for each of n lanes. */
static void put_lanes(struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t n)
{
	size_t from = 0, to, i, k;

	for (i = 0; i < n; i++, from = to) {
		struct span name = rows_word(r, from, "lane");
		struct str plain = { 0 }, cut = { 0 };

		to = end_of_lane(r, from);
		escape_terminal(&plain, name.n ? name : span_of(rows_place(c, r, from)), true);
		width_cut(&cut, (struct span){ plain.s ? plain.s : "", plain.n },
			THEME_NAME_LETTERS, true);
		p->row[p->nrow] = arena_copy(&c->mem, cut.s ? cut.s : "", cut.n);
		str_free(&plain);
		str_free(&cut);
		for (k = 0; k < p->nname; k++)
			p->cell[p->nrow * p->nname + k] =
				k < to - from ? rows_number(r, from + k, "busy_ratio") : NAN;
		if (p->nrow++ == 0)
			name_slices(c, p, r, to - from);
	}
}

static bool draw_lanes(const struct answers *in, struct chart *c)
{
	struct chart_rows devices = chart_rows(c, in, slices, "timeline", 0);
	struct chart_rows lanes = chart_rows(c, in, slices, "lanes", 0);
	bool is_cut, is_lane_cut;
	size_t nslice = 0, ndevice = count_lanes(&devices, &nslice, &is_cut), nlane;
	struct chart_panel *p;

	if (ndevice == 0)
		return chart_refuse(c, "no device events");
	/* Of several inputs the devices alone: to compare them is the question then. */
	if (devices.result && devices.result->ninput > 1)
		lanes.n = 0;
	nlane = count_lanes(&lanes, &nslice, &is_lane_cut);
	p = chart_panel(c, PANEL_HEAT, NULL);
	p->is_plain = true;
	p->y.title = "share busy";
	chart_names(c, p, nslice);
	p->row = arena_array(&c->mem, ndevice + nlane, sizeof(*p->row));
	p->cell = arena_array(&c->mem, (ndevice + nlane) * nslice, sizeof(*p->cell));
	put_lanes(c, p, &devices, ndevice);
	put_lanes(c, p, &lanes, nlane);
	if (is_cut)
		chart_say_first(c, ndevice, "devices");
	return true;
}

const struct chart_kind chart_kind_timeline = {
	.id = "timeline",
	.title = "When each lane was busy",
	.doc = "A lane for each device: the darker, the larger the share of the slice in which "
	       "anything runs on it; 120 slices from its first event to its last. Of one input also "
	       "the 24 busiest streams and threads, the busiest first: a thread's calls, waiting "
	       "ones too. Light stripes through all lanes are waits of the whole job.",
	.source =
		"HTA, kernel timelines; here by slice, since a thousand kernels are narrower than "
		"a dot",
	.ask = { slices },
	.draw = draw_lanes,
};
