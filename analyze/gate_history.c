/*
 * `gate --history`: did the level change, and is the newest run off?
 *
 * A change of level counts when it is among the last --recent runs; older ones are history.  A
 * single run that is off is a warning, so many in a row as --confirm says are a failure: a bad
 * night is seldom followed by another one without a reason.
 */
#include <math.h>
#include <string.h>

#include "analyze/gate.h"
#include "analyze/sides.h"
#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/store/history.h"
#include "base/unit.h"

static const double alarm_z = 4;
enum { SEGMENT_LAST = 40, NOISE_LEAST = 5 };

/* A figure along the runs, and what is to be said of it. */
struct nightly {
	struct segment_series s;
	const struct gate_rule *rule;
	size_t begin;  /* of the segment of the newest run */
	double median; /* of that segment without the newest */
	double change; /* newest against it; ratio, or points */
	double z;      /* NaN: too few runs, or nothing varies */
	double tolerance;
	const struct changepoint *recent; /* the last one that counts, or NULL */
	const char *accepted;             /* why that is no failure */
	enum verdict_state state;
	const char *message;
};

double gate_history_noise(const struct metric *base)
{
	double v[SEGMENT_LAST];
	struct moments m;
	size_t i, n = 0;

	if (!base || base->n < NOISE_LEAST)
		return NAN;
	for (i = base->n > SEGMENT_LAST ? base->n - SEGMENT_LAST : 0; i < base->n; i++) {
		double centre = base->sample[i].centre;

		if (!base->is_points && !(centre > 0))
			return NAN;
		v[n++] = base->is_points ? centre : log(centre);
	}
	m = welch_moments(v, n);
	/* the rule takes noise for known; few runs do not know it so well */
	return sqrt(m.variance) * law_t_quantile(0.95, (double)(n - 1)) / law_normal_quantile(0.95);
}

/* ---- one figure ---- */

static bool is_worse(const struct nightly *w, double change)
{
	return w->s.better == BETTER_HIGHER ? change < 0 : change > 0;
}

static double change_of_value(const struct nightly *w, double v, double from)
{
	if (w->s.is_points || from == 0)
		return v - from;
	return (v - from) / fabs(from);
}

/* Whether the value at `at` is off, against the segment before it without the last `skip` values.
 */
static bool is_off(const struct nightly *w, size_t at, size_t end, double *z, double *change,
	double *median, struct arena *mem)
{
	size_t from = w->begin;

	*z = *change = *median = NAN;
	if (end <= from)
		return false;
	if (end - from > SEGMENT_LAST)
		from = end - SEGMENT_LAST;
	*median = quantile_median(w->s.v + from, end - from, mem);
	*change = change_of_value(w, w->s.v[at], *median);
	if (end - from < NOISE_LEAST)
		return false;
	*z = quantile_modified_z_of(w->s.v[at], w->s.v + from, end - from, mem);
	if (*z == 0 && w->s.v[at] != *median)
		*z = w->s.v[at] > *median ? INFINITY : -INFINITY; /* nothing varied until now */
	return fabs(*z) > alarm_z && is_worse(w, *change) && fabs(*change) > w->tolerance;
}

/* How many of the last runs are off in a row, each against what was before the first of them. */
static size_t off_in_a_row(struct nightly *w, size_t most, struct arena *mem)
{
	size_t n = w->s.n, k, off = 0;
	double z, change, median;

	(void)is_off(w, n - 1, n - 1, &w->z, &w->change, &w->median, mem);
	for (k = 1; k <= most && k < n - w->begin; k++) {
		size_t i;

		for (i = 0; i < k; i++)
			if (!is_off(w, n - 1 - i, n - k, &z, &change, &median, mem))
				return off;
		off = k;
		w->z = z; /* of the first of them */
		w->median = median;
		(void)is_off(w, n - 1, n - k, &w->z, &w->change, &w->median, mem);
	}
	return off;
}

