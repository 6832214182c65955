/* Series: exact first, then in constant memory.
 *
 * Moments are gathered a block at a time around the block's first value and merged as in Chan,
 * Golub and LeVeque (1983), so that no value costs a division and none loses its digits. */
#include "analyze/trace/columns/series.h"

/* Points being added up around the first of them, so that no value costs a division. */
struct sums {
	int64_t n;
	double first_x, last_x, shift;
	double x, y, yy; /* sums of x - first_x, y - shift and its square */
	double min, max;
};

/* What is kept of a series that is no longer exact. */
struct series_long {
	struct point first[SERIES_FIRST];
	struct point last[SERIES_LAST]; /* a ring; the newest at (nlast - 1) % SERIES_LAST */
	uint64_t nlast;
	struct point sample[SERIES_SAMPLE];
	uint64_t nseen;
	uint64_t random;
	struct series_block block[SERIES_BLOCKS];
	size_t nblock;        /* whole ones; the open one comes behind them */
	int64_t block_points; /* in a full block */
	struct sums open;
};

void series_init(struct series *s, struct span name, struct span group)
{
	*s = (struct series){ .name = name, .group = group };
}

void series_clear(struct series *s)
{
	FREE_ALL(s->point, s->more);
	*s = (struct series){ 0 };
}

typedef unsigned __int128 wide;

/* splitmix64 (Steele, Lea and Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t seed_of(struct span name)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 0x100000001b3u;
	return h;
}

/* --- moments --- */

HOT_INLINE void sums_begin(struct sums *s, struct point p)
{
	*s = (struct sums){ 1, p.x, p.x, p.y, 0, 0, 0, p.y, p.y };
}

HOT_INLINE void sums_add(struct sums *s, struct point p)
{
	double d = p.y - s->shift;

	s->n++;
	s->last_x = p.x;
	s->x += p.x - s->first_x;
	s->y += d;
	s->yy += d * d;
	s->min = MIN(p.y, s->min);
	s->max = MAX(p.y, s->max);
}

static struct series_block sums_block(const struct sums *s)
{
	double n = (double)s->n, m2 = s->yy - s->y * s->y / n;

	return (struct series_block){ s->n, s->first_x, s->last_x, s->shift + s->y / n, MAX(m2, 0),
		s->min, s->max, s->first_x + s->x / n };
}

static void block_merge(struct series_block *a, const struct series_block *b)
{
	double n = (double)(a->n + b->n), share = (double)b->n / n, d = b->mean - a->mean;

	a->m2 += b->m2 + d * d * (double)a->n * share;
	a->mean += d * share;
	a->mean_x += (b->mean_x - a->mean_x) * share;
	a->n += b->n;
	a->last_x = b->last_x;
	a->min = MIN(b->min, a->min);
	a->max = MAX(b->max, a->max);
}

/* The moments and extremes of all values.  The count is not raised yet. */
static void merge_sums(struct series *s, const struct sums *add)
{
	struct series_block all = { .n = s->n, .mean = s->mean, .m2 = s->m2 };
	struct series_block more = sums_block(add);

	s->min = s->n ? MIN(add->min, s->min) : add->min;
	s->max = s->n ? MAX(add->max, s->max) : add->max;
	if (s->n == 0)
		all = more;
	else
		block_merge(&all, &more);
	s->mean = all.mean;
	s->m2 = all.m2;
	s->sum += add->shift * (double)add->n + add->y;
}

/* --- long series --- */

/* The open block is full: it becomes one of the whole ones. */
static void close_block(struct series_long *m)
{
	if (m->nblock == SERIES_BLOCKS) {
		/* It is as long as the merged ones' halves: the next block goes on with it. */
		for (size_t i = 0; i + 1 < m->nblock; i += 2) {
			m->block[i / 2] = m->block[i];
			block_merge(&m->block[i / 2], &m->block[i + 1]);
		}
		m->nblock /= 2;
		m->block_points *= 2;
		return;
	}
	m->block[m->nblock++] = sums_block(&m->open);
	m->open.n = 0;
}

static void add_blocks(struct series_long *m, const struct point *p, size_t n)
{
	size_t i = 0;

	while (i < n) {
		if (m->open.n == m->block_points)
			close_block(m);
		struct sums open = m->open; /* not through memory */
		if (open.n == 0)
			sums_begin(&open, p[i++]);
		for (; i < n && open.n < m->block_points; i++)
			sums_add(&open, p[i]);
		m->open = open;
	}
}

static size_t copy_blocks(const struct series_long *m, struct series_block *out)
{
	size_t n = m->nblock;

	memcpy(out, m->block, n * sizeof(*out));
	if (m->open.n == 0)
		return n;
	if (n == SERIES_BLOCKS) { /* no room for the open one */
		struct series_block open = sums_block(&m->open);

		block_merge(&out[n - 1], &open);
		return n;
	}
	out[n] = sums_block(&m->open);
	return n + 1;
}

