/*
 * Intervals that have begun, and those that are of the run as a whole.
 */
#include "analyze/input/artifact/logs/mllog_intervals.h"

#include <math.h>
#include <string.h>

void mllog_intervals_init(struct mllog_intervals *v)
{
	v->nopen = 0;
	v->whole[0] = (struct mllog_whole){ "run", "time_to_train", NAN, NAN };
	v->whole[1] = (struct mllog_whole){ "init", "init_time", NAN, NAN };
}

bool mllog_stem(struct span key, const char *end, char stem[MLLOG_KEY])
{
	struct span want = span_of(end);

	if (key.n <= want.n || key.n - want.n >= MLLOG_KEY ||
		!span_eq((struct span){ key.p + key.n - want.n, want.n }, want))
		return false;
	memcpy(stem, key.p, key.n - want.n);
	stem[key.n - want.n] = '\0';
	return true;
}

static struct mllog_whole *whole_of(struct mllog_intervals *v, const char *stem)
{
	size_t i;

	for (i = 0; i < MLLOG_WHOLES; i++)
		if (strcmp(v->whole[i].key, stem) == 0)
			return &v->whole[i];
	return NULL;
}

void mllog_begin(struct mllog_intervals *v, const char *stem, int rank, double ms, double x)
{
	struct mllog_whole *w = whole_of(v, stem);
	struct mllog_begun *b;

	if (w) {
		w->from = isnan(w->from) || ms < w->from ? ms : w->from;
		return;
	}
	if (v->nopen == MLLOG_OPEN)
		return;
	b = &v->open[v->nopen++];
	*b = (struct mllog_begun){ .rank = rank, .ms = ms, .x = x };
	memcpy(b->key, stem, strlen(stem) + 1);
}

bool mllog_end(
	struct mllog_intervals *v, const char *stem, int rank, double ms, struct mllog_begun *begun)
{
	struct mllog_whole *w = whole_of(v, stem);
	size_t i;

	if (w) {
		w->to = isnan(w->to) || ms > w->to ? ms : w->to;
		return false;
	}
	for (i = v->nopen; i > 0; i--) {
		struct mllog_begun *b = &v->open[i - 1];

		if (b->rank != rank || strcmp(b->key, stem) != 0)
			continue;
		*begun = *b;
		memmove(b, b + 1, (v->nopen - i) * sizeof(*b));
		v->nopen--;
		return true;
	}
	return false;
}