static const char *accepted_since(const struct history *h, const struct nightly *w, size_t at)
{
	size_t i;

	for (i = at; i < w->s.n; i++)
		if (w->s.run[i] < h->nrun && h->run[w->s.run[i]].accepted)
			return h->run[w->s.run[i]].accepted;
	return NULL;
}

static void find_recent(struct gate *g, struct nightly *w)
{
	size_t i = w->s.npoint;

	while (i > 0 && w->s.point[i - 1].at + (size_t)g->o->recent >= w->s.n) {
		const struct changepoint *c = &w->s.point[--i];

		if (c->at + (size_t)g->o->confirm > w->s.n)
			continue; /* too new to be a level */
		if (fabs(change_of_value(w, c->after, c->before)) <= w->tolerance)
			continue;
		w->recent = c;
		w->accepted = accepted_since(g->query->history, w, c->at);
		return;
	}
}

/* "2025-11-29", "run 17": how a run is called. */
static const char *name_of(const struct gate *g, size_t run)
{
	const struct history *h = g->query->history;

	if (run >= h->nrun)
		return g->now_label;
	if (h->run[run].label[0])
		return h->run[run].label;
	return arena_printf(&g->out->mem, "run %zu", run + 1);
}

static const char *change_text(const struct gate *g, const struct nightly *w, double change)
{
	struct str b = { 0 };
	const char *text;

	str_adds(&b, change < 0 ? "-" : "+");
	unit_put_fixed(&b, fabs(change) * 100, 1);
	str_adds(&b, w->s.is_points ? " pt" : "%");
	text = arena_copy(&g->out->mem, b.s, b.n);
	str_free(&b);
	return text;
}

static void say_level(struct gate *g, struct nightly *w)
{
	const struct changepoint *c = w->recent;
	double change = change_of_value(w, c->after, c->before);
	const struct history *h = g->query->history;
	size_t run = w->s.run[c->at];
	const char *commit = run < h->nrun ? h->run[run].commit : "";

	w->state = !is_worse(w, change) ? VERDICT_IS_IMPROVED
		: w->accepted           ? VERDICT_IS_NOTE
					: VERDICT_IS_FAIL;
	w->message = arena_printf(&g->out->mem,
		"%s: level changed by %s since %s%s%s (%s -> %s, p=%.2g)%s%s", w->s.id,
		change_text(g, w, change), name_of(g, run), commit[0] ? ", " : "", commit,
		gate_text_value(g, c->before, w->s.unit), gate_text_value(g, c->after, w->s.unit),
		c->p, w->accepted ? ", accepted: " : "", w->accepted ? w->accepted : "");
}

static void say_newest(struct gate *g, struct nightly *w, size_t off)
{
	bool fails = off >= (size_t)g->o->confirm;

	w->state = off == 0 ? VERDICT_IS_PASS : fails ? VERDICT_IS_FAIL : VERDICT_IS_WARN;
	w->message = arena_printf(&g->out->mem, "%s: newest %s, %s against the median of %s%s",
		w->s.id, gate_text_value(g, w->s.v[w->s.n - 1], w->s.unit),
		isnan(w->change) ? "nothing" : change_text(g, w, w->change),
		gate_text_value(g, w->median, w->s.unit),
		off == 0 ? ""
			: fails
			? arena_printf(&g->out->mem, "; %zu in a row are off (z=%.1f)", off, w->z)
			: arena_printf(&g->out->mem, "; it is off (z=%.1f), the one before was not",
				  w->z));
}

static void judge(struct gate *g, struct nightly *w)
{
	size_t confirm = (size_t)g->o->confirm, off;

	w->begin = confirm < w->s.n ? segment_begin(&w->s, w->s.n - confirm + 1) : 0;
	w->z = w->change = w->median = NAN;
	if (w->s.n < SEGMENT_LEAST) {
		w->state = VERDICT_IS_SKIP;
		w->message =
			arena_printf(&g->out->mem, "%s: %zu runs; %d are needed to know the level",
				w->s.id, w->s.n, SEGMENT_LEAST);
		return;
	}
	find_recent(g, w);
	off = off_in_a_row(w, (size_t)g->o->confirm, &g->mem);
	if (w->recent && !(off > 0 && w->accepted))
		say_level(g, w);
	else
		say_newest(g, w, off);
	if (w->state == VERDICT_IS_FAIL && w->rule->level != LEVEL_FAIL)
		w->state = w->rule->level == LEVEL_WARN ? VERDICT_IS_WARN : VERDICT_IS_NOTE;
}

