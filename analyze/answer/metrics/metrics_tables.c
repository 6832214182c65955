/* `metrics`: the table of keys, points of curves, and figures the file wrote itself. */
#include "analyze/answer/metrics/metrics.h"
#include "analyze/analysis/row_limit.h"
#include "analyze/trace/columns/record.h"
#include "analyze/trace/run.h"

enum { PEOPLE_KEYS = 40, MACHINE_POINTS = 1000 };

static const char *unit_word(enum unit unit)
{
	switch (unit) {
	case UNIT_NS: return "ns";
	case UNIT_BYTES: return "bytes";
	case UNIT_RATIO: return "ratio";
	case UNIT_COUNT: return "count";
	default: break;
	}
	return NULL;
}

static const char *axis_word(const struct metrics *m, const struct series *s)
{
	static const char *const words[] = { [AXIS_ROW] = "row",
		[AXIS_STEP] = "step",
		[AXIS_TIME] = "time",
		[AXIS_REPEAT] = "repeat" };

	return m->o->x ? m->o->x : words[s->axis];
}

static void put_word(struct table *t, size_t col, const char *word)
{
	if (word)
		table_text(t, col, span_of(word));
}

static void put_figures(struct table *t, const struct metrics_key *k)
{
	TABLE_CELLS(t, [MKEY_N] = cell_int(k->n), [MKEY_LAST] = cell_real(k->last),
		[MKEY_WINDOW_MEAN] = cell_real(k->window_mean),
		[MKEY_WINDOW_STD] = cell_real(k->window_std), [MKEY_WINDOW] = cell_size(k->window),
		[MKEY_MEAN] = cell_real(k->mean), [MKEY_STD] = cell_real(k->std),
		[MKEY_MIN] = cell_real(k->min), [MKEY_MAX] = cell_real(k->max),
		[MKEY_P25] = cell_real(k->p25), [MKEY_P50] = cell_real(k->p50),
		[MKEY_P75] = cell_real(k->p75), [MKEY_P95] = cell_real(k->p95),
		[MKEY_P99] = cell_real(k->p99), [MKEY_EMA] = cell_real(k->ema),
		[MKEY_MOVES] = cell_real(k->moves), [MKEY_POWER] = cell_real(k->power));
}

static void put_trend(struct table *t, const struct metrics_key *k)
{
	const struct metrics_change *c = &k->change;
	double base = fabs(k->window_mean - c->delta);

	put_word(t, MKEY_TREND, c->word);
	table_real(t, MKEY_DELTA, c->delta);
	if (base > 0)
		TABLE_CELLS(t, [MKEY_CHANGE] = cell_real(c->delta / base),
			[MKEY_LO] = cell_real(c->lo / base), [MKEY_HI] = cell_real(c->hi / base));
	TABLE_CELLS(t, [MKEY_SLOPE] = cell_real(k->trend.slope),
		[MKEY_SLOPE_LO] = cell_real(isfinite(k->trend.lo) ? k->trend.lo : NAN),
		[MKEY_SLOPE_HI] = cell_real(isfinite(k->trend.hi) ? k->trend.hi : NAN),
		[MKEY_P] = cell_real(k->trend.p), [MKEY_TAU] = cell_real(k->trend.tau));
}

static const char *file_of(const struct metrics *m, const struct series *s)
{
	const struct record *r = m->at->record;

	return r->nartifact ? run_below(m->at->run, r->artifact[s->artifact].path) : "";
}

static void put_name(const struct metrics *m, struct table *t, const struct series *s)
{
	const char *file = file_of(m, s);
	struct arena *mem = t->mem;
	struct span name = s->name;

	if (s->group.n && s->axis == AXIS_REPEAT && m->at->q->for_people)
		name = span_of(arena_printf(
			mem, "%.*s/%.*s", (int)s->group.n, s->group.p, (int)name.n, name.p));
	else if (s->group.n && m->at->q->for_people)
		name = span_of(arena_printf(
			mem, "%.*s (%.*s)", (int)name.n, name.p, (int)s->group.n, s->group.p));
	/* Another file has a key of that name. */
	if (m->at->q->for_people &&
		ANY(i, m->nkey,
			m->key[i].s != s && span_eq(m->key[i].s->name, s->name) &&
				span_eq(m->key[i].s->group, s->group)))
		name = span_of(arena_printf(mem, "%.*s in %s", (int)name.n, name.p, file));
	TABLE_CELLS(t, [MKEY_KEY] = cell_text(name), [MKEY_FILE] = CELL_IF(*file, cell_word(file)));
	if (m->at->record->nartifact)
		put_word(t, MKEY_KIND, m->at->record->artifact[s->artifact].kind);
}

