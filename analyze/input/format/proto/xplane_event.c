/* A plane: what its numbers mean; its lines and events. */
#include "analyze/input/format/proto/wire.h"
#include "analyze/input/format/proto/xplane.h"
#include "analyze/input/text/num.h"
#include "base/base.h"

/* --- a plane: what its numbers mean --- */

enum { PLANE_ID = 1, PLANE_NAME, PLANE_LINES, PLANE_EVENTS, PLANE_STATS, PLANE_OWN };
enum { ENTRY_KEY = 1, ENTRY_VALUE };
enum { LINE_ID = 1, LINE_NAME, LINE_TIME, LINE_EVENTS, LINE_DISPLAY = 11 };
enum { MEANING_ID = 1, MEANING_NAME, EVENT_DISPLAY = 4, MEANING_STATS = 5 };
enum { STAT_ID = 1, STAT_REAL, STAT_UINT, STAT_INT, STAT_TEXT, STAT_BYTES, STAT_REF };

static const char *const stat_names[] = {
#define X(name, text) text,
	XSTATS(X)
#undef X
};

static void take_stat_meaning(struct xplane *p, int64_t id, struct span message)
{
	struct xstat_meaning *m = valuemap_slot(&p->stats, &id, NULL);
	struct wire_field f[MEANING_NAME + 1];

	(void)wire_fields(message, f, COUNT_OF(f));
	m->name = wire_text(&f[MEANING_NAME]);
	m->is = FIND_VALUE(
		i, XSTAT_COUNT, span_is(m->name, stat_names[i]), (enum xstat)i, XSTAT_OTHER);
}

static void take_event_meaning(struct xplane *p, int64_t id, struct span message)
{
	struct xevent_meaning *m = valuemap_slot(&p->events, &id, NULL);
	struct wire_field f[EVENT_DISPLAY + 1];

	(void)wire_fields(message, f, COUNT_OF(f));
	m->name = wire_text(&f[MEANING_NAME]);
	m->display_name = wire_text(&f[EVENT_DISPLAY]);
	m->stats = message;
}

/* An entry of a map: a number and a message. */
static bool take_entry(struct span entry, int64_t *key, struct span *value)
{
	struct wire_field f[ENTRY_VALUE + 1];

	(void)wire_fields(entry, f, COUNT_OF(f));
	*key = (int64_t)wire_number(&f[ENTRY_KEY]);
	*value = wire_text(&f[ENTRY_VALUE]);
	return value->p;
}

/* The number behind the last ':' of "/device:GPU:3", or of "/device:GPU:3 (pod 0)"; else -1. */
static int64_t device_number(struct span name)
{
	int64_t n = -1;

	if (!span_starts(name, "/device:") || span_starts(name, "/device:CPU"))
		return -1;
	size_t i = FIRST_FROM(at, sizeof("/device:") - 1, name.n, name.p[at] == ':');
	for (i++; i < name.n && is_digit(name.p[i]) && n < 1 << 20; i++)
		n = MAX(0, n) * 10 + (name.p[i] - '0');
	return n;
}

/* Whether a line's message says that it is a stream of a device. */
static bool is_stream_line(struct span line)
{
	struct wire_field f;

	return wire_find(line, LINE_NAME, WIRE_BYTES, &f) && span_starts(f.bytes, "Stream #");
}

static void take_maps(struct xplane *p)
{
	struct wire w = wire_of(p->message);
	struct wire_field f;
	struct span value;
	int64_t id;

	while (wire_next(&w, &f)) {
		if (f.type != WIRE_BYTES)
			continue;
		if (f.number == PLANE_NAME)
			p->name = f.bytes;
		else if (f.number == PLANE_LINES)
			p->has_streams |= is_stream_line(f.bytes);
		else if (f.number == PLANE_EVENTS && take_entry(f.bytes, &id, &value))
			take_event_meaning(p, id, value);
		else if (f.number == PLANE_STATS && take_entry(f.bytes, &id, &value))
			take_stat_meaning(p, id, value);
	}
}

