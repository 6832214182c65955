/*
 * Series: exact first, then in constant memory.
 *
 * Moments are gathered a block at a time around the block's first value and merged as in Chan,
 * Golub and LeVeque (1983), so that no value costs a division and none loses its digits.
 */
#include "analyze/store/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/die.h"

/* What is kept of a series that is no longer exact. */
struct series_long {
	struct point first[SERIES_FIRST];
	struct point last[SERIES_LAST]; /* a ring; the newest at (nlast - 1) % SERIES_LAST */
	uint64_t nlast;
	struct point sample[SERIES_SAMPLE];
	uint64_t nseen;
	uint64_t random;
	struct series_block block[SERIES_BLOCKS];
	size_t nblock;
	int64_t block_points; /* in a full block */
};

void series_init(struct series *s, struct span name, struct span group)
{
	*s = (struct series){ .name = name, .group = group };
}

void series_clear(struct series *s)
{
	free(s->point);
	free(s->more);
	*s = (struct series){ 0 };
}

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
	size_t i;

	for (i = 0; i < name.n; i++)
		h = (h ^ (unsigned char)name.p[i]) * 0x100000001b3u;
	return h;
}

/* --- moments --- */

static void block_begin(struct series_block *b, struct point p)
{
	*b = (struct series_block){ 1, p.x, p.x, p.y, 0, p.y, p.y, p.x };
}

static void block_merge(struct series_block *a, const struct series_block *b)
{
	double n = (double)(a->n + b->n), share = (double)b->n / n, d = b->mean - a->mean;

	a->m2 += b->m2 + d * d * (double)a->n * share;
	a->mean += d * share;
	a->mean_x += (b->mean_x - a->mean_x) * share;
	a->n += b->n;
	a->last_x = b->last_x;
	a->min = b->min < a->min ? b->min : a->min;
	a->max = b->max > a->max ? b->max : a->max;
}

static void block_add(struct series_block *b, struct point p)
{
	struct series_block one;

	block_begin(&one, p);
	block_merge(b, &one);
}

/* Welford (1962); the count is already raised. */
static void add_moments(struct series *s, struct point p)
{
	double d = p.y - s->mean;

	s->mean += d / (double)s->n;
	s->m2 += d * (p.y - s->mean);
	s->sum += p.y;
	if (s->n == 1 || p.y < s->min) {
		s->min = p.y;
		s->min_x = p.x;
	}
	if (s->n == 1 || p.y > s->max) {
		s->max = p.y;
		s->max_x = p.x;
	}
	s->last = p;
}

/* --- long series --- */

static void merge_blocks(struct series_long *m)
{
	size_t i;

	for (i = 0; i + 1 < m->nblock; i += 2) {
		m->block[i / 2] = m->block[i];
		block_merge(&m->block[i / 2], &m->block[i + 1]);
	}
	m->nblock /= 2;
	m->block_points *= 2;
}

static void add_block(struct series_long *m, struct point p)
{
	struct series_block *newest = m->nblock ? &m->block[m->nblock - 1] : NULL;

	if (newest && newest->n < m->block_points) {
		block_add(newest, p);
		return;
	}
	if (m->nblock == SERIES_BLOCKS)
		merge_blocks(m);
	block_begin(&m->block[m->nblock++], p);
}

static void add_sample(struct series_long *m, struct point p)
{
	uint64_t at = m->nseen++;

	if (at >= SERIES_SAMPLE)
		at = next_random(&m->random) % m->nseen;
	if (at < SERIES_SAMPLE)
		m->sample[at] = p;
}

static void add_long(struct series_long *m, struct point p)
{
	m->last[m->nlast++ % SERIES_LAST] = p;
	add_sample(m, p);
	add_block(m, p);
}

static void become_long(struct series *s)
{
	struct series_long *m = calloc(1, sizeof(*m));
	size_t i;

	if (!m)
		die_oom(sizeof(*m));
	m->random = seed_of(s->name);
	m->block_points = 1;
	memcpy(m->first, s->point, sizeof(m->first));
	for (i = 0; i < SERIES_EXACT; i++)
		add_long(m, s->point[i]);
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

void series_add(struct series *s, double x, double y)
{
	struct point p = { x, y };

	if (UNLIKELY(!isfinite(y))) {
		add_odd(s, x, y);
		return;
	}
	if (!s->more) {
		if (s->n == SERIES_EXACT)
			become_long(s);
		else if ((size_t)s->n == s->cap)
			s->point =
				array_grow(s->point, &s->cap, (size_t)s->n + 1, sizeof(*s->point));
	}
	s->n++;
	add_moments(s, p);
	if (s->more)
		add_long(s->more, p);
	else
		s->point[s->n - 1] = p;
}

void series_add_many(struct series *s, const struct point *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		series_add(s, p[i].x, p[i].y);
}

void series_add_missing(struct series *s)
{
	s->missing++;
}

bool series_is_exact(const struct series *s)
{
	return !s->more;
}

size_t series_last(const struct series *s, size_t want, struct point *out)
{
	size_t i, n = (size_t)s->n;

	if (!s->more) {
		want = want < n ? want : n;
		if (want)
			memcpy(out, s->point + n - want, want * sizeof(*out));
		return want;
	}
	want = want < SERIES_LAST ? want : SERIES_LAST;
	for (i = 0; i < want; i++)
		out[i] = s->more->last[(s->more->nlast - want + i) % SERIES_LAST];
	return want;
}

size_t series_first(const struct series *s, size_t want, struct point *out)
{
	size_t most = s->more ? SERIES_FIRST : (size_t)s->n;

	want = want < most ? want : most;
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
	struct series_long *m;
	size_t i, n;

	if (s->more) {
		memcpy(out, s->more->block, s->more->nblock * sizeof(*out));
		return s->more->nblock;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		die_oom(sizeof(*m));
	m->block_points = 1;
	for (i = 0; i < (size_t)s->n; i++)
		add_block(m, s->point[i]);
	n = m->nblock;
	memcpy(out, m->block, n * sizeof(*out));
	free(m);
	return n;
}

double series_std(const struct series *s, int ddof)
{
	return s->n - ddof < 1 ? (double)NAN : sqrt(s->m2 / (double)(s->n - ddof));
}