static void add_samples(struct series_long *m, const struct point *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t at = m->nseen++;

		if (at >= SERIES_SAMPLE)
			at = (uint64_t)((wide)next_random(&m->random) * m->nseen >> 64);
		if (at < SERIES_SAMPLE)
			m->sample[at] = p[i];
	}
}

static void add_long(struct series_long *m, const struct point *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		m->last[m->nlast++ % SERIES_LAST] = p[i];
	add_samples(m, p, n);
	add_blocks(m, p, n);
}

static void become_long(struct series *s)
{
	struct series_long *m = xcalloc(1, sizeof(*m));

	m->random = seed_of(s->name);
	m->block_points = 1;
	memcpy(m->first, s->point, sizeof(m->first));
	add_long(m, s->point, SERIES_EXACT);
	free(s->point);
	s->point = NULL;
	s->cap = 0;
	s->more = m;
}

static void add_odd(struct series *s, double x, double y)
{
	if (isnan(y)) {
		if (s->nan++ == 0)
			s->first_nan_x = x;
	} else if (s->inf++ == 0) {
		s->first_inf_x = x;
	}
}

/* n points behind the first `have`. */
static void keep(struct series *s, const struct point *p, size_t n, size_t have)
{
	size_t exact = s->more ? 0 : MIN(n, SERIES_EXACT - have);

	if (exact) {
		s->point = array_grow(s->point, &s->cap, have + exact, sizeof(*s->point));
		memcpy(s->point + have, p, exact * sizeof(*p));
	}
	if (exact == n)
		return;
	if (!s->more)
		become_long(s);
	add_long(s->more, p + exact, n - exact);
}

void series_add_many(struct series *s, const struct point *p, size_t n)
{
	struct sums sums = { .n = 0 };

	for (size_t i = 0, to; i < n; i = to) {
		to = FIRST_FROM(k, i, n, !isfinite(p[k].y));
		if (UNLIKELY(to == i)) {
			add_odd(s, p[i].x, p[i].y);
			to++;
			continue;
		}
		keep(s, p + i, to - i, (size_t)(s->n + sums.n));
		s->last = p[to - 1];
		if (sums.n == 0)
			sums_begin(&sums, p[i++]);
		for (; i < to; i++)
			sums_add(&sums, p[i]);
	}
	if (sums.n == 0)
		return;
	merge_sums(s, &sums);
	s->n += sums.n;
}

void series_add(struct series *s, double x, double y)
{
	const struct point p = { x, y };

	series_add_many(s, &p, 1);
}

void series_add_missing(struct series *s)
{
	s->missing++;
}

bool series_is_exact(const struct series *s)
{
	return !s->more;
}

bool series_rises(const struct series *s)
{
	if (s->n < 2 || s->last.y != s->max || !(s->max > s->min))
		return false;
	for (int64_t i = 1; s->point && i < s->n; i++)
		if (s->point[i].y < s->point[i - 1].y)
			return false;
	return true;
}

bool series_rises_slowly(const struct series *s)
{
	enum { ROWS = 100 }; /* a start takes as long as so many rows, and no longer */
	double n = (double)s->n - 1;

	if (!s->point || s->n < 2)
		return false;
	double rows = s->axis == AXIS_STEP && s->last.x > s->point[0].x
		? s->point[0].x / ((s->last.x - s->point[0].x) / n)
		: 0; /* before the first */
	return s->min > ROWS * (fmax(rows, 0) + 1) * (s->last.y - s->min) / n;
}

bool series_is_duration(const struct series *s)
{
	return span_is_nocase(s->name, "time") && s->n > 1 &&
		(!series_rises(s) || series_rises_slowly(s));
}

size_t series_last(const struct series *s, size_t want, struct point *out)
{
	size_t n = (size_t)s->n;

	if (!s->more) {
		want = MIN(want, n);
		if (want)
			memcpy(out, s->point + n - want, want * sizeof(*out));
		return want;
	}
	want = MIN(want, SERIES_LAST);
	for (size_t i = 0; i < want; i++)
		out[i] = s->more->last[(s->more->nlast - want + i) % SERIES_LAST];
	return want;
}

size_t series_first(const struct series *s, size_t want, struct point *out)
{
	size_t most = s->more ? SERIES_FIRST : (size_t)s->n;

	want = MIN(want, most);
	if (want)
		memcpy(out, s->more ? s->more->first : s->point, want * sizeof(*out));
	return want;
}

const struct point *series_sample(const struct series *s, size_t *n)
{
	*n = s->more ? SERIES_SAMPLE : (size_t)s->n;
	return s->more ? s->more->sample : s->point;
}

size_t series_blocks(const struct series *s, struct series_block *out)
{
	if (s->more)
		return copy_blocks(s->more, out);
	struct series_long *m = xcalloc(1, sizeof(*m));
	m->block_points = 1;
	add_blocks(m, s->point, (size_t)s->n);
	size_t n = copy_blocks(m, out);
	free(m);
	return n;
}

double series_std(const struct series *s, int ddof)
{
	return s->n - ddof < 1 ? (double)NAN : sqrt(s->m2 / (double)(s->n - ddof));
}