/* A statistic's number is looked up in a const plane: a map remembers what was asked last. */
static const struct xstat_meaning *stat_meaning(const struct xplane *p, int64_t id)
{
	return valuemap_find((struct valuemap *)&p->stats, &id);
}

static void set_number(struct xvalue *v, const struct wire_field *f)
{
	if (f->number != STAT_REAL) {
		v->number = (int64_t)f->value;
	} else {
		double d = wire_double(f);

		v->there = d == trunc(d) && fabs(d) < 9e15;
		v->number = v->there ? saturate_whole(d) : 0;
	}
}

/* Takes the statistic (message XStat) in, where one of XSTATS is asked for: value[]. */
static void xplane_stat(const struct xplane *p, struct span stat, struct xvalue value[XSTAT_COUNT])
{
	struct wire w = wire_of(stat);
	struct wire_field f;
	struct xvalue v = { 0 };
	const struct xstat_meaning *m = NULL, *ref;

	while (wire_next(&w, &f)) {
		if (f.number == STAT_ID && f.type == WIRE_VARINT) {
			m = stat_meaning(p, (int64_t)f.value);
			continue;
		}
		v.there = true;
		if (f.number == STAT_REF && f.type == WIRE_VARINT) {
			ref = stat_meaning(p, (int64_t)f.value);
			v.text = ref ? ref->name : SPAN("");
		} else if (f.type == WIRE_BYTES) {
			v.text = f.bytes;
		} else if (f.number >= STAT_REAL && f.number <= STAT_INT) {
			set_number(&v, &f);
		}
	}
	if (m && m->is != XSTAT_OTHER && v.there)
		value[m->is] = v;
}

void xplane_open(struct xplane *p, struct span message)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	memset(p, 0, sizeof(*p));
	p->message = message;
	p->name = SPAN("");
	valuemap_init(&p->stats, sizeof(int64_t), sizeof(struct xstat_meaning));
	valuemap_init(&p->events, sizeof(int64_t), sizeof(struct xevent_meaning));
	take_maps(p);
	p->device = device_number(p->name);
	while (wire_next(&w, &f))
		if (f.number == PLANE_OWN && f.type == WIRE_BYTES)
			xplane_stat(p, f.bytes, p->value);
}

void xplane_close(struct xplane *p)
{
	valuemap_clear(&p->stats);
	valuemap_clear(&p->events);
}

/* --- its lines and events --- */

enum { EVENT_MEANING = 1, EVENT_OFFSET, EVENT_DURATION, EVENT_STATS, EVENT_OCCURRENCES };
enum { MERGE_EVENTS = 16384, PS_IN_NS = 1000 };
enum { HOST_PID = 701, DEVICE_PID = 1 }; /* as XLA's own trace viewer numbers them */

/* Whose work a line shows. */
enum line_kind {
	LINE_HOST,
	LINE_WORK, /* a stream, or the ops of a device that has none */
	LINE_MARKS /* a device's line that only names its work: modules, steps, scopes */
};

struct line {
	struct span name, display_name;
	uint64_t id;
	int64_t time_ns;
	enum line_kind kind;
	struct span pid, tid;
	int64_t stream;
};

/* "Stream #17(Kernel)": 17; else the line's id. */
static int64_t stream_number(const struct line *l)
{
	static const char word[] = "Stream #";
	int64_t n = 0;
	size_t i = sizeof(word) - 1;

	if (!span_starts(l->name, word))
		return (int64_t)(l->id & INT32_MAX);
	for (; i < l->name.n && is_digit(l->name.p[i]) && n < 1 << 28; i++)
		n = n * 10 + (l->name.p[i] - '0');
	return n;
}

static enum line_kind kind_of(const struct xplane *p, struct span name)
{
	if (p->device < 0)
		return LINE_HOST;
	if (span_starts(name, "Stream #"))
		return LINE_WORK;
	if (!p->has_streams && (span_is(name, "XLA Ops") || span_is(name, "Async XLA Ops")))
		return LINE_WORK;
	return LINE_MARKS;
}

