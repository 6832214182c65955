/*
 * `metrics`: throughput as work over time, and stages with their share of an iteration.
 */
#include <inttypes.h>
#include <math.h>

#include "analyze/metrics.h"
#include "analyze/store/record.h"
#include "base/compiler.h"

/* --- throughput --- */

static void put_rate(struct lazy_table *to, const char *what, double value, const char *how,
	struct span source, size_t n)
{
	struct table *t;

	if (!(value > 0) || isinf(value))
		return;
	t = lazy_table(to);
	table_row(t);
	table_text(t, MRATE_WHAT, span_of(what));
	table_real(t, MRATE_VALUE, value);
	table_text(t, MRATE_HOW, span_of(how));
	table_textf(t, MRATE_SOURCE, "%.*s", (int)source.n, source.p);
	if (n)
		table_int(t, MRATE_N, (int64_t)n);
}

/* The value of a rising count at x: of the last entry at or before it; NaN: none. */
static double count_at(const struct curve *c, double x)
{
	size_t lo = 0, hi = c->n;

	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;

		if (c->x[middle] <= x)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo ? c->y[lo - 1] : NAN;
}

/* The last values of a key, at most `want`, in base units; fewer of one that is not exact. */
static void last_values(
	struct curve *out, const struct metrics_key *k, size_t want, struct arena *mem)
{
	struct point *p;
	size_t i;

	if (k->c.is_exact) {
		size_t n = k->c.n < want ? k->c.n : want;

		*out = (struct curve){ k->c.x + (k->c.n - n), k->c.y + (k->c.n - n), n, true, 0,
			0 };
		return;
	}
	want = want < SERIES_LAST ? want : SERIES_LAST;
	p = arena_array(mem, want, sizeof(*p));
	*out = (struct curve){ .n = series_last(k->s, want, p) };
	out->x = arena_array(mem, out->n, sizeof(*out->x));
	out->y = arena_array(mem, out->n, sizeof(*out->y));
	for (i = 0; i < out->n; i++) {
		out->x[i] = p[i].x;
		out->y[i] = p[i].y * k->factor;
	}
}

/* Growth of the count of tokens over the last window, over the time of its steps. */
static void put_tokens(struct metrics *m, struct lazy_table *to)
{
	const struct metrics_key *tokens = metrics_find(m, ROLE_TOKENS);
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	struct arena *mem = &m->at->mem;
	struct curve steps, counts;
	double seconds = 0;
	size_t i;

	if (!tokens || !step || step->unit != UNIT_NS || m->axis)
		return;
	last_values(&steps, step, m->limit->window + 1, mem);
	last_values(&counts, tokens, m->limit->window + 1, mem);
	if (steps.n < 2)
		return;
	for (i = 1; i < steps.n; i++)
		seconds += steps.y[i] / 1e9;
	put_rate(to, "tokens/s",
		(count_at(&counts, steps.x[steps.n - 1]) - count_at(&counts, steps.x[0])) / seconds,
		"sum/sum",
		span_of(arena_printf(mem, "%.*s, %.*s", (int)tokens->s->name.n, tokens->s->name.p,
			(int)step->s->name.n, step->s->name.p)),
		steps.n - 1);
}

static double config(const struct metrics *m, const char *key)
{
	double v = scalar_number(record_find(&m->at->record->config, key));
	struct arena *mem = &m->at->mem;

	if (isnan(v))
		v = scalar_number(
			record_find(&m->at->record->scalars, arena_printf(mem, "config.%s", key)));
	return v;
}

static bool is_preference(const struct metrics *m)
{
	static const char *const keys[] = { "training_type", "type", "name" };
	size_t i;

	for (i = 0; i < COUNT_OF(keys); i++) {
		const struct scalar *s = record_find(&m->at->record->config, keys[i]);

		if (s && s->type == SCALAR_TEXT && span_has_nocase(s->text, "dpo"))
			return true;
	}
	return false;
}

/* What the configuration says a step is, over step times. */
static void put_configured(struct metrics *m, struct lazy_table *to)
{
	const struct metrics_key *step = metrics_find(m, ROLE_STEP_TIME);
	double batch = config(m, "batch_size"), length = config(m, "max_length");
	double many = config(m, "gradient_accumulation_steps"), seconds;
	size_t n;

	if (!step || step->unit != UNIT_NS || step->window == 0 || isnan(batch))
		return;
	n = step->window;
	seconds = step->window_mean * (double)n / 1e9;
	many = isnan(many) ? 1 : many;
	put_rate(to, "samples/s", batch * many * (double)n / seconds, "sum/sum",
		SPAN("batch_size x gradient_accumulation_steps, step time"), n);
	put_rate(to, "tokens/s",
		batch * many * length * (is_preference(m) ? 2 : 1) * (double)n / seconds, "padded",
		SPAN("batch_size x gradient_accumulation_steps x max_length, step time"), n);
}

