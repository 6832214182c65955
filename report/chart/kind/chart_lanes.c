/* The chart of lanes beside each other: when each was busy. */
#include "base/unit.h"
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/figures.h"
#include "report/escape.h"
#include "base/width.h"

static const char ranks[] = "ranks";

enum { TICS = 6, COLUMNS = 240 };

/* 1, 2 or 5 times a power of ten: TICS of them cover the span, or a few less. */
static double tic_of(double span)
{
	double power = pow(10, floor(log10(span / TICS))), in = span / TICS / power;

	return power * (in <= 1 ? 1 : in <= 2 ? 2 : in <= 5 ? 5 : 10);
}

/* Round times under the columns they are in, as `begin` says of each; the title says the unit. */
static void name_columns(
	struct chart *c, struct chart_panel *p, const double *begin, double end, const char *since)
{
	double tic = tic_of(end);
	struct unit_range range = { 0 };
	size_t i = 0;

	unit_range_add(&range, end);
	struct unit_scale scale = unit_scale_time(range, NULL);
	for (double t = 0; t < end && i < p->nname; t += tic) {
		while (i + 1 < p->nname && begin[i + 1] <= t)
			i++;
		chart_name(c, p, i, span_of(arena_printf(&c->mem, "%.6g", t / scale.divisor)));
	}
	p->x.title = arena_printf(&c->mem, "time since %s (%s)", since, scale.suffix + 1);
}

/* The slices of one lane. */
static void name_slices(
	struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t n)
{
	double *begin = arena_array(&c->mem, p->nname, sizeof(*begin));

	for (size_t i = 0; i < p->nname; i++)
		begin[i] = i < n ? rows_number(r, i, "at_ns") : INFINITY;
	name_columns(c, p, begin,
		rows_number(r, n - 1, "at_ns") + rows_number(r, n - 1, "length_ns"),
		"the first event of the trace");
}

/* Counts lanes; *nslice grows to the slices of the longest. */
static size_t count_lanes(const struct chart_rows *r, size_t *nslice)
{
	size_t n = 0, to;

	for (size_t from = 0; from < r->n; from = to, n++) {
		to = rows_end_of_place(r, from);
		*nslice = MAX(to - from, *nslice);
	}
	return n;
}

static const char *lane_name(struct chart *c, const struct chart_rows *r, size_t from)
{
	struct span name = rows_word(r, from, "lane");
	SCOPED_STR plain = { 0 }, cut = { 0 };

	escape_terminal(&plain, name.n ? name : span_of(rows_place(c, r, from)), true);
	width_cut(&cut, (struct span){ plain.s ? plain.s : "", plain.n }, THEME_NAME_LETTERS, true);
	return arena_copy(&c->mem, cut.s ? cut.s : "", cut.n);
}

/* A row of cells for each of n lanes. */
static void put_lanes(struct chart *c, struct chart_panel *p, const struct chart_rows *r, size_t n)
{
	size_t from = 0, to;

	for (size_t i = 0; i < n; i++, from = to) {
		to = rows_end_of_place(r, from);
		p->row[p->nrow] = lane_name(c, r, from);
		for (size_t k = 0; k < p->nname; k++)
			p->cell[p->nrow * p->nname + k] =
				k < to - from ? rows_number(r, from + k, "busy_ratio") : NAN;
		if (p->nrow++ == 0)
			name_slices(c, p, r, to - from);
	}
}

static void draw_one(
	struct chart *c, const struct chart_rows *devices, const struct chart_rows *lanes)
{
	size_t nslice = 0, ndevice = count_lanes(devices, &nslice);
	size_t nlane = count_lanes(lanes, &nslice);
	struct chart_panel *p = chart_heat(c, ndevice + nlane, nslice);

	p->y.title = "share busy";
	put_lanes(c, p, devices, ndevice);
	put_lanes(c, p, lanes, nlane);
}

/* ---- several inputs ---- */

/* A device of one of several inputs, on the axis of all. */
struct place {
	size_t from, to;    /* its slices among the rows */
	double start, rate; /* of its axis: where it begins, and how fast it goes */
};

/* Sets the devices on the axis of one clock; false: that of one of them is not known, or has
 * nothing to do with the first one's. */
static bool align(
	const struct chart_rows *r, const struct chart_rows *clocks, struct place *v, size_t n)
{
	double island = NAN;

	for (EACH(struct place, place, v, n)) {
		const char *path = r->result->input[r->t[place->from]->input];
		struct chart_clock clock;

		if (!chart_clock_of(clocks, path, &island, &clock))
			return false;
		place->rate = clock.rate;
		place->start = chart_clock_time(&clock, rows_number(r, place->from, "clock_ns"));
	}
	return true;
}