static struct line open_line(struct xreading *x, const struct xplane *p, struct span message)
{
	struct wire_field f[LINE_DISPLAY + 1];

	(void)wire_fields(message, f, COUNT_OF(f));
	struct line l = {
		.name = wire_text(&f[LINE_NAME]),
		.display_name = wire_text(&f[LINE_DISPLAY]),
		.id = wire_number(&f[LINE_ID]),
		.time_ns = (int64_t)wire_number(&f[LINE_TIME]),
	};
	l.name.p = l.name.p ? l.name.p : "";
	l.kind = kind_of(p, l.name);
	l.stream = stream_number(&l);
	x->first_line_ns = MIN(x->first_line_ns, l.time_ns);
	return l;
}

/* Its lane's texts; they live until the next merge, so they are made anew behind each. */
static void place_line(struct xreading *x, const struct xplane *p, struct line *l)
{
	struct emitter *m = &x->emitter;
	uint64_t pid =
		p->device >= 0 ? (uint64_t)p->device + DEVICE_PID : (uint64_t)(HOST_PID + x->hosts);

	l->pid = emit_keepf(m, "%" PRIu64, pid);
	l->tid = emit_keepf(m, "%" PRIu64, l->id);
}

/* "grid:16,1,1" in a text of such pairs: what is behind "grid:", up to the next blank. */
static struct span pair_in(struct span text, const char *key)
{
	const char *p = memmem(text.p, text.n, key, strlen(key));
	struct span v = { NULL, 0 };

	if (!p)
		return v;
	v.p = p + strlen(key);
	while (v.p + v.n < text.p + text.n && v.p[v.n] != ' ')
		v.n++;
	return v;
}

static int64_t number_in(struct span text, const char *key, int64_t otherwise)
{
	struct span t = pair_in(text, key);
	int64_t n;

	return t.p && num_i64(t, &n) ? n : otherwise;
}

/* "[16, 1, 1]" of "16,1,1". */
static void emit_triple(struct emitter *m, uint8_t key, struct span t)
{
	int64_t v[3] = { 0 };
	size_t k = 0;

	if (!t.p)
		return;
	for (size_t i = 0; i < t.n && k < 3; i++) {
		if (t.p[i] == ',')
			k++;
		else if (is_digit(t.p[i]) && v[k] < INT32_MAX / 10)
			v[k] = v[k] * 10 + (t.p[i] - '0');
	}
	emit_vec3(m, key, v[0], v[1], v[2]);
}

/* "regs:32 static_shared:0 dynamic_shared:1024 grid:1,1,1 block:256,1,1 occ_pct:50", of AMD
 * " grid:16,1,1 block:512,1,1 private_mem:0 group_mem:0 occ_pct:0".  An occupancy of 0 was not
 * worked out; registers that no device has come from a structure that was not filled, and so does
 * the shared memory beside them. */
static void emit_launch(struct emitter *m, const struct xkeys *k, struct span details)
{
	enum { MOST_REGISTERS = 1024 };
	int64_t registers = number_in(details, "regs:", -1);
	int64_t fixed = number_in(details, "static_shared:", -1);
	int64_t group = number_in(details, "group_mem:", -1);
	int64_t occupancy = number_in(details, "occ_pct:", 0);

	emit_triple(m, k->grid, pair_in(details, "grid:"));
	emit_triple(m, k->block, pair_in(details, "block:"));
	if (registers > 0 && registers <= MOST_REGISTERS) {
		emit_int(m, k->registers, registers);
		if (fixed >= 0 && fixed < INT32_MAX)
			emit_int(m, k->shared,
				fixed + (number_in(details, "dynamic_shared:", 0) & INT32_MAX));
	}
	if (group >= 0)
		emit_int(m, k->shared, group);
	if (occupancy > 0)
		emit_int(m, k->occupancy, occupancy);
}

