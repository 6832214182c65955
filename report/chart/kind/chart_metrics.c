/* Metrics over the run: what moves most first, the runs laid over each other. */
#include "report/chart/charts.h"
#include "report/chart/kind/chart_points.h"

enum { PANELS_MAX = 12, ACROSS = 2, RUNS_MAX = 8, NAMED_MAX = 12 };

/* A log axis is worth it from there on. */
static const double DECADES = 1000;

/* The points of a metric in one input, and the row about it in the table of keys. */
struct group {
	size_t from, to;          /* rows */
	const struct table *keys; /* NULL: nothing is known about it */
	size_t row;
};

/* A metric, with its groups in the order of their inputs: the first RUNS_MAX. */
struct metric {
	size_t group[RUNS_MAX];
	size_t nrun, more;
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
	struct group *group;
	size_t ngroup;
	struct metric *v;
	size_t n;
};

static double key_number(const struct metrics *m, size_t group, const char *key)
{
	const struct group *g = &m->group[group];

	return g->keys ? table_number(g->keys, g->row, key) : NAN;
}

static struct span key_word(const struct metrics *m, size_t group, const char *key)
{
	const struct group *g = &m->group[group];

	return g->keys ? table_word(g->keys, g->row, key) : (struct span){ "", 0 };
}

static enum unit unit_of(const struct metrics *m, size_t group)
{
	struct span unit = key_word(m, group, "unit");

	if (span_is(unit, "ns"))
		return UNIT_NS;
	if (span_is(unit, "bytes"))
		return UNIT_BYTES;
	return span_is(unit, "ratio") ? UNIT_RATIO : UNIT_NONE;
}

/* Samples of nvidia-smi have charts of their own. */
static bool is_of_smi(const struct metrics *m, size_t group)
{
	return span_starts(key_word(m, group, "kind"), "smi_");
}

/* Where points stand for several values: a line through the lowest and the highest of each stretch,
 * which looks as all of them would. */
static bool put_extremes(struct chart *c, struct chart_panel *p, const struct points *s)
{
	size_t n = 0, i = FIRST_FROM(k, s->from, s->to, !isnan(rows_number(s->r, k, "low")));

	if (i == s->to)
		return false;
	struct chart_series *line = chart_series(
		c, p, MARK_LINE, "values", COLOR_SHADE, 2 * (s->to - s->from) + s->breaks);
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

/* A line between two values that go up and down all the time would be a plain area. */
static void show_two_values(struct chart_series *s)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < s->n; i++) {
		low = fmin(low, s->y[i]);
		high = fmax(high, s->y[i]);
	}
	if (s->n > 2 && !ANY(i, s->n, s->y[i] > low && s->y[i] < high))
		s->mark = MARK_POINTS;
}

/* Values spread over decades, and not a few of them that come near to 0. */
static bool is_over_decades(struct chart *c, const struct points *s, double low, double high)
{
	size_t n = s->to - s->from;
	double *v = arena_array(&c->mem, n, sizeof(*v));

	rows_fill(v, s->r, s->from, s->to, "y");
	chart_sort(v, n);
	return low > 0 && high / low >= DECADES &&
		high / chart_quantile(v, n, 0.5) >= sqrt(DECADES);
}

/* ---- groups ---- */

/* The row about a group, from the one behind that of the last group on: they stand in one order. */
static void find_key(const struct metrics *m, struct group *g, size_t start)
{
	size_t n = table_rows(g->keys);

	for (size_t i = 0; i < n; i++) {
		g->row = (start + i) % n;
		if (span_eq(table_word(g->keys, g->row, "key"), rows_word(m->r, g->from, "key")) &&
			span_eq(table_word(g->keys, g->row, "group"),
				rows_word(m->r, g->from, "group")) &&
			span_eq(table_word(g->keys, g->row, "file"),
				rows_word(m->r, g->from, "file")))
			return;
	}
	g->keys = NULL;
}

static void list_groups(struct metrics *m)
{
	const struct table *keys = NULL;
	size_t n = 0, at = 0, row = 0;

	for (size_t from = 0; from < m->r->n; from = points_end(m->r, from))
		n++;
	m->group = arena_array(&m->c->mem, n, sizeof(*m->group));
	for (size_t from = 0; from < m->r->n; m->ngroup++) {
		struct group *g = &m->group[m->ngroup];
		int input = m->r->t[from]->input;

		*g = (struct group){ .from = from, .to = points_end(m->r, from) };
		while ((keys = answers_table(m->in, points_ask, "keys", at)) &&
			keys->input != input) {
			at++;
			row = 0;
		}
		g->keys = keys;
		if (keys)
			find_key(m, g, row);
		row = g->keys ? g->row + 1 : row;
		from = g->to;
	}
}

