/* What calls and streams wait for where the trace has no rows of waiting: from the names and the
 * order of calls.
 *
 * A stream that waits is that of the next launch of the thread, and it waits for another stream, of
 * which it takes what was launched since it waited for it last.  Of a wait right behind a record
 * that is the stream that the thread launched to last, or else the one that anybody did; but not
 * one of which the work is not done when the stream goes on, then or more often than in a PART of
 * such waits, as of branches beside each other.  Of another wait it is the last stream with a
 * record, where its thread had launched to it last, that nobody waited for.
 *
 * cudaStreamSynchronize waits for the stream that its thread launched to last; cudaEventSynchronize
 * for a record whose work ended while it waited. */
#include "analyze/depgraph/syncs.h"

#include "analyze/trace/columns/order.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/run.h"
#include "base/base.h"

/* What calls of a name are, bits; of launches some are. */
enum { CALL_ASKED = 1, CALL_RECORDS = 2, CALL_WAITS = 4, CALL_OF_STREAM = 8, CALL_OF_EVENT = 16 };

/* Records that are looked back at; waits of streams that are kept until the next launch; streams of
 * which waits are inferred at all; a call of an event that took no longer waited for nothing. */
enum { RECORDS = 64, PENDING = 64, STREAMS = 64, PART = 20, CLOCKS_NS = 2000, LONG_NS = 20000 };

/* One stream beside another that waits. */
struct pair {
	uint32_t waited;       /* the work that it waited for last, plus 1 */
	uint32_t taken, wrong; /* how often it was the first choice, and was not done */
};

/* A stream will wait: that of the next launch of the thread. */
struct pending {
	uint32_t thread;
	nsec at;
	bool is_recorded; /* its thread had recorded an event right before */
};

struct inferring {
	const struct run *run;
	struct syncs *s;
	size_t call_cap, stream_cap;
	bool is_first;     /* of two rounds: which streams are beside each other */
	uint8_t *of_name;  /* by sym */
	uint32_t *last;    /* by launch side row: its last work, or NO_ROW */
	uint32_t *work;    /* by lane: what was launched to it last, or NO_ROW ... */
	size_t *launched;  /* ... and when, in launches */
	uint32_t *on;      /* by lane of a thread: the stream it launched to last, or NO_ROW */
	bool *has_record;  /* by lane of a thread: it has recorded since its last launch */
	uint32_t *place;   /* by lane of a stream: its number */
	struct pair *pair; /* by numbers of the stream that waits and the other */
	uint32_t *record;  /* by lane: the work before its last record that nobody waited for */
	size_t *recorded;  /* by lane: when that was, in records */
	uint32_t records[RECORDS]; /* the work before them */
	size_t nrecord, nlaunch;
	struct pending pending[PENDING];
	size_t npending;
};

static unsigned what_of(struct inferring *f, uint32_t row)
{
	uint8_t *known = &f->of_name[f->run->events.name[row]];
	struct span name;

	if (!*known) {
		name = run_name(f->run, row);
		*known = CALL_ASKED;
		if (span_has(name, "EventRecord"))
			*known |= CALL_RECORDS;
		if (links_is_wait(name))
			*known |= CALL_WAITS;
		if (span_has(name, "StreamSynchronize"))
			*known |= CALL_OF_STREAM;
		if (span_has(name, "EventSynchronize"))
			*known |= CALL_OF_EVENT;
	}
	return *known;
}

static uint32_t launched(const struct inferring *f, uint32_t row)
{
	uint32_t side = f->run->events.args[row];

	return side == NO_ARGS ? NO_ROW : f->last[side - 1];
}

/* ---- streams ---- */

static struct pair *pair_of(const struct inferring *f, uint32_t lane, uint32_t other)
{
	return &f->pair[f->place[lane] * STREAMS + f->place[other]];
}

/* Whether a stream has something to wait for on another. */
static bool is_new(const struct inferring *f, uint32_t lane, uint32_t other)
{
	return other != lane && f->work[other] != NO_ROW &&
		pair_of(f, lane, other)->waited != f->work[other] + 1;
}

static bool is_done(const struct inferring *f, uint32_t other, uint32_t piece)
{
	return events_end(&f->run->events, f->work[other]) <= f->run->events.start[piece];
}

