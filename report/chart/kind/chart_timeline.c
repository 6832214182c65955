/* What runs when, on lanes. */
#include "base/name/name.h"
#include "base/unit.h"
#include "report/chart/chart_build.h"
#include "report/chart/charts.h"
#include "report/chart/figures.h"
#include "report/chart/kind/chart_timeline.h"

static const char ranks[] = "ranks";

/* COLUMNS: as it is asked for; about a pixel each on a page. */
enum {
	COLUMNS = 480,
	COLUMNS_INSIDE = 16384,
	DEVICES_MAX = 24,
	LANES_CHOSEN = 8,
	GAPS_SAID = 3,
	LABEL_LETTERS = 100
};

static size_t input_of(const struct lanes *l, size_t row)
{
	return (size_t)l->rows.t[row]->input;
}

static double start_of(const struct lanes *l, size_t row)
{
	const struct place *p = l->place ? &l->place[input_of(l, row)] : NULL;
	double at = rows_number(&l->rows, row, "at_ns");

	return p ? p->start + (at - p->at) * p->rate : at;
}

static bool is_sort(const struct lanes *l, size_t row, const char *sort)
{
	return span_is(rows_word(&l->rows, row, "sort"), sort);
}

static bool is_idle(const struct lanes *l, size_t row)
{
	return is_sort(l, row, "device") &&
		!work_kinds()[work_kind_of(rows_word(&l->rows, row, "kind"))].is_work;
}

/* The place among series: of work and of calls first, then of idle time. */
static size_t series_of(const struct lanes *l, size_t row)
{
	return work_kind_of(rows_word(&l->rows, row, "kind")) + (is_idle(l, row) ? WORK_KINDS : 0);
}

/* Sets the inputs on one clock where all are known. */
static bool align(struct chart *c, struct lanes *l, const struct chart_rows *clocks)
{
	size_t n = l->rows.result->ninput;
	double island = NAN, first = INFINITY;
	struct place *place = arena_array(&c->mem, n, sizeof(*place));
	struct chart_clock clock;

	for (size_t i = 0; i < l->rows.n; i++) {
		const char *path = l->rows.result->input[input_of(l, i)];
		struct place *to = &place[input_of(l, i)];

		if (!is_sort(l, i, "whole"))
			continue;
		if (!chart_clock_of(clocks, path, &island, &clock))
			return false;
		to->at = rows_number(&l->rows, i, "at_ns");
		to->start = chart_clock_time(&clock, rows_number(&l->rows, i, "clock_ns"));
		to->rate = clock.rate;
		first = fmin(first, to->start);
	}
	for (size_t i = 0; i < n; i++)
		place[i].start -= first;
	l->place = place;
	return true;
}

/* Gives rows their lanes, and lanes their names; of several inputs devices only. */
static void name_lanes(struct chart *c, struct chart_panel *p, struct lanes *l)
{
	const struct chart_rows *r = &l->rows;
	const struct table *t = NULL;
	struct span last = SPAN("");

	p->row = arena_array(&c->mem, r->n, sizeof(*p->row));
	l->lane = arena_array(&c->mem, r->n, sizeof(*l->lane));
	l->series = arena_array(&c->mem, r->n, sizeof(*l->series));
	for (size_t i = 0; i < r->n; i++) {
		struct span name = rows_word(r, i, "lane");
		const char *input = rows_input(c, r, i);

		l->lane[i] = SIZE_MAX;
		l->series[i] = (uint8_t)series_of(l, i);
		if (name.n == 0 || (!l->is_one && !is_sort(l, i, "device")))
			continue;
		if (r->t[i] != t || !span_eq(name, last))
			p->row[p->nrow++] = chart_text(c,
				span_of(arena_printf(&c->mem, "%s%s%.*s", input, *input ? ", " : "",
					(int)name.n, name.p)));
		l->lane[i] = p->nrow - 1;
		t = r->t[i];
		last = name;
	}
}

/* What is said of a lane of a job. */
struct stand {
	bool is_late, is_picked, is_middle;
	double rank; /* NaN: not known */
};