/* By metric, then by input, then as they stand. */
static int by_metric(const void *a, const void *b, void *ctx)
{
	const struct metrics *m = ctx;
	const struct group *x = &m->group[*(const size_t *)a], *y = &m->group[*(const size_t *)b];

	return COMPARE_BY(
		span_cmp(rows_word(m->r, x->from, "key"), rows_word(m->r, y->from, "key")),
		span_cmp(rows_word(m->r, x->from, "group"), rows_word(m->r, y->from, "group")),
		compare3(x->from, y->from));
}

static int by_file(const void *a, const void *b, void *ctx)
{
	const struct metrics *m = ctx;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return COMPARE_BY(span_cmp(rows_word(m->r, m->group[x].from, "file"),
				  rows_word(m->r, m->group[y].from, "file")),
		compare3(x, y));
}

/* ---- which metrics ---- */

static bool is_same(const struct metrics *m, size_t a, size_t b, const char *word)
{
	return span_eq(
		rows_word(m->r, m->group[a].from, word), rows_word(m->r, m->group[b].from, word));
}

static void add_run(struct metrics *m, struct metric *v, size_t group)
{
	double moves = key_number(m, group, "moves_ratio");
	double count = key_number(m, group, "count");

	if (v->nrun == RUNS_MAX) {
		v->more++;
		return;
	}
	v->group[v->nrun++] = group;
	v->low = fmin(v->low, key_number(m, group, "min"));
	v->high = fmax(v->high, key_number(m, group, "max"));
	v->moves = fmax(v->moves, isnan(moves) ? 0 : moves);
	v->most = count > (double)v->most ? saturate_size(count) : v->most;
	v->is_constant &= moves == 0;
}

/* How far the runs end apart, of the range of all their values. */
static double apart_of(const struct metrics *m, const struct metric *v)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < v->nrun; i++) {
		double last = key_number(m, v->group[i], "window_mean");

		low = fmin(low, last);
		high = fmax(high, last);
	}
	return v->high > v->low && high > low ? (high - low) / (v->high - v->low) : 0;
}

/* The n groups are one metric. */
static void add_metric(struct metrics *m, const size_t *group, size_t n)
{
	struct metric *v = &m->v[m->n++];

	*v = (struct metric){ .low = INFINITY, .high = -INFINITY, .is_constant = true };
	for (size_t i = 0; i < n; i++)
		add_run(m, v, group[i]);
	v->apart = apart_of(m, v);
}

/* Groups of one name: a metric, or one a file where a run has several of that name. */
static void add_named(struct metrics *m, size_t *group, size_t n)
{
	size_t to;
	bool is_twice = false;

	for (to = 1; to < n; to++)
		is_twice |= m->r->t[m->group[group[to]].from]->input ==
			m->r->t[m->group[group[to - 1]].from]->input;
	if (is_twice)
		qsort_r(group, n, sizeof(*group), by_file, m);
	for (size_t from = 0; from < n; from = to) {
		for (to = from + 1;
			to < n && (!is_twice || is_same(m, group[from], group[to], "file")); to++)
			;
		add_metric(m, group + from, to - from);
	}
}

/* What parts the runs most first, then what moves most; else as in the log. */
ORDER(by_moves, struct metric, compare3_down(a->apart, b->apart), compare3_down(a->moves, b->moves),
	compare3(a->group[0], b->group[0]))

static void gather(struct metrics *m)
{
	size_t *order = arena_array(&m->c->mem, m->r->n ? m->ngroup : 0, sizeof(*order));
	size_t n = 0, to;
	bool has_own = ANY(i, m->ngroup, !is_of_smi(m, i));

	for (size_t i = 0; i < m->ngroup; i++)
		if (!has_own || !is_of_smi(m, i))
			order[n++] = i;
	if (n)
		qsort_r(order, n, sizeof(*order), by_metric, m);
	m->v = arena_array(&m->c->mem, n, sizeof(*m->v));
	for (size_t from = 0; from < n; from = to) {
		for (to = from + 1; to < n && is_same(m, order[from], order[to], "key") &&
			is_same(m, order[from], order[to], "group");
			to++)
			;
		add_named(m, order + from, to - from);
	}
	if (m->n)
		qsort(m->v, m->n, sizeof(*m->v), by_moves);
}

/* ---- what is left out ---- */

