/* Clocks that are set while the job runs: breaks in the differences of ends.
 *
 * From one meet to the next the difference of two clocks changes by noise and drift alone.  A break
 * is a change by far more than the others, which lasts: the medians of a few meets before and
 * behind it differ by as much.  Both clocks of an edge show it.  It is that of the rank whose edges
 * show it most often, of equals the one with most of them, of such that whose own step is longer or
 * shorter there. */
#include "analyze/job/clocks/clock_steps.h"

#include "analyze/stat/quantile.h"

static const double as_long = 2; /* as a clock is set back: collectives that change their order
                                  */
enum { AROUND = 4, GAP_MAX = 4, POINTS_MIN = 2 * AROUND + 2, STEPS_MAX = 64 };
static const double far_out = 30;   /* times the median absolute change */
static const double far_over = 8;   /* times the same over some ends: ends that wander are no breaks
                                     */
static const double least = 20000;  /* ns */
static const double as_much = 0.25; /* of the change: what the medians may differ from it by, and
                                      what each of them is made of */

/* A break of an edge: behind its i-th point. */
struct clock_break {
	size_t i;
	size_t gap; /* to the point behind it; 2: the end between tells nothing, as it was set then
	             */
	double ns;  /* of `own` against `other` */
};

static double apart(const struct clock_point *p)
{
	return (double)saturate_sub(p->own, p->other);
}

/* spread: becomes how far they are from each other, if that is more. */
static double median_apart(const struct clock_point *p, size_t n, double zero, double *spread)
{
	double v[AROUND];

	for (size_t i = 0; i < n; i++)
		v[i] = apart(&p[i]) - zero;
	double middle = quantile_select(v, n, 0.5);
	for (size_t i = 0; i < n; i++)
		*spread = fmax(*spread, fabs(v[i] - middle));
	return middle;
}

/* What the difference changes by besides: from one end to the next, and over some of them. */
static double least_break(
	const struct clock_edge *e, const double *change, double *v, struct arena *mem)
{
	const size_t lag = MAX(MIN(e->n / (2 * AROUND), AROUND), 1);

	for (size_t i = 0; i + lag < e->n; i++)
		v[i] = fabs(apart(&e->point[i + lag]) - apart(&e->point[i]));
	double over = far_over * quantile_select(v, e->n - lag, 0.5);
	return fmax(fmax(far_out * quantile_mad(change, e->n - 1, 0, mem), least), over);
}

/* The largest that lasts, from one point to the next but gap - 1: those that begin in the time a
 * clock is set back by come in another order.  One of the two may be odd. */
static void find_largest(
	struct clock_break *b, const struct clock_edge *e, size_t gap, double enough)
{
	const struct clock_point *p = e->point;

	for (size_t i = 1; i + gap + 1 < e->n; i++) {
		size_t before = MIN(AROUND, i + 1), behind = MIN(AROUND, e->n - i - gap);
		double zero = apart(&p[i]), ns = apart(&p[i + gap]) - zero, spread = 0;

		double passed = (double)saturate_sub(p[i + gap - 1].other, p[i].other);
		if (fabs(ns) <= fmax(enough, fabs(b->ns)) || passed > as_long * fabs(ns))
			continue;
		double lasts = median_apart(p + i + gap, behind, zero, &spread) -
			median_apart(p + i + 1 - before, before, zero, &spread);
		if (fabs(lasts - ns) <= as_much * fabs(ns) && spread <= as_much * fabs(ns))
			*b = (struct clock_break){ i, gap, fabs(lasts - ns) > enough ? lasts : ns };
	}
}

/* False: there is none. */
static bool find_break(struct clock_break *b, const struct clock_edge *e, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	double *change = arena_array(mem, e->n, sizeof(*change));
	double *v = arena_array(mem, e->n, sizeof(*v));

	*b = (struct clock_break){ .ns = 0 };
	if (e->n < POINTS_MIN)
		return false;
	for (size_t i = 0; i + 1 < e->n; i++)
		change[i] = apart(&e->point[i + 1]) - apart(&e->point[i]);
	double enough = least_break(e, change, v, mem);
	for (size_t gap = 1; gap <= GAP_MAX && b->ns == 0; gap++)
		find_largest(b, e, gap, enough);
	arena_reset(mem, mark);
	return b->ns != 0;
}

nsec clock_step_back(const struct job_clock *c, nsec own)
{
	for (size_t i = 0; i < c->nset; i++)
		own = own >= c->set[i].at ? saturate_sub(own, c->set[i].by) : own;
	return own;
}

/* Where a stretch begins or ends: with the start of a collective, or its end. */
struct place {
	size_t i;
	bool is_end;
	nsec at;
};

