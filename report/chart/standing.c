/*
 * The median of many figures, and those far from it.
 */
#include "report/chart/standing.h"

#include <math.h>
#include <string.h>

#include "base/minmax.h"

/* How far is far, in deviations; what makes one of a median distance when all are normal. */
static const double FAR = 3.5, DEVIATION = 1.4826;

/* Places of an array by their figures: a merge sort, which keeps the order of equal ones. */
static void sort_places(const double *v, size_t *at, size_t n, size_t *scratch)
{
	size_t half = n / 2, i = 0, j = half, k = 0;

	if (n < 2)
		return;
	sort_places(v, at, half, scratch);
	sort_places(v, at + half, n - half, scratch);
	while (k < n) {
		if (j == n || (i < half && v[at[i]] <= v[at[j]]))
			scratch[k++] = at[i++];
		else
			scratch[k++] = at[j++];
	}
	memcpy(at, scratch, n * sizeof(*at));
}

/* The known ones, ascending; returns how many. */
static size_t order_of(struct arena *mem, const double *v, size_t n, size_t **order)
{
	size_t *scratch = arena_array(mem, n + 1, sizeof(*scratch)), nknown = 0, i;

	*order = arena_array(mem, n + 1, sizeof(**order));
	for (i = 0; i < n; i++)
		if (!isnan(v[i]))
			(*order)[nknown++] = i;
	sort_places(v, *order, nknown, scratch);
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
	double *away = arena_array(mem, n + 1, sizeof(*away)), far;
	size_t *by_away, i;

	s.nknown = order_of(mem, v, n, &s.order);
	s.median = median_of(v, s.order, s.nknown);
	for (i = 0; i < n; i++)
		away[i] = fabs(v[i] - s.median);
	(void)order_of(mem, away, n, &by_away);
	far = FAR * DEVIATION * median_of(away, by_away, s.nknown);
	far = MAX(far, least);
	s.out = arena_array(mem, n + 1, sizeof(*s.out));
	for (i = s.nknown; s.nknown >= STANDING_MIN && i-- > 0 && away[by_away[i]] > far;)
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
	size_t i;

	*row = 0;
	for (i = 1; i < nrow; i++) {
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
	size_t k;

	for (k = 0; k < s->nout; k++)
		if (s->out[k] == i)
			return true;
	return false;
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
	size_t n = 0, k;

	memset(is_picked, 0, s->n * sizeof(*is_picked));
	if (s->nknown == 0)
		return 0;
	n = pick(is_picked, n, most, standings_middle(s));
	n = pick(is_picked, n, most, standings_highest(s));
	n = pick(is_picked, n, most, standings_lowest(s));
	for (k = 0; k < s->nout; k++)
		n = pick(is_picked, n, most, s->out[k]);
	return n;
}
