/* Exceptions: gaps between values that noise would not have. */
#include "analyze/stat/exceptions.h"

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/welch.h"

/* Tails are believed to be so heavy at most; gaps below this ratio are none; what varies less than
 * this part of the median does so as time is measured. */
static const double TAIL = 3, RATIO_MIN = 1.3, FLOOR = 0.005, SETS = 4;
/* The largest tenth tells of tails, where it is three or more. */
enum { TAIL_PART = 10, TAIL_MIN = 3, REST_MIN = 4, LEVEL_MIN = 3, OTHER_MIN = 7 };

enum exceptions_when exceptions_when(const size_t *at, size_t n, size_t all)
{
	size_t each = n > 1 ? at[1] - at[0] : 0;

	if (n == 0)
		return WHEN_SOME;
	if (at[n - 1] == n - 1)
		return WHEN_FIRST;
	if (n == 1)
		return WHEN_ONE;
	if (n >= LEVEL_MIN && at[0] == all - n)
		return WHEN_FROM;
	for (size_t i = 2; i < n; i++)
		if (at[i] - at[i - 1] != each)
			return WHEN_SOME;
	return each > 1 && at[0] < each && at[n - 1] + each >= all ? WHEN_EVERY : WHEN_SOME;
}

/* How many sets of m of n places lie in time like that; 0: it says nothing. */
static double patterns_of(enum exceptions_when when, size_t m, size_t n)
{
	size_t sum = 0;

	if (when == WHEN_FIRST || when == WHEN_FROM)
		return 2;
	for (size_t k = 2; when == WHEN_EVERY && k < n; k++) {
		sum += n / k == m ? k - n % k : 0;
		sum += n / k + 1 == m ? n % k : 0;
	}
	return (double)(2 * sum);
}

/* ln of how many sets of m of n there are. */
static double log_sets(size_t m, size_t n)
{
	int sign;

	return lgamma_r((double)n + 1, &sign) - lgamma_r((double)m + 1, &sign) -
		lgamma_r((double)(n - m) + 1, &sign);
}

struct value {
	double v;
	size_t at;
};

struct search {
	struct value *value; /* what is not found yet, ascending */
	size_t n, all;
	bool *is;
	double *far;   /* scratch: of the rest, from its median */
	size_t *place; /* scratch */
};

ORDER(by_value, struct value, compare3(a->v, b->v), compare3(a->at, b->at))

ORDER(by_place, size_t, compare3(*a, *b))

/* -ln of the chance that they lie in time as they do; 0 where that is in no way. */
static double log_pattern(const struct search *s, const struct value *cut, size_t m)
{
	for (size_t i = 0; i < m; i++)
		s->place[i] = cut[i].at;
	qsort(s->place, m, sizeof(*s->place), by_place);
	double like = patterns_of(exceptions_when(s->place, m, s->all), m, s->n);

	return like > 0 ? fmax(log_sets(m, s->n) - log(like), 0) : 0;
}

/* -ln of the chance that noise has a gap of that ratio before m values; far: of the rest, n. */
static double log_gap(double *far, size_t n, size_t m, double ratio, double least)
{
	size_t tail = n / TAIL_PART;
	double sum = 0, score = TAIL * (double)m * log(ratio);

	if (tail < TAIL_MIN)
		return score;
	quantile_sort(far, n);
	for (size_t i = n - tail; i < n; i++)
		sum += log(fmax(far[i], least) / fmax(far[n - tail - 1], least));
	double mean = fmax(sum / (double)tail, 0.1);
	return fmax(score, (double)tail * log1p((double)m * log(ratio) / ((double)tail * mean)));
}

/* -ln of the chance of the m largest, or smallest; 0: they are no exceptions. */
static double score_of(const struct search *s, size_t m, bool is_high)
{
	const struct value *rest = is_high ? s->value : s->value + m;
	const struct value *cut = is_high ? s->value + s->n - m : s->value;
	size_t n = s->n - m;
	double median = (rest[(n - 1) / 2].v + rest[n / 2].v) / 2, least = FLOOR * median;
	double gap = is_high ? cut[0].v - median : median - cut[m - 1].v;
	size_t odd = n >= OTHER_MIN ? 1 : 0; /* one of the other side may be an exception, too */
	double high = rest[n - 1 - (is_high ? 0 : odd)].v, low = rest[is_high ? odd : 0].v;
	double most = fmax(fmax(high - median, median - low), least);

	if (!(gap > 0) || gap < EXCEPTIONS_LEAST * median || gap < RATIO_MIN * most)
		return 0;
	double pattern = log_pattern(s, cut, m);
	if (pattern <= 0 && m > MAX(s->n / 4, 1))
		return 0;
	for (size_t i = 0; i < n; i++)
		s->far[i] = fabs(rest[i].v - median);
	double ratio = most > 0 ? gap / most : INFINITY;
	double even = (double)(n - 1) * log(ratio) - log_sets(m, s->n) - log((double)n);
	double tails = log_gap(s->far, n, m, ratio, least) - (double)m * log(m == 1 ? 2 : SETS);

	return fmin(tails, even) + pattern;
}