static void put_key(struct metrics *m, struct table *t, const struct metrics_key *k)
{
	const struct series *s = k->s;

	table_row(t);
	table_unit(t, k->unit);
	put_name(m, t, s);
	if (s->group.n)
		table_text(t, MKEY_GROUP, s->group);
	put_word(t, MKEY_UNIT, unit_word(k->unit));
	put_word(t, MKEY_ROLE, metric_role_word(k->role));
	put_word(t, MKEY_AXIS, axis_word(m, s));
	put_word(t, MKEY_QUANTILE, series_is_exact(s) ? "linear" : "sample");
	TABLE_CELLS(t, [MKEY_DDOF] = cell_int(m->limit->ddof), [MKEY_WARMUP] = cell_size(k->warmup),
		[MKEY_NAN] = cell_int(s->nan), [MKEY_INF] = cell_int(s->inf),
		[MKEY_MISSING] = cell_int(s->missing));
	if (k->n == 0) {
		table_int(t, MKEY_N, 0);
		return;
	}
	put_figures(t, k);
	put_trend(t, k);
	if (m->at->q->for_people)
		table_text(t, MKEY_SPARK, curve_spark(&k->c, CURVE_SPARK, &m->at->out->mem));
}

/* A metric of which the file has figures only. */
static void put_summary(struct table *t, const struct table *s, size_t row)
{
	static const struct {
		size_t to, from;
	} cols[] = { { MKEY_LAST, SUMMARIES_LATEST }, { MKEY_MEAN, SUMMARIES_MEAN },
		{ MKEY_STD, SUMMARIES_STD }, { MKEY_MIN, SUMMARIES_MIN },
		{ MKEY_MAX, SUMMARIES_MAX }, { MKEY_P25, SUMMARIES_P25 },
		{ MKEY_P50, SUMMARIES_MEDIAN }, { MKEY_P75, SUMMARIES_P75 },
		{ MKEY_P95, SUMMARIES_P95 }, { MKEY_WINDOW_MEAN, SUMMARIES_MEAN },
		{ MKEY_WINDOW_STD, SUMMARIES_STD } };
	const union cell *name = table_cell(s, row, SUMMARIES_NAME);
	const union cell *n = table_cell(s, row, SUMMARIES_COUNT);
	enum unit unit;
	double factor;

	metrics_unit(name->s, measure_of_key(name->s), &unit, &factor);
	table_row(t);
	table_unit(t, unit);
	table_text(t, MKEY_KEY, name->s);
	put_word(t, MKEY_UNIT, unit_word(unit));
	put_word(t, MKEY_ROLE, metric_role_word(metric_role(name->s)));
	put_word(t, MKEY_QUANTILE, "as written");
	if (n)
		table_int(t, MKEY_N, n->i);
	for (size_t i = 0; i < COUNT_OF(cols); i++) {
		const union cell *c = table_cell(s, row, cols[i].from);

		if (c)
			table_real(t, cols[i].to, c->r * factor);
	}
}

static const struct series *series_of(const struct record *r, struct span name, int artifact)
{
	for (size_t i = 0; i < r->nseries; i++)
		if (r->series[i]->artifact == artifact && span_eq(r->series[i]->name, name))
			return r->series[i];
	return NULL;
}

static void put_summaries(struct metrics *m, struct table *t)
{
	const struct record *r = m->at->record;

	for (size_t i = 0; i < r->nsheet; i++) {
		const struct sheet *s = r->sheet[i];

		if (s->kind != SHEET_SUMMARIES)
			continue;
		for (size_t row = 0; row < s->table.nrow; row++) {
			const union cell *name = table_cell(&s->table, row, SUMMARIES_NAME);

			if (name && !series_of(r, name->s, s->artifact))
				put_summary(t, &s->table, row);
		}
	}
}