/*
 * Logged rates of steps that do equal work: work over time is their harmonic mean; the mean of
 * rates is what the documents print.
 */
static void put_logged(
	struct metrics *m, struct lazy_table *to, enum metric_role role, const char *what)
{
	const struct metrics_key *k = metrics_find(m, role);
	double inverse = 0;
	size_t i, n;

	if (!k || k->c.n == 0)
		return;
	n = k->window;
	for (i = k->c.n - (n < k->c.n ? n : k->c.n); i < k->c.n; i++)
		inverse += 1 / k->c.y[i];
	if (k->c.is_exact)
		put_rate(to, what, (double)n / inverse, "harmonic mean of rates", k->s->name, n);
	put_rate(to, what, k->window_mean, "mean of rates", k->s->name, n);
}

/* Mean time of a stage of that name in the stages of the file, in seconds; NaN: none. */
static double stage_seconds(const struct metrics *m, const char *name)
{
	const struct sheet *s = record_find_sheet(m->at->record, SHEET_STAGES);
	size_t i;

	for (i = 0; s && i < s->table.nrow; i++) {
		const union cell *stage = table_cell(&s->table, i, STAGES_NAME);
		const union cell *mean = table_cell(&s->table, i, STAGES_MEAN);

		if (stage && mean && span_is(stage->s, name))
			return mean->r / 1e9;
	}
	return NAN;
}

/* Figures a profile states, and what follows from them: 9.4/s x 0.425 s = 4 samples. */
static void put_written(struct metrics *m, struct lazy_table *to)
{
	static const char *const tokens_keys[] = { "throughput.tokens_per_sec",
		"perf.approx_tokens_per_sec" };
	const struct scalars *s = &m->at->record->scalars;
	double samples = scalar_number(record_find(s, "throughput.samples_per_sec"));
	double iteration = stage_seconds(m, "iteration"), tokens = NAN;
	size_t i;

	put_rate(to, "samples/s", samples, "as written", SPAN("throughput.samples_per_sec"), 0);
	for (i = 0; i < COUNT_OF(tokens_keys); i++) {
		double v = scalar_number(record_find(s, tokens_keys[i]));

		put_rate(to, "tokens/s", v, "as written", span_of(tokens_keys[i]), 0);
		tokens = isnan(tokens) ? v : tokens;
	}
	put_rate(to, "tokens/sample", tokens / samples, "as written",
		SPAN("tokens/s over samples/s"), 0);
	put_rate(to, "samples/iteration", samples * iteration, "as written",
		SPAN("samples/s x mean iteration"), 0);
}

void metrics_put_throughput(struct metrics *m, const struct table_doc *doc)
{
	struct lazy_table to = { m->at, doc, NULL };

	put_tokens(m, &to);
	put_configured(m, &to);
	put_logged(m, &to, ROLE_SAMPLES_PER_S, "samples/s");
	put_logged(m, &to, ROLE_TOKENS_PER_S, "tokens/s");
	put_written(m, &to);
}

/* --- stages --- */

struct stage {
	struct span name;
	double total, mean; /* ns; NaN: not known */
	int64_t calls;      /* -1: not known */
	bool is_whole;      /* iteration, step, total: holds the others */
};

static bool is_whole(struct span name)
{
	static const char *const words[] = { "iteration", "step", "total", "train_step",
		"training_step", "iteration_time", "step_time" };
	size_t i;

	for (i = 0; i < COUNT_OF(words); i++)
		if (span_is_nocase(name, words[i]))
			return true;
	return false;
}

/* epoch_0, step_12: in these files they hold the time before their first stage only. */
static bool is_bracket(struct span name)
{
	static const char *const words[] = { "epoch_", "step_" };
	size_t i, k;

	for (i = 0; i < COUNT_OF(words); i++) {
		size_t n = span_of(words[i]).n;

		if (!span_starts(name, words[i]) || name.n == n)
			continue;
		for (k = n; k < name.n && name.p[k] >= '0' && name.p[k] <= '9';)
			k++;
		if (k == name.n)
			return true;
	}
	return false;
}

