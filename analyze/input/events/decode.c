/* From raw events to the batch: phase, category and kind, lane, time, name, arguments.  Everything
 * that is dropped is counted here. */
#include "analyze/input/events/decode.h"

#include "analyze/input/events/arrows.h"
#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/place.h"
#include "analyze/input/events/raw.h"
#include "analyze/input/events/values.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

/* Its category, looked up once.  Valid until the next new category of the batch. */
static struct batch_cat *cat_of(struct batch *b, struct raw_event *raw)
{
	if (!raw->kind_cat) {
		bool has = raw_has(raw, RAW_CAT);
		bool escaped = raw_has(raw, RAW_CAT_ESCAPED);

		raw->kind_cat = batch_cat(b, has ? raw->cat : RAW_NOTHING, has && escaped, has) + 1;
		if (raw->cat_by)
			raw->cat_by->kind_cat = raw->kind_cat;
	}
	return &b->cat[raw->kind_cat - 1];
}

static bool is_instant(char ph)
{
	return ph == 'i' || ph == 'I';
}

unsigned decode_class(struct batch *b, struct raw_event *raw)
{
	if (UNLIKELY(!raw_has(raw, RAW_PH)))
		return CLASS_ANY;
	if (LIKELY(raw->ph == 'X' || raw->ph == 'B' || raw->ph == 'E'))
		return raw_has(raw, RAW_CAT) ? (unsigned)cat_of(b, raw)->kind : CLASS_ANY;
	if (raw->ph == 'M')
		return CLASS_META;
	return raw->ph == 'C' ? KIND_COUNTER : is_instant(raw->ph) ? KIND_MEMORY : CLASS_NOTHING;
}

/* A slice of no known category that names a stream and a correlation is device work. */
static enum kind guess_kind(const struct plan *plan, const struct raw_event *raw)
{
	if (!raw_found(raw, plan->key_stream) ||
		!raw_found(raw, plan->key_of[ARG_DEVICE_CORRELATION]))
		return KIND_OTHER;
	if (span_starts(raw_name(raw), "Memcpy"))
		return KIND_MEMCPY;
	return span_starts(raw_name(raw), "Memset") ? KIND_MEMSET : KIND_KERNEL;
}

struct slice {
	nsec start, dur;
	unsigned flags;
};

/* Duration and flags of a slice whose start is known. */
static void take_duration(
	struct batch *b, const struct raw_event *raw, struct slice *s, int64_t offset)
{
	s->dur = 0;
	if (raw->ph == 'B' || raw->ph == 'E') {
		s->flags = raw->ph == 'B' ? EVENT_BEGIN : EVENT_END;
		b->saw_begin_end = true;
		return;
	}
	if (UNLIKELY(!raw_has(raw, RAW_DUR) || !num_ns(raw->dur, &s->dur))) {
		s->dur = 0;
		s->flags |= EVENT_UNFINISHED;
		batch_problem(b, PROBLEM_NO_DURATION, offset);
	} else if (UNLIKELY(s->dur < 0)) {
		s->dur = 0;
		s->flags |= EVENT_CLAMPED;
		batch_problem(b, PROBLEM_NEGATIVE_DURATION, offset);
	}
}

sym decode_name_number(struct batch *b, const struct raw_event *raw, int64_t offset)
{
	if (LIKELY(raw->named_by && raw->named_by->name_id))
		return raw->named_by->name_id - 1;
	if (!raw_has(raw, RAW_NAME))
		return 0;
	sym name = batch_string(b, raw->name, raw_has(raw, RAW_NAME_ESCAPED), offset);
	if (raw->named_by)
		raw->named_by->name_id = name + 1;
	return name;
}

static uint32_t lane_of(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum kind kind, int64_t offset)
{
	if (kind_is_on_device(kind))
		return place_lane(plan, b, raw, true, offset);
	if (LIKELY(raw->placed_by && raw->placed_by->lane))
		return raw->placed_by->lane - 1;
	uint32_t lane = place_lane(plan, b, raw, false, offset);
	if (raw->placed_by)
		raw->placed_by->lane = lane + 1;
	return lane;
}

static void add_row(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	enum kind kind, const struct slice *s, int64_t offset)
{
	struct events *e = &b->events;
	size_t row = e->n;

	if (UNLIKELY(row >= e->cap))
		events_reserve(e, 1);
	e->start[row] = s->start;
	e->dur[row] = s->dur;
	e->name[row] = decode_name_number(b, raw, offset);
	e->lane[row] = lane_of(plan, b, raw, kind, offset);
	e->args[row] = values_row(plan, b, raw, kind, offset);
	e->kind[row] = (uint8_t)kind;
	e->flags[row] = (uint8_t)s->flags;
	e->n++;
}

static bool take_time(struct batch *b, const struct raw_event *raw, nsec *t, int64_t offset)
{
	if (LIKELY(raw_has(raw, RAW_TS) && num_ns(raw->ts, t)))
		return true;
	batch_problem(b, PROBLEM_NO_TIME, offset);
	return false;
}

