/* Waits: a gap cut where the launching thread goes from one thing to the next. */
#include "analyze/measure/gaps/gap_cause.h"

#include "analyze/measure/gaps/loaders.h"

#include "analyze/trace/links/links.h"
#include "analyze/trace/columns/order.h"
#include "analyze/trace/run.h"
#include "analyze/trace/run_steps.h"

enum { SYNC_NOT_ASKED, SYNC_NO, SYNC_YES };

/* What a place of the host order is in, itself or by a call around it: a cause behind IN_CAUSE. */
enum { IN_NOT_ASKED, IN_NOTHING, IN_CAUSE };

bool gap_causes_is_sync_name(struct span name)
{
	return span_in(name,
		       "cudaMemcpy|cudaMemcpy2D|cudaMemcpy3D|cudaMemset|cudaFree|hipMemcpy|"
		       "hipMemcpy2D|hipMemcpy3D|hipMemset|hipFree|hipMemcpyWithStream|"
		       "hipMemcpyDtoH|hipMemcpyHtoD|urEventWait|urQueueFinish|"
		       "zeCommandQueueSynchronize") ||
		span_has(name, "Synchronize") || span_has(name, "synchronize");
}

uint32_t gap_causes_main_lane(const struct run *r)
{
	SCOPED_ARENA scratch = { 0 };
	uint32_t best = NO_ROW;

	if (steps_lane(r, &best))
		return best;
	int64_t *launches = arena_array(&scratch, r->lanes.n, sizeof(*launches));
	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t launch = launch_of_row(r, row);

		if (launch != NO_ROW)
			launches[r->events.lane[launch]]++;
	}
	for (size_t i = 0; i < r->lanes.n; i++)
		if (launches[i] > (best == NO_ROW ? 0 : launches[best]))
			best = (uint32_t)i;
	return best;
}

void gap_causes_init(struct gap_causes *w, const struct run *r, struct arena *mem)
{
	*w = (struct gap_causes){ .run = r, .launch_cost = GAP_CAUSES_LAUNCH_NS };
	hostpath_init(&w->path, r);
	phases_init(&w->phases, r, mem);
	gap_words_init(&w->words, r, mem);
	pyframes_init(&w->functions, r, mem);
	lost_work_init(&w->lost, r, mem);
	w->is_sync = arena_array(mem, r->strings.n, sizeof(*w->is_sync));
	w->inherits = arena_array(mem, r->order->host_begin[r->lanes.n], sizeof(*w->inherits));
	w->main_lane = gap_causes_main_lane(r);
	w->is_loader = loaders_find(w->main_lane, &w->words, &w->phases, &w->functions, mem);
	w->has_devices = r->order->ndevice_lane > 0 &&
		r->lanes.lane[r->order->device_lane[0]].device !=
			r->lanes.lane[r->order->device_lane[r->order->ndevice_lane - 1]].device;
	w->has_peers = w->has_devices || r->meta.world_size > 1;
	if (w->has_devices)
		full_queue_init(&w->queue, r, mem);
}

void gap_causes_clear(struct gap_causes *w)
{
	hostpath_clear(&w->path);
}

static bool is_sync_row(struct gap_causes *w, uint32_t row)
{
	sym name = w->run->events.name[row];

	if (w->run->events.kind[row] != KIND_RUNTIME)
		return false;
	if (w->is_sync[name] == SYNC_NOT_ASKED)
		w->is_sync[name] =
			gap_causes_is_sync_name(run_name(w->run, row)) ? SYNC_YES : SYNC_NO;
	return w->is_sync[name] == SYNC_YES;
}

/* What a call is by itself; GAP_CAUSE_COUNT: nothing that has a word. */
static enum gap_cause own_of(struct gap_causes *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	if (phases_of(&w->phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER) ==
		PHASE_DATA)
		return GAP_CAUSE_DATA;
	enum gap_cause cls = gap_words_of(&w->words, row);
	return cls == GAP_CAUSE_COUNT && w->has_peers && is_sync_row(w, row) ? GAP_CAUSE_SYNC : cls;
}

