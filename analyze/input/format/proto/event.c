/* A TrackEvent becomes a slice's begin or end, an instant, a counter, or, as the older spelling has
 * it, an event of a Chrome phase. */

#include "analyze/input/events/raw.h"
#include "analyze/input/format/proto/slice_classes.h"
#include "analyze/input/format/proto/decoder.h"
#include "analyze/input/format/proto/event_json.h"
#include "analyze/input/format/proto/packet.h"
#include "analyze/input/format/proto/wire.h"
#include "base/base.h"

enum { NOTES_AT_ONCE = 48, PHASE_LIMIT = 128, NOTE_TAG = EVENT_NOTE << 3 | WIRE_BYTES };

#define NS_PER_US 1000

/* What an event says, as it stands in the message. */
struct event {
	uint64_t type, track, name_iid, category_iid, source_iid;
	bool has_track, has_value, is_real, has_more;
	struct span name, category, source, legacy;
	unsigned categories;
	uint32_t flows, flow_ends;
	struct wire_field value;
	struct span note[NOTES_AT_ONCE];
	unsigned nnote;
};

/* What the older spelling says beside it. */
struct legacy {
	int64_t phase, dur_us;
	int32_t pid, tid;
	uint64_t name_iid, id, scope;
	bool has_dur, has_id, encloses;
};

static uint32_t count_of(const struct wire_field *f, size_t size)
{
	return f->type == WIRE_BYTES ? (uint32_t)(f->bytes.n / size) : 1;
}

/* The rarer fields. */
static void read_rare(struct event *e, const struct wire_field *f)
{
	switch (f->number) {
	case EVENT_CATEGORY_IID:
		e->category_iid = e->categories++ ? e->category_iid : f->value;
		break;
	case EVENT_CATEGORY: e->category = e->categories++ ? e->category : f->bytes; break;
	case EVENT_LEGACY: e->legacy = f->bytes; break;
	case EVENT_COUNTER_VALUE:
	case EVENT_COUNTER_DOUBLE:
		e->has_value = f->type != WIRE_BYTES;
		e->is_real = f->number == EVENT_COUNTER_DOUBLE;
		e->value = *f;
		break;
	case EVENT_FLOW_OLD: e->flows += count_of(f, 1); break;
	case EVENT_FLOW_END_OLD: e->flow_ends += count_of(f, 1); break;
	case EVENT_FLOW_END: e->flow_ends += count_of(f, 8); break;
	case EVENT_EXTRA_VALUE:
	case EVENT_EXTRA_DOUBLE: e->has_more = true; break;
	case EVENT_SOURCE: e->source = f->bytes; break;
	case EVENT_SOURCE_IID: e->source_iid = f->value; break;
	default: break;
	}
}

/* The next field but for annotations of less than 128 bytes, which are most and are taken here. */
static bool next_field(struct wire *w, struct event *e, struct wire_field *f)
{
	const char *p = w->p, *end = w->end;
	unsigned n = e->nnote;

	while (end - p > 2 && p[0] == NOTE_TAG && (signed char)p[1] >= 0 && p[1] <= end - p - 2 &&
		n < NOTES_AT_ONCE) {
		e->note[n++] = (struct span){ p + 2, (unsigned char)p[1] };
		p += 2 + p[1];
	}
	e->nnote = n;
	w->p = p;
	return wire_next(w, f);
}

static bool read_event(struct span body, struct event *e)
{
	struct wire w = wire_of(body);
	struct wire_field f;

	e->type = e->track = e->name_iid = e->category_iid = e->source_iid = 0;
	e->has_track = e->has_value = e->is_real = e->has_more = false;
	e->name.p = e->category.p = e->source.p = e->legacy.p = NULL;
	e->categories = e->nnote = e->flows = e->flow_ends = 0;
	while (next_field(&w, e, &f)) {
		switch (f.number) {
		case EVENT_NOTE:
			if (e->nnote == NOTES_AT_ONCE)
				e->has_more = true;
			else if (f.type == WIRE_BYTES)
				e->note[e->nnote++] = f.bytes;
			break;
		case EVENT_TYPE: e->type = f.value; break;
		case EVENT_TRACK:
			e->track = f.value;
			e->has_track = true;
			break;
		case EVENT_NAME_IID: e->name_iid = f.value; break;
		case EVENT_NAME: e->name = f.bytes; break;
		case EVENT_FLOW: e->flows += count_of(&f, 8); break;
		default: read_rare(e, &f); break;
		}
	}
	return !w.damaged;
}

