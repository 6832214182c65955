/* `gate`: how the runs of a history are called. */
#include "analyze/answer/gate/gate.h"
#include "analyze/job/digest/digest.h"
#include "analyze/job/sides.h"
#include "analyze/trace/history.h"
#include "base/unit.h"

/* The day of a run of a store, or NULL.  In out's memory. */
static const char *day_of(const struct gate *g, size_t run)
{
	int64_t s = g->query->history->run[run].time_s;
	SCOPED_STR b = { 0 };

	if (s != INT64_MIN)
		unit_put_day(&b, s);
	return b.n ? arena_copy(&g->out->mem, b.s, b.n) : NULL;
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

/* "2025-11-30" and what follows it, as the table of runs has it, too. */
static bool is_day(const char *name)
{
	static const char digits[] = "0123456789";

	return strspn(name, digits) == 4 && name[4] == '-' && strspn(name + 5, digits) == 2;
}

static const char *days_between(const struct gate *g, const char *first, const char *last)
{
	if (!first || !last || strcmp(first, last) == 0)
		return first;
	return arena_printf(&g->out->mem, "%s to %s", first, last);
}

static const char *day_of_ns(const struct gate *g, nsec at)
{
	static const nsec in_s = 1000000000;
	SCOPED_STR b = { 0 };

	unit_put_day(&b, at / in_s);
	return arena_copy(&g->out->mem, b.s ? b.s : "", b.n);
}

const char *gate_days(const struct gate *g, const struct side *side)
{
	size_t n = !side && g->query->history ? g->query->history->nrun : 0;
	nsec first = 0, last = 0;

	if (n > 0) {
		const char *from = gate_night_name(g, 0), *to = gate_night_name(g, n - 1);

		return is_day(from) && is_day(to) ? days_between(g, from, to) : NULL;
	}
	for (size_t i = 0; side && i < side->nrun; i++)
		for (size_t k = 0; k < side->run[i].n; k++) {
			nsec at = digest_recorded(side->run[i].part[k].digest);

			first = at > 0 && (first == 0 || at < first) ? at : first;
			last = MAX(last, at);
		}
	return last ? days_between(g, day_of_ns(g, first), day_of_ns(g, last)) : NULL;
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