static bool is_count(const struct xvalue *v)
{
	return v->there && !v->text.p && v->number >= 0;
}

static void emit_work_args(
	struct xreading *x, const struct xplane *p, const struct line *l, const struct xvalue *v)
{
	struct emitter *m = &x->emitter;
	const struct xkeys *k = &x->keys;
	int64_t bytes = v[XSTAT_COPY].text.p ? number_in(v[XSTAT_COPY].text, "size:", 0) : 0;

	emit_int(m, k->device, p->device);
	emit_int(m, k->stream, l->stream);
	if (v[XSTAT_KERNEL].text.p)
		emit_launch(m, k, v[XSTAT_KERNEL].text);
	if (v[XSTAT_COPY].text.p)
		emit_text(m, k->copy, v[XSTAT_COPY].text);
	if (bytes > 0)
		emit_int(m, k->bytes, bytes);
	if (is_count(&v[XSTAT_FLOPS]))
		emit_int(m, k->flops, v[XSTAT_FLOPS].number);
	if (is_count(&v[XSTAT_ACCESSED]))
		emit_int(m, k->accessed, v[XSTAT_ACCESSED].number);
	if (v[XSTAT_TF_OP].text.p && span_has(v[XSTAT_TF_OP].text, "/"))
		emit_text(m, k->region, v[XSTAT_TF_OP].text);
	if (v[XSTAT_MODULE].text.p && v[XSTAT_MODULE].text.n)
		emit_text(m, k->module, v[XSTAT_MODULE].text);
}

static struct span work_category(struct span name, const struct xvalue *v)
{
	if (v[XSTAT_COPY].text.p || span_starts(name, "Memcpy") || span_starts(name, "MEMCPY"))
		return SPAN("gpu_memcpy");
	if (v[XSTAT_SET].text.p || span_starts(name, "Memset") || span_starts(name, "MEMSET"))
		return SPAN("gpu_memset");
	return SPAN("kernel");
}

/* Calls of the runtime have a number by which their work is known, steps have theirs; "$file.py:12
 * f" is Python's; else it is what XLA, its runtime or the framework marks as its own work. */
static struct span host_category(struct span name, const struct xvalue *v)
{
	if (v[XSTAT_CORRELATION].there)
		return SPAN("cuda_runtime");
	if (v[XSTAT_STEP].there)
		return SPAN("user_annotation");
	return span_starts(name, "$") ? SPAN("python_function") : SPAN("cpu_op");
}

struct event {
	int64_t meaning, offset_ps, duration_ps, occurrences;
	struct xvalue value[XSTAT_COUNT];
};

static bool take_event(const struct xplane *p, struct span message, struct event *ev)
{
	struct wire w = wire_of(message);
	struct wire_field f;

	memset(ev, 0, sizeof(*ev));
	while (wire_next(&w, &f)) {
		if (f.number == EVENT_STATS && f.type == WIRE_BYTES)
			xplane_stat(p, f.bytes, ev->value);
		else if (f.type != WIRE_VARINT)
			continue;
		else if (f.number == EVENT_MEANING)
			ev->meaning = (int64_t)f.value;
		else if (f.number == EVENT_OFFSET)
			ev->offset_ps = (int64_t)f.value;
		else if (f.number == EVENT_DURATION)
			ev->duration_ps = (int64_t)f.value;
		else if (f.number == EVENT_OCCURRENCES)
			ev->occurrences = (int64_t)f.value;
	}
	return !w.damaged;
}

/* Statistics that all events of a meaning have in common; those of the event itself go first. */
static void take_common(
	const struct xplane *p, const struct xevent_meaning *mean, struct xvalue value[XSTAT_COUNT])
{
	struct wire w = wire_of(mean->stats);
	struct wire_field f;
	struct xvalue common[XSTAT_COUNT] = { { 0 } };

	while (wire_next(&w, &f))
		if (f.number == MEANING_STATS && f.type == WIRE_BYTES)
			xplane_stat(p, f.bytes, common);
	for (size_t i = 0; i < XSTAT_COUNT; i++)
		if (!value[i].there)
			value[i] = common[i];
}

