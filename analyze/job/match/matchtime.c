/* Clocks of sequences by ends that fall together. */
#include "analyze/job/match/matchtime.h"

#include "analyze/stat/law.h"
#include "analyze/stat/quantile.h"
#include "analyze/stat/line.h"
#include "base/base.h"

/* Ends fall together within this part of the median time from one to the next, and these bounds. */
enum { PART = 16, LEAST_NS = 1000, MOST_NS = 1000000 };
/* Of clocks since 1970; more would be days of drift without any time service. */
static const nsec epochs_apart = INT64_C(10000000000);
/* Nearly all; a follower's step towards what it sees. */
static const double nearly_all = 0.9;
static const double level = 0.01;
enum { POISSON_MOST = 500 }; /* beyond: the normal law */
enum { FOLLOW = 4, LEAST_VOTES = 3, STRETCHES = 3 };

struct pair {
	uint32_t a, b;
};

/* Pairs that end together. */
struct chain {
	struct pair *v;
	size_t n;
};

static nsec apart(const struct match_two *t, size_t a, size_t b)
{
	return saturate_sub(t->a[a].end, t->b[b].end);
}

static nsec distance(nsec a, nsec b)
{
	return a > b ? saturate_sub(a, b) : saturate_sub(b, a);
}

nsec match_tolerance(const struct align_item *v, size_t n, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *between = arena_array(mem, n, sizeof(*between));

	for (size_t i = 1; i < n; i++)
		between[i - 1] = (double)distance(v[i].end, v[i - 1].end);
	double median = n > 1 ? quantile_select(between, n - 1, 0.5) / PART : 0;
	arena_reset(mem, mark);
	return saturate_whole(fmax(LEAST_NS, fmin(median, MOST_NS)));
}

bool match_is_even(const struct match_two *t)
{
	nsec before = 0;
	size_t n = 0, smooth = 0;

	for (size_t i = 0; i < t->na; i++) {
		if (t->to[i] == ALIGN_ALONE)
			return false;
		nsec now = apart(t, i, t->to[i]);
		smooth += n++ > 0 && distance(now, before) <= t->tolerance;
		before = now;
	}
	return n == t->nb && (double)smooth >= nearly_all * (double)(n > 1 ? n - 1 : 0);
}

/* The middle of the longest stretch of the alignment whose ends keep their distance. */
static bool longest_even(const struct match_two *t, nsec within, struct pair *out)
{
	struct pair before = { 0, 0 };
	size_t n = 0, longest = 0, middle = 0, first = 0;

	for (size_t i = 0; i < t->na; i++) {
		if (t->to[i] == ALIGN_ALONE)
			continue;
		if (n == 0 ||
			distance(apart(t, i, t->to[i]), apart(t, before.a, before.b)) > within) {
			n = 0;
			first = i;
		}
		before = (struct pair){ (uint32_t)i, t->to[i] };
		if (++n > longest) {
			longest = n;
			middle = first + (i - first) / 2;
		}
	}
	while (middle < t->na && t->to[middle] == ALIGN_ALONE)
		middle++;
	if (longest < 2 || middle == t->na)
		return false;
	*out = (struct pair){ (uint32_t)middle, t->to[middle] };
	return true;
}

/* How far the ends of two are from falling together. */
static nsec miss(const struct match_two *t, size_t a, size_t b, nsec off)
{
	return distance(apart(t, a, b), off);
}

/* From a pair on in one direction (by: 1 or -1), with what ends together.  It is not in it. */
static void follow(
	const struct match_two *t, struct pair from, nsec within, int by, struct chain *out)
{
	nsec off = apart(t, from.a, from.b);
	size_t a = from.a + (size_t)by, b = from.b + (size_t)by;

	/* Below 0 is above all. */
	while (a < t->na && b < t->nb) {
		nsec now = apart(t, a, b), ahead = saturate_sub(now, off);
		size_t next = b + (size_t)by;

		if (miss(t, a, b, off) > within) {
			if ((ahead > 0) == (by > 0))
				b = next;
			else
				a += (size_t)by;
			continue;
		}
		if (next < t->nb && miss(t, a, next, off) < miss(t, a, b, off)) {
			b = next;
			continue;
		}
		if (align_same(&t->a[a], &t->b[b])) {
			out->v[out->n++] = (struct pair){ (uint32_t)a, (uint32_t)b };
			saturate_onto(&off, ahead / FOLLOW);
		}
		a += (size_t)by;
		b = next;
	}
}