static double end_of(const struct chart_rows *r, const struct place *v)
{
	size_t last = v->to - 1;

	return v->start +
		(rows_number(r, last, "at_ns") + rows_number(r, last, "length_ns")) * v->rate;
}

/* Counts from the first start; returns the last end. */
static double begin_at_zero(const struct chart_rows *r, struct place *v, size_t n)
{
	double first = INFINITY, last = 0;

	for (size_t i = 0; i < n; i++)
		first = fmin(first, v[i].start);
	for (EACH(struct place, place, v, n)) {
		place->start -= first;
		last = fmax(last, end_of(r, place));
	}
	return last;
}

/* What the slice says in which the middle of each column is. */
static void put_place(struct chart_panel *p, const struct chart_rows *r, const struct place *v,
	size_t row, double column)
{
	size_t i = v->from;

	for (size_t k = 0; k < p->nname; k++) {
		double at = (((double)k + 0.5) * column - v->start) / v->rate;

		while (i + 1 < v->to && rows_number(r, i + 1, "at_ns") <= at)
			i++;
		p->cell[row * p->nname + k] = at < rows_number(r, i, "at_ns") ||
				at >= rows_number(r, i, "at_ns") + rows_number(r, i, "length_ns")
			? NAN
			: rows_number(r, i, "compute_ratio");
	}
}

static void draw_several(
	struct chart *c, const struct chart_rows *r, const struct chart_rows *clocks)
{
	size_t nslice = 0, n = count_lanes(r, &nslice), from = 0;
	struct place *v = arena_array(&c->mem, n, sizeof(*v));
	struct chart_panel *p = chart_heat(c, n, COLUMNS);

	for (size_t i = 0; i < n; i++, from = v[i - 1].to)
		v[i] = (struct place){ from, rows_end_of_place(r, from), 0, 1 };
	bool is_aligned = align(r, clocks, v, n);
	for (size_t i = 0; i < n && !is_aligned; i++)
		v[i] = (struct place){ v[i].from, v[i].to, 0, 1 };
	double column = begin_at_zero(r, v, n) / COLUMNS;
	p->y.title = "share computing";
	for (size_t i = 0; i < n; i++, p->nrow++) {
		p->row[i] = lane_name(c, r, v[i].from);
		put_place(p, r, &v[i], i, column);
	}
	double *begin = arena_array(&c->mem, p->nname, sizeof(*begin));
	for (size_t k = 0; k < p->nname; k++)
		begin[k] = (double)k * column;
	name_columns(c, p, begin, (double)p->nname * column,
		is_aligned ? "the first GPU event of all" : "the first GPU event of each");
	/* Who computes more or less than the others. */
	struct figures f;
	figures_init(c, &f, 1, p->nrow, UNIT_RATIO);
	for (size_t i = 0; i < p->nrow; i++) {
		const struct chart_series row = { .y = p->cell + i * p->nname, .n = p->nname };

		f.name[i] = p->row[i];
		f.v[i] = figures_mean(&row);
	}
	f.title[0] = "computing";
	figures_judge(c, &f);
	(void)figures_say(c, &f);
	chart_note(c, "%s", chart_clock_note(c, clocks, is_aligned));
}

static bool draw_lanes(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows devices = chart_rows(c, in, ask, "timeline", 0);
	struct chart_rows lanes = chart_rows(c, in, ask, "lanes", 0);
	struct chart_rows clocks = chart_rows(c, in, ranks, "ranks", 0);

	if (devices.n == 0)
		return chart_refuse(c, "no GPU events");
	/* Of several inputs the devices alone: to compare them is the question then. */
	if (devices.result && devices.result->ninput > 1)
		draw_several(c, &devices, &clocks);
	else
		draw_one(c, &devices, &lanes);
	return true;
}

const struct chart_kind chart_kind_timeline = {
	.id = "timeline",
	.title = "What each GPU did when",
	.doc = "A lane for each GPU and, of one input, for the 24 busiest streams and threads, "
	       "the busiest first: the darker, the larger the share of the slice in which "
	       "anything runs; 120 slices from the first event to the last. Light stripes "
	       "through all lanes are waits of the whole job. Of several inputs the share in "
	       "which each GPU computes, on one axis of time where the ends of their "
	       "collectives tell how their clocks go: what is light waits, and the one that is "
	       "dark meanwhile is waited for.",
	.source =
		"HTA, kernel timelines; here by slice, since a thousand kernels are narrower than "
		"a dot",
	.ask = { "timeline --slices=120 --lanes=24", ranks },
	.draw = draw_lanes,
};