/* Takes the set with the least chance, of halves the larger values; false: there is none. */
static bool take_best(struct search *s)
{
	size_t most = s->n - MIN(s->n, MAX(s->all - s->all / 2, REST_MIN)), best = 0;
	double score = -log(EXCEPTIONS_CHANCE);
	bool is_high = true;

	for (size_t m = 1; m <= most; m++)
		for (int high = 1; high >= 0; high--) {
			double x = score_of(s, m, high);

			if (x <= score)
				continue;
			score = x;
			best = m;
			is_high = high || 2 * m == s->n;
		}
	if (best > 0) {
		const struct value *cut = is_high ? s->value + s->n - best : s->value;
		for (size_t i = 0; i < best; i++)
			s->is[cut[i].at] = true;
		s->n -= best;
		for (size_t i = 0; !is_high && i < s->n; i++)
			s->value[i] = s->value[i + best];
	}
	return best > 0;
}

/* A place to part values at, and Student's t there, with one pooled variance. */
struct level {
	size_t from; /* 0: there is none */
	double t, change;
};

static struct level level_of(const double *v, size_t n)
{
	struct moments all = welch_moments(v, n);
	struct level best = { 0 };
	double sum = 0;

	for (size_t k = 1; k + LEVEL_MIN <= n; k++) {
		double x = (double)k, y = (double)(n - k), whole = all.variance * (double)(n - 1);

		sum += v[k - 1] - all.mean;
		double between = sum * sum / x + sum * sum / y, change = -sum / y - sum / x;
		double t = sqrt(between / fmax(whole - between, 0) * (double)(n - 2));

		if (k >= LEVEL_MIN && t > best.t)
			best = (struct level){ k, t, change };
	}
	if (2 * law_t_above(best.t, (double)n - 2) * (double)n >= EXCEPTIONS_CHANCE ||
		fabs(best.change) < EXCEPTIONS_LEAST * all.mean)
		best.from = 0;
	return best;
}

/* What is not found yet, in the order of time, in far; its places.  Returns how many. */
static size_t rest_of(struct search *s, const double *v)
{
	size_t n = 0;

	for (size_t i = 0; i < s->all; i++) {
		if (s->is[i])
			continue;
		s->place[n] = i;
		s->far[n++] = v[i];
	}
	return n;
}

static void take_all(struct search *s)
{
	qsort(s->value, s->n, sizeof(*s->value), by_value);
	while (take_best(s))
		;
}

/* Exceptions from a ramp of n values, at places; returns how many. */
static size_t take_beside(struct search *s, const double *v, const struct ramp *r, size_t n)
{
	for (s->n = 0; s->n < n; s->n++) {
		size_t at = s->place[s->n];

		s->value[s->n] =
			(struct value){ fmax(v[at] - ramp_at(r, at) * (r->after - r->before), 0),
				at };
	}
	take_all(s);
	return n - s->n;
}

/* Whether what is left is a ramp, or would be without some, no more than a tenth, that are
 * exceptions from the best there is. */
static bool take_ramp(struct search *s, const double *v, struct ramp *r, struct arena *mem)
{
	bool *was = arena_array(mem, s->all, sizeof(*was)), is_found = false;
	size_t odd = 1, n;

	memcpy(was, s->is, s->all * sizeof(*was));
	for (int turn = 0; turn < 2 && !is_found && odd > 0; turn++) {
		n = rest_of(s, v);
		is_found = ramp_find(r, s->far, n, mem);
		r->from = s->place[r->from];
		r->to = s->place[r->to];
		odd = take_beside(s, v, r, n);
		if (odd > n / 10 && !is_found)
			odd = 0;
	}
	if (!is_found) {
		memcpy(s->is, was, s->all * sizeof(*was));
		*r = (struct ramp){ 0 };
	}
	return is_found;
}

/* Of what is left the smaller side of a level; of halves the larger values. */
static void take_level(struct search *s, const double *v)
{
	size_t n = rest_of(s, v), k = 0;
	struct level l = level_of(s->far, n);
	bool is_first = 2 * l.from == n ? l.change < 0 : 2 * l.from < n;

	for (size_t i = 0; l.from > 0 && i < s->all; i++)
		if (!s->is[i] && (k++ < l.from) == is_first)
			s->is[i] = true;
}

void exceptions_find(const double *v, size_t n, bool *is, struct ramp *ramp, struct arena *mem)
{
	struct search s = { .n = n, .all = n, .is = is };
	struct ramp own;

	ramp = ramp ? ramp : &own;
	*ramp = (struct ramp){ 0 };
	FILL(is, n, false);
	if (n < EXCEPTIONS_VALUES)
		return;
	s.value = arena_array(mem, n, sizeof(*s.value));
	s.far = arena_array(mem, n, sizeof(*s.far));
	s.place = arena_array(mem, n, sizeof(*s.place));
	for (size_t i = 0; i < n; i++)
		s.value[i] = (struct value){ v[i], i };
	take_all(&s);
	if (!take_ramp(&s, v, ramp, mem))
		take_level(&s, v);
}