static bool read_legacy(struct span body, struct legacy *l)
{
	struct wire_field f[LEGACY_TID + 1];
	bool whole = wire_fields(body, f, COUNT_OF(f));
	const struct wire_field *id = wire_has(&f[LEGACY_GLOBAL_ID], WIRE_VARINT)
		? &f[LEGACY_GLOBAL_ID]
		: wire_has(&f[LEGACY_LOCAL_ID], WIRE_VARINT) ? &f[LEGACY_LOCAL_ID]
							     : &f[LEGACY_UNSCOPED_ID];

	*l = (struct legacy){
		.phase = (int64_t)wire_number(&f[LEGACY_PHASE]),
		.dur_us = (int64_t)wire_number(&f[LEGACY_DURATION_US]),
		.has_dur = wire_has(&f[LEGACY_DURATION_US], WIRE_VARINT),
		.pid = (int32_t)wire_number(&f[LEGACY_PID]),
		.tid = (int32_t)wire_number(&f[LEGACY_TID]),
		.name_iid = wire_number(&f[LEGACY_NAME_IID]),
		.id = wire_number(id),
		.has_id = wire_has(id, WIRE_VARINT),
		.scope = wire_number(&f[LEGACY_SCOPE]),
		.encloses = wire_number(&f[LEGACY_ENCLOSING]),
	};
	return whole;
}

/* --- names and categories --- */

static const struct interned *find(
	struct decoder *d, const struct packet *p, uint32_t field, uint64_t iid)
{
	const struct interned *i = NULL;

	if (!iid)
		return NULL;
	if (p->view->book)
		i = interned_find(p->view->book, field, iid, d->place);
	d->notes.is_unknown |= !i;
	return i;
}

/* The event's name: its own, or that of the function it stands for. */
static struct span event_name(struct decoder *d, const struct packet *p, const struct event *e,
	const struct interned **entry)
{
	*entry = NULL;
	if (e->name.p)
		return e->name;
	*entry = find(d, p, INTERNED_NAME, e->name_iid);
	if (!*entry && e->source_iid)
		*entry = find(d, p, INTERNED_SOURCE, e->source_iid);
	return *entry ? (*entry)->text : (struct span){ NULL, 0 };
}

/* Several categories are one text with ',' between, as in JSON. */
static struct span join_categories(struct decoder *d, const struct packet *p)
{
	struct wire w = wire_of(p->body);
	struct str *to = &d->notes.json;
	struct wire_field f;

	str_reset(to);
	while (wire_next(&w, &f)) {
		const struct interned *i = NULL;
		struct span t = f.bytes;

		if (wire_is(&f, EVENT_CATEGORY_IID, WIRE_VARINT))
			i = find(d, p, INTERNED_CATEGORY, f.value);
		else if (!wire_is(&f, EVENT_CATEGORY, WIRE_BYTES))
			continue;
		t = i ? i->text : t;
		if (to->n)
			str_addc(to, ',');
		str_add(to, t.p, t.n);
	}
	return emit_keep(&d->m, (struct span){ to->s ? to->s : "", to->n });
}

static struct span event_category(
	struct decoder *d, const struct packet *p, const struct event *e, struct span name)
{
	const struct interned *i;
	struct span c;

	if (e->categories == 0)
		return (struct span){ NULL, 0 };
	if (e->categories > 1)
		return join_categories(d, p);
	if (e->category.p) {
		c = e->category;
	} else {
		i = find(d, p, INTERNED_CATEGORY, e->category_iid);
		c = i ? i->text : (struct span){ NULL, 0 };
	}
	if (c.p && c.n) {
		struct span same = class_spelling(c, name);

		d->is_rocm |= same.p != c.p;
		return same;
	}
	return c;
}

/* --- events --- */

/* Its annotations, to whoever listens. */
static void event_json_notes(struct decoder *d, const struct packet *p)
{
	struct wire w = wire_of(p->body);
	struct wire_field f;

	while (wire_next(&w, &f))
		if (wire_is(&f, EVENT_NOTE, WIRE_BYTES))
			event_json_note(d, f.bytes);
}

