/*
 * Metrics over the run: what moves most first, the runs laid over each other.
 */
#include <math.h>
#include <stdlib.h>

#include "report/chart/charts.h"
#include "report/chart/kind/chart_points.h"

enum { PANELS_MAX = 12, ACROSS = 2, RUNS_MAX = 8, NAMED_MAX = 12 };

/* A log axis is worth it from there on. */
static const double DECADES = 1000;

/* A metric: its points in each input that has it. */
struct metric {
	size_t *from, *to; /* rows, by run */
	size_t nrun;
	double moves;     /* the most of its runs */
	double apart;     /* how far they end apart, of the range of all values */
	double low, high; /* of all values */
	size_t most;      /* values in the run with most of them */
	bool is_constant; /* in each run */
};

struct metrics {
	const struct answers *in;
	struct chart *c;
	const struct chart_rows *r;
	struct metric *v;
	size_t n;
};

/* The unit of a key, from the table of keys. */
static enum unit unit_of(const struct answers *in, const struct chart_rows *r, size_t from)
{
	size_t row;
	const struct table *t = points_key(in, r, from, &row);
	struct span unit = t ? table_word(t, row, "unit") : (struct span){ "", 0 };

	if (span_is(unit, "ns"))
		return UNIT_NS;
	if (span_is(unit, "bytes"))
		return UNIT_BYTES;
	return span_is(unit, "ratio") ? UNIT_RATIO : UNIT_NONE;
}

/* Samples of nvidia-smi have charts of their own. */
static bool is_of_smi(const struct answers *in, const struct chart_rows *r, size_t from)
{
	size_t row;
	const struct table *t = points_key(in, r, from, &row);

	return t && span_starts(table_word(t, row, "kind"), "smi_");
}

/*
 * Where points stand for several values: a line through the lowest and the highest of each stretch,
 * which looks as all of them would.
 */
static bool put_extremes(struct chart *c, struct chart_panel *p, const struct points *s)
{
	struct chart_series *line;
	size_t i, n = 0;

	for (i = s->from; i < s->to && isnan(rows_number(s->r, i, "low")); i++)
		;
	if (i == s->to)
		return false;
	line = chart_series(
		c, p, MARK_LINE, "values", COLOR_OTHER, 2 * (s->to - s->from) + s->breaks);
	for (i = s->from; i < s->to; i++) {
		double low = rows_number(s->r, i, "low"), high = rows_number(s->r, i, "high"),
		       y = rows_number(s->r, i, "y");

		if (s->is_break[i - s->from])
			line->x[n++] = points_x(s, i);
		line->x[n] = line->x[n + 1] = points_x(s, i);
		line->y[n++] = isnan(low) ? y : low;
		line->y[n++] = isnan(high) ? y : high;
	}
	return true;
}

/* Something else than samples of nvidia-smi is there. */
static bool has_others(const struct answers *in, const struct chart_rows *r)
{
	size_t from;

	for (from = 0; from < r->n; from = points_end(r, from))
		if (!is_of_smi(in, r, from))
			return true;
	return false;
}

/* ---- which metrics ---- */

static double key_number(const struct metrics *m, size_t from, const char *key)
{
	size_t row;
	const struct table *t = points_key(m->in, m->r, from, &row);

	return t ? table_number(t, row, key) : NAN;
}

static bool is_same(const struct chart_rows *r, size_t a, size_t b)
{
	return span_eq(rows_word(r, a, "key"), rows_word(r, b, "key")) &&
		span_eq(rows_word(r, a, "group"), rows_word(r, b, "group"));
}

static struct span file_of(const struct metrics *m, size_t from)
{
	return rows_word(m->r, from, "file");
}

/* No other file of its run has a metric of that name. */
static bool is_alone(const struct metrics *m, size_t from)
{
	struct span key = rows_word(m->r, from, "key"), group = rows_word(m->r, from, "group");
	const struct table *t;
	size_t i, row, n = 0;

	for (i = 0; (t = answers_table(m->in, points_ask, "keys", i)); i++)
		for (row = 0; t->input == m->r->t[from]->input && row < table_rows(t); row++)
			n += span_eq(table_word(t, row, "key"), key) &&
				span_eq(table_word(t, row, "group"), group);
	return n <= 1;
}

/* The metric that a run's points are of: one that another run has, or a new one. */
static struct metric *metric_of(struct metrics *m, size_t from)
{
	struct metric *new;
	size_t i;

