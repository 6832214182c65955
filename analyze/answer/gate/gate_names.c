/* `gate`: how the runs of a history are called. */
#include <time.h>

#include "analyze/answer/gate/gate.h"
#include "analyze/trace/history.h"

/* The day of a run of a store, or NULL.  In out's memory. */
static const char *day_of(const struct gate *g, size_t run)
{
	int64_t s = g->query->history->run[run].time_s;
	time_t t = (time_t)s;
	struct tm tm;

	if (s == INT64_MIN || !gmtime_r(&t, &tm))
		return NULL;
	return arena_printf(
		&g->out->mem, "%04d-%02d-%02d", tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

static bool is_same_day(const struct gate *g, size_t other, const char *day)
{
	if (other >= g->query->history->nrun)
		return false;
	const char *of = day_of(g, other);
	return of && strcmp(of, day) == 0;
}

const char *gate_night_name(const struct gate *g, size_t run)
{
	const struct history *h = g->query->history;

	if (run >= h->nrun)
		return g->now_label;
	const char *label = h->run[run].label;
	const char *day = day_of(g, run);
	if (!day)
		return label[0] ? label : arena_printf(&g->out->mem, "run %zu", run + 1);
	if (!label[0] || (!is_same_day(g, run - 1, day) && !is_same_day(g, run + 1, day)))
		return day;
	return arena_printf(&g->out->mem, "%s %s", day, label);
}

bool gate_is_store(const struct gate *g)
{
	return g->query->history->nrun > 0 && g->query->history->run[0].time_s != INT64_MIN;
}

enum { RUNS_MAX = 200 };

const struct verdict_runs *gate_runs(
	const struct gate *g, const struct segment_series *s, double level)
{
	struct verdict_runs *runs = arena_alloc(&g->out->mem, sizeof(*runs));
	size_t n = MIN(s->n, RUNS_MAX), first = s->n - n;

	*runs = (struct verdict_runs){ arena_array(&g->out->mem, n, sizeof(*runs->name)),
		s->v + first, n, level, s->unit };
	for (size_t i = 0; i < n; i++)
		runs->name[i] = gate_night_name(g, s->run[first + i]);
	return runs;
}