/* The event that was begun, as it is said; l: what the older spelling says of it, or NULL. */
static NEVER_INLINE void event_json_event(struct decoder *d, const struct packet *p,
	const struct legacy *l, char ph, const struct seen_track *on, uint32_t row)
{
	static const char scopes[] = { 0, 'g', 'p', 't' };
	const struct raw_event *raw = &d->m.raw;
	struct event_json_event event = { .ph = ph, .track = &on->track, .time = p->time };

	event.cat = raw_has(raw, RAW_CAT) ? raw->cat : event.cat;
	event.name = raw_has(raw, RAW_NAME) ? raw->name : event.name;
	if (event.cat.p && span_is(event.cat, OWN_CAT))
		return;
	if (l) {
		event.scope = scopes[l->scope < sizeof(scopes) ? l->scope : 0];
		event.id = l->id;
		event.has_id = l->has_id;
		event.binds_enclosing = l->encloses;
	}
	event_json_begin(d, &event);
	event_json_notes(d, p);
	event_json_end(d, row);
	event_json_flows(d, &event, p->body,
		row != TAP_NO_ROW && kind_is_device((enum kind)d->m.batch.events.kind[row]));
}

/* Its annotations as arguments; what their keys say. */
static unsigned emit_notes(struct decoder *d, const struct packet *p, const struct event *e)
{
	unsigned says = 0, n = 0;
	struct wire w = wire_of(p->body);
	struct wire_field f;

	for (unsigned i = 0; i < e->nnote; i++)
		says |= notes_emit(&d->notes, e->note[i]);
	if (UNLIKELY(e->nnote == NOTES_AT_ONCE))
		while (wire_next(&w, &f))
			if (wire_is(&f, EVENT_NOTE, WIRE_BYTES) && n++ >= NOTES_AT_ONCE)
				says |= notes_emit(&d->notes, f.bytes);
	if (UNLIKELY(d->notes.is_damaged))
		decoder_damaged(d, p);
	if (UNLIKELY(d->notes.is_too_deep))
		emit_problem(&d->m, PROBLEM_TOO_DEEP, p->offset);
	d->notes.is_damaged = d->notes.is_too_deep = false;
	return says;
}

/* Begins an event of that phase with all that is known of it but the time. */
static void begin(struct decoder *d, const struct packet *p, const struct event *e, char ph,
	struct seen_track *on)
{
	const struct interned *entry;
	struct span name = event_name(d, p, e, &entry);
	struct span category = event_category(d, p, e, name);

	emit_begin(&d->m, ph, category, name);
	if (entry)
		decoder_name(d, entry);
	emit_lane_memo(&d->m, on->track.pid, on->track.tid, &on->lane);
	unsigned says = emit_notes(d, p, e);
	if (!category.p && ph != 'i') {
		category = class_of(says, name.p ? name : RAW_NOTHING, &on->track);
		if (category.p) {
			d->is_torch = true;
			emit_category(&d->m, category);
		}
	}
}

static double value_of(const struct event *e, const struct track *t)
{
	double v = e->is_real ? wire_double(&e->value) : (double)wire_int64(&e->value);

	return v * (double)t->multiplier;
}

/* A counter's name without the unit that stands behind it, which is the key of its value. */
static struct span without_unit(struct span name, struct span unit)
{
	size_t n = name.n - unit.n;

	if (unit.n && name.n > unit.n && memcmp(name.p + n, unit.p, unit.n) == 0 &&
		name.p[n - 1] == ' ')
		name.n = n - 1;
	return name;
}

/* What holds differences has no value that could be said. */
static NEVER_INLINE void event_json_counter(struct decoder *d, const struct packet *p,
	const struct event *e, const struct seen_track *on)
{
	const struct track *t = &on->track;
	const struct raw_event *raw = &d->m.raw;
	struct span unit = t->unit.p ? t->unit : SPAN("");
	struct event_json_event event = { .ph = 'C', .track = t, .time = p->time };
	int64_t whole;

	event.cat = raw_has(raw, RAW_CAT) ? raw->cat : event.cat;
	if (!e->has_value || t->counts_deltas || (event.cat.p && span_is(event.cat, OWN_CAT)))
		return;
	event.name = raw_has(raw, RAW_NAME) ? without_unit(raw->name, unit) : event.name;
	event_json_begin(d, &event);
	if (!e->is_real && !mul_overflows(wire_int64(&e->value), t->multiplier, &whole))
		event_json_whole(d, unit, whole);
	else
		event_json_value(d, unit, value_of(e, t));
	event_json_end(d, TAP_NO_ROW);
}

/* Counters that say differences are counted, and have no value by themselves. */
static void take_counter(
	struct decoder *d, const struct packet *p, const struct event *e, struct seen_track *on)
{
	const struct track *t = &on->track;
	struct span category = t->category;
	const struct interned *entry;
	struct span name = t->name.n ? t->name : event_name(d, p, e, &entry);

