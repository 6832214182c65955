/*
 * From raw events to the batch: phase, category and kind, lane, time, name, arguments.  Everything
 * that is dropped is counted here.
 */
#include "analyze/input/decode.h"

#include <math.h>

#include "analyze/input/batch.h"
#include "analyze/input/num.h"
#include "analyze/input/raw.h"
#include "base/compiler.h"

static const struct span nothing = {"                ", 0};

static bool has(const struct raw_event *raw, unsigned fields)
{
	return (raw->have & fields) == fields;
}

/* Valid until the next new category of the batch. */
static struct batch_cat *cat_of(struct batch *b, const struct raw_event *raw)
{
	uint32_t c;

	if (LIKELY(has(raw, RAW_CAT)))
		c = batch_cat(b, raw->cat, has(raw, RAW_CAT_ESCAPED), true);
	else
		c = batch_cat(b, nothing, false, false);
	return &b->cat[c];
}

static struct span name_of(const struct raw_event *raw)
{
	return has(raw, RAW_NAME) ? raw->name : nothing;
}

static bool is_instant(char ph)
{
	return ph == 'i' || ph == 'I';
}

unsigned decode_class(struct batch *b, const struct raw_event *raw)
{
	if (UNLIKELY(!has(raw, RAW_PH)))
		return CLASS_ANY;
	if (LIKELY(raw->ph == 'X' || raw->ph == 'B' || raw->ph == 'E'))
		return has(raw, RAW_CAT) ? (unsigned)cat_of(b, raw)->kind : CLASS_ANY;
	if (raw->ph == 'M')
		return CLASS_META;
	return is_instant(raw->ph) ? KIND_MEMORY : CLASS_NOTHING;
}

static bool found(const struct raw_event *raw, uint8_t key)
{
	return key != PLAN_NO_KEY && (raw->found >> key & 1);
}

static sym text_of(struct batch *b, struct span t, bool escaped, int64_t offset)
{
	return UNLIKELY(escaped) ? batch_escaped(b, t, offset) : batch_text(b, t, offset);
}

/* --- lanes --- */

/* "stream 7", "stream 7 (sync)", "Stream #14(Compute)": the number behind the word; else -1. */
static int64_t stream_number(struct span t)
{
	size_t i = 0, n;

	if (t.n < 7 || !span_is_nocase((struct span){t.p, 6}, "stream"))
		return -1;
	for (i = 6; i < t.n && (t.p[i] == ' ' || t.p[i] == '#'); i++)
		;
	for (n = i; n < t.n && t.p[n] >= '0' && t.p[n] <= '9'; n++)
		;
	return n > i && n - i < 18 ? lane_number((struct span){t.p + i, n - i}) : -1;
}

static int64_t number_or(struct span t, int64_t otherwise)
{
	int64_t v;

	return num_i64(t, &v) ? v : otherwise;
}

static void place_on_device(const struct plan *plan, const struct raw_event *raw, struct span pid,
			    struct span tid, struct lane *l)
{
	l->is_device = true;
	l->device = lane_number(pid);
	if (found(raw, plan->key_device))
		l->device = number_or(raw->arg[plan->key_device], l->device);
	if (l->device == LANE_NO_NUMBER)
		l->device = 0;
	l->stream = lane_number(tid);
	if (l->stream == LANE_NO_NUMBER)
		l->stream = stream_number(tid);
	if (found(raw, plan->key_stream))
		l->stream = number_or(raw->arg[plan->key_stream], l->stream);
}

static uint32_t new_lane(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			 bool on_device, int64_t offset)
{
	bool escaped = has(raw, RAW_LANE_ESCAPED);
	struct lane key = {.device = -1, .stream = -1};
	struct span pid, tid;

	key.pid = text_of(b, has(raw, RAW_PID) ? raw->pid : nothing, escaped, offset);
	key.tid = text_of(b, has(raw, RAW_TID) ? raw->tid : nothing, escaped, offset);
	pid = b->dict[key.pid].text;
	tid = b->dict[key.tid].text;
	key.pid_number = lane_number(pid);
	key.tid_number = lane_number(tid);
	if (on_device)
		place_on_device(plan, raw, pid, tid, &key);
	return lanes_add(&b->lanes, &key);
}

static uint32_t lane_of(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			bool on_device, int64_t offset)
{
	struct lane_memo key = {.on_device = on_device}, *m;
	size_t at;

	key.pid = short_text(has(raw, RAW_PID) ? raw->pid : nothing);
	key.tid = short_text(has(raw, RAW_TID) ? raw->tid : nothing);
	key.device = short_text(on_device && found(raw, plan->key_device) ? raw->arg[plan->key_device]
									   : nothing);
	key.stream = short_text(on_device && found(raw, plan->key_stream) ? raw->arg[plan->key_stream]
									   : nothing);
	at = short_hash(key.pid) + short_hash(key.tid) * 3 + short_hash(key.stream) * 5 + on_device;
	m = &b->lane_memo[at % LANE_MEMOS];
	if (LIKELY(m->lane && short_same(m->pid, key.pid) && short_same(m->tid, key.tid) &&
		   short_same(m->device, key.device) && short_same(m->stream, key.stream) &&
		   m->on_device == on_device))
		return m->lane - 1;
	key.lane = new_lane(plan, b, raw, on_device, offset) + 1;
	if (!has(raw, RAW_LANE_ESCAPED))
		*m = key;
	return key.lane - 1;
}

