/* `diff`: all figures judged, what comes first of them, and what is said of them together. */
#include "analyze/answer/diff/diff.h"
#include "analyze/trace/figure.h"

enum { SAID_MAX = 3, NAMED_MAX = 4 };

/* Of what changed and has no direction. */
static enum diff_sort_of sort_of_changed(const struct metric *m)
{
	return m->kind && figure_kind_is_property(m->kind) ? FIGURE_PROPERTY : FIGURE_CHANGED;
}

static enum diff_sort_of sort_of(const struct metric_pair *p, const struct change *c)
{
	const struct metric *m = metric_pair_any(p);
	bool is_judged = m->better != BETTER_NONE;

	if (!p->base || !p->now)
		return FIGURE_ONE_SIDE;
	switch (c->answer.decision) {
	case DECISION_FAIL: return is_judged ? FIGURE_WORSE : sort_of_changed(m);
	case DECISION_IMPROVED: return is_judged ? FIGURE_BETTER : sort_of_changed(m);
	case DECISION_SKIP: return FIGURE_UNKNOWN;
	case DECISION_NOISY: return is_judged ? FIGURE_UNKNOWN : FIGURE_SAME;
	default: return FIGURE_SAME;
	}
}

/* How sure the change is, in its standard errors, to a tenth: what is as sure stays in its order.
 */
static double size_of(const struct change *c)
{
	double sure = fabs(c->change.estimate / c->change.se);

	if (isnan(sure))
		return 0;
	return sure < 1e9 ? round(10 * sure) : INFINITY;
}

/* Figures with ids of their own first, as they are; then the worst, by source, the surest first. */
static int compare(const void *pa, const void *pb)
{
	const struct diff_figure *a = pa, *b = pb;

	if (a->is_named != b->is_named)
		return a->is_named ? -1 : 1;
	if (a->is_named)
		return compare3(a->place, b->place);
	if (a->sort != b->sort)
		return compare3(a->sort, b->sort);
	int by_source =
		strcmp(metric_pair_any(&a->pair)->source, metric_pair_any(&b->pair)->source);
	if (by_source)
		return by_source;
	return COMPARE_BY(compare3_down(size_of(&a->change), size_of(&b->change)),
		compare3(a->place, b->place));
}

void diff_judge_figures(struct diff *d)
{
	const struct metric_pairs *pairs = &d->c.pairs;

	d->figure = arena_array(&d->mem, pairs->n, sizeof(*d->figure));
	d->nfigure = pairs->n;
	for (size_t i = 0; i < pairs->n; i++) {
		struct diff_figure *f = &d->figure[i];

		*f = (struct diff_figure){ .pair = pairs->v[i], .place = i };
		contrast_judge(&d->c, f->pair.base, f->pair.now, &f->change);
		f->sort = sort_of(&f->pair, &f->change);
		f->is_named = !metric_pair_any(&f->pair)->kind;
	}
	sort_rows(d->figure, pairs->n, sizeof(*d->figure), compare);
}

/* ---- in a sentence ---- */

/* What logs and summaries say; a trace's step is spoken of by itself. */
static bool is_counted(const struct diff_figure *f)
{
	return metric_pair_any(&f->pair)->is_log;
}

static size_t count(const struct diff *d, enum diff_sort_of sort)
{
	return SUM(size_t, i, d->nfigure, is_counted(&d->figure[i]) && d->figure[i].sort == sort);
}

static void add_count(struct str *b, size_t n, const char *word, size_t *said)
{
	if (n > 0)
		str_addf(b, "%s%zu %s", (*said)++ ? ", " : "", n, word);
}

static bool is_said(const struct diff_figure *const *said, size_t n, const struct diff_figure *f)
{
	const char *quantity = metric_quantity(metric_pair_any(&f->pair));

	return ANY(i, n, strcmp(metric_quantity(metric_pair_any(&said[i]->pair)), quantity) == 0);
}

/* The surest of what is worse and was not said yet, whoever says it. */
static const struct diff_figure *next_worst(
	const struct diff *d, const struct diff_figure *const *said, size_t n)
{
	const struct diff_figure *worst = NULL;

	for (EACH(const struct diff_figure, f, d->figure, d->nfigure)) {
		if (is_counted(f) && f->sort == FIGURE_WORSE && !is_said(said, n, f) &&
			(!worst || size_of(&f->change) > size_of(&worst->change)))
			worst = f;
	}
	return worst;
}

/* ": accuracy -13.1%, ..." */
static void add_worst(struct str *b, const struct diff *d)
{
	const struct diff_figure *said[SAID_MAX], *f;
	size_t n = 0;

	while (n < SAID_MAX && (f = next_worst(d, said, n))) {
		str_addf(b, "%s%s", n ? ", " : ": ", metric_pair_any(&f->pair)->title);
		if (!f->change.is_difference)
			str_addf(b, " %+.1f%%", 100 * f->change.ratio);
		else if (metric_pair_any(&f->pair)->unit == UNIT_RATIO)
			str_addf(b, " %+.1f pt", 100 * f->change.delta);
		said[n++] = f;
	}
	if (count(d, FIGURE_WORSE) > n)
		str_adds(b, " ...");
}

void diff_say_figures(struct diff *d)
{
	size_t said = 0;
	SCOPED_STR b = { 0 };
	size_t all = SUM(size_t, i, d->nfigure, is_counted(&d->figure[i]));

	if (all == 0)
		return;
	str_addf(&b, "%zu figure%s of logs and summaries: ", all, plural_s(all));
	add_count(&b, count(d, FIGURE_WORSE), "worse", &said);
	add_count(&b, count(d, FIGURE_BETTER), "better", &said);
	add_count(&b, count(d, FIGURE_CHANGED), "changed without a direction", &said);
	add_count(&b, count(d, FIGURE_UNKNOWN), "cannot be told from noise", &said);
	add_count(&b, count(d, FIGURE_ONE_SIDE), "not compared", &said);
	if (said == 0)
		str_adds(&b, "no change");
	add_worst(&b, d);
	TABLE_ROW(d->why, [DWHY_TEXT] = cell_text(diff_kept(d, (struct span){ b.s, b.n })));
}

/* ---- what was not compared ---- */

static size_t add_side(struct str *b, const struct diff *d, bool is_now)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nfigure; i++) {
		const struct metric_pair *p = &d->figure[i].pair;

		if (is_now ? p->base != NULL : p->now != NULL)
			continue;
		if (n < NAMED_MAX)
			str_addf(b, "%s%s",
				n                ? ", "
					: is_now ? "new alone says "
						 : "base alone says ",
				metric_pair_any(p)->title);
		n++;
	}
	if (n > NAMED_MAX)
		str_addf(b, " and %zu more", n - NAMED_MAX);
	return n;
}

void diff_note_figures(struct diff *d)
{
	size_t left = d->c.base_metrics.left_out + d->c.now_metrics.left_out;
	SCOPED_STR base = { 0 }, now = { 0 };
	size_t n = add_side(&base, d, false);

	n += add_side(&now, d, true);
	if (n > 0)
		result_note(d->out, NOTE_INFO, "not_compared", -1, (int64_t)n,
			"%zu figure%s not compared: %s%s%s", n, plural(n, " is", "s are"),
			base.n ? base.s : "", base.n && now.n ? "; " : "", now.n ? now.s : "");
	if (left > 0)
		result_note(d->out, NOTE_WARNING, "figures_left_out", -1, (int64_t)left,
			"%zu figures are not compared: a side has more than %d of logs and summaries",
			left, METRICSET_RECORD_MAX);
}
