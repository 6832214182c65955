/* `gate --history`: one figure.
 *
 * A change of level counts when it is among the last --recent runs; older ones are history, unless
 * the figure is off the level that the store began on.  A single run that is off is a warning, so
 * many in a row as --confirm says are a failure: a bad night is seldom followed by another one
 * without a reason. */
#include "analyze/answer/gate/gate_history.h"
#include "analyze/stat/quantile.h"
#include "analyze/trace/history.h"

static const double alarm_z = 4;
enum { SEGMENT_LAST = 40, NOISE_LEAST = 5 };

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

/* What is tolerated around that value, in its unit: as given, else the least that counts. */
static double tolerated(const struct nightly *w, double from)
{
	const struct gate_scale s = { from, true, w->s.is_points || from == 0, false };
	double most = gate_tolerance(w->rule, &s), least = gate_least(w->rule, &s);

	return !w->rule->is_given && w->rule->least > 0 && least < most ? least : most;
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
	size_t n = w->s.n, off = 0;
	double z, change, median;

	(void)is_off(w, n - 1, n - 1, &w->z, &w->change, &w->median, mem);
	for (size_t k = 1; k <= most && k < n - w->begin; k++) {
		for (size_t i = 0; i < k; i++)
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
	if (w->taken == c)
		return w->rule->reason ? w->rule->reason : "gate.accept";
	for (size_t i = c->at; i < w->s.n; i++)
		if (w->s.run[i] < h->nrun && h->run[w->s.run[i]].accepted)
			return h->run[w->s.run[i]].accepted;
	return NULL;
}

/* The recent change of level that is the acknowledged one: the first that is as large. */
static const struct changepoint *find_taken(const struct gate *g, const struct nightly *w)
{
	for (EACH(const struct changepoint, c, w->s.point, w->s.npoint)) {
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
		if (!counts(w, c->after, c->before) ||
			!segment_is_solid(&w->s, c, g->segments.alpha))
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
	w->since = arena_printf(&g->out->mem, "%s since %s",
		gate_text_ratio(g, c->before, c->after, w->s.unit, w->s.is_points, 1),
		gate_night_name(g, run));
	w->message = arena_printf(&g->out->mem,
		"%s: level changed %s%s since %s%s%s (%s -> %s, p=%.2g)%s%s", w->s.id,
		c->before == 0 && !w->s.is_points ? "" : "by ",
		gate_text_ratio(g, c->before, c->after, w->s.unit, w->s.is_points, 1),
		gate_night_name(g, run), commit[0] ? ", " : "", commit,
		gate_text_value(g, c->before, w->s.unit), gate_text_value(g, c->after, w->s.unit),
		c->p, w->accepted ? ", accepted: " : "", w->accepted ? w->accepted : "");
}

static const char *text_of_z(const struct gate *g, const struct nightly *w)
{
	return isfinite(w->z) ? arena_printf(&g->out->mem, " (z=%.1f)", w->z) : "";
}

static void say_newest(struct gate *g, struct nightly *w, size_t off)
{
	bool fails = off >= (size_t)g->o->confirm;

	w->state = off == 0 ? VERDICT_IS_PASS : fails ? VERDICT_IS_FAIL : VERDICT_IS_WARN;
	w->message = arena_printf(&g->out->mem, "%s: newest %s, %s against the median of %s%s",
		w->s.id, gate_text_value(g, w->s.v[w->s.n - 1], w->s.unit),
		isnan(w->change) ? "nothing" : gate_night_change(g, w),
		gate_text_value(g, w->median, w->s.unit),
		off == 0 ? ""
			: fails
			? arena_printf(
				  &g->out->mem, "; %zu in a row are off%s", off, text_of_z(g, w))
			: arena_printf(&g->out->mem, "; it is off%s, the one before was not",
				  text_of_z(g, w)));
}

static void find_drift(struct gate *g, struct nightly *w)
{
	size_t window = (size_t)g->o->window;
	const struct drift *d = &w->course.drift;
	size_t from = !gate_is_store(g) && w->s.n > window ? w->s.n - window : 0;

	course_init(&w->course, g, &w->s, w->rule, from);
	w->has_drifted = d->is_found;
	/* nobody can accept a change in a table: an old step is history there */
	if (!gate_is_store(g) && !d->is_creep &&
		w->course.begin + d->since + (size_t)g->o->recent < w->s.n)
		w->has_drifted = false;
	if (d->is_found && !d->is_creep &&
		w->course.begin + d->since + (size_t)g->o->confirm > w->s.n)
		w->has_drifted = false; /* too new to be a level */
}

static void say_drift(struct gate *g, struct nightly *w)
{
	const struct course *c = &w->course;
	double from = course_plain(c, c->drift.from), to = course_plain(c, c->drift.to);

	w->state = VERDICT_IS_FAIL;
	w->since = arena_printf(&g->out->mem, "%s %s",
		gate_text_ratio(g, from, to, w->s.unit, w->s.is_points, 1), course_since(c, g));
	w->message = arena_printf(&g->out->mem, "%s: %s (%s -> %s, p=%.2g)", w->s.id, w->since,
		gate_text_value(g, from, w->s.unit), gate_text_value(g, to, w->s.unit), c->drift.p);
}

/* A change of level among the last runs counts before a drift, unless it is a part of it. */
static bool level_counts(const struct nightly *w, size_t off)
{
	if (!w->recent || (off > 0 && w->accepted))
		return false;
	if (!w->has_drifted)
		return true;
	return !w->course.drift.is_creep && !w->accepted &&
		is_worse(w, w->recent->after - w->recent->before);
}

/* The newest run against those before: is all of it there? */
static void judge_parts(struct gate *g, struct nightly *w)
{
	size_t n = w->s.n, from = MIN(w->s.accepted, n - 1);
	double now = w->s.v[n - 1];

	w->begin = from;
	w->z = NAN;
	w->median = n - from > 1 ? quantile_median(w->s.v + from, n - 1 - from, &g->mem) : now;
	w->change = now - w->median;
	w->state =
		gate_parts_missing(w->rule, w->median, now) > 0 ? VERDICT_IS_FAIL : VERDICT_IS_PASS;
	w->message = arena_printf(&g->out->mem, "%s: the newest run has %s, those before %s",
		w->s.id, gate_text_value(g, now, w->s.unit),
		gate_text_value(g, w->median, w->s.unit));
}

void gate_judge_night(struct gate *g, struct nightly *w)
{
	size_t confirm = (size_t)g->o->confirm;

	if (w->rule->def->kind == GATE_PARTS) {
		judge_parts(g, w);
		return;
	}
	w->begin = confirm < w->s.n ? segment_begin(&w->s, w->s.n - confirm + 1, g->segments.alpha)
				    : 0;
	w->z = w->change = w->median = NAN;
	if (w->s.n < SEGMENT_LEAST) {
		w->state = VERDICT_IS_SKIP;
		w->message =
			arena_printf(&g->out->mem, "%s: %zu runs; %d are needed to know the level",
				w->s.id, w->s.n, SEGMENT_LEAST);
		return;
	}
	find_recent(g, w);
	size_t off = off_in_a_row(w, (size_t)g->o->confirm, &g->mem);
	find_drift(g, w);
	w->has_drifted = w->has_drifted && !level_counts(w, off);
	if (w->has_drifted)
		say_drift(g, w);
	else if (level_counts(w, off))
		say_level(g, w);
	else
		say_newest(g, w, off);
	if (w->state == VERDICT_IS_FAIL && g->is_foreign && w->rule->def->is_speed)
		w->state = VERDICT_IS_WARN;
	if ((w->state == VERDICT_IS_FAIL || w->state == VERDICT_IS_WARN) &&
		w->rule->level != LEVEL_FAIL)
		w->state = w->rule->level == LEVEL_WARN ? VERDICT_IS_WARN : VERDICT_IS_NOTE;
}