/* What a place is in: the innermost call that says so.  Each place is asked once. */
static enum gap_cause inherited(struct gap_causes *w, uint32_t place)
{
	uint32_t at = place;
	uint8_t in = IN_NOTHING;

	for (; at != NO_ROW && w->inherits[at] == IN_NOT_ASKED; at = hostpath_up(&w->path, at)) {
		enum gap_cause own = own_of(w, hostpath_row(&w->path, at));

		in = (uint8_t)(own == GAP_CAUSE_COUNT ? IN_NOTHING : IN_CAUSE + (int)own);
		if (in != IN_NOTHING)
			break;
	}
	if (at != NO_ROW && w->inherits[at] != IN_NOT_ASKED)
		in = w->inherits[at];
	for (uint32_t up = place; up != at && up != NO_ROW; up = hostpath_up(&w->path, up))
		w->inherits[up] = in;
	if (at != NO_ROW)
		w->inherits[at] = in;
	return in == IN_NOTHING ? GAP_CAUSE_COUNT : (enum gap_cause)(in - IN_CAUSE);
}

/* The start of the innermost call around a place that has a word itself. */
static nsec start_of_word(struct gap_causes *w, uint32_t place)
{
	while (own_of(w, hostpath_row(&w->path, place)) == GAP_CAUSE_COUNT)
		place = hostpath_up(&w->path, place);
	return w->run->events.start[hostpath_row(&w->path, place)];
}

/* The word of what is open: of both the innermost, which began last. */
static enum gap_cause word_of(struct gap_causes *w, uint32_t place, uint32_t function)
{
	enum gap_cause call = place == NO_ROW ? GAP_CAUSE_COUNT : inherited(w, place);
	enum gap_cause by_python = gap_words_of_function(&w->words, &w->functions, function);

	if (call == GAP_CAUSE_COUNT || call == by_python)
		return by_python;
	if (by_python == GAP_CAUSE_COUNT)
		return call;
	return gap_words_since(&w->words, &w->functions, function) > start_of_word(w, place)
		? by_python
		: call;
}

/* Where nothing is recorded of a run's threads but Python's functions, it is Python. */
static enum gap_cause nothing(const struct gap_causes *w)
{
	return w->run->kind_count[KIND_PYTHON] > 0 ? GAP_CAUSE_PYTHON : GAP_CAUSE_NOTHING;
}

static enum gap_cause class_of_call(const struct gap_causes *w, uint32_t row)
{
	return full_queue_held(&w->queue, w->run, row) ? GAP_CAUSE_QUEUE : GAP_CAUSE_RUNTIME;
}

/* What the innermost of a call and a Python function (NO_ROW: none) is, for so long, where no word
 * names it.  The mark of a step does nothing itself: between calls it is Python's time, for longer
 * it is nobody's. */
static enum gap_cause class_of_place(
	struct gap_causes *w, uint32_t place, uint32_t function, nsec ns)
{
	uint32_t row = hostpath_row(&w->path, place);

	if (w->run->events.kind[row] == KIND_RUNTIME)
		return class_of_call(w, row);
	if (function != NO_ROW &&
		pyframes_is_inside(&w->functions, w->functions.row[function], row))
		return GAP_CAUSE_PYTHON;
	if (phases_is_step(&w->phases, w->run->events.name[row]))
		return ns < GAP_CAUSES_LONG_NS ? GAP_CAUSE_PYTHON : nothing(w);
	return w->run->events.kind[row] == KIND_ANNOTATION ? GAP_CAUSE_PYTHON : GAP_CAUSE_OP;
}

/* ---- parts ---- */

/* A gap being split. */
struct splitting {
	struct gap_causes *w;
	gap_cause_fn *fn;
	void *ctx;
	struct gap_cause_part part; /* the last one, not yet told */
	uint32_t held;              /* what is behind that call */
};

