/* Threads: a cursor for each lane, and a heap of cursors. */
#include "analyze/depgraph/threads.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

/* ---- marks ---- */

ORDER(by_lane_and_time, struct mark, compare3(a->lane, b->lane), compare3(a->at, b->at),
	compare3(a->id, b->id))

static void find_marks(struct threads *t)
{
	const struct steps *s = t->run->steps;

	if (!s || s->source == STEPS_WHOLE)
		return;
	t->marks = zeroed(2 * s->n, sizeof(*t->marks));
	for (size_t i = 0; i < s->n; i++) {
		const struct step *step = &s->step[i];
		uint32_t lane;

		if (!step_lane(t->run, step, &lane))
			continue;
		t->marks[t->nmark++] = (struct mark){ step->host_start, lane, (uint32_t)(2 * i) };
		t->marks[t->nmark++] = (struct mark){ step->host_end, lane, (uint32_t)(2 * i + 1) };
	}
	qsort(t->marks, t->nmark, sizeof(*t->marks), by_lane_and_time);
	for (size_t i = 0; i < t->nmark; i++) {
		struct thread *on = &t->v[t->marks[i].lane];

		if (on->mark_end == 0)
			on->mark = i;
		on->mark_end = i + 1;
	}
}

/* ---- one lane ---- */

static bool ends_before(const struct thread_end *a, const struct thread_end *b)
{
	return a->at != b->at ? a->at < b->at : a->place > b->place;
}

static void push_end(struct thread *th, nsec at, uint32_t row)
{
	struct thread_end e = { at, row, th->place };
	size_t i;

	if (th->nend == th->cap_end)
		th->end = array_grow(th->end, &th->cap_end, th->nend + 1, sizeof(*th->end));
	for (i = th->nend++; i > 0 && ends_before(&e, &th->end[(i - 1) / 2]); i = (i - 1) / 2)
		th->end[i] = th->end[(i - 1) / 2];
	th->end[i] = e;
}

static void pop_end(struct thread *th)
{
	struct thread_end e = th->end[--th->nend];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < th->nend && ends_before(&th->end[child + 1], &th->end[child]))
			child++;
		if (child >= th->nend || !ends_before(&th->end[child], &e))
			break;
		th->end[i] = th->end[child];
		i = child;
	}
	th->end[i] = e;
}

/* What comes next but for calls that begin. */
static struct moment waiting_moment(const struct threads *t, const struct thread *th)
{
	struct moment m = { INT64_MAX, NO_ROW, POINT_WORK };

	if (th->nend > 0)
		m = (struct moment){ th->end[0].at, th->end[0].row, POINT_RETURN };
	if (th->hands_over && th->is_busy && th->busy_until < m.at)
		m = (struct moment){ th->busy_until, NO_ROW, POINT_YIELD };
	if (th->mark < th->mark_end && t->marks[th->mark].at < m.at)
		m = (struct moment){ t->marks[th->mark].at, t->marks[th->mark].id, POINT_MARK };
	return m;
}

/* Whether the call at th->place makes the thread busy. */
static bool gets_busy(struct threads *t, struct thread *th, uint32_t row)
{
	nsec end = events_end(&t->run->events, row);

	if (!th->hands_over || hostwhat_is_region(t->what, row))
		return false;
	if (th->is_busy) {
		th->busy_until = MAX(end, th->busy_until);
		return false;
	}
	th->is_busy = true;
	th->busy_until = end;
	return true;
}

/* Times that were written in whole microseconds, or as doubles of the time of day, are off by so
 * much. */
enum { COARSE_NS = 1000 };

/* When the call at th->place returns: no later than the thread's next call begins, or a step ends
 * or begins, where that is earlier by no more than coarse times are off. */
static nsec returns_at(const struct threads *t, const struct thread *th, uint32_t row)
{
	const struct events *ev = &t->run->events;
	nsec end = events_end(ev, row), least = saturate_sub(end, COARSE_NS);
	size_t mark = th->mark;

	least = MAX(least, ev->start[row]);
	mark = FIRST_FROM(k, mark, th->mark_end, t->marks[k].at >= least);
	if (mark < th->mark_end)
		end = MIN(end, t->marks[mark].at);
	if (th->place + 1 < th->place_end) {
		uint32_t next = t->run->order->host[th->place + 1];

		if (ev->start[next] >= least && events_end(ev, next) > end)
			end = MIN(end, ev->start[next]);
	}
	return end;
}

/* The call at th->place begins: what it is a moment of; false: nothing. */
static bool begin_call(struct threads *t, struct thread *th)
{
	const struct events *ev = &t->run->events;
	uint32_t row = t->run->order->host[th->place];
	bool launches = hostwhat_launches(t->what, row);

	hostwhat_ask(t->what, row);
	if (hostwhat_waits(t->what, row) ||
		(launches && (t->all_return || hostwhat_copies(t->what, row))))
		push_end(th, returns_at(t, th, row), row);
	if (gets_busy(t, th, row)) {
		th->next = (struct moment){ ev->start[row], row, POINT_RESUME };
		th->has_launch = launches;
		th->place++;
		return true;
	}
	th->place++;
	if (launches)
		th->next = (struct moment){ ev->start[row], row, POINT_LAUNCH };
	return launches;
}

static void look_on_host(struct threads *t, struct thread *th)
{
	const struct events *ev = &t->run->events;
	const uint32_t *host = t->run->order->host;
	struct moment other = waiting_moment(t, th);

	if (th->has_launch) {
		th->has_launch = false;
		th->next.point = POINT_LAUNCH;
		return;
	}
	for (; th->place < th->place_end && ev->start[host[th->place]] < other.at;
		other = waiting_moment(t, th))
		if (begin_call(t, th))
			return;
	th->next = other;
}