/* Start and end in whole ns, both rounded down, so that what is nested stays so. */
static bool times_of(const struct line *l, const struct event *ev, nsec *start, nsec *dur)
{
	int64_t end_ps, end;

	if (ev->duration_ps < 0 || add_overflows(ev->offset_ps, ev->duration_ps, &end_ps))
		return false;
	if (add_overflows(l->time_ns, ev->offset_ps / PS_IN_NS, start) ||
		add_overflows(l->time_ns, end_ps / PS_IN_NS, &end))
		return false;
	*dur = end - *start;
	return true;
}

/* A counted event has no place in time: it stands for many. */
static bool emit_event(
	struct xreading *x, struct xplane *p, const struct line *l, struct span message)
{
	struct emitter *m = &x->emitter;
	struct event ev;
	nsec start, dur;

	if (!take_event(p, message, &ev))
		return false;
	const struct xevent_meaning *mean = valuemap_find(&p->events, &ev.meaning);
	if (!mean || !times_of(l, &ev, &start, &dur))
		return false;
	if (ev.occurrences > 0) {
		emit_count(m, 'i', (struct span){ NULL, 0 });
		return true;
	}
	if (l->kind == LINE_WORK)
		take_common(p, mean, ev.value);
	struct span name = mean->display_name.n ? mean->display_name
		: mean->name.p                  ? mean->name
						: SPAN("");
	struct span cat = l->kind == LINE_WORK ? work_category(name, ev.value)
		: l->kind == LINE_MARKS        ? SPAN("gpu_user_annotation")
					       : host_category(name, ev.value);
	emit_begin(m, 'X', cat, name);
	emit_lane(m, l->pid, l->tid);
	if (l->kind == LINE_WORK)
		emit_work_args(x, p, l, ev.value);
	if (ev.value[XSTAT_CORRELATION].there)
		emit_int(m, x->keys.correlation, ev.value[XSTAT_CORRELATION].number);
	emit_end(m, start, dur, -1);
	return true;
}

static enum status emit_line(
	struct xreading *x, struct xplane *p, struct span message, int64_t offset, struct err *e)
{
	struct emitter *m = &x->emitter;
	struct line l = open_line(x, p, message);
	struct wire w = wire_of(message);
	struct wire_field f;

	place_line(x, p, &l);
	emit_thread_name(m, l.pid, l.tid, l.display_name.n ? l.display_name : l.name);
	while (wire_next(&w, &f)) {
		if (f.number != LINE_EVENTS || f.type != WIRE_BYTES)
			continue;
		if (!emit_event(x, p, &l, f.bytes))
			emit_problem(
				m, PROBLEM_SKIPPED_RECORD, offset + (f.bytes.p - p->message.p));
		if (++x->emitted % MERGE_EVENTS == 0) {
			TRY(emit_merge(x->out, m, e));
			place_line(x, p, &l);
		}
	}
	if (w.damaged)
		emit_problem(m, PROBLEM_SKIPPED_RECORD, offset + (message.p - p->message.p));
	return OK;
}

enum status xplane_emit(struct xreading *x, struct xplane *p, int64_t offset, struct err *e)
{
	struct emitter *m = &x->emitter;
	struct wire w = wire_of(p->message);
	struct wire_field f;
	struct line plane = { .id = 0 };
	bool any = false;

	while (wire_next(&w, &f))
		if (f.number == PLANE_LINES && f.type == WIRE_BYTES) {
			any = true;
			TRY(emit_line(x, p, f.bytes, offset, e));
		}
	if (w.damaged)
		emit_problem(m, PROBLEM_SKIPPED_RECORD, offset);
	if (any) {
		place_line(x, p, &plane);
		emit_process_name(m, plane.pid, emit_keep(m, p->name));
		x->hosts += p->device < 0;
	}
	return emit_merge(x->out, m, e);
}