/* ---- the answer ---- */

enum { SEG_CHECK, SEG_FROM, SEG_TO, SEG_RUNS, SEG_MEDIAN, SEG_CV, SEG_CHANGE, SEG_P, SEG_COMMIT };
enum {
	NEW_STATE,
	NEW_CHECK,
	NEW_RUN,
	NEW_VALUE,
	NEW_MEDIAN,
	NEW_CHANGE,
	NEW_Z,
	NEW_TOLERANCE,
	NEW_MESSAGE
};

static const char *commit_of(const struct gate *g, size_t run)
{
	const struct history *h = g->query->history;

	return run < h->nrun && h->run[run].commit[0] ? h->run[run].commit : NULL;
}

static void put_segment(struct gate *g, struct table *t, const struct nightly *w, size_t from,
	size_t to, const struct changepoint *c)
{
	struct moments m = welch_moments(w->s.v + from, to - from);
	double cv = welch_cv(&m);

	table_row(t);
	table_unit(t, w->s.unit);
	table_text(t, SEG_CHECK, span_of(w->s.id));
	table_text(t, SEG_FROM, span_of(name_of(g, w->s.run[from])));
	table_text(t, SEG_TO, span_of(name_of(g, w->s.run[to - 1])));
	table_int(t, SEG_RUNS, (int64_t)(to - from));
	table_real(t, SEG_MEDIAN, quantile_median(w->s.v + from, to - from, &g->mem));
	table_real(t, SEG_CV, cv);
	if (!c)
		return;
	table_real(t, SEG_CHANGE, c->change);
	table_real(t, SEG_P, c->p);
	if (commit_of(g, w->s.run[c->at]))
		table_text(t, SEG_COMMIT, span_of(commit_of(g, w->s.run[c->at])));
}

/* Every run of a figure with the level it is in; for machines. */
static void put_runs(struct gate *g, struct table *t, const struct nightly *w)
{
	size_t from = 0, to, k, i;

	for (k = 0; k <= w->s.npoint; k++, from = to) {
		double level;

		to = k < w->s.npoint ? w->s.point[k].at : w->s.n;
		level = quantile_median(w->s.v + from, to - from, &g->mem);
		for (i = from; i < to; i++) {
			table_row(t);
			table_unit(t, w->s.unit);
			table_text(t, 0, span_of(w->s.id));
			table_text(t, 1, span_of(name_of(g, w->s.run[i])));
			table_int(t, 2, (int64_t)w->s.run[i]);
			table_real(t, 3, w->s.v[i]);
			table_real(t, 4, level);
		}
	}
}