/* --- arguments --- */

static uint32_t id_value(struct batch *b, struct span t)
{
	uint64_t v;

	return num_u64(t, &v) ? ids_pack(&b->ids, v) : 0;
}

/* "[128, 1, 1]" */
static void vec3_value(struct span t, uint32_t v[3])
{
	size_t i, k = 0;
	bool in = false;

	v[0] = v[1] = v[2] = 0;
	for (i = 0; i < t.n && k < 3; i++) {
		if (t.p[i] >= '0' && t.p[i] <= '9') {
			v[k] = v[k] * 10 + (uint32_t)(t.p[i] - '0');
			in = true;
		} else if (in) {
			k++;
			in = false;
		}
	}
}

static void store_arg(struct batch *b, const struct raw_event *raw, uint8_t key, enum arg arg,
		      size_t row, int64_t offset)
{
	union arg_column c = b->args.col[arg];
	struct span t = raw->arg[key];

	switch (arg_infos[arg].type) {
	case ARG_ID:
		c.id[row] = id_value(b, t);
		break;
	case ARG_SYM:
		c.sym[row] = text_of(b, t, raw->escaped >> key & 1, offset);
		break;
	case ARG_VEC3:
		vec3_value(t, c.vec3[row]);
		break;
	case ARG_I64:
		if (!num_i64(t, &c.i64[row]))
			c.i64[row] = ARG_UNKNOWN;
		break;
	case ARG_F64:
		(void)num_f64(t, &c.f64[row]);
		break;
	}
}

static uint32_t args_of(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			enum kind kind, int64_t offset)
{
	enum args_table t = args_table_of(kind);
	size_t row = b->args.n[t];
	unsigned i;

	if (t == ARGS_NONE || !(raw->found & plan->want[kind]))
		return NO_ARGS;
	args_reserve(&b->args, t, 1);
	b->args.n[t]++;
	for (i = 0; i < plan->ncolumn[t]; i++) {
		const struct plan_column *c = &plan->column[t][i];
		uint8_t key = found(raw, c->key) ? c->key : c->other_key;

		if (found(raw, key))
			store_arg(b, raw, key, (enum arg)c->arg, row, offset);
		else
			args_unknown(&b->args, (enum arg)c->arg, row);
	}
	return (uint32_t)row + 1;
}

/* --- slices --- */

static void widen(const struct batch_cat *c, struct batch *b, nsec start, nsec end)
{
	nsec *first = c->present ? &b->first : &b->bare_first;
	nsec *last = c->present ? &b->last : &b->bare_last;

	if (start < *first)
		*first = start;
	if (end > *last)
		*last = end;
}

static bool takes_device_lane(enum kind k)
{
	return kind_is_device(k) || k == KIND_SYNC || k == KIND_GPU_ANNOTATION || k == KIND_GPU_EVENT;
}

/* A slice of no known category that names a stream and a correlation is device work. */
static enum kind guess_kind(const struct plan *plan, const struct raw_event *raw)
{
	if (!found(raw, plan->key_stream) || !found(raw, plan->key_of[ARG_DEVICE_CORRELATION]))
		return KIND_OTHER;
	if (span_starts(name_of(raw), "Memcpy"))
		return KIND_MEMCPY;
	return span_starts(name_of(raw), "Memset") ? KIND_MEMSET : KIND_KERNEL;
}

struct slice {
	nsec start, dur;
	unsigned flags;
};

/* Duration and flags of a slice whose start is known. */
static void take_duration(struct batch *b, const struct raw_event *raw, struct slice *s,
			  int64_t offset)
{
	s->dur = 0;
	if (raw->ph == 'B' || raw->ph == 'E') {
		s->flags = raw->ph == 'B' ? EVENT_BEGIN : EVENT_END;
		b->saw_begin_end = true;
		return;
	}
	if (UNLIKELY(!has(raw, RAW_DUR) || !num_ns(raw->dur, &s->dur))) {
		s->dur = 0;
		s->flags |= EVENT_UNFINISHED;
		batch_problem(b, PROBLEM_NO_DURATION, offset);
	} else if (UNLIKELY(s->dur < 0)) {
		s->dur = 0;
		s->flags |= EVENT_CLAMPED;
		batch_problem(b, PROBLEM_NEGATIVE_DURATION, offset);
	}
}

static void add_row(const struct plan *plan, struct batch *b, const struct raw_event *raw,
		    enum kind kind, const struct slice *s, int64_t offset)
{
	struct events *e = &b->events;
	size_t row = e->n;