static void look(struct threads *t, struct thread *th)
{
	const struct order *o = t->run->order;

	if (!th->is_device) {
		look_on_host(t, th);
		return;
	}
	th->next.at = INT64_MAX;
	if (th->place < th->place_end)
		th->next = (struct moment){ t->run->events.start[o->device[th->place]],
			o->device[th->place], POINT_WORK };
}

/* The moment of a lane is over. */
static void pass(struct thread *th)
{
	switch (th->next.point) {
	case POINT_RETURN: pop_end(th); break;
	case POINT_YIELD: th->is_busy = false; break;
	case POINT_MARK: th->mark++; break;
	case POINT_WORK: th->place++; break;
	default: break;
	}
}

/* ---- all lanes ---- */

static bool is_before(const struct threads *t, uint32_t a, uint32_t b)
{
	const struct moment *x = &t->v[a].next, *y = &t->v[b].next;

	return x->at != y->at ? x->at < y->at : x->point != y->point ? x->point < y->point : a < b;
}

static void sift_down(struct threads *t, size_t i)
{
	uint32_t lane = t->heap[i];

	for (;;) {
		size_t child = 2 * i + 1;

		if (child + 1 < t->nheap && is_before(t, t->heap[child + 1], t->heap[child]))
			child++;
		if (child >= t->nheap || !is_before(t, t->heap[child], lane))
			break;
		t->heap[i] = t->heap[child];
		i = child;
	}
	t->heap[i] = lane;
}

/* A thread that has operators, or launches: not those that only ask the driver something. */
static bool works(const struct threads *t, const struct thread *th)
{
	const struct order *o = t->run->order;

	for (size_t i = th->place; i < th->place_end; i++)
		if (t->run->events.kind[o->host[i]] == KIND_OP ||
			hostwhat_launches(t->what, o->host[i]))
			return true;
	return false;
}

static void find_lanes(struct threads *t)
{
	const struct order *o = t->run->order;
	size_t nwork = 0;

	for (size_t i = 0; i < t->n; i++) {
		struct thread *th = &t->v[i];
		size_t nhost = o->host_begin[i + 1] - o->host_begin[i];

		*th = (struct thread){
			.lane = (uint32_t)i,
			.is_device = nhost == 0,
			.place = nhost ? o->host_begin[i] : o->device_begin[i],
			.place_end = nhost ? o->host_begin[i + 1] : o->device_begin[i + 1],
		};
		th->hands_over = nhost > 0 && works(t, th);
		nwork += th->hands_over;
	}
	for (size_t i = 0; i < t->n && nwork < 2; i++)
		t->v[i].hands_over = false;
}

/* Leaves of a lane what is in that time. */
static void narrow(struct threads *t, struct thread *th, const struct interval *when)
{
	const nsec *start = t->run->events.start;
	const uint32_t *row = th->is_device ? t->run->order->device : t->run->order->host;

	if (th->is_device)
		th->place =
			PARTITION_POINT(i, th->place, th->place_end, start[row[i]] < when->start);
	else if (t->run->calls)
		th->place = calls_from(t->run->calls, t->run, th->lane, when->start);
	th->place_end = PARTITION_POINT(i, th->place, th->place_end, start[row[i]] <= when->end);
	while (th->mark < th->mark_end && t->marks[th->mark].at < when->start)
		th->mark++;
	while (th->mark < th->mark_end && t->marks[th->mark_end - 1].at > when->end)
		th->mark_end--;
}

void threads_init(struct threads *t, const struct run *r, struct hostwhat *w, bool all_return,
	const struct interval *when)
{
	*t = (struct threads){ .run = r, .what = w, .n = r->lanes.n, .all_return = all_return };
	t->v = zeroed(t->n, sizeof(*t->v));
	t->heap = zeroed(t->n, sizeof(*t->heap));
	find_lanes(t);
	find_marks(t);
	for (size_t i = 0; i < t->n; i++) {
		if (when)
			narrow(t, &t->v[i], when);
		look(t, &t->v[i]);
		if (t->v[i].next.at != INT64_MAX)
			t->heap[t->nheap++] = (uint32_t)i;
	}
	for (size_t i = t->nheap / 2; i-- > 0;)
		sift_down(t, i);
}

void threads_clear(struct threads *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].end);
	FREE_ALL(t->v, t->heap, t->marks);
}

/* Who began before another stopped by no more than doubles of the time of day are off. */
enum { OFF_NS = 300 };

/* A thread that seems to begin just before another stops, as times are coarse: that stops first. */
static void stop_before(struct threads *t, const struct moment *begins)
{
	for (size_t i = 1; i < t->nheap; i++) {
		struct thread *th = &t->v[t->heap[i]];

		if (th->next.point != POINT_YIELD || saturate_sub(th->next.at, begins->at) > OFF_NS)
			continue;
		th->busy_until = th->next.at = begins->at;
		uint32_t lane = t->heap[i];
		t->heap[i] = t->heap[0];
		t->heap[0] = lane;
		return;
	}
}

struct thread *threads_first(struct threads *t)
{
	if (t->nheap == 0)
		return NULL;
	if (t->v[t->heap[0]].next.point == POINT_RESUME)
		stop_before(t, &t->v[t->heap[0]].next);
	return &t->v[t->heap[0]];
}

void threads_pass(struct threads *t)
{
	struct thread *th = &t->v[t->heap[0]];

	pass(th);
	look(t, th);
	if (th->next.at == INT64_MAX)
		t->heap[0] = t->heap[--t->nheap];
	if (t->nheap > 0)
		sift_down(t, 0);
}