/* As far as the clock is set back by now. */
static struct place place_of(const struct job_rank *r, size_t i, bool is_end)
{
	const struct collective *c = &r->digest->collectives->v[i];
	nsec at = is_end ? saturate_add(c->start, c->dur) : c->start;

	return (struct place){ i, is_end, clock_step_back(&r->clock, at) };
}

/* How many collectives start before a time. */
static size_t count_before(const struct job_rank *r, nsec at)
{
	const struct collectives *c = r->digest->collectives;

	return PARTITION_POINT(k, 0, c->n, place_of(r, k, false).at < at);
}

/* The end of a collective at that time; none: its i is n. */
static struct place end_at(const struct job_rank *r, nsec at)
{
	size_t i = count_before(r, at);

	while (i > 0 && place_of(r, i - 1, true).at != at)
		i--;
	return (struct place){ i > 0 ? i - 1 : r->digest->collectives->n, true, at };
}

/* How long a stretch usually is: in the other steps of as many collectives; NaN: there are none. */
static double usual_stretch(
	const struct job_rank *r, struct place from, struct place to, struct arena *mem)
{
	const struct collectives *c = r->digest->collectives;
	size_t *first = arena_array(mem, r->digest->nstep, sizeof(*first)), n = 0;
	size_t *count = arena_array(mem, r->digest->nstep, sizeof(*count));
	double *v = arena_array(mem, r->digest->nstep, sizeof(*v));
	uint32_t own = from.i < c->n && to.i < c->n ? c->v[to.i].step : COLL_NO_STEP;

	for (size_t i = c->n; own != COLL_NO_STEP && i-- > 0;) {
		if (c->v[i].step == COLL_NO_STEP)
			continue;
		first[c->v[i].step] = i;
		count[c->v[i].step]++;
	}
	for (size_t s = 0; own != COLL_NO_STEP && s < r->digest->nstep; s++) {
		size_t by = first[s] - first[own]; /* may be less than none, of both */

		if (s != own && count[s] == count[own] && from.i + by < c->n && to.i + by < c->n)
			v[n++] = (double)saturate_sub(place_of(r, to.i + by, to.is_end).at,
				place_of(r, from.i + by, from.is_end).at);
	}
	return n > 0 ? quantile_select(v, n, 0.5) : NAN;
}

/* How much easier a stretch is explained with the step in it: one that is longer by nothing else is
 * likelier than two that are by something. */
static double explained_by(double longer, double step)
{
	return sqrt(fabs(longer)) - sqrt(fabs(longer - step));
}

/* Where it was set by so much, between two ends: behind the stretch between collectives' starts
 * that it explains best; where nothing is usual, behind the longest, which it is part of. */
static nsec step_time(
	const struct job_rank *r, nsec by, struct place last, struct place to, struct arena *mem)
{
	const size_t n = r->digest->collectives->n;
	nsec at = to.at, longest = 0;
	nsec best_at = to.at;
	double best = -INFINITY;
	bool is_usual = true, is_last = false;

	for (size_t i = count_before(r, last.at + 1); !is_last; i++) {
		struct place end = i < n ? place_of(r, i, false) : to;
		is_last = i >= n || end.at > to.at;
		end = is_last ? to : end;
		nsec length = saturate_sub(end.at, last.at);
		double longer = (double)length - usual_stretch(r, last, end, mem);
		double score = explained_by(longer, (double)by);

		is_usual = is_usual && !isnan(longer);
		if (score > best) {
			best = score;
			best_at = end.at;
		}
		if (length > longest) {
			longest = length;
			at = end.at;
		}
		last = end;
	}
	return is_usual ? best_at : at;
}

/* Points are set back by what was found last. */
static void set_back(struct clock_edge *e, uint32_t rank, const struct job_clock *c)
{
	const struct job_clock_set *set = &c->set[c->nset - 1];

	for (EACH(struct clock_point, point, e->point, e->n)) {
		nsec *of = e->b == rank ? &point->own : &point->other;

		*of = *of >= set->at ? saturate_sub(*of, set->by) : *of;
	}
}

/* How far the step around a time is from the usual one of its rank: a clock that is set in it makes
 * it longer or shorter. */
static double odd_step(const struct job_rank *r, nsec at, struct arena *mem)
{
	const struct collectives *c = r->digest->collectives;
	const struct digest_step *s = r->digest->step;
	double *wall = arena_array(mem, r->digest->nstep, sizeof(*wall)), most = 0;
	size_t i = count_before(r, at);

	for (size_t k = 0; k < r->digest->nstep; k++)
		wall[k] = (double)s[k].wall;
	double usual = quantile_select(wall, r->digest->nstep, 0.5);
	for (size_t k = i > 0 ? i - 1 : 0; k < MIN(i + 1, c->n); k++)
		if (c->v[k].step != COLL_NO_STEP)
			most = fmax(fabs((double)s[c->v[k].step].wall - usual), most);
	return most;
}