/* The overall mean stands beside the window's where they are of different values. */
static uint64_t visible_keys(const struct metrics *m, const struct table_doc *doc)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < doc->ncol; i++)
		if (!(doc->col[i].flags & COLUMN_HIDDEN))
			bits |= UINT64_C(1) << i;
	return ANY(i, m->nkey, m->key[i].n > (int64_t)m->key[i].window)
		? bits
		: bits & ~(UINT64_C(1) << MKEY_MEAN);
}

/* People read settings and the like in one line, where there is more than that. */
static bool is_in_line(const struct metrics *m, const struct metrics_key *k)
{
	return m->at->q->for_people && !m->key_regex && m->o->limit != 0 && k->is_set &&
		k->unit == UNIT_NONE && !m->key[0].is_set;
}

static void say_settings(struct metrics *m)
{
	enum { SAID = 20 };
	SCOPED_STR b = { 0 };
	size_t n = 0, said = 0;

	for (EACH(const struct metrics_key, k, m->key, m->nkey)) {
		if (!is_in_line(m, k))
			continue;
		n++;
		if (k->s->group.n == 0 && said < SAID)
			str_addf(&b, "%s%.*s %.6g", said++ ? ", " : "", (int)k->s->name.n,
				k->s->name.p, k->last);
	}
	if (n > said)
		str_addf(&b, "%s%zu more", said ? " and " : "", n - said);
	if (n)
		result_note(m->at->out, NOTE_INFO, "metrics_settings", m->at->input, (int64_t)n,
			"set once, or never changing (-n 0 shows their rows): %s", b.s);
}

void metrics_put_keys(struct metrics *m)
{
	struct table *t = perrun_table_seen(m->at, &metrics_docs[METRICS_TABLE_KEYS],
		visible_keys(m, &metrics_docs[METRICS_TABLE_KEYS]));
	size_t left = rows_limit(m->at->q, m->o->limit, PEOPLE_KEYS, SIZE_MAX);

	for (EACH(const struct metrics_key, k, m->key, m->nkey)) {
		if (is_in_line(m, k))
			continue;
		if (left > 0)
			put_key(m, t, k);
		t->ncut += left == 0;
		left -= left > 0;
	}
	say_settings(m);
	if (t->ncut)
		t->footnote = arena_printf(&m->at->out->mem,
			"... %zu more keys (-n 0 shows all, --key chooses)", t->ncut);
	else if (!m->key_regex)
		put_summaries(m, t);
}

/* --- points --- */

/* The extremes of [from, to), so that no thinning hides them. */
static void put_extremes(struct table *t, const struct curve *c, size_t from, size_t to)
{
	const double *lows = c->is_exact ? c->y : c->lo, *highs = c->is_exact ? c->y : c->hi;
	double low = lows[from], high = highs[from];

	if (c->is_exact && to - from == 1)
		return;
	for (size_t i = from + 1; i < to; i++) {
		low = MIN(lows[i], low);
		high = MAX(highs[i], high);
	}
	TABLE_CELLS(t, [MPOINT_LOW] = cell_real(low), [MPOINT_HIGH] = cell_real(high));
}

static void put_points(
	struct metrics *m, struct table *t, const struct metrics_key *k, size_t points)
{
	const struct curve *c = &k->c;
	size_t n = MIN(c->n, points), w = m->limit->window, from = 0;
	struct arena_mark mark = arena_mark(&m->at->mem);
	double *sum = arena_array(&m->at->mem, c->n + 1, sizeof(*sum));
	const char *file = file_of(m, k->s);