ORDER(by_place, struct pair, compare3(a->a, b->a))

static void chain_from(const struct match_two *t, struct pair from, nsec within, struct chain *out)
{
	out->n = 0;
	follow(t, from, within, -1, out);
	out->v[out->n++] = from;
	follow(t, from, within, 1, out);
	sort_rows(out->v, out->n, sizeof(*out->v), by_place);
}

struct vote {
	nsec apart;
	struct pair of;
};

ORDER(by_apart, struct vote, compare3(a->apart, b->apart), compare3(a->of.a, b->of.a),
	compare3(a->of.b, b->of.b))

/* The first of b that ends at or behind t, as ends go: they nearly ascend. */
static size_t first_behind(const struct match_two *t, nsec end)
{
	return PARTITION_POINT(i, 0, t->nb, t->b[i].end < end);
}

/* Distances of each end of a stretch of a from those of b around it. */
static size_t collect_votes(const struct match_two *t, size_t first, struct vote *v)
{
	size_t last = MIN(first + MATCH_VOTERS, t->na), n = 0;

	for (size_t a = first; a < last; a++) {
		double part = (double)a / (double)t->na;
		size_t at = t->has_epoch ? first_behind(t, t->a[a].end)
					 : saturate_size(part * (double)t->nb);
		size_t from = at > MATCH_HEARD / 2 ? at - MATCH_HEARD / 2 : 0;

		for (size_t b = from; b < t->nb && b < from + MATCH_HEARD; b++)
			if (align_same(&t->a[a], &t->b[b]) &&
				(!t->has_epoch ||
					distance(t->a[a].end, t->b[b].end) <= epochs_apart))
				v[n++] = (struct vote){ apart(t, a, b),
					{ (uint32_t)a, (uint32_t)b } };
	}
	return n;
}

/* What most votes agree on; of equals the nearest to none where clocks are the same by rights. */
static bool vote(
	const struct match_two *t, size_t first, nsec within, struct vote *v, struct pair *to)
{
	size_t n = collect_votes(t, first, v), from = 0, most = LEAST_VOTES - 1;
	nsec best = INT64_MAX;

	sort_rows(v, n, sizeof(*v), by_apart);
	for (size_t i = 0; i < n; i++) {
		nsec size = t->has_epoch ? distance(v[i].apart, 0) : 0;

		while (from < i && distance(v[i].apart, v[from].apart) > within)
			from++;
		if (i - from + 1 > most ||
			(i - from + 1 == most && best < INT64_MAX && size < best)) {
			most = i - from + 1;
			best = size;
			*to = v[from + (i - from) / 2].of;
		}
	}
	return best < INT64_MAX;
}

/* P(X >= n) of Poisson's law. */
static double poisson_above(double mean, size_t n)
{
	double term = exp(-mean), sum = 0;

	if (mean > POISSON_MOST)
		return law_normal_above(((double)n - 0.5 - mean) / sqrt(mean));
	for (size_t k = 0; k < n && k < 2 * POISSON_MOST; k++) {
		sum += term;
		term *= mean / (double)(k + 1);
	}
	return fmax(1 - sum, 0);
}

/* How likely it is that as many as in the chain end together by chance, by one of `tries`. */
static double by_chance(const struct match_two *t, const struct chain *s, nsec within, double tries)
{
	nsec span = distance(t->b[t->nb - 1].end, t->b[0].end);
	double each = 2 * (double)within * (double)t->nb / fmax((double)span, 1);

	return tries * poisson_above((double)t->na * fmin(each, 1), s->n);
}

