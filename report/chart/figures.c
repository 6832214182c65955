/* Who of many stands out, in words. */
#include "report/chart/figures.h"

#include "base/unit.h"

/* ---- who of many is worth a name ---- */

/* How far is far, in deviations; what makes one of a median distance when all are normal. */
static const double FAR = 3.5, DEVIATION = 1.4826;

/* Places of an array by their figures, equal ones in their order. */
static int by_figure(const void *a, const void *b, void *ctx)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;
	const double *v = ctx;

	return COMPARE_BY(compare3(v[x], v[y]), compare3(x, y));
}

/* The known ones, ascending; returns how many. */
static size_t order_of(struct arena *mem, const double *v, size_t n, size_t **order)
{
	size_t nknown = 0;

	*order = arena_array(mem, n + 1, sizeof(**order));
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i]))
			(*order)[nknown++] = i;
	qsort_r(*order, nknown, sizeof(**order), by_figure, (void *)(uintptr_t)v);
	return nknown;
}

static double median_of(const double *v, const size_t *order, size_t n)
{
	if (n == 0)
		return NAN;
	return n % 2 ? v[order[n / 2]] : (v[order[n / 2 - 1]] + v[order[n / 2]]) / 2;
}

struct standings standings_of(struct arena *mem, const double *v, size_t n, double least)
{
	struct standings s = { .v = v, .n = n };
	double *away = arena_array(mem, n + 1, sizeof(*away));
	size_t *by_away;

	s.nknown = order_of(mem, v, n, &s.order);
	s.median = median_of(v, s.order, s.nknown);
	for (size_t i = 0; i < n; i++)
		away[i] = fabs(v[i] - s.median);
	(void)order_of(mem, away, n, &by_away);
	double far = FAR * DEVIATION * median_of(away, by_away, s.nknown);
	far = MAX(far, least);
	s.out = arena_array(mem, n + 1, sizeof(*s.out));
	for (size_t i = s.nknown; s.nknown >= STANDING_MIN && i-- > 0 && away[by_away[i]] > far;)
		s.out[s.nout++] = by_away[i];
	return s;
}

static double distance(const struct standings *s)
{
	return s->nout ? fabs(s->v[s->out[0]] - s->median) : -1;
}

static double width(const struct standings *s)
{
	return s->nknown ? s->v[standings_highest(s)] - s->v[standings_lowest(s)] : -1;
}

struct standings standings_of_rows(
	struct arena *mem, const double *v, size_t nrow, size_t n, double least, size_t *row)
{
	struct standings best = standings_of(mem, v, n, least);

	*row = 0;
	for (size_t i = 1; i < nrow; i++) {
		struct standings s = standings_of(mem, v + i * n, n, least);

		if (distance(&s) < distance(&best) ||
			(distance(&s) == distance(&best) &&
				(best.nout || width(&s) <= width(&best))))
			continue;
		best = s;
		*row = i;
	}
	return best;
}

size_t standings_middle(const struct standings *s)
{
	return s->order[(s->nknown - 1) / 2];
}

size_t standings_lowest(const struct standings *s)
{
	return s->order[0];
}

size_t standings_highest(const struct standings *s)
{
	return s->order[s->nknown - 1];
}

bool standings_is_out(const struct standings *s, size_t i)
{
	return ANY(k, s->nout, s->out[k] == i);
}

static size_t pick(bool *is_picked, size_t n, size_t most, size_t i)
{
	if (is_picked[i] || n == most)
		return n;
	is_picked[i] = true;
	return n + 1;
}

size_t standings_pick(const struct standings *s, size_t most, bool *is_picked)
{
	size_t n = 0;

	memset(is_picked, 0, s->n * sizeof(*is_picked));
	if (s->nknown == 0)
		return 0;
	n = pick(is_picked, n, most, standings_middle(s));
	n = pick(is_picked, n, most, standings_highest(s));
	n = pick(is_picked, n, most, standings_lowest(s));
	for (size_t k = 0; k < s->nout; k++)
		n = pick(is_picked, n, most, s->out[k]);
	return n;
}

/* ---- figures of many places ---- */

enum { NAMED_MAX = 2 };

/* Of what is shown: less than this nobody cares about. */
static const double LEAST = 0.02;