static double cell_real(const struct table *t, size_t row, size_t col)
{
	const union cell *c = table_cell(t, row, col);

	return c ? c->r : NAN;
}

/* Rows of one name are one stage: kits that list every call. */
static size_t read_stages(struct stage *v, const struct table *t)
{
	size_t row, i, n = 0;

	for (row = 0; row < t->nrow; row++) {
		const union cell *name = table_cell(t, row, STAGES_NAME);
		const union cell *calls = table_cell(t, row, STAGES_CALLS);
		double total = cell_real(t, row, STAGES_TOTAL),
		       mean = cell_real(t, row, STAGES_MEAN);

		if (!name)
			continue;
		for (i = 0; i < n && !span_eq(v[i].name, name->s);)
			i++;
		if (i == n) {
			v[n++] = (struct stage){ name->s, total, mean, calls ? calls->i : -1,
				is_whole(name->s) };
			if (isnan(total) && calls)
				v[i].total = mean * (double)calls->i;
			if (isnan(mean))
				v[i].mean = total / (calls && calls->i > 0 ? (double)calls->i : 1);
			continue;
		}
		v[i].total += total;
		v[i].calls = v[i].calls < 0 ? 2 : v[i].calls + (calls ? calls->i : 1);
		v[i].mean = v[i].total / (double)v[i].calls;
	}
	return n;
}

struct stages {
	struct stage *v;
	size_t n;
	const struct stage *whole;
	bool by_total;
	double sum; /* of stages that are none of whole and brackets */
};

static double figure(const struct stages *s, const struct stage *v)
{
	return s->by_total ? v->total : v->mean;
}

static void add_up(struct stages *s)
{
	size_t i;

	s->by_total = true;
	for (i = 0; i < s->n; i++) {
		s->by_total = s->by_total && !isnan(s->v[i].total);
		if (s->v[i].is_whole && !s->whole)
			s->whole = &s->v[i];
	}
	for (i = 0; i < s->n; i++)
		if (!s->v[i].is_whole && !is_bracket(s->v[i].name))
			s->sum += figure(s, &s->v[i]);
}

static void put_stage(struct table *t, const struct stages *s, const struct stage *v)
{
	double whole = s->whole ? figure(s, s->whole) : s->sum;

	table_row(t);
	table_text(t, MSTAGE_NAME, v->name);
	if (v->calls >= 0)
		table_int(t, MSTAGE_CALLS, v->calls);
	table_real(t, MSTAGE_TOTAL, v->total);
	table_real(t, MSTAGE_MEAN, v->mean);
	if (whole > 0)
		table_real(t, MSTAGE_SHARE, figure(s, v) / whole);
}

static void judge(struct metrics *m, struct table *t, const struct stages *s)
{
	double whole, rest;
	size_t i;

	if (!s->whole || !(s->sum > 0) || !(figure(s, s->whole) > 0))
		return;
	whole = figure(s, s->whole);
	rest = whole - s->sum;
	table_row(t);
	table_text(t, MSTAGE_NAME, SPAN("(unattributed)"));
	table_real(t, s->by_total ? MSTAGE_TOTAL : MSTAGE_MEAN, rest);
	table_real(t, MSTAGE_SHARE, rest / whole);
	t->nfoot++;
	if (fabs(rest) > 0.05 * whole)
		metrics_found(m, RULE_D15, s->whole->name,
			"the stages' sum is %.1f %% of it: %.4g of %.4g s", 100 * s->sum / whole,
			s->sum / 1e9, whole / 1e9);
	for (i = 0; i < s->n; i++)
		if (metric_role(s->v[i].name) == ROLE_WAIT && figure(s, &s->v[i]) > 0.2 * whole)
			metrics_found(m, RULE_D13, s->v[i].name, "%.1f %% of an iteration",
				100 * figure(s, &s->v[i]) / whole);
}

void metrics_put_stages(struct metrics *m, const struct table_doc *doc)
{
	const struct sheet *sheet = record_find_sheet(m->at->record, SHEET_STAGES);
	struct stages s = { .whole = NULL };
	struct table *t;
	size_t i;

	if (!sheet || sheet->table.nrow == 0)
		return;
	s.v = arena_array(&m->at->mem, sheet->table.nrow, sizeof(*s.v));
	s.n = read_stages(s.v, &sheet->table);
	add_up(&s);
	t = each_record_table(m->at, doc);
	for (i = 0; i < s.n; i++)
		put_stage(t, &s, &s.v[i]);
	judge(m, t, &s);
}
