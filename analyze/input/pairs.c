/*
 * Joining B and E.
 */
#include "analyze/input/pairs.h"

#include <stdlib.h>

#include "analyze/store/run.h"
#include "base/die.h"

static int by_lane_time_row(const void *a, const void *b, void *ctx)
{
	const struct events *e = ctx;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (e->lane[x] != e->lane[y])
		return e->lane[x] < e->lane[y] ? -1 : 1;
	if (e->start[x] != e->start[y])
		return e->start[x] < e->start[y] ? -1 : 1;
	return (x > y) - (x < y);
}

static void *allocate(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die_oom(n * size);
	return p;
}

static bool is_half(const struct events *e, size_t i)
{
	return (e->flags[i] & (EVENT_BEGIN | EVENT_END)) != 0;
}

/* The last timestamp of each lane. */
static nsec *lane_ends(const struct run *run)
{
	nsec *end = allocate(run->lanes.n, sizeof(*end));
	size_t i;

	for (i = 0; i < run->lanes.n; i++)
		end[i] = INT64_MIN;
	for (i = 0; i < run->events.n; i++) {
		nsec t = events_end(&run->events, i);

		if (t > end[run->events.lane[i]])
			end[run->events.lane[i]] = t;
	}
	return end;
}

static void close_slice(struct run *run, uint32_t row, nsec end)
{
	struct events *e = &run->events;

	e->flags[row] &= (uint8_t)~EVENT_BEGIN;
	if (sub_overflows(end, e->start[row], &e->dur[row]))
		e->dur[row] = INT64_MAX;
}

/* Closes what is still open on a lane. */
static void close_rest(struct run *run, const uint32_t *open, size_t depth, const nsec *end)
{
	while (depth-- > 0) {
		uint32_t row = open[depth];

		close_slice(run, row, end[run->events.lane[row]]);
		run->events.flags[row] |= EVENT_UNFINISHED;
		tally_add(&run->tally, PROBLEM_BEGIN_WITHOUT_END, 1, -1);
	}
}

static void join(struct run *run, const uint32_t *half, size_t n, const nsec *end)
{
	struct events *e = &run->events;
	uint32_t *open = allocate(n, sizeof(*open));
	size_t depth = 0, i;

	for (i = 0; i < n; i++) {
		if (i > 0 && e->lane[half[i]] != e->lane[half[i - 1]]) {
			close_rest(run, open, depth, end);
			depth = 0;
		}
		if (e->flags[half[i]] & EVENT_BEGIN)
			open[depth++] = half[i];
		else if (depth > 0)
			close_slice(run, open[--depth], e->start[half[i]]);
		else
			tally_add(&run->tally, PROBLEM_END_WITHOUT_BEGIN, 1, -1);
	}
	close_rest(run, open, depth, end);
	free(open);
}

static void drop_ends(struct run *run)
{
	struct events *e = &run->events;
	size_t i;

	for (i = 0; i < e->n; i++)
		if (e->flags[i] & EVENT_END) {
			e->flags[i] |= EVENT_DROP;
			run->kind_count[e->kind[i]]--;
		}
	events_drop(e);
}

void pairs_join(struct run *run)
{
	struct events *e = &run->events;
	nsec *end = lane_ends(run);
	uint32_t *half;
	size_t n = 0, i;

	for (i = 0; i < e->n; i++)
		n += is_half(e, i);
	half = allocate(n, sizeof(*half));
	for (i = 0, n = 0; i < e->n; i++)
		if (is_half(e, i))
			half[n++] = (uint32_t)i;
	qsort_r(half, n, sizeof(*half), by_lane_time_row, e);
	join(run, half, n, end);
	drop_ends(run);
	free(half);
	free(end);
}