	for (i = 0; i < m->n; i++) {
		struct metric *v = &m->v[i];

		if (is_same(m->r, v->from[0], from) && v->nrun < RUNS_MAX &&
			m->r->t[v->from[v->nrun - 1]]->input != m->r->t[from]->input &&
			(span_eq(file_of(m, v->from[0]), file_of(m, from)) ||
				(is_alone(m, v->from[0]) && is_alone(m, from))))
			return v;
	}
	new = &m->v[m->n++];
	*new = (struct metric){ .low = INFINITY, .high = -INFINITY, .is_constant = true };
	new->from = arena_array(&m->c->mem, RUNS_MAX, sizeof(*new->from));
	new->to = arena_array(&m->c->mem, RUNS_MAX, sizeof(*new->to));
	return new;
}

static void add_run(struct metrics *m, size_t from, size_t to)
{
	struct metric *v = metric_of(m, from);
	double moves = key_number(m, from, "moves_ratio");
	double count = key_number(m, from, "count");

	v->from[v->nrun] = from;
	v->to[v->nrun++] = to;
	v->low = fmin(v->low, key_number(m, from, "min"));
	v->high = fmax(v->high, key_number(m, from, "max"));
	v->moves = fmax(v->moves, isnan(moves) ? 0 : moves);
	v->most = count > (double)v->most ? (size_t)count : v->most;
	v->is_constant &= moves == 0;
}

static double apart_of(const struct metrics *m, const struct metric *v)
{
	double low = INFINITY, high = -INFINITY;
	size_t i;

	for (i = 0; i < v->nrun; i++) {
		double last = key_number(m, v->from[i], "window_mean");

		low = fmin(low, last);
		high = fmax(high, last);
	}
	return v->high > v->low && high > low ? (high - low) / (v->high - v->low) : 0;
}

/* What parts the runs most first, then what moves most; else as in the log. */
static int by_moves(const void *a, const void *b)
{
	const struct metric *x = a, *y = b;

	if (x->apart != y->apart)
		return x->apart > y->apart ? -1 : 1;
	if (x->moves != y->moves)
		return x->moves > y->moves ? -1 : 1;
	return x->from[0] < y->from[0] ? -1 : x->from[0] > y->from[0];
}

static void gather(struct metrics *m)
{
	bool has_own = has_others(m->in, m->r);
	size_t from, to, i;

	m->v = arena_array(&m->c->mem, m->r->n, sizeof(*m->v));
	for (from = 0; from < m->r->n; from = to) {
		to = points_end(m->r, from);
		if (!has_own || !is_of_smi(m->in, m->r, from))
			add_run(m, from, to);
	}
	for (i = 0; i < m->n; i++)
		m->v[i].apart = apart_of(m, &m->v[i]);
	qsort(m->v, m->n, sizeof(*m->v), by_moves);
}

/* ---- what is left out ---- */

/* "epsilon 1e-08": of runs that differ each value with its run. */
static void put_constant(const struct metrics *m, const struct metric *v, struct str *to)
{
	enum unit unit = unit_of(m->in, m->r, v->from[0]);
	size_t i;

	str_adds(to, points_title(m->c, m->r, v->from[0], false));
	for (i = 0; i < v->nrun && (i == 0 || v->low != v->high); i++) {
		double value = key_number(m, v->from[i], "last");

		str_addf(to, "%s%s", i ? ", " : " ", chart_figure(m->c, value, unit));
		if (v->low != v->high)
			str_addf(to, " (%s)", rows_input(m->c, m->r, v->from[i]));
	}
}

/* A note that names those that are, or are not, constant among the ones left out. */
static void name_left_out(const struct metrics *m, bool is_constant, const char *what)
{
	struct str b = { 0 };
	size_t i, n = 0;

	for (i = 0; i < m->n; i++) {
		const struct metric *v = &m->v[i];

		if (v->most == 1 ? is_constant : !(v->is_constant && is_constant))
			continue;
		if (++n > NAMED_MAX)
			continue;
		str_adds(&b, b.n ? "; " : what);
		put_constant(m, v, &b);
	}
	if (n > NAMED_MAX)
		str_addf(&b, "; %zu more", n - NAMED_MAX);
	if (n)
		chart_note(m->c, arena_copy(&m->c->mem, b.s, b.n));
	str_free(&b);
}

/* ---- panels ---- */

static bool is_left_out(const struct metric *v)
{
	return v->most == 1 || v->is_constant;
}

/* Values that are none have no place in the picture: they are counted below it. */
static const char *note_of(const struct metrics *m, const struct metric *v)
{
	double nan = 0, inf = 0;
	struct str b = { 0 };
	const char *text = NULL;
	size_t i;

	for (i = 0; i < v->nrun; i++) {
		nan += fmax(key_number(m, v->from[i], "nan"), 0);
		inf += fmax(key_number(m, v->from[i], "inf"), 0);
	}
	if (nan > 0)
		str_addf(&b, "%.0f NaN", nan);
	if (inf > 0)
		str_addf(&b, "%s%.0f Inf", b.n ? ", " : "", inf);
	if (b.n)
		text = arena_copy(&m->c->mem, b.s, b.n);
	str_free(&b);
	return text;
}