const char *chart_figure(struct chart *c, double v, enum unit unit)
{
	struct unit_range g = { 0 };
	SCOPED_STR b = { 0 };

	unit_range_add(&g, v);
	switch (unit) {
	case UNIT_NS: unit_put_time(&b, v); break;
	case UNIT_BYTES: unit_put_bytes(&b, v); break;
	case UNIT_RATIO: unit_put_percent(&b, v); break;
	case UNIT_BYTES_PER_S: unit_put(&b, v, unit_scale_rate(g)); break;
	default: unit_put(&b, v, unit_scale_plain(g)); break;
	}
	return arena_copy(&c->mem, b.s, b.n);
}

void figures_init(struct chart *c, struct figures *f, size_t nrow, size_t n, enum unit unit)
{
	*f = (struct figures){ .nrow = nrow, .n = n, .unit = unit };
	f->v = arena_array(&c->mem, nrow * n + 1, sizeof(*f->v));
	FILL(f->v, nrow * n, NAN);
	f->name = arena_array(&c->mem, n + 1, sizeof(*f->name));
	f->title = arena_array(&c->mem, nrow + 1, sizeof(*f->title));
}

void figures_put(struct figures *f, size_t i, size_t part, double v)
{
	f->v[(part + 1) * f->n + i] = v;
	f->v[i] = isnan(f->v[i]) ? v : f->v[i] + (isnan(v) ? 0 : v);
}

/* What is too little to name: a share of what all of it is, of shares two in a hundred. */
static double least_of(enum unit unit, double median)
{
	return unit == UNIT_RATIO ? LEAST : isnan(median) ? 0 : LEAST * fabs(median);
}

void figures_judge(struct chart *c, struct figures *f)
{
	struct standings all = standings_of(&c->mem, f->v, f->n, 0);

	f->s = standings_of_rows(
		&c->mem, f->v, f->nrow, f->n, least_of(f->unit, all.median), &f->row);
}

double figures_least(const struct figures *f)
{
	return least_of(f->unit, f->s.median);
}

/* "rank2 (35.81 ms), rank5 (33.00 ms) and 3 more stand out in compute: median 28.17 ms" */
bool figures_say(struct chart *c, const struct figures *f)
{
	const struct standings *s = &f->s;
	SCOPED_STR b = { 0 };
	size_t k;

	for (k = 0; k < s->nout && k < NAMED_MAX; k++)
		str_addf(&b, "%s%s (%s)",
			k == 0                 ? ""
				: s->nout == 2 ? " and "
					       : ", ",
			f->name[s->out[k]], chart_figure(c, s->v[s->out[k]], f->unit));
	if (k == 0)
		return false;
	if (s->nout > NAMED_MAX)
		str_addf(&b, " and %zu more", s->nout - NAMED_MAX);
	str_addf(&b, " stand%s out", plural(s->nout, "s", ""));
	if (f->title[f->row])
		str_addf(&b, " in %s", f->title[f->row]);
	str_addf(&b, ": median %s", chart_figure(c, s->median, f->unit));
	chart_note(c, "%s", arena_copy(&c->mem, b.s, b.n));
	return true;
}

const char *figures_word(const struct figures *f, size_t i)
{
	const struct standings *s = &f->s;

	if (s->nknown < STANDING_MIN || isnan(s->v[i]))
		return NULL;
	if (standings_is_out(s, i))
		return "stands out";
	return i == standings_highest(s)   ? "the highest"
		: i == standings_lowest(s) ? "the lowest"
		: i == standings_middle(s) ? "the median"
					   : NULL;
}

double figures_mean(const struct chart_series *s)
{
	double sum = 0, span = 0;

	for (size_t i = 0; i < s->n; i++) {
		double wide = !s->x || s->mark != MARK_STEP ? 1
			: i + 1 < s->n                      ? s->x[i + 1] - s->x[i]
							    : 0;

		if (isnan(s->y[i]))
			continue;
		sum += s->y[i] * wide;
		span += wide;
	}
	return span > 0 ? sum / span : NAN;
}

double figures_at(const struct chart_series *s, double x)
{
	if (s->n == 0 || x < s->x[0] || x > s->x[s->n - 1])
		return NAN;
	return s->y[PARTITION_POINT(i, 1, s->n, s->x[i] <= x) - 1];
}
