/*
 * `gate --history`: did the level change, and is the newest run off?
 *
 * A change of level counts when it is among the last --recent runs; older ones are history.  A
 * single run that is off is a warning, so many in a row as --confirm says are a failure: a bad
 * night is seldom followed by another one without a reason.
 */
#include <math.h>
#include <string.h>

#include "analyze/answer/gate/gate_history.h"
#include "analyze/compare/sides.h"
#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"
#include "analyze/trace/history.h"

static const double alarm_z = 4;
enum { SEGMENT_LAST = 40, NOISE_LEAST = 5 };

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

/* What is tolerated around that value, in its unit: share or limit, the lesser; the floor. */
static double tolerated(const struct nightly *w, double from)
{
	double most = w->rule->tolerance;

	if (!w->s.is_points && from != 0)
		most *= fabs(from);
	if (w->rule->limit > 0 && w->rule->limit < most)
		most = w->rule->limit;
	return most > w->rule->floor ? most : w->rule->floor;
}

/* The change is larger than what is tolerated, and than what never counts. */
static bool counts(const struct nightly *w, double v, double from)
{
	return fabs(v - from) > tolerated(w, from);
}

/* The change counts, but not beside the one that was acknowledged (gate.accept). */
static bool is_acknowledged(const struct nightly *w, double v, double from)
{
	double to = from * w->rule->accepted;

	return w->rule->accepted != 1 && counts(w, v, from) &&
		!(is_worse(w, v - to) && counts(w, v, to));
}

/* Whether the value at `at` is off, against the segment before, without its last `skip` values. */
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
	return fabs(*z) > alarm_z && is_worse(w, *change) && counts(w, w->s.v[at], *median) &&
		(w->taken || !is_acknowledged(w, w->s.v[at], *median));
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

/* Why a change of level is no failure: a run since then was added with a reason, or gate.accept. */
static const char *accepted_since(
	const struct history *h, const struct nightly *w, const struct changepoint *c)
{
	size_t i;

	if (w->taken == c)
		return w->rule->reason ? w->rule->reason : "gate.accept";
	for (i = c->at; i < w->s.n; i++)
		if (w->s.run[i] < h->nrun && h->run[w->s.run[i]].accepted)
			return h->run[w->s.run[i]].accepted;
	return NULL;
}

/* The recent change of level that is the acknowledged one: the first that is as large. */
static const struct changepoint *find_taken(const struct gate *g, const struct nightly *w)
{
	size_t i;

	for (i = 0; i < w->s.npoint; i++) {
		const struct changepoint *c = &w->s.point[i];

		if (c->at + (size_t)g->o->recent >= w->s.n &&
			is_acknowledged(w, c->after, c->before))
			return c;
	}
	return NULL;
}

static void find_recent(struct gate *g, struct nightly *w)
{
	size_t i = w->s.npoint;

	w->taken = find_taken(g, w);
	while (i > 0 && w->s.point[i - 1].at + (size_t)g->o->recent >= w->s.n) {
		const struct changepoint *c = &w->s.point[--i];

		if (c->at + (size_t)g->o->confirm > w->s.n)
			continue; /* too new to be a level */
		if (!counts(w, c->after, c->before))
			continue;
		w->recent = c;
		w->accepted = accepted_since(g->query->history, w, c);
		return;
	}
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
		gate_night_change(g, w, change), gate_night_name(g, run), commit[0] ? ", " : "",
		commit, gate_text_value(g, c->before, w->s.unit),
		gate_text_value(g, c->after, w->s.unit), c->p, w->accepted ? ", accepted: " : "",
		w->accepted ? w->accepted : "");
}

static void say_newest(struct gate *g, struct nightly *w, size_t off)
{
	bool fails = off >= (size_t)g->o->confirm;

	w->state = off == 0 ? VERDICT_IS_PASS : fails ? VERDICT_IS_FAIL : VERDICT_IS_WARN;
	w->message = arena_printf(&g->out->mem, "%s: newest %s, %s against the median of %s%s",
		w->s.id, gate_text_value(g, w->s.v[w->s.n - 1], w->s.unit),
		isnan(w->change) ? "nothing" : gate_night_change(g, w, w->change),
		gate_text_value(g, w->median, w->s.unit),
		off == 0 ? ""
			: fails
			? arena_printf(&g->out->mem, "; %zu in a row are off (z=%.1f)", off, w->z)
			: arena_printf(&g->out->mem, "; it is off (z=%.1f), the one before was not",
				  w->z));
}

static void judge_series(struct gate *g, struct nightly *w)
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
	if (w->state == VERDICT_IS_FAIL && g->is_foreign && w->rule->def->is_speed)
		w->state = VERDICT_IS_WARN;
	if ((w->state == VERDICT_IS_FAIL || w->state == VERDICT_IS_WARN) &&
		w->rule->level != LEVEL_FAIL)
		w->state = w->rule->level == LEVEL_WARN ? VERDICT_IS_WARN : VERDICT_IS_NOTE;
}

/* ---- all figures ---- */

/* The rule for a figure: the built-in check it belongs to, one that was chosen, or any. */
static const struct gate_rule *rule_of(const struct gate *g, const char *id)
{
	static const struct gate_def any = { .id = "metric", .suite = "metrics" };
	const struct history *h = g->query->history;
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
	/* columns of a CSV were chosen by somebody; a store has everything that runs say */
	if (h->nrun > 0 && h->run[0].time_s != INT64_MIN)
		own->level = LEVEL_NOTE;
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
	if (n == 0) {
		(void)err_set(e, E_NODATA, -1, "nothing was compared: the history has no figures");
		return err_hint(e,
			"columns called date, time, timestamp, night, run, label and name only name "
			"the runs");
	}
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
		judge_series(g, one);
		n++;
	}
	TRY(conclude(g, w, n, e));
	gate_put_nights(g, w, n);
	return OK;
}