static void add(struct splitting *s, enum gap_cause cls, nsec end)
{
	if (end <= s->part.end)
		return;
	if (s->part.end > s->part.start && (s->part.cls != cls || s->part.held != s->held)) {
		s->fn(s->ctx, &s->part);
		s->part.start = s->part.end;
	}
	s->part.cls = cls;
	s->part.held = s->held;
	s->part.end = end;
}

/* What the thread is in at t, and until when, at most `end`; false: in nothing. */
static bool look(struct gap_causes *w, uint32_t lane, nsec t, nsec *end, enum gap_cause *cls)
{
	if (lane == NO_ROW)
		return false;
	uint32_t function = pyframes_at(&w->functions, lane, t, end);
	uint32_t place = hostpath_at(&w->path, lane, t);
	*end = hostpath_until(&w->path, lane, place, t, *end);
	if (place == NO_ROW && function == NO_ROW)
		return false;
	*cls = word_of(w, place, function);
	if (*cls == GAP_CAUSE_COUNT)
		*cls = place == NO_ROW ? GAP_CAUSE_PYTHON
				       : class_of_place(w, place, function, saturate_sub(*end, t));
	return true;
}

static void add_host(struct splitting *s, uint32_t lane, nsec end)
{
	struct gap_causes *w = s->w;

	while (s->part.end < end) {
		nsec until = end;
		enum gap_cause cls = GAP_CAUSE_NOTHING;

		if (!look(w, lane, s->part.end, &until, &cls) &&
			(lane == w->main_lane || !look(w, w->main_lane, s->part.end, &until, &cls)))
			cls = nothing(w);
		add(s, cls, until);
	}
}

/* Whether a call that is open at the begin of the gap waited for the device: by its name, or it is
 * a copy that returned after the copying. */
static bool held_up(struct gap_causes *w, const struct wait_question *q, uint32_t row)
{
	const struct events *ev = &w->run->events;
	uint32_t side =
		q->prev == NO_ROW || ev->kind[q->prev] != KIND_MEMCPY ? NO_ARGS : ev->args[q->prev];

	return is_sync_row(w, row) || (side != NO_ARGS && w->run->links->launch[side - 1] == row);
}

/* The call that had held this thread up when the gap began, or NO_ROW. */
static uint32_t find_held(struct gap_causes *w, const struct wait_question *q, uint32_t lane)
{
	uint32_t at =
		lane == NO_ROW ? NO_ROW : hostpath_at(&w->path, lane, saturate_sub(q->start, 1));

	for (; at != NO_ROW; at = hostpath_up(&w->path, at))
		if (held_up(w, q, hostpath_row(&w->path, at)))
			return hostpath_row(&w->path, at);
	return NO_ROW;
}

/* Before the launch: the rest of the call that had held the thread up; then what the thread does,
 * behind that call for as long as it had waited. */
static void add_unlaunched(
	struct splitting *s, const struct wait_question *q, uint32_t lane, nsec end)
{
	const struct events *ev = &s->w->run->events;
	uint32_t row = find_held(s->w, q, lane);

	if (row == NO_ROW && lane != s->w->main_lane)
		row = find_held(s->w, q, s->w->main_lane);
	if (row != NO_ROW) {
		enum gap_cause word = gap_words_of(&s->w->words, row);
		nsec lag = saturate_add(q->start, saturate_sub(q->start, ev->start[row]));
		nsec returns = MIN(events_end(ev, row), end);

		s->held = word == GAP_CAUSE_COUNT ? row : NO_ROW;
		add(s, word == GAP_CAUSE_COUNT ? GAP_CAUSE_SYNC : word, returns);
		s->held = row;
		add_host(s, lane, MIN(lag, end));
		s->held = NO_ROW;
	}
	add_host(s, lane, end);
}

