/* Alignment by shortest differences. */
#include "analyze/job/match/matchalign.h"

#include "analyze/trace/columns/args.h"

/* Row d has the furthest x on each diagonal k = x - y = -d, -d + 2 ... d that d steps reach, a step
 * being an element of either side that is left alone; NOWHERE: none. */
enum { NOWHERE = -1 };

struct search {
	const struct align_item *a, *b;
	int64_t na, nb;
	int64_t *reach; /* rows 0, 1, 2 ... of 1, 2, 3 ... values */
	int64_t d;      /* of the last row */
	size_t at;      /* in it: where the search ended */
};

bool align_same(const struct align_item *a, const struct align_item *b)
{
	if (a->symbol != b->symbol)
		return false;
	if (a->seq != ARG_UNKNOWN && b->seq != ARG_UNKNOWN)
		return a->seq == b->seq;
	return !a->has_step || !b->has_step || a->step == b->step;
}

static nsec distance(nsec a, nsec b)
{
	return a > b ? saturate_sub(a, b) : saturate_sub(b, a);
}

/* They end together, or run together for more than half of the shorter. */
static bool is_at_once(const struct align_item *a, const struct align_item *b)
{
	nsec from = MAX(a->start, b->start);
	nsec to = MIN(a->end, b->end);
	nsec da = saturate_sub(a->end, a->start), db = saturate_sub(b->end, b->start);

	return distance(a->end, b->end) <= a->tolerance || saturate_sub(to, from) > MIN(da, db) / 2;
}

static bool align_fits(const struct align_item *a, const struct align_item *b)
{
	return align_same(a, b) &&
		(!a->is_together || !a->is_timed || !b->is_timed || is_at_once(a, b));
}

static int64_t *row_of(const struct search *s, int64_t d)
{
	return s->reach + d * (d + 1) / 2;
}

static int64_t diagonal(int64_t d, size_t at)
{
	return 2 * (int64_t)at - d;
}

/* From x on diagonal k along what fits. */
static int64_t slide(const struct search *s, int64_t x, int64_t k)
{
	while (x < s->na && x - k < s->nb && align_fits(&s->a[x], &s->b[x - k]))
		x++;
	return x;
}

/* Where one step from the row before leads on a diagonal; *from: the diagonal's place there. */
static int64_t step(const struct search *s, int64_t d, size_t at, size_t *from)
{
	const int64_t *before = row_of(s, d - 1);
	int64_t k = diagonal(d, at);
	int64_t a = at > 0 && before[at - 1] != NOWHERE ? before[at - 1] + 1 : NOWHERE;
	int64_t b = (int64_t)at < d ? before[at] : NOWHERE;

	if (a > s->na)
		a = NOWHERE;
	if (b != NOWHERE && b - k > s->nb)
		b = NOWHERE;
	*from = a > b ? at - 1 : at;
	return MAX(a, b);
}

/* The place in row d that is furthest in both. */
static size_t furthest(const struct search *s, int64_t d)
{
	const int64_t *row = row_of(s, d);
	int64_t most = INT64_MIN;
	size_t at = 0;

	for (size_t i = 0; i <= (size_t)d; i++) {
		int64_t sum = 2 * row[i] - diagonal(d, i);

		if (row[i] != NOWHERE && sum > most) {
			most = sum;
			at = i;
		}
	}
	return at;
}

/* Searches until both ends are reached, or `bound` steps were taken. */
static void search(struct search *s, int64_t bound)
{
	for (s->d = 0;; s->d++) {
		int64_t *row = row_of(s, s->d);
		size_t from;

		for (s->at = 0; s->at <= (size_t)s->d; s->at++) {
			int64_t k = diagonal(s->d, s->at);
			int64_t x = s->d == 0 ? 0 : step(s, s->d, s->at, &from);

			row[s->at] = x == NOWHERE ? NOWHERE : slide(s, x, k);
			if (row[s->at] == s->na && s->na - k == s->nb)
				return;
		}
		if (s->d == bound)
			break;
	}
	s->at = furthest(s, s->d);
}

/* Notes what the search slid along, from its end to its beginning. */
static void note(const struct search *s, uint32_t *to, int64_t a0, int64_t b0)
{
	int64_t d = s->d, begin, k;
	size_t at = s->at, from = 0;

	for (; d >= 0; d--, at = from) {
		k = diagonal(d, at);
		begin = d > 0 ? step(s, d, at, &from) : 0;
		for (int64_t x = row_of(s, d)[at]; x > begin; x--)
			to[a0 + x - 1] = (uint32_t)(b0 + x - 1 - k);
	}
}

void align(const struct align_item *a, size_t na, const struct align_item *b, size_t nb,
	uint32_t *to, struct arena *mem)
{
	struct arena_mark mark = arena_mark(mem);
	int64_t bound = ALIGN_BOUND, i = 0, *reach = NULL;

	FILL(to, na, ALIGN_ALONE);
	for (; i < (int64_t)na && i < (int64_t)nb && align_fits(&a[i], &b[i]); i++)
		to[i] = (uint32_t)i;
	for (int64_t k = i; i < (int64_t)na && k < (int64_t)nb;) {
		struct search s = { a + i, b + k, (int64_t)na - i, (int64_t)nb - k, reach, 0, 0 };

		if (!reach)
			s.reach = reach = arena_array(mem,
				(size_t)(ALIGN_BOUND + 1) * (ALIGN_BOUND + 2) / 2, sizeof(*reach));
		search(&s, bound);
		note(&s, to, i, k);
		int64_t x = row_of(&s, s.d)[s.at];
		i += x;
		k += x - diagonal(s.d, s.at);
		bound = bound > ALIGN_LEAST ? bound / 2 : bound;
	}
	arena_reset(mem, mark);
}