static void know_lanes(
	const struct chart_rows *who, const struct lanes *l, struct stand *v, double *computes)
{
	for (size_t i = 0; i < l->rows.n; i++) {
		const char *path = l->rows.result->input[input_of(l, i)];

		if (l->lane[i] == SIZE_MAX)
			continue;
		struct stand *s = &v[l->lane[i]];
		if (span_is(rows_word(&l->rows, i, "kind"), "compute"))
			computes[l->lane[i]] += rows_number(&l->rows, i, "busy_ns");
		if (s->rank != 0) /* else it was looked for */
			continue;
		size_t k = FIRST(j, who->n, span_is(rows_word(who, j, "file"), path));
		s->rank = k < who->n ? rows_number(who, k, "rank") + 1 : NAN;
		s->is_late = k < who->n && span_is(rows_word(who, k, "what"), "slow");
	}
}

/* "slowest rank 7, GPU 0": of what stands on top; else its name. */
static const char *name_of_stand(struct chart *c, const char *name, const struct stand *s)
{
	const char *word = s->is_late ? "slowest" : s->is_middle ? "median" : NULL;
	const char *comma = strrchr(name, ',');

	if (!word)
		return name;
	if (isnan(s->rank))
		return arena_printf(&c->mem, "%s: %s", word, name);
	return arena_printf(&c->mem, "%s rank %.0f%s", word, s->rank - 1, comma ? comma : "");
}

/* Who is slow stands on top, the median below it, then the others; of too many lanes of a picture
 * those who compute most or least. */
static void order_lanes(
	struct chart *c, struct chart_panel *p, struct lanes *l, const struct chart_rows *who)
{
	double *computes = arena_array(&c->mem, p->nrow, sizeof(*computes));
	bool *is_picked = arena_array(&c->mem, p->nrow, sizeof(*is_picked));
	struct stand *v = arena_array(&c->mem, p->nrow, sizeof(*v));
	const char **name = arena_array(&c->mem, p->nrow, sizeof(*name));
	size_t *to = arena_array(&c->mem, p->nrow, sizeof(*to)), n = 0;

	know_lanes(who, l, v, computes);
	struct standings s = standings_of(&c->mem, computes, p->nrow, 0);
	(void)standings_pick(&s, LANES_CHOSEN, is_picked);
	v[standings_middle(&s)].is_middle = true;
	FILL(to, p->nrow, SIZE_MAX);
	for (unsigned turn = 0; turn < 3; turn++) {
		for (size_t i = 0; i < p->nrow; i++) {
			bool is_now = turn == 0 ? v[i].is_late
				: turn == 1     ? v[i].is_middle
						: c->look.is_page || is_picked[i];

			if (!is_now || to[i] != SIZE_MAX)
				continue;
			name[n] = name_of_stand(c, p->row[i], &v[i]);
			to[i] = n++;
		}
		p->npinned = turn < 2 ? n : p->npinned;
	}
	for (size_t i = 0; i < l->rows.n; i++)
		l->lane[i] = l->lane[i] == SIZE_MAX ? SIZE_MAX : to[l->lane[i]];
	if (n < p->nrow)
		chart_note(c, "%zu of %zu GPUs: stragglers, the median, who computes most or least",
			n, p->nrow);
	p->row = name;
	p->nrow = n;
}

/* Where a page says the rest: "sgemm", "5 pieces, the longest sgemm". */
static const char *page_label_of(struct chart *c, const struct lanes *l, size_t row)
{
	double pieces = rows_number(&l->rows, row, "pieces");
	struct span name = rows_word(&l->rows, row, "name");
	const char *text = chart_text(c, name);

	if (is_idle(l, row))
		return name.n ? arena_printf(&c->mem, "idle, in %s", text) : "idle";
	return pieces > 1 ? arena_printf(&c->mem, "%.0f pieces, the longest %s", pieces, text)
			  : text;
}