/* The first two that end at the same time by clocks that are the same by rights. */
static bool at_once(const struct match_two *t, nsec within, struct pair *to)
{
	size_t a = 0, b = 0;

	while (a < t->na && b < t->nb) {
		nsec ahead = apart(t, a, b);

		if (distance(ahead, 0) <= within && align_same(&t->a[a], &t->b[b])) {
			*to = (struct pair){ (uint32_t)a, (uint32_t)b };
			return true;
		}
		if (ahead > 0)
			b++;
		else
			a++;
	}
	return false;
}

/* The best chain so far, and how likely it is by chance. */
struct best {
	struct chain chain, other;
	double chance;
};

static void try_from(
	struct best *best, const struct match_two *t, struct pair from, nsec within, double tries)
{
	struct chain swap = best->chain;

	chain_from(t, from, within, &best->other);
	double chance = by_chance(t, &best->other, within, tries);
	if (best->other.n < swap.n || (best->other.n == swap.n && chance >= best->chance))
		return;
	best->chain = best->other;
	best->other = swap;
	best->chance = chance;
}

static void try_votes(struct best *best, const struct match_two *t, nsec within, struct arena *mem)
{
	struct vote *v = arena_array(mem, (size_t)MATCH_VOTERS * MATCH_HEARD, sizeof(*v));
	struct pair from;

	for (size_t k = 0; k < STRETCHES; k++)
		if (vote(t, t->na * k / STRETCHES, within, v, &from))
			try_from(best, t, from, within, (double)t->na * (double)t->nb);
}

static void fit(
	struct match_clock *c, const struct match_two *t, const struct chain *s, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *x = arena_array(mem, s->n, sizeof(*x)), *y = arena_array(mem, s->n, sizeof(*y));
	const struct pair *mid = &s->v[s->n / 2];
	size_t n = 0;

	c->at = t->a[mid->a].end;
	c->apart = apart(t, mid->a, mid->b);
	for (size_t i = 0; i < s->n; i++) {
		double at = (double)saturate_sub(t->a[s->v[i].a].end, c->at);

		if (n > 0 && at < x[n - 1])
			continue; /* ends nearly ascend */
		x[n] = at;
		y[n++] = (double)saturate_sub(apart(t, s->v[i].a, s->v[i].b), c->apart);
	}
	struct robustline l = robustline_fit(x, y, n, 0, mem);
	if (!isnan(l.slope)) {
		c->drift = l.slope;
		saturate_onto(&c->apart, saturate_round(l.y - l.slope * l.x));
	}
	arena_reset(mem, mark);
}

struct match_clock match_clock(const struct match_two *t, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	struct match_clock c = { .tolerance = t->tolerance };
	size_t few = MIN(t->na, t->nb);
	struct best best = { .chance = 1 };
	struct pair from;

	if (few == 0)
		return c;
	best.chain.v = arena_array(mem, few + 1, sizeof(*best.chain.v));
	best.other.v = arena_array(mem, few + 1, sizeof(*best.other.v));
	if (longest_even(t, c.tolerance, &from))
		try_from(&best, t, from, c.tolerance, (double)t->na);
	if (t->has_epoch && at_once(t, c.tolerance, &from))
		try_from(&best, t, from, c.tolerance, 1);
	if ((double)best.chain.n < nearly_all * (double)few)
		try_votes(&best, t, c.tolerance, mem);
	c.n = best.chain.n;
	c.is_found = c.n > 1 && best.chance < level;
	if (c.is_found)
		fit(&c, t, &best.chain, mem);
	arena_reset(mem, mark);
	return c;
}

static nsec set(const struct match_clock *c, nsec t)
{
	double since = (double)saturate_sub(t, c->at);

	return saturate_sub(saturate_sub(t, c->apart), saturate_round(c->drift * since));
}

void match_set_times(struct align_item *a, size_t na, const struct match_clock *c)
{
	for (EACH(struct align_item, item, a, na)) {
		item->start = set(c, item->start);
		item->end = set(c, item->end);
		item->tolerance = c->tolerance;
		item->is_timed = true;
	}
}