	if (!category.p)
		category = event_category(d, p, e, name);
	emit_begin(&d->m, 'C', category, name);
	emit_lane_memo(&d->m, t->pid, t->tid, &on->lane);
	if (UNLIKELY(d->is_heard))
		event_json_counter(d, p, e, on);
	if (e->has_value && !t->counts_deltas)
		emit_real(&d->m, d->keys->empty, value_of(e, t));
	(void)emit_notes(d, p, e);
	emit_end(&d->m, p->time, 0, p->offset);
}

/* Values of further counters at the time of an event; a thread's own time is none. */
static void take_extra(struct decoder *d, const struct packet *p, uint32_t values, uint32_t tracks,
	const uint64_t *usual, size_t nusual, enum wire_type type)
{
	struct wire w = wire_of(p->body), own = wire_of(p->body);
	struct wire_field f, track = { .number = 0 };
	size_t at = 0, i = 0;
	bool says_tracks = false;
	uint64_t v, uuid;

	while (wire_next(&own, &track) && track.number != tracks)
		;
	says_tracks = track.number == tracks;
	while (wire_next(&w, &f)) {
		for (size_t value_at = 0;
			f.number == values && wire_repeated(&f, type, &value_at, &v);) {
			struct event e = { .has_value = true,
				.is_real = type == WIRE_FIXED64,
				.value = { .value = v } };

			while (says_tracks && !wire_repeated(&track, WIRE_VARINT, &at, &uuid)) {
				at = 0;
				do
					says_tracks = wire_next(&own, &track);
				while (says_tracks && track.number != tracks);
			}
			if (!says_tracks && i >= nusual)
				return;
			uuid = says_tracks ? uuid : usual[i];
			i++;
			struct seen_track *on = decoder_track(d, p, uuid, 0, 0);
			if (on->track.is_counter && !on->track.is_thread_time)
				take_counter(d, p, &e, on);
		}
	}
}

/* Ends an event that is whole. */
static void end_now(struct decoder *d, const struct packet *p, const struct legacy *l, char ph,
	nsec dur, const struct seen_track *on)
{
	size_t row = d->m.batch.events.n;

	emit_end(&d->m, p->time, dur, p->offset);
	if (UNLIKELY(d->is_heard))
		event_json_event(
			d, p, l, ph, on, d->m.batch.events.n > row ? (uint32_t)row : TAP_NO_ROW);
}

/* A slice that says its duration. */
static void take_complete(struct decoder *d, const struct packet *p, const struct event *e,
	const struct legacy *l, struct seen_track *on)
{
	nsec dur = DECODE_NO_DURATION;

	if (l->has_dur && mul_overflows(l->dur_us, NS_PER_US, &dur))
		dur = DECODE_NO_DURATION;
	begin(d, p, e, 'X', on);
	end_now(d, p, l, 'X', dur, on);
}

/* Returns its row, or enum emit_unkept. */
static uint32_t take_begin(
	struct decoder *d, const struct packet *p, const struct event *e, struct seen_track *on)
{
	begin(d, p, e, 'X', on);
	uint32_t row = emit_pending(&d->m, p->time, p->offset);
	decoder_half(d, p->time, row, on->number);
	if (UNLIKELY(d->is_heard) && row < EMIT_UNKEPT_FIRST)
		event_json_event(d, p, NULL, 'X', on, row);
	return row;
}

/* --- repeats --- */

static int64_t problems_of(const struct decoder *d)
{
	return SUM(int64_t, i, PROBLEM_COUNT, d->m.batch.tally.count[i]);
}

/* A begin, which is remembered when nothing is odd about it. */
static void learn_begin(
	struct decoder *d, const struct packet *p, const struct event *e, struct seen_track *on)
{
	struct repeat seen = { .track = on->number, .flows = e->flows, .flow_ends = e->flow_ends };
	struct repeat_event key = { p->body, p->view, p->said };
	bool plain = !e->has_more && !e->legacy.p && repeats_wants(&d->repeats, &key);
	int64_t problems = plain ? problems_of(d) : 0;

	d->notes.is_unknown = false;
	uint32_t row = take_begin(d, p, e, on);
	if (plain && !d->notes.is_unknown && problems_of(d) == problems &&
		emit_form_begin(&d->m, row, p->time, &seen.form))
		repeats_learn(&d->repeats, &key, &d->notes, &seen);
}

static void take_flows(struct decoder *d, uint32_t flows, uint32_t flow_ends)
{
	emit_counts(&d->m, 's', (struct span){ NULL, 0 }, flows);
	emit_counts(&d->m, 'f', (struct span){ NULL, 0 }, flow_ends);
}