/* "sgemm: compute, at 12.30 ms, 1.200 ms, 2.4%" */
static const char *label_of(struct chart *c, const struct lanes *l, size_t row)
{
	const struct chart_rows *r = &l->rows;
	struct span name = rows_word(r, row, "name"), kind = rows_word(r, row, "kind");
	double pieces = rows_number(r, row, "pieces"), length = rows_number(r, row, "length_ns");
	double busy = rows_number(r, row, "busy_ns");
	SCOPED_STR b = { 0 };

	if (is_idle(l, row))
		str_adds(&b, name.n ? "idle, in " : "idle");
	else if (pieces > 1)
		str_addf(&b, "%.0f pieces, the longest ", pieces);
	name_shorten(&b, name, LABEL_LETTERS, true);
	str_addf(&b, ": %.*s, at ", (int)kind.n, kind.p);
	unit_put_time(&b, start_of(l, row));
	str_adds(&b, ", ");
	unit_put_time(&b, length);
	if (busy < length) {
		str_adds(&b, " of which ");
		unit_put_time(&b, busy);
	}
	str_adds(&b, ", ");
	unit_put_percent(&b, busy / l->whole);
	return chart_text(c, (struct span){ b.s, b.n });
}

static const char *inside_of(struct chart *c, const struct lanes *l, size_t row)
{
	struct span kind = rows_word(&l->rows, row, "kind"),
		    name = rows_word(&l->rows, row, "name");
	SCOPED_STR b = { 0 };

	if (is_idle(l, row))
		return arena_printf(&c->mem, "%.*s %s", (int)kind.n, kind.p,
			chart_figure(c, rows_number(&l->rows, row, "length_ns"), UNIT_NS));
	if (rows_number(&l->rows, row, "pieces") > 1)
		return NULL;
	name_shorten(&b, name, THEME_BRIEF_LETTERS, true);
	return chart_text(c, (struct span){ b.s ? b.s : "", b.n });
}

static void put_series(struct chart *c, struct chart_panel *p, const struct lanes *l, size_t which)
{
	const struct work_kind *kind = &work_kinds()[which % WORK_KINDS];
	bool is_faint = which >= WORK_KINDS;
	size_t n = SUM(size_t, i, l->rows.n, l->lane[i] != SIZE_MAX && l->series[i] == which);

	if (n == 0)
		return;
	struct chart_series *s = chart_series(c, p, MARK_TILE,
		is_faint ? arena_printf(&c->mem, "idle: %s", kind->word) : kind->word, kind->color,
		n);
	s->is_faint = is_faint;
	for (size_t i = n = 0; i < l->rows.n; i++) {
		if (l->lane[i] == SIZE_MAX || l->series[i] != which)
			continue;
		double length = rows_number(&l->rows, i, "length_ns");
		s->x[n] = start_of(l, i);
		s->lo[n] = s->x[n] + length;
		s->y[n] = (double)l->lane[i];
		s->hi[n] = rows_number(&l->rows, i, "busy_ns") / length;
		s->inside[n] = c->look.is_page ? NULL : inside_of(c, l, i);
		s->label[n++] = c->look.is_page ? page_label_of(c, l, i) : label_of(c, l, i);
	}
}

/* Steps of the first input, and how many pieces of work the marks are. */
static void put_frame(struct chart *c, struct chart_panel *p, const struct lanes *l)
{
	double pieces = 0, n = 0;

	for (size_t i = 0; i < l->rows.n; i++) {
		struct span name = rows_word(&l->rows, i, "name");

		if (is_sort(l, i, "step") && l->rows.t[i] == l->rows.t[0])
			chart_line(c, p,
				chart_text(c,
					span_of(arena_printf(
						&c->mem, "#%.*s", (int)name.n, name.p))),
				start_of(l, i), true);
		if (l->lane[i] == SIZE_MAX || is_idle(l, i))
			continue;
		pieces += rows_number(&l->rows, i, "pieces");
		n++;
	}
	if (pieces > n && c->look.is_inside)
		chart_note(c,
			"%.0f pieces of work and calls in %.0f boxes: below %s neighbours are one; "
			"'traceq plot timeline-lanes -o x.html' has all",
			pieces, n, chart_figure(c, l->whole / COLUMNS_INSIDE, UNIT_NS));
	else if (pieces > n && !c->look.is_page)
		chart_note(c,
			"%.0f pieces of work and calls in %.0f boxes: below %s neighbours "
			"are one, as high as it is busy",
			pieces, n, chart_figure(c, l->whole / COLUMNS, UNIT_NS));
}