/* Its end is still to come (DECODE_OPEN). */
static bool is_open(unsigned flags)
{
	return (flags & EVENT_OPEN) != 0;
}

/* Old traces mark steps by operators, which may not be wanted else. */
static bool is_kept_mark(const struct plan *plan, const struct raw_event *raw)
{
	return plan->keeps_marks && span_starts(raw_name(raw), "ProfilerStep");
}

/* One that is open may last as long. */
static bool is_kept_function(const struct plan *plan, enum kind kind, const struct slice *s)
{
	return kind == KIND_PYTHON && plan->keeps_functions &&
		(s->dur >= FUNCTION_MIN_NS || is_open(s->flags));
}

/* A slice whose time is known; offset: of the event. */
static void put_slice(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const struct batch_cat *cat, struct slice s, int64_t offset)
{
	enum kind kind = cat->kind;
	nsec end;

	if (UNLIKELY(add_overflows(s.start, s.dur, &end))) {
		batch_problem(b, PROBLEM_NO_TIME, offset);
		return;
	}
	if (UNLIKELY(kind == KIND_OTHER))
		kind = guess_kind(plan, raw);
	b->kind_count[kind]++;
	if (UNLIKELY(kind_is_device(kind) && s.start == 0 && s.dur == 0 && !is_open(s.flags))) {
		batch_problem(b, PROBLEM_ZERO_TIME_KERNEL, offset);
		return;
	}
	if (UNLIKELY(raw_found(raw, plan->key_finished) &&
		    span_is(raw->arg[plan->key_finished], "false")))
		s.flags |= EVENT_CUT;
	if (UNLIKELY(s.start == 0 && cat->present && kind_is_device(kind))) {
		if (!is_open(s.flags)) /* maybe without a time */
			b->zero_last = MAX(end, b->zero_last);
	} else if (kind != KIND_SPAN) {
		batch_widen(b, cat->present, s.start, end);
	}
	if ((plan->kinds_kept & KIND_BIT(kind)) || UNLIKELY(is_kept_mark(plan, raw)) ||
		is_kept_function(plan, kind, &s))
		add_row(plan, b, raw, kind, &s, offset);
}

static void decode_slice(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const struct batch_cat *cat, int64_t offset)
{
	struct slice s = { 0 };

	if (!take_time(b, raw, &s.start, offset))
		return;
	take_duration(b, raw, &s, offset);
	put_slice(plan, b, raw, cat, s, offset);
}

/* An instant with a name; start: its time, or NULL when it is to be read. */
static void decode_instant(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const nsec *start, int64_t offset)
{
	struct slice s = { 0 };

	if (!raw_has(raw, RAW_NAME))
		return;
	enum kind kind = kind_refine(KIND_INSTANT, raw->name);
	b->kind_count[kind]++;
	if (span_is(raw->name, "Record Window End"))
		b->saw_window_end = true;
	if (!(plan->kinds_kept & KIND_BIT(kind)))
		return;
	if (start)
		s.start = *start;
	else if (!take_time(b, raw, &s.start, offset))
		return;
	add_row(plan, b, raw, kind, &s, offset);
}

/* Samples of NVML and of hardware counters; other counters are counted.  start as of an instant. */
static void decode_counter(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const struct batch_cat *cat, const nsec *start, int64_t offset)
{
	struct slice s = { 0 };

	b->kind_count[KIND_COUNTER]++;
	if (!(plan->kinds_kept & KIND_BIT(KIND_COUNTER)) || !cat->present ||
		!span_in(cat->text, "nvml|hardware_counters"))
		return;
	if (start)
		s.start = *start;
	else if (!take_time(b, raw, &s.start, offset))
		return;
	add_row(plan, b, raw, KIND_COUNTER, &s, offset);
}

static void decode_name(
	const struct plan *plan, struct batch *b, const struct raw_event *raw, int64_t offset)
{
	struct batch_name n = { 0 };
	uint8_t key = plan->key_name;

	if (span_is(raw_name(raw), "thread_name")) {
		n.what = NAME_THREAD;
	} else if (span_is(raw_name(raw), "process_name")) {
		n.what = NAME_PROCESS;
	} else if (span_is(raw_name(raw), LANE_HOME_NAME)) {
		n.what = NAME_HOME;
	} else if (span_is(raw_name(raw), "process_labels")) {
		n.what = NAME_LABELS;
		key = plan->key_labels;
	} else {
		return;
	}
	if (!raw_found(raw, key))
		return;
	n.pid = batch_string(b, raw_pid(raw), raw_has(raw, RAW_LANE_ESCAPED), offset);
	n.has_tid = n.what == NAME_THREAD || n.what == NAME_HOME;
	n.tid = batch_string(
		b, n.has_tid ? raw_tid(raw) : RAW_NOTHING, raw_has(raw, RAW_LANE_ESCAPED), offset);
	n.value = batch_string(b, raw->arg[key], raw->escaped >> key & 1, offset);
	PUSH(b->name, b->nname, b->name_cap, n);
}

static enum kind counted_as(char ph)
{
	static const char flows[] = "stf", asyncs[] = "bneSTpF";