/* The same of the largest break of a rank's edges. */
static double odd_at_break(const struct job *j, uint32_t rank, const struct clock_edge *e, size_t n,
	const struct clock_break *at, struct arena *mem)
{
	size_t top = n;

	for (size_t i = 0; i < n; i++)
		if ((e[i].a == rank || e[i].b == rank) && at[i].ns != 0 &&
			(top == n || fabs(at[i].ns) > fabs(at[top].ns)))
			top = i;
	if (top == n)
		return 0;
	const struct clock_point *p = &e[top].point[at[top].i];
	return odd_step(&j->rank[rank], e[top].b == rank ? p->own : p->other, mem);
}

/* The rank whose edges break most often, of equals that whose step is odd there; nrank: none does.
 */
static uint32_t choose(const struct job *j, const struct clock_edge *e, size_t n,
	const struct clock_break *at, const bool *is_done, struct arena *mem)
{
	size_t *broken = arena_array(mem, j->nrank, sizeof(*broken));
	size_t *all = arena_array(mem, j->nrank, sizeof(*all));
	uint32_t best = (uint32_t)j->nrank;

	for (size_t i = 0; i < n; i++) {
		if (e[i].n < POINTS_MIN)
			continue;
		all[e[i].a]++;
		all[e[i].b]++;
		broken[e[i].a] += at[i].ns != 0;
		broken[e[i].b] += at[i].ns != 0;
	}
	for (uint32_t r = (uint32_t)j->nrank; r-- > 0;) {
		if (broken[r] == 0 || is_done[r])
			continue;
		size_t own = best == j->nrank ? 1 : broken[r] * all[best];
		size_t others = best == j->nrank ? 0 : broken[best] * all[r];
		if (own > others || (own == others && broken[r] > broken[best]) ||
			(own == others && broken[r] == broken[best] &&
				odd_at_break(j, r, e, n, at, mem) >
					odd_at_break(j, best, e, n, at, mem)))
			best = r;
	}
	return best;
}

/* It was set between the ends before and behind the break of each of its edges. */
static void set_step(struct job_rank *r, uint32_t rank, const struct clock_edge *e, size_t n,
	const struct clock_break *at, struct arena *mem)
{
	nsec from = INT64_MIN, to = INT64_MAX, closest = INT64_MAX, by = 0;

	for (size_t i = 0; i < n; i++) {
		const struct clock_point *p = &e[i].point[at[i].i];
		bool is_own = e[i].b == rank;

		if (at[i].ns == 0 || (!is_own && e[i].a != rank))
			continue;
		nsec before = is_own ? p->own : p->other;
		nsec behind = is_own ? p[at[i].gap].own : p[at[i].gap].other;
		from = MAX(before, from);
		to = MIN(behind, to);
		if (saturate_sub(behind, before) >= closest)
			continue;
		closest = saturate_sub(behind, before);
		by = saturate_round(is_own ? at[i].ns : -at[i].ns);
	}
	const struct job_clock_set set = { by,
		step_time(r, by, end_at(r, from), end_at(r, to), mem) };
	r->clock.set[r->clock.nset++] = set;
}

/* Whether a rank's clock was set by what undoes how it was set before: ends that wander look so. */
static bool undoes(const struct job_clock *c)
{
	double last = (double)c->set[c->nset - 1].by;

	return c->nset > 1 && fabs(last + (double)c->set[c->nset - 2].by) < as_much * fabs(last);
}

void clock_steps(struct job *j, struct clock_edge *e, size_t n, struct arena *mem)
{
	struct clock_break *at = arena_array(mem, n, sizeof(*at));
	bool *is_done = arena_array(mem, j->nrank, sizeof(*is_done));
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= find_break(&at[i], &e[i], mem);
	for (int round = 0; round < STEPS_MAX && any; round++) {
		uint32_t rank = choose(j, e, n, at, is_done, mem);
		if (rank == j->nrank)
			return;
		struct job_clock *c = &j->rank[rank].clock;
		set_step(&j->rank[rank], rank, e, n, at, mem);
		bool is_set = !undoes(c);
		c->nset -= !is_set;
		is_done[rank] = !is_set || c->nset == CLOCK_SETS;
		any = false;
		for (size_t i = 0; i < n; i++) {
			if (is_set && (e[i].a == rank || e[i].b == rank)) {
				set_back(&e[i], rank, c);
				(void)find_break(&at[i], &e[i], mem);
			}
			any |= at[i].ns != 0;
		}
	}
}