/* A note that names those that are, or are not, constant among the ones left out. */
static void name_left_out(const struct metrics *m, bool is_constant, const char *what)
{
	SCOPED_STR b = { 0 };
	size_t n = 0;

	for (EACH(const struct metric, v, m->v, m->n)) {
		if (v->most == 1 ? is_constant : !(v->is_constant && is_constant))
			continue;
		if (++n > NAMED_MAX)
			continue;
		str_adds(&b, b.n ? "; " : what);
		/* "epsilon 1e-08": of runs that differ each value with its run. */
		enum unit unit = unit_of(m, v->group[0]);
		str_adds(&b, points_title(m->c, m->r, m->group[v->group[0]].from, false));
		for (size_t i = 0; i < v->nrun && (i == 0 || v->low != v->high); i++) {
			double value = key_number(m, v->group[i], "last");

			str_addf(&b, "%s%s", i ? ", " : " ", chart_figure(m->c, value, unit));
			if (v->low != v->high)
				str_addf(&b, " (%s)",
					rows_input(m->c, m->r, m->group[v->group[i]].from));
		}
	}
	if (n > NAMED_MAX)
		str_addf(&b, "; %zu more", n - NAMED_MAX);
	if (n)
		chart_note(m->c, "%s", arena_copy(&m->c->mem, b.s, b.n));
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
	SCOPED_STR b = { 0 };
	const char *text = NULL;

	for (size_t i = 0; i < v->nrun; i++) {
		nan += fmax(key_number(m, v->group[i], "nan"), 0);
		inf += fmax(key_number(m, v->group[i], "inf"), 0);
	}
	if (nan > 0)
		str_addf(&b, "%.0f NaN", nan);
	if (inf > 0)
		str_addf(&b, "%s%.0f Inf", b.n ? ", " : "", inf);
	if (b.n)
		text = arena_copy(&m->c->mem, b.s, b.n);
	return text;
}

/* The file that all that is drawn is of, as a note; of several each panel says its own. */
static bool name_file(struct metrics *m)
{
	struct span first = { "", 0 };

	for (size_t i = 0; i < m->n; i++)
		for (size_t k = 0; k < m->v[i].nrun && !is_left_out(&m->v[i]); k++) {
			struct span file = key_word(m, m->v[i].group[k], "file");

			if (first.n && !span_eq(first, file))
				return false;
			first = file;
		}
	if (first.n)
		chart_note(m->c, "logged in %s", chart_text(m->c, first));
	return true;
}

static void put_metric(struct metrics *m, const struct metric *v, bool names_file)
{
	struct span file = key_word(m, v->group[0], "file");
	struct chart_panel *p = chart_panel(m->c, PANEL_XY, NULL);

	p->title = points_title(m->c, m->r, m->group[v->group[0]].from, v->nrun == 1);
	if (names_file && file.n)
		p->title = arena_printf(&m->c->mem, "%s in %s", p->title, chart_text(m->c, file));
	p->note = note_of(m, v);
	const struct group *one = &m->group[v->group[0]];
	struct points first = points_of(m->c, m->r, one->from, one->to);
	p->y = AXIS(NULL, unit_of(m, v->group[0]),
		.is_log = is_over_decades(m->c, &first, v->low, v->high));
	/* Its values, and their windowed mean. */
	if (v->nrun == 1) {
		const struct group *g = &m->group[v->group[0]];
		struct points s = points_of(m->c, m->r, g->from, g->to);
		p->x = points_axis(m->c, m->in, &s);
		bool is_thinned = put_extremes(m->c, p, &s);
		if (!is_thinned) {
			points_line(m->c, p, &s, "y", "value", COLOR_SHADE);
			show_two_values(&p->series[p->nseries - 1]);
		}
		points_line(m->c, p, &s,
			is_thinned && isnan(rows_number(m->r, g->from, "window_mean"))
				? "y"
				: "window_mean",
			"mean of 100", COLOR_SHADE_5);
	}
	/* A line a run, of the windowed means: values of several would hide each other. */
	else
		for (size_t i = 0; i < v->nrun; i++) {
			const struct group *g = &m->group[v->group[i]];
			struct points s = points_of(m->c, m->r, g->from, g->to);
			int input = m->r->t[g->from]->input;
			const char *key = isnan(rows_number(m->r, g->from, "window_mean"))
				? "y"
				: "window_mean";
			p->x = points_axis(m->c, m->in, &s);
			points_line(m->c, p, &s, key,
				rows_input(m->c, m->r, m->group[v->group[i]].from),
				theme_series(input < 0 ? i : (size_t)input));
		}
}

static bool draw_series(const struct answers *in, struct chart *c, const char *ask)
{
	struct chart_rows r = chart_rows(c, in, ask, "points", 0);
	struct metrics m = { .in = in, .c = c, .r = &r };
	bool is_cut = false, is_laid_over = false, is_more = false;

	if (r.n == 0)
		return chart_refuse(c, "no metrics over steps");
	list_groups(&m);
	gather(&m);
	bool is_one_file = name_file(&m);
	for (size_t i = 0; i < m.n && !is_cut; i++) {
		if (is_left_out(&m.v[i]))
			continue;
		is_cut = c->npanel == PANELS_MAX;
		is_laid_over |= !is_cut && m.v[i].nrun > 1;
		is_more |= !is_cut && m.v[i].more > 0;
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
	if (is_more)
		chart_note(c, "the first %d runs", RUNS_MAX);
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
	.source = "the guides of DeepSeekMath-V2 and rldk: loss, reward and KL curves",
	.ask = { points_ask },
	.draw = draw_series,
};
