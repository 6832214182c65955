/*
 * Joining B and E.
 */
#include "analyze/input/events/begin_end.h"

#include <stdlib.h>

#include "analyze/trace/run.h"
#include "base/xalloc.h"

/* What is joined, and what of it is open. */
struct joining {
	struct run *run;
	uint32_t *thread; /* by lane: lanes of one (pid, tid) are one thread, whatever they hold */
	uint32_t *half;   /* rows of B and E, by thread and time */
	size_t n;
	uint32_t *open; /* rows of B */
	size_t depth;
	uint32_t *open_of; /* by name: how many of them are open */
};

static int by_thread_time_row(const void *pa, const void *pb, void *ctx)
{
	const struct joining *j = ctx;
	const struct events *e = &j->run->events;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;
	uint32_t x = j->thread[e->lane[a]], y = j->thread[e->lane[b]];

	if (x != y)
		return x < y ? -1 : 1; /* lint: allow byhand: hot */
	if (e->start[a] != e->start[b])
		return e->start[a] < e->start[b] ? -1 : 1; /* lint: allow byhand: hot */
	return (a > b) - (a < b);                          /* lint: allow byhand: hot */
}

static uint32_t *find_threads(const struct run *run)
{
	uint32_t *thread = xcalloc(run->lanes.n, sizeof(*thread));
	struct lanes seen;
	size_t i;

	lanes_init(&seen);
	for (i = 0; i < run->lanes.n; i++) {
		struct lane key = { .pid = run->lanes.lane[i].pid, .device = -1, .stream = -1 };

		key.tid = run->lanes.lane[i].tid;
		thread[i] = lanes_add(&seen, &key);
	}
	lanes_clear(&seen);
	return thread;
}

static bool is_half(const struct events *e, size_t i)
{
	return (e->flags[i] & (EVENT_BEGIN | EVENT_END)) != 0;
}

/* The last timestamp of each lane. */
static nsec *lane_ends(const struct run *run)
{
	nsec *end = xcalloc(run->lanes.n, sizeof(*end));
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

/* Takes the innermost open row off. */
static uint32_t pop(struct joining *j)
{
	uint32_t row = j->open[--j->depth];

	j->open_of[j->run->events.name[row]]--;
	return row;
}

static void close_unfinished(struct joining *j, nsec end)
{
	uint32_t row = pop(j);

	close_slice(j->run, row, end);
	j->run->events.flags[row] |= EVENT_UNFINISHED;
	tally_add(&j->run->tally, PROBLEM_BEGIN_WITHOUT_END, 1, -1);
}

/* Closes what is still open on a thread: nobody knows when it ended. */
static void close_rest(struct joining *j, const nsec *end)
{
	while (j->depth > 0)
		close_unfinished(j, end[j->run->events.lane[j->open[j->depth - 1]]]);
}

/*
 * An E without a name closes the innermost B; with one, the innermost B of that name, and what was
 * opened inside has ended by then.
 */
static void close_one(struct joining *j, uint32_t row)
{
	const struct events *e = &j->run->events;
	sym name = e->name[row];

	if (j->depth == 0 || (name && j->open_of[name] == 0)) {
		tally_add(&j->run->tally, PROBLEM_END_WITHOUT_BEGIN, 1, -1);
		return;
	}
	while (name && e->name[j->open[j->depth - 1]] != name)
		close_unfinished(j, e->start[row]);
	close_slice(j->run, pop(j), e->start[row]);
}

static void join(struct joining *j, const nsec *end)
{
	const struct events *e = &j->run->events;
	size_t i;

	for (i = 0; i < j->n; i++) {
		uint32_t row = j->half[i];

		if (i > 0 && j->thread[e->lane[row]] != j->thread[e->lane[j->half[i - 1]]])
			close_rest(j, end);
		if (!(e->flags[row] & EVENT_BEGIN)) {
			close_one(j, row);
			continue;
		}
		j->open[j->depth++] = row;
		j->open_of[e->name[row]]++;
	}
	close_rest(j, end);
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
	struct joining j = { .run = run, .thread = find_threads(run) };
	const struct events *e = &run->events;
	nsec *end = lane_ends(run);
	size_t i;

	for (i = 0; i < e->n; i++)
		j.n += is_half(e, i);
	j.half = xcalloc(j.n, sizeof(*j.half));
	for (i = 0, j.n = 0; i < e->n; i++)
		if (is_half(e, i))
			j.half[j.n++] = (uint32_t)i;
	qsort_r(j.half, j.n, sizeof(*j.half), by_thread_time_row, &j);
	j.open = xcalloc(j.n, sizeof(*j.open));
	j.open_of = xcalloc(run->strings.n, sizeof(*j.open_of));
	join(&j, end);
	drop_ends(run);
	free(j.open);
	free(j.open_of);
	free(j.half);
	free(j.thread);
	free(end);
}