static void put_tables(struct gate *g, const struct nightly *w, size_t n)
{
	const struct table_doc *sd = &gate_docs[GATE_TABLE_SEGMENTS];
	const struct table_doc *nd = &gate_docs[GATE_TABLE_NEWEST];
	const struct table_doc *hd = &gate_docs[GATE_TABLE_HISTORY];
	struct table *t = result_table(g->out, nd->id, nd->title, nd->col, nd->ncol);
	size_t i, k;

	for (i = 0; i < n; i++) {
		table_row(t);
		table_unit(t, w[i].s.unit);
		table_text(t, NEW_STATE, span_of(gate_text_state(g, w[i].state)));
		table_text(t, NEW_CHECK, span_of(w[i].s.id));
		table_text(t, NEW_RUN, span_of(name_of(g, w[i].s.run[w[i].s.n - 1])));
		table_real(t, NEW_VALUE, w[i].s.v[w[i].s.n - 1]);
		table_real(t, NEW_MEDIAN, w[i].median);
		if (!isnan(w[i].change))
			table_text(t, NEW_CHANGE, span_of(change_text(g, &w[i], w[i].change)));
		table_real(t, NEW_Z, w[i].z);
		table_real(t, NEW_TOLERANCE, w[i].tolerance);
		table_text(t, NEW_MESSAGE, span_of(w[i].message));
	}
	t = result_table(g->out, sd->id, sd->title, sd->col, sd->ncol);
	for (i = 0; i < n; i++)
		for (k = 0; k <= w[i].s.npoint; k++)
			put_segment(g, t, &w[i], k ? w[i].s.point[k - 1].at : 0,
				k < w[i].s.npoint ? w[i].s.point[k].at : w[i].s.n,
				k ? &w[i].s.point[k - 1] : NULL);
	if (g->query->for_people)
		return;
	t = result_table(g->out, hd->id, hd->title, hd->col, hd->ncol);
	for (i = 0; i < n; i++)
		put_runs(g, t, &w[i]);
}

static void put_verdict(struct gate *g, const struct nightly *w, size_t n)
{
	struct verdict *v = arena_alloc(&g->out->mem, sizeof(*v));
	size_t i, fails = 0;
	int s;

	*v = (struct verdict){ .name = "gate",
		.suite = "history",
		.state = g->state,
		.exit_code = g->exit_code,
		.now = g->base_label,
		.reproduce =
			arena_printf(&g->out->mem, "traceq gate --history %s", g->base_label) };
	v->check = arena_array(&g->out->mem, n, sizeof(*v->check));
	for (s = VERDICT_STATE_COUNT; s-- > 0;)
		for (i = 0; i < n; i++)
			if ((int)w[i].state == s)
				v->check[v->n++] = (struct verdict_check){
					.state = w[i].state,
					.suite = "level",
					.id = w[i].s.id,
					.base = gate_text_value(g, w[i].median, w[i].s.unit),
					.now = gate_text_value(
						g, w[i].s.v[w[i].s.n - 1], w[i].s.unit),
					.change = isnan(w[i].change)
						? NULL
						: change_text(g, &w[i], w[i].change),
					.message = w[i].message,
					.fails = gate_fails(g, w[i].state),
					.metric = "metric",
					.label = w[i].s.id,
					.value = w[i].s.v[w[i].s.n - 1],
					.unit = UNIT_NONE,
				};
	for (i = 0; i < n; i++)
		fails += gate_fails(g, w[i].state);
	v->summary = arena_printf(
		&g->out->mem, "%zu of %zu check%s failed", fails, n, n == 1 ? "" : "s");
	v->about = arena_printf(&g->out->mem, "%zu runs", g->query->history->nrun);
	g->verdict = v;
	g->out->verdict = v;
}

static void put_line(struct gate *g)
{
	const struct table_doc *d = &gate_docs[GATE_TABLE_VERDICT];
	struct table *t = result_table(g->out, d->id, NULL, d->col, d->ncol);
	size_t i, count[VERDICT_STATE_COUNT] = { 0 };

	for (i = 0; i < g->verdict->n; i++)
		count[g->verdict->check[i].state]++;
	t->layout = TABLE_LINE;
	table_row(t);
	table_textf(t, VER_STATE, "gate %s", gate_text_state(g, g->state));
	table_text(t, VER_SUMMARY, span_of(g->verdict->summary));
	table_text(t, VER_RUNS, span_of(g->verdict->about));
	table_int(t, VER_CHECKS, (int64_t)(g->verdict->n - count[VERDICT_IS_SKIP]));
	table_int(t, VER_FAILED, (int64_t)count[VERDICT_IS_FAIL]);
	table_int(t, VER_WARNED, (int64_t)count[VERDICT_IS_WARN]);
	table_int(t, VER_SKIPPED, (int64_t)count[VERDICT_IS_SKIP]);
	table_int(t, VER_IMPROVED, (int64_t)count[VERDICT_IS_IMPROVED]);
}