	for (size_t i = 0; i < c->n; i++)
		sum[i + 1] = sum[i] + (c->y[i] - c->y[0]);
	for (size_t i = 0; i < n; i++) {
		size_t to = (i + 1) * c->n / n, back = to > w ? to - w : 0;
		double y = 0;

		for (size_t j = from; j < to; j++)
			y += c->y[j] / (double)(to - from);
		table_row(t);
		table_unit(t, k->unit);
		TABLE_CELLS(t, [MPOINT_KEY] = cell_text(k->s->name),
			[MPOINT_GROUP] = cell_name(k->s->group),
			[MPOINT_FILE] = CELL_IF(*file, cell_word(file)),
			[MPOINT_X] = cell_real(c->x[to - 1]), [MPOINT_Y] = cell_real(y),
			[MPOINT_MEAN] = CELL_IF(c->is_exact,
				cell_real(c->y[0] + (sum[to] - sum[back]) / (double)(to - back))));
		put_extremes(t, c, from, to);
		from = to;
	}
	arena_reset(&m->at->mem, mark);
}

void metrics_put_curves(struct metrics *m)
{
	int64_t points = m->o->points;

	if (points < 0)
		points = m->at->q->for_people ? -1 : MACHINE_POINTS;
	if (points < 0)
		return;
	struct table *t = perrun_table(m->at, &metrics_docs[METRICS_TABLE_POINTS]);
	for (size_t i = 0; i < m->nkey; i++)
		put_points(m, t, &m->key[i], points ? (size_t)points : SIZE_MAX);
}

/* --- what the file says of its own values --- */

#define WRITTEN_ROUNDING 1e-3 /* programs round what they write */

struct written {
	struct metrics *m;
	struct lazy_table to;
};

static void compare(struct written *w, struct span key, const char *figure, const union cell *file,
	double ours, const char *formula)
{
	double d = file ? fabs(file->r - ours) : 0;

	if (!file || !(d > WRITTEN_ROUNDING * fmax(fabs(file->r), fabs(ours))))
		return;
	struct table *t = lazy_table(&w->to);
	TABLE_ROW(t, [MWRITTEN_KEY] = cell_text(key), [MWRITTEN_FIGURE] = cell_word(figure),
		[MWRITTEN_FILE] = cell_real(file->r), [MWRITTEN_OURS] = cell_real(ours),
		[MWRITTEN_WHY] = cell_word(formula));
}

static void compare_row(
	struct written *w, const struct table *t, size_t row, const struct series *s)
{
	struct arena *mem = &w->m->at->mem;
	struct arena_mark mark = arena_mark(mem);
	double *v = arena_array(mem, (size_t)s->n, sizeof(*v));
	const char *linear = "linear between order statistics";
	size_t n = (size_t)s->n;

	for (size_t i = 0; i < n; i++)
		v[i] = s->point[i].y;
	quantile_sort(v, n);
#define FIGURE(col, figure, value, formula) \
	compare(w, s->name, figure, table_cell(t, row, col), value, formula)
	FIGURE(SUMMARIES_LATEST, "latest", s->last.y, "the last value");
	FIGURE(SUMMARIES_MEAN, "mean", s->mean, "of all values");
	FIGURE(SUMMARIES_STD, "std", series_std(s, 0), "divided by n");
	FIGURE(SUMMARIES_MIN, "min", s->min, "of all values");
	FIGURE(SUMMARIES_MAX, "max", s->max, "of all values");
	FIGURE(SUMMARIES_MEDIAN, "median", quantile_sorted(v, n, 0.5), linear);
	FIGURE(SUMMARIES_P25, "p25", quantile_sorted(v, n, 0.25), linear);
	FIGURE(SUMMARIES_P75, "p75", quantile_sorted(v, n, 0.75), linear);
	FIGURE(SUMMARIES_P95, "p95", quantile_sorted(v, n, 0.95), linear);
#undef FIGURE
	arena_reset(mem, mark);
}

void metrics_put_written(struct metrics *m)
{
	const struct record *r = m->at->record;
	struct written w = { m, { m->at, &metrics_docs[METRICS_TABLE_WRITTEN], NULL } };

	for (size_t i = 0; i < r->nsheet; i++) {
		const struct sheet *sheet = r->sheet[i];

		if (sheet->kind != SHEET_SUMMARIES)
			continue;
		for (size_t row = 0; row < sheet->table.nrow; row++) {
			const union cell *name = table_cell(&sheet->table, row, SUMMARIES_NAME);
			const struct series *s =
				name ? series_of(r, name->s, sheet->artifact) : NULL;

			if (s && s->n && series_is_exact(s))
				compare_row(&w, &sheet->table, row, s);
		}
	}
}