	if (memchr(flows, ph, sizeof(flows) - 1))
		return KIND_FLOW;
	return memchr(asyncs, ph, sizeof(asyncs) - 1) ? KIND_ASYNC : KIND_INSTANT;
}

static bool is_known_phase(char ph)
{
	static const char known[] = "CstfbneSTpFNODVvPRc()";

	return memchr(known, ph, sizeof(known) - 1) != NULL;
}

/* {}, not an object whose keys are of no interest. */
static bool is_empty(const struct raw_event *raw)
{
	const char *p = raw->begin + 1;

	if (LIKELY(raw->have))
		return false;
	while ((unsigned char)*p <= 0x20) /* lint: allow loops: an event ends in } */
		p++;
	return *p == '}';
}

/* What becomes no row. */
static void decode_other(
	const struct plan *plan, struct batch *b, const struct raw_event *raw, int64_t offset)
{
	enum kind kind = counted_as(raw->ph);
	bool escaped = raw_has(raw, RAW_LANE_ESCAPED);
	struct arrow a;

	b->kind_count[kind]++;
	if (kind != KIND_FLOW || plan->key_of[ARG_DEVICE_CORRELATION] == PLAN_NO_KEY ||
		!arrow_of(&a, raw, b->seed))
		return;
	a.pid = batch_string(b, raw_pid(raw), escaped, offset);
	a.tid = batch_string(b, raw_tid(raw), escaped, offset);
	PUSH(b->arrows.v, b->arrows.n, b->arrows.cap, a);
}

void decode_event(const struct plan *plan, struct batch *b, struct raw_event *raw, int64_t offset)
{
	char ph = raw_has(raw, RAW_PH) ? raw->ph : 0;

	if (UNLIKELY(is_empty(raw))) /* JAX closes its list with {} */
		return;
	struct batch_cat *cat = cat_of(b, raw);
	if (UNLIKELY(cat->is_own)) {
		batch_problem(b, PROBLEM_OWN_MARKS, offset);
		return;
	}
	b->nevent++;
	cat->count[(unsigned char)ph < 128 ? ph : 0]++;
	if (UNLIKELY(plan->is_for_tap))
		return;
	if (LIKELY(ph == 'X' || ph == 'B' || ph == 'E'))
		decode_slice(plan, b, raw, cat, offset);
	else if (is_instant(ph))
		decode_instant(plan, b, raw, NULL, offset);
	else if (ph == 'M')
		decode_name(plan, b, raw, offset);
	else if (ph == 'C')
		decode_counter(plan, b, raw, cat, NULL, offset);
	else if (ph && is_known_phase(ph))
		decode_other(plan, b, raw, offset);
	else
		batch_problem(b, PROBLEM_NO_PHASE, offset);
}

void decode_tap(const struct plan *plan, struct batch *b, const struct raw_event *raw,
	const char *end, bool is_mended, int64_t offset)
{
	struct tap_event event = { plan, raw, { raw->begin, (size_t)(end - raw->begin) }, is_mended,
		offset };

	if (!is_empty(raw))
		plan->tap->event(plan->tap->ctx, b, &event);
}

void decode_timed(const struct plan *plan, struct batch *b, struct raw_event *raw, nsec start,
	nsec dur, int64_t offset)
{
	struct batch_cat *cat = cat_of(b, raw);
	struct slice s = { .start = start, .dur = dur };

	if (UNLIKELY(cat->is_own)) {
		batch_problem(b, PROBLEM_OWN_MARKS, offset);
		return;
	}
	b->nevent++;
	cat->count[(unsigned char)raw->ph]++;
	if (is_instant(raw->ph)) {
		decode_instant(plan, b, raw, &start, offset);
		return;
	}
	if (raw->ph == 'C') {
		decode_counter(plan, b, raw, cat, &start, offset);
		return;
	}
	if (raw->ph != 'X') {
		s.flags = raw->ph == 'B' ? EVENT_BEGIN : EVENT_END;
		s.dur = 0;
		b->saw_begin_end = true;
	} else if (LIKELY(dur == DECODE_OPEN)) {
		s.dur = 0;
		s.flags = EVENT_OPEN | (cat->present ? 0 : EVENT_END);
	} else if (dur == DECODE_NO_DURATION) {
		s.dur = 0;
		s.flags = EVENT_UNFINISHED;
		batch_problem(b, PROBLEM_NO_DURATION, offset);
	} else if (dur < 0) {
		s.dur = 0;
		s.flags = EVENT_CLAMPED;
		batch_problem(b, PROBLEM_NEGATIVE_DURATION, offset);
	}
	put_slice(plan, b, raw, cat, s, offset);
}

void decode_counted(struct batch *b, struct raw_event *raw, uint32_t n)
{
	struct batch_cat *cat = cat_of(b, raw);

	if (UNLIKELY(cat->is_own)) {
		batch_problem(b, PROBLEM_OWN_MARKS, -1);
		return;
	}
	b->nevent += n;
	cat->count[(unsigned char)raw->ph] += n;
	b->kind_count[counted_as(raw->ph)] += n;
}