static bool take_repeat(struct decoder *d, const struct packet *p)
{
	struct repeat_event key = { p->body, p->view, p->said };
	const struct repeat *r = p->time ? repeats_find(&d->repeats, &key) : NULL;
	uint64_t number[FORM_NUMBERS];

	if (!r)
		return false;
	repeats_numbers(r, p->body, number);
	decoder_half(d, p->time, emit_like(&d->m, &r->form, p->time, number), r->track);
	take_flows(d, r->flows, r->flow_ends);
	return true;
}

/* An end that says no more than its track, as nearly all do. */
static bool take_plain_end(struct decoder *d, const struct packet *p)
{
	const char *at = p->body.p, *end = at + p->body.n;
	uint64_t track = p->view->track;

	if (p->body.n < 2 || at[0] != EVENT_TYPE << 3 || at[1] != TYPE_END)
		return false;
	if (at + 2 != end && (at[2] != EVENT_TRACK << 3 || wire_varint(at + 3, end, &track) != end))
		return false;
	decoder_half(d, p->time, HALF_END, decoder_track(d, p, track, 0, 0)->number);
	return true;
}

/* An event that is only counted, and said to whoever listens. */
static void take_phase(struct decoder *d, const struct packet *p, const struct event *e,
	const struct legacy *l, const struct seen_track *on)
{
	const struct interned *entry;

	emit_count(&d->m, (char)l->phase, event_category(d, p, e, RAW_NOTHING));
	if (LIKELY(!d->is_heard))
		return;
	d->m.raw.name = event_name(d, p, e, &entry);
	if (d->m.raw.name.p)
		d->m.raw.have |= RAW_NAME;
	event_json_event(d, p, l, (char)l->phase, on, TAP_NO_ROW);
}

static void take_legacy(struct decoder *d, const struct packet *p, const struct event *e,
	const struct legacy *l, struct seen_track *on)
{
	switch (l->phase) {
	case 'X': take_complete(d, p, e, l, on); return;
	case 'B': (void)take_begin(d, p, e, on); return;
	case 'E': decoder_half(d, p->time, HALF_END, on->number); return;
	case 'i':
	case 'I':
	case 'R':
		begin(d, p, e, 'i', on);
		end_now(d, p, l, (char)l->phase, 0, on);
		return;
	case 'C': take_counter(d, p, e, on); return;
	default: break;
	}
	if (l->phase > ' ' && l->phase < PHASE_LIMIT &&
		strchr("stfbneSTpFNODVvPRc()", (int)l->phase))
		take_phase(d, p, e, l, on);
	else
		emit_problem(&d->m, PROBLEM_NO_PHASE, p->offset);
}

void decode_track_event(struct decoder *d, const struct packet *p)
{
	struct event e;
	struct legacy l = { 0 };

	if (LIKELY(take_plain_end(d, p) || (!d->is_heard && take_repeat(d, p))))
		return;
	if (UNLIKELY(!read_event(p->body, &e) || (e.legacy.p && !read_legacy(e.legacy, &l)))) {
		decoder_damaged(d, p);
		return;
	}
	if (UNLIKELY(l.name_iid && !e.name_iid))
		e.name_iid = l.name_iid;
	struct seen_track *on =
		decoder_track(d, p, e.has_track ? e.track : p->view->track, l.pid, l.tid);
	switch (e.type) {
	case TYPE_BEGIN: learn_begin(d, p, &e, on); break;
	case TYPE_END: decoder_half(d, p->time, HALF_END, on->number); break;
	case TYPE_INSTANT:
		begin(d, p, &e, 'i', on);
		end_now(d, p, &l, 'i', 0, on);
		break;
	case TYPE_COUNTER: take_counter(d, p, &e, on); break;
	default:
		if (l.phase)
			take_legacy(d, p, &e, &l, on);
		else
			emit_problem(&d->m, PROBLEM_NO_PHASE, p->offset);
		break;
	}
	take_flows(d, e.flows, e.flow_ends);
	if (UNLIKELY(e.has_more)) {
		take_extra(d, p, EVENT_EXTRA_VALUE, EVENT_EXTRA_TRACK, p->view->extra,
			p->view->nextra, WIRE_VARINT);
		take_extra(d, p, EVENT_EXTRA_DOUBLE, EVENT_EXTRA_DOUBLE_TRACK, p->view->extra_real,
			p->view->nextra_real, WIRE_FIXED64);
	}
}