/* "longest gaps: 2.443 ms at 31.62 ms (CPU op), ...": those that have no room for it. */
static void say_gaps(struct chart *c, const struct lanes *l)
{
	size_t row[GAPS_SAID], n = 0, k;
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < l->rows.n; i++) {
		if (l->lane[i] == SIZE_MAX || !is_idle(l, i))
			continue;
		k = n < GAPS_SAID ? n++ : GAPS_SAID;
		for (; k > 0 &&
			rows_number(&l->rows, row[k - 1], "length_ns") <
				rows_number(&l->rows, i, "length_ns");
			k--)
			if (k < GAPS_SAID)
				row[k] = row[k - 1];
		if (k < GAPS_SAID)
			row[k] = i;
	}
	for (size_t i = 0; i < n; i++) {
		struct span kind = rows_word(&l->rows, row[i], "kind");

		str_adds(&b, i ? ", " : n > 1 ? "longest gaps: " : "a gap: ");
		unit_put_time(&b, rows_number(&l->rows, row[i], "length_ns"));
		str_adds(&b, " at ");
		unit_put_time(&b, start_of(l, row[i]));
		str_addf(&b, " (%.*s)", (int)kind.n, kind.p);
	}
	if (n > 0)
		chart_note(c, "%s", arena_copy(&c->mem, b.s, b.n));
}

static bool draw(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows clocks = chart_rows(c, in, ranks, "ranks", 0);
	struct lanes l = { .rows = chart_rows(c, in, ask, "marks", 0) };
	bool is_aligned = false;

	if (l.rows.n == 0)
		return chart_refuse(c, "no GPU events");
	l.is_one = l.rows.result->ninput == 1;
	for (size_t i = 0; i < l.rows.n; i++)
		if (is_sort(&l, i, "whole"))
			l.whole = fmax(l.whole, rows_number(&l.rows, i, "length_ns"));
	if (!l.is_one)
		is_aligned = align(c, &l, &clocks);
	struct chart_panel *p = chart_panel(c, PANEL_LANES, NULL);
	name_lanes(c, p, &l);
	if (p->nrow > DEVICES_MAX || (!l.is_one && c->look.is_page && p->nrow > 2))
		order_lanes(c, p, &l, &clocks);
	p->x = AXIS(l.is_one         ? "time since the first event of the trace"
			: is_aligned ? "time since the first GPU event"
				     : "time since the first GPU event of each",
		UNIT_NS);
	for (size_t i = 0; i < TIMELINE_SERIES; i++)
		put_series(c, p, &l, i);
	say_gaps(c, &l);
	put_frame(c, p, &l);
	if (c->look.is_page && l.is_one) {
		struct chart_rows details = chart_rows(c, in, ask, "details", 0);
		struct chart_rows slices = chart_rows(c, in, ask, "timeline", 0);

		lanes_put_details(c, p, &l, &details);
		lanes_put_findings(c, p, in, &slices);
		lanes_put_path(c, p, in, &l);
	}
	if (!l.is_one)
		chart_note(c, "%s", chart_clock_note(c, &clocks, is_aligned));
	return true;
}

const struct chart_kind chart_kind_timeline_lanes = {
	.id = "timeline-lanes",
	.title = "What runs when",
	.doc = "A lane for each GPU, its busiest streams and the threads that launch: a box "
	       "for each piece of work and each call, in the colour of what it is; of GPUs also "
	       "the time in which nothing runs, by what they waited for. What is too short to "
	       "be seen is one box with its neighbours, as high as it is busy. In SVG and HTML "
	       "a pointer over a box shows its name, start, length and share. --steps looks at "
	       "some steps. Of several inputs the GPUs alone, of more than 24 those of stragglers, "
	       "of the median and of who computes most or least, on one axis of time where the "
	       "ends of their collectives tell how their clocks go.",
	.source = "HTA and Perfetto, lanes of streams and threads",
	.ask = { "timeline --marks=480 --lanes=10 --slices=1", ranks },
	.page_ask = { "timeline --marks=10000000 --lanes=64 --slices=1 --details=10000", ranks,
		"diagnose", TIMELINE_PATH },
	.inside_ask = { "timeline --marks=16384 --lanes=24 --slices=1 --details=2000", ranks,
		"diagnose", TIMELINE_PATH },
	.draw = draw,
};