	events_reserve(e, 1);
	e->start[row] = s->start;
	e->dur[row] = s->dur;
	e->name[row] = has(raw, RAW_NAME)
			       ? text_of(b, raw->name, has(raw, RAW_NAME_ESCAPED), offset) : 0;
	e->lane[row] = lane_of(plan, b, raw, takes_device_lane(kind), offset);
	e->args[row] = args_of(plan, b, raw, kind, offset);
	e->kind[row] = (uint8_t)kind;
	e->flags[row] = (uint8_t)s->flags;
	e->n++;
}

static bool take_time(struct batch *b, const struct raw_event *raw, nsec *t, int64_t offset)
{
	if (LIKELY(has(raw, RAW_TS) && num_ns(raw->ts, t)))
		return true;
	batch_problem(b, PROBLEM_NO_TIME, offset);
	return false;
}

static void decode_slice(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			 const struct batch_cat *cat, int64_t offset)
{
	struct slice s = {0};
	enum kind kind = cat->kind;
	nsec end;

	if (!take_time(b, raw, &s.start, offset))
		return;
	take_duration(b, raw, &s, offset);
	if (UNLIKELY(add_overflows(s.start, s.dur, &end))) {
		batch_problem(b, PROBLEM_NO_TIME, offset);
		return;
	}
	if (UNLIKELY(kind == KIND_OTHER))
		kind = guess_kind(plan, raw);
	b->kind_count[kind]++;
	if (UNLIKELY(kind_is_device(kind) && s.start == 0 && s.dur == 0)) {
		batch_problem(b, PROBLEM_ZERO_TIME_KERNEL, offset);
		return;
	}
	if (UNLIKELY(found(raw, plan->key_finished) &&
		     span_is(raw->arg[plan->key_finished], "false")))
		s.flags |= EVENT_CUT;
	if (kind != KIND_SPAN)
		widen(cat, b, s.start, end);
	if (plan->kinds_kept & KIND_BIT(kind))
		add_row(plan, b, raw, kind, &s, offset);
}

/* --- instants and names --- */

static void decode_instant(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			   int64_t offset)
{
	struct slice s = {0};
	enum kind kind;

	if (!has(raw, RAW_NAME))
		return;
	kind = kind_refine(KIND_INSTANT, raw->name);
	b->kind_count[kind]++;
	if (span_is(raw->name, "Record Window End"))
		b->saw_window_end = true;
	if ((plan->kinds_kept & KIND_BIT(kind)) && take_time(b, raw, &s.start, offset))
		add_row(plan, b, raw, kind, &s, offset);
}

static void decode_name(const struct plan *plan, struct batch *b, const struct raw_event *raw,
			int64_t offset)
{
	struct batch_name n = {0};
	uint8_t key = plan->key_name;

	if (span_is(name_of(raw), "thread_name")) {
		n.what = NAME_THREAD;
	} else if (span_is(name_of(raw), "process_name")) {
		n.what = NAME_PROCESS;
	} else if (span_is(name_of(raw), "process_labels")) {
		n.what = NAME_LABELS;
		key = plan->key_labels;
	} else {
		return;
	}
	if (!found(raw, key))
		return;
	n.pid = text_of(b, has(raw, RAW_PID) ? raw->pid : nothing, has(raw, RAW_LANE_ESCAPED), offset);
	n.has_tid = n.what == NAME_THREAD;
	n.tid = text_of(b, n.has_tid && has(raw, RAW_TID) ? raw->tid : nothing,
			has(raw, RAW_LANE_ESCAPED), offset);
	n.value = text_of(b, raw->arg[key], raw->escaped >> key & 1, offset);
	b->name = array_grow(b->name, &b->name_cap, b->nname + 1, sizeof(*b->name));
	b->name[b->nname++] = n;
}

static enum kind counted_as(char ph)
{
	static const char flows[] = "stf", asyncs[] = "bneSTpF";

	if (memchr(flows, ph, sizeof(flows) - 1))
		return KIND_FLOW;
	if (memchr(asyncs, ph, sizeof(asyncs) - 1))
		return KIND_ASYNC;
	return ph == 'C' ? KIND_COUNTER : KIND_INSTANT;
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
	while ((unsigned char)*p <= 0x20)
		p++;
	return *p == '}';
}

void decode_event(const struct plan *plan, struct batch *b, const struct raw_event *raw,
		  int64_t offset)
{
	struct batch_cat *cat;
	char ph = has(raw, RAW_PH) ? raw->ph : 0;

	if (UNLIKELY(is_empty(raw))) /* JAX closes its list with {} */
		return;
	cat = cat_of(b, raw);
	b->nevent++;
	cat->count[(unsigned char)ph < 128 ? ph : 0]++;
	if (LIKELY(ph == 'X' || ph == 'B' || ph == 'E'))
		decode_slice(plan, b, raw, cat, offset);
	else if (is_instant(ph))
		decode_instant(plan, b, raw, offset);
	else if (ph == 'M')
		decode_name(plan, b, raw, offset);
	else if (ph && is_known_phase(ph))
		b->kind_count[counted_as(ph)]++;
	else
		batch_problem(b, PROBLEM_NO_PHASE, offset);
}