/* Whether the stream may have waited for the other before that piece. */
static bool may_wait(const struct inferring *f, uint32_t lane, uint32_t other, uint32_t piece)
{
	if (!is_new(f, lane, other))
		return false;
	const struct pair *p = pair_of(f, lane, other);
	return f->is_first || (p->wrong * PART <= p->taken && is_done(f, other, piece));
}

/* What the wait behind a record is for: a lane, or NO_ROW. */
static uint32_t choose(const struct inferring *f, uint32_t thread, uint32_t lane, uint32_t piece)
{
	const struct order *o = f->run->order;
	uint32_t best = f->on[thread];

	if (best != NO_ROW && may_wait(f, lane, best, piece))
		return best;
	best = NO_ROW;
	for (size_t i = 0; i < o->ndevice_lane; i++) {
		uint32_t other = o->device_lane[i];

		if (may_wait(f, lane, other, piece) &&
			(best == NO_ROW || f->launched[other] > f->launched[best]))
			best = other;
	}
	return best;
}

/* The last stream but that one which has a record that nobody waited for, or NO_ROW. */
static uint32_t unheeded(const struct inferring *f, uint32_t but)
{
	const struct order *o = f->run->order;
	uint32_t best = NO_ROW;

	for (size_t i = 0; i < o->ndevice_lane; i++) {
		uint32_t lane = o->device_lane[i];

		if (lane != but && f->record[lane] != NO_ROW &&
			(best == NO_ROW || f->recorded[lane] > f->recorded[best]))
			best = lane;
	}
	return best;
}

static void stream_waits(struct inferring *f, const struct pending *p, uint32_t piece)
{
	struct syncs *s = f->s;
	uint32_t lane = f->run->events.lane[piece];
	uint32_t on = p->is_recorded ? choose(f, p->thread, lane, piece) : unheeded(f, lane);

	if (on == NO_ROW)
		return;
	struct pair *pair = pair_of(f, lane, on);
	uint32_t work = p->is_recorded ? f->work[on] : f->record[on];
	pair->taken += f->is_first;
	pair->wrong += f->is_first && p->is_recorded && !is_done(f, on, piece);
	pair->waited = work + 1;
	f->record[on] = NO_ROW;
	if (f->is_first)
		return;
	PUSH(s->stream, s->nstream, f->stream_cap,
		(struct stream_sync){ .lane = lane, .at = p->at, .work = work });
}

static void launch(struct inferring *f, uint32_t row, uint32_t work)
{
	uint32_t thread = f->run->events.lane[row], lane = f->run->events.lane[work];
	size_t kept = 0;

	for (size_t i = 0; i < f->npending; i++) {
		if (f->pending[i].thread == thread)
			stream_waits(f, &f->pending[i], work);
		else
			f->pending[kept++] = f->pending[i];
	}
	f->npending = kept;
	f->work[lane] = work;
	f->launched[lane] = ++f->nlaunch;
	f->on[thread] = lane;
	f->has_record[thread] = false;
}

static void record(struct inferring *f, uint32_t thread)
{
	uint32_t lane = f->on[thread];

	f->has_record[thread] = true;
	if (lane == NO_ROW)
		return;
	f->record[lane] = f->work[lane];
	f->recorded[lane] = ++f->nrecord;
	f->records[f->nrecord % RECORDS] = f->work[lane];
}

/* ---- calls ---- */

static void add_call(struct inferring *f, struct call_sync c)
{
	struct syncs *s = f->s;

	PUSH(s->call, s->ncall, f->call_cap, c);
}

/* The work before a record that ended while the call waited, the last of it; NO_ROW: none did. */
static uint32_t ended_in(const struct inferring *f, uint32_t row)
{
	const struct events *ev = &f->run->events;
	nsec begin = ev->start[row], end = saturate_add(events_end(ev, row), CLOCKS_NS);
	uint32_t best = NO_ROW;

	for (size_t i = 0; i < RECORDS && i < f->nrecord; i++) {
		uint32_t work = f->records[(f->nrecord - i) % RECORDS];
		nsec fin = events_end(ev, work);

		if (fin > begin && fin <= end && (best == NO_ROW || fin > events_end(ev, best)))
			best = work;
	}
	return best;
}