/* The rule for a figure: the built-in check it belongs to, one that was chosen, or any. */
static const struct gate_rule *rule_of(const struct gate *g, const char *id)
{
	static const struct gate_def any = { .id = "metric", .suite = "metrics" };
	struct gate_rule *own;
	size_t i, k;

	for (i = 0; i < g->rules.n; i++) {
		const struct gate_rule *r = &g->rules.v[i];

		if (strcmp(r->id, id) == 0)
			return r;
		for (k = 0; k < GATE_NAMES && r->def->metric[k]; k++)
			if (strcmp(r->def->metric[k], id) == 0)
				return r;
	}
	own = arena_alloc(&g->out->mem, sizeof(*own));
	*own = (struct gate_rule){ .def = &any, .id = id, .tolerance = 0.05, .accepted = 1 };
	return own;
}

/* The new side's figure behind the others, as the newest run. */
static void append_new(struct gate *g, struct nightly *w, size_t metric)
{
	const struct metric *m = metricset_find(&g->now, w->s.id);
	double *v;
	size_t *run, n = w->s.n;
	const struct history *h = g->query->history;

	if (!m || m->n == 0)
		return;
	v = arena_array(&g->out->mem, n + 1, sizeof(*v));
	run = arena_array(&g->out->mem, n + 1, sizeof(*run));
	if (n) {
		memcpy(v, w->s.v, n * sizeof(*v));
		memcpy(run, w->s.run, n * sizeof(*run));
	}
	v[n] = metric_centre(m);
	run[n] = h->nrun;
	(void)metric;
	w->s.v = v;
	w->s.run = run;
	w->s.n = n + 1;
	if (w->s.n >= SEGMENT_LEAST) {
		const struct changepoint_options o = { g->segments.window, g->segments.alpha,
			g->segments.min_change };

		w->s.point = changepoint_find(v, w->s.n, &o, &w->s.npoint, &g->out->mem);
	}
}

static enum status conclude(struct gate *g, const struct nightly *w, size_t n, struct err *e)
{
	size_t i, known = 0;

	g->state = VERDICT_IS_IMPROVED;
	for (i = 0; i < n; i++) {
		known += w[i].state != VERDICT_IS_SKIP;
		g->state = w[i].state > g->state ? w[i].state : g->state;
		if (gate_fails(g, w[i].state))
			g->exit_code = 1;
	}
	if (g->exit_code)
		g->state = VERDICT_IS_FAIL;
	else if (g->state == VERDICT_IS_SKIP || g->state == VERDICT_IS_NOTE)
		g->state = VERDICT_IS_PASS;
	if (known > 0)
		return OK;
	(void)err_set(
		e, E_NODATA, -1, "nothing was compared: no figure has %d runs", SEGMENT_LEAST);
	return err_hint(e, "the history has %zu; until then compare sides: gate BASE NEW",
		g->query->history->nrun);
}

enum status gate_history(struct gate *g, struct err *e)
{
	const struct history *h = g->query->history;
	struct nightly *w = arena_array(&g->mem, h->nmetric, sizeof(*w));
	size_t i, n = 0;

	for (i = 0; i < h->nmetric; i++) {
		struct nightly *one = &w[n];

		*one = (struct nightly){ .rule = rule_of(g, h->metric[i].id) };
		segment_series(&one->s, h, i, &g->segments, &g->out->mem);
		append_new(g, one, i);
		if (one->s.n == 0 || one->rule->level == LEVEL_OFF)
			continue;
		if (one->rule->better != BETTER_NONE)
			one->s.better = one->rule->better;
		one->tolerance = one->rule->tolerance;
		judge(g, one);
		n++;
	}
	TRY(conclude(g, w, n, e));
	put_verdict(g, w, n);
	put_line(g);
	put_tables(g, w, n);
	return OK;
}