/* Whether W is the first recorded work of its queue and waits longer than all work so far took. */
static bool is_unrecorded(const struct gap_causes *w, const struct wait_question *q, nsec waits)
{
	const struct order *o = w->run->order;
	uint32_t lane = w->run->events.lane[q->next];

	return waits >= GAP_CAUSES_UNRECORDED_NS && waits > q->busy &&
		o->device[o->device_begin[lane]] == q->next;
}

/* From the launch on. */
static void add_launched(struct splitting *s, const struct wait_question *q)
{
	const struct events *ev = &s->w->run->events;
	nsec begin = ev->start[q->launch], end = events_end(ev, q->launch);
	nsec cost = s->w->launch_cost, until = saturate_add(begin, cost);
	enum gap_cause rest = GAP_CAUSE_DEPENDENCY;

	if (end <= q->end && saturate_sub(end, begin) > cost) {
		add(s, class_of_call(s->w, q->launch), end);
		until = saturate_add(end, cost);
	} else if (end > q->end) {
		rest = GAP_CAUSE_RUNTIME; /* it starts its own work: a copy of pageable memory */
	}
	add(s, GAP_CAUSE_LAUNCH, MIN(until, q->end));
	if (rest == GAP_CAUSE_DEPENDENCY &&
		is_unrecorded(s->w, q, saturate_sub(q->end, s->part.end)))
		rest = GAP_CAUSE_UNRECORDED;
	add(s, rest, q->end);
}

/* Whether the device worked in the gap on what came without times. */
static bool is_lost(const struct gap_causes *w, const struct wait_question *q)
{
	const struct events *ev = &w->run->events;
	uint32_t before = q->prev == NO_ROW ? NO_ROW : launch_of_row(w->run, q->prev);

	return w->lost.n > 0 && q->launch != NO_ROW &&
		lost_work_between(&w->lost, ev->lane[q->launch],
			before == NO_ROW ? INT64_MIN : ev->start[before], ev->start[q->launch]);
}

void gap_causes_split(
	struct gap_causes *w, const struct wait_question *q, gap_cause_fn *fn, void *ctx)
{
	struct splitting s = { w, fn, ctx,
		{ q->start, q->start, GAP_CAUSE_NOTHING, saturate_sub(q->end, q->start), NO_ROW },
		NO_ROW };
	const struct events *ev = &w->run->events;
	bool is_open = q->launch == NO_ROW && q->next != NO_ROW;
	uint32_t lane = q->launch == NO_ROW || (w->is_loader && w->is_loader[ev->lane[q->launch]])
		? w->main_lane
		: ev->lane[q->launch];
	nsec host = q->launch == NO_ROW ? q->end : ev->start[q->launch];

	host = MIN(host, q->end);
	if (is_open)
		add(&s, GAP_CAUSE_UNKNOWN, q->end);
	else if (is_lost(w, q))
		add(&s, GAP_CAUSE_UNRECORDED, q->end);
	else if (host > q->start)
		add_unlaunched(&s, q, lane, host);
	if (q->launch != NO_ROW && s.part.end < q->end)
		add_launched(&s, q);
	if (s.part.end > s.part.start)
		fn(ctx, &s.part);
}

uint32_t gap_causes_op_around(struct gap_causes *w, uint32_t row)
{
	const struct events *ev = &w->run->events;
	uint32_t at = hostpath_at(&w->path, ev->lane[row], ev->start[row]);

	while (at != NO_ROW && hostpath_row(&w->path, at) != row)
		at = hostpath_up(&w->path, at);
	for (; at != NO_ROW; at = hostpath_up(&w->path, at)) {
		uint32_t up = hostpath_up(&w->path, at);

		if (up == NO_ROW || ev->kind[hostpath_row(&w->path, up)] != KIND_OP ||
			phases_is_step(&w->phases, ev->name[hostpath_row(&w->path, up)]))
			return hostpath_row(&w->path, at);
	}
	return row;
}