static void call_waits(struct inferring *f, uint32_t row, unsigned what)
{
	uint32_t thread = f->run->events.lane[row];

	if (what & CALL_OF_STREAM) {
		if (f->on[thread] != NO_ROW)
			add_call(f,
				(struct call_sync){ row, f->on[thread], NO_ROW, 0, SYNC_STREAM });
		return;
	}
	uint32_t work = ended_in(f, row);
	if (work != NO_ROW || f->run->events.dur[row] < LONG_NS)
		add_call(f, (struct call_sync){ row, NO_ROW, work, 0, SYNC_EVENT });
}

static void take(struct inferring *f, uint32_t row)
{
	uint32_t work = launched(f, row), thread = f->run->events.lane[row];
	unsigned what = what_of(f, row);

	if (what & CALL_RECORDS)
		record(f, thread);
	else if (what & (CALL_OF_STREAM | CALL_OF_EVENT) && !f->is_first)
		call_waits(f, row, what);
	else if (what & CALL_WAITS && f->npending < PENDING && f->pair)
		f->pending[f->npending++] = (struct pending){ thread, f->run->events.start[row],
			f->has_record[thread] };
	else if (work != NO_ROW)
		launch(f, row, work);
}

/* ---- all of them ---- */

static uint32_t *no_rows(struct arena *mem, size_t n)
{
	uint32_t *v = arena_array(mem, n, sizeof(*v));

	FILL(v, n, NO_ROW);
	return v;
}

static void begin(struct inferring *f, struct arena *mem)
{
	const struct run *r = f->run;

	f->of_name = arena_array(mem, r->strings.n, sizeof(*f->of_name));
	f->last = no_rows(mem, r->args.n[ARGS_LAUNCH]);
	for (EACH_DEVICE_ROW(row, r)) {
		uint32_t call = launch_of_row(r, row);

		if (call != NO_ROW)
			f->last[r->events.args[call] - 1] = row;
	}
	f->place = arena_array(mem, r->lanes.n, sizeof(*f->place));
	for (size_t i = 0; i < r->order->ndevice_lane; i++)
		f->place[r->order->device_lane[i]] = (uint32_t)i;
	if (r->order->ndevice_lane <= STREAMS)
		f->pair = arena_array(mem, (size_t)STREAMS * STREAMS, sizeof(*f->pair));
}

static void look(struct inferring *f, struct arena *mem, const uint32_t *rows, size_t n)
{
	size_t lanes = f->run->lanes.n;

	f->nrecord = f->nlaunch = f->npending = 0;
	f->work = no_rows(mem, lanes);
	f->on = no_rows(mem, lanes);
	f->record = no_rows(mem, lanes);
	f->recorded = arena_array(mem, lanes, sizeof(*f->recorded));
	f->launched = arena_array(mem, lanes, sizeof(*f->launched));
	f->has_record = arena_array(mem, lanes, sizeof(*f->has_record));
	for (size_t i = 0; f->pair && i < (size_t)STREAMS * STREAMS; i++)
		f->pair[i].waited = 0;
	for (size_t i = 0; i < n; i++)
		take(f, rows[i]);
}

/* The calls that are looked at, in the order of time; what they are, together. */
static unsigned gather(struct inferring *f, struct arena *mem, uint32_t **rows, size_t *n)
{
	const struct run *r = f->run;
	size_t most = (size_t)r->kind_count[KIND_RUNTIME], row = 0;
	uint32_t *v = *rows = arena_array(mem, most, sizeof(*v));
	unsigned any = 0;

	for (; (row = events_find(&r->events, row, KIND_RUNTIME)) < r->events.n; row++) {
		unsigned what = what_of(f, (uint32_t)row);

		any |= what;
		if (what != CALL_ASKED || launched(f, (uint32_t)row) != NO_ROW)
			v[(*n)++] = (uint32_t)row;
	}
	if (any & (CALL_WAITS | CALL_OF_STREAM | CALL_OF_EVENT))
		order_sort(r, v, *n, arena_array(mem, *n / 2 + 1, sizeof(*v)));
	return any;
}

void syncs_infer(struct syncs *s, const struct run *r)
{
	struct inferring f = { .run = r, .s = s };
	SCOPED_ARENA mem = { 0 };
	uint32_t *rows;
	size_t n = 0;

	begin(&f, &mem);
	unsigned what = gather(&f, &mem, &rows, &n);
	f.is_first = true;
	if (what & CALL_WAITS)
		look(&f, &mem, rows, n);
	f.is_first = false;
	if (what & (CALL_WAITS | CALL_OF_STREAM | CALL_OF_EVENT))
		look(&f, &mem, rows, n);
}