/* Its values, and their windowed mean. */
static void put_run(struct metrics *m, struct chart_panel *p, const struct metric *v)
{
	struct points s = points_of(m->c, m->r, v->from[0], v->to[0]);
	bool is_thinned;

	p->x = points_axis(m->c, m->in, &s);
	is_thinned = put_extremes(m->c, p, &s);
	if (!is_thinned)
		points_line(m->c, p, &s, "y", "value", COLOR_OTHER);
	points_line(m->c, p, &s,
		is_thinned && isnan(rows_number(m->r, v->from[0], "window_mean")) ? "y"
										  : "window_mean",
		"mean", COLOR_COMPUTE);
}

/* A line a run, of the windowed means: values of several would hide each other. */
static void put_runs(struct metrics *m, struct chart_panel *p, const struct metric *v)
{
	size_t i;

	for (i = 0; i < v->nrun; i++) {
		struct points s = points_of(m->c, m->r, v->from[i], v->to[i]);
		int input = m->r->t[v->from[i]]->input;
		const char *key =
			isnan(rows_number(m->r, v->from[i], "window_mean")) ? "y" : "window_mean";

		p->x = points_axis(m->c, m->in, &s);
		points_line(m->c, p, &s, key, rows_input(m->c, m->r, v->from[i]),
			theme_series(input < 0 ? i : (size_t)input));
	}
}

/* The file that all that is drawn is of, as a note; of several each panel says its own. */
static bool name_file(struct metrics *m)
{
	struct span first = { "", 0 };
	size_t i, k;

	for (i = 0; i < m->n; i++)
		for (k = 0; k < m->v[i].nrun && !is_left_out(&m->v[i]); k++) {
			struct span file = file_of(m, m->v[i].from[k]);

			if (first.n && !span_eq(first, file))
				return false;
			first = file;
		}
	if (first.n)
		chart_note(m->c, arena_printf(&m->c->mem, "logged in %s", chart_text(m->c, first)));
	return true;
}

static void put_metric(struct metrics *m, const struct metric *v, bool names_file)
{
	struct span file = file_of(m, v->from[0]);
	struct chart_panel *p = chart_panel(m->c, PANEL_XY, NULL);

	p->title = points_title(m->c, m->r, v->from[0], v->nrun == 1);
	if (names_file && file.n)
		p->title = arena_printf(&m->c->mem, "%s in %s", p->title, chart_text(m->c, file));
	p->note = note_of(m, v);
	p->y = (struct chart_axis){ "value", unit_of(m->in, m->r, v->from[0]), NULL, false,
		v->low > 0 && v->high / v->low >= DECADES, 0 };
	if (v->nrun == 1)
		put_run(m, p, v);
	else
		put_runs(m, p, v);
}

static bool draw_series(const struct answers *in, struct chart *c)
{
	struct chart_rows r = chart_rows(c, in, points_ask, "points", 0);
	struct metrics m = { in, c, &r, NULL, 0 };
	bool is_cut = false, is_laid_over = false, is_one_file;
	size_t i;

	if (r.n == 0)
		return chart_refuse(c, "no metrics over steps");
	gather(&m);
	is_one_file = name_file(&m);
	for (i = 0; i < m.n && !is_cut; i++) {
		if (is_left_out(&m.v[i]))
			continue;
		is_cut = c->npanel == PANELS_MAX;
		is_laid_over |= !is_cut && m.v[i].nrun > 1;
		if (!is_cut)
			put_metric(&m, &m.v[i], !is_one_file);
	}
	if (c->npanel == 0)
		return chart_refuse(
			c, "no metric moves: each has one value, or the same all along");
	c->ncol = c->npanel > 1 ? ACROSS : 1;
	if (is_cut)
		chart_say_first(c, c->npanel, "metrics");
	if (is_laid_over)
		chart_note(c, "of several runs the mean of the last 100 values");
	name_left_out(&m, true, "constant: ");
	name_left_out(&m, false, "one value: ");
	return true;
}

const struct chart_kind chart_kind_metric_series = {
	.id = "metric-series",
	.title = "Metrics over the run",
	.doc = "Each metric of a log, thinned so that extremes stay, with the mean of the last 100 "
	       "values; of several runs that mean, one line a run. First come those that part "
	       "the runs most, then those that move most (moves_ratio of metrics); the first twelve. What is constant "
	       "or has one value is named and not drawn. -f chooses: -f 'loss|reward'. Lines break "
	       "where nothing was logged for more than five usual intervals. Samples of nvidia-smi "
	       "are left to the chart smi where there are other metrics.",
	.source = "the documents of DeepSeekMath-V2 and rldk: loss, reward and KL curves",
	.ask = { points_ask },
	.draw = draw_series,
};
