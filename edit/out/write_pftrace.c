/* Perfetto's protobuf: what its own tools and traceq read, with each row's slices in the order of
 * time, and those that cross on rows beside each other, so that none is dropped.  Arrows and
 * asynchronous events are those of Chrome's phases, which it has fields for.
 *
 * All events are held until the last has come, as packets without their times. */
#include "analyze/input/text/num.h"
#include "edit/chains.h"
#include "edit/event_members.h"
#include "edit/out/pb.h"
#include "edit/out/write_pftrace_parts.h"
#include "edit/out/writer.h"

/* --- packets that are events, row by row --- */

/* The order in which Perfetto wants events: each row's by time, what lasts longer first. */

/* Slices stand before what happens when they begin. */
ORDER(by_place, struct pf_event, compare3(a->lane, b->lane), compare3(a->start, b->start),
	compare3_down(a->type == TYPE_BEGIN, b->type == TYPE_BEGIN), compare3(b->end, a->end),
	compare3(a->order, b->order))

ORDER(by_time, struct pf_half, compare3(a->lane, b->lane), compare3(a->at, b->at),
	compare3(a->order, b->order))

/* Last in, first out, on each row; an end without a begin is none. */
static void join(struct pftrace *p)
{
	size_t *open, n = 0;

	if (p->nhalf == 0)
		return;
	qsort(p->half, p->nhalf, sizeof(*p->half), by_time);
	open = xcalloc(p->nhalf, sizeof(*open));
	for (size_t i = 0; i < p->nhalf; i++) {
		const struct pf_half *h = &p->half[i];

		if (i > 0 && p->half[i - 1].lane != h->lane)
			n = 0;
		if (h->event != PF_END) {
			open[n++] = h->event;
		} else if (n > 0) {
			p->event[open[--n]].end = h->at;
			p->event[open[n]].is_open = false;
		}
	}
	free(open);
}

/* So many tracks a row has at most.  What crosses on the last one ends early. */
enum { LEVELS_MAX = 1024 };

/* The events of a row, and what of them is open and what waits for the next level. */
struct level {
	struct pftrace *p;
	struct str *out;
	uint64_t track;
	size_t *open, *rest;
	size_t nopen;
};

/* v NULL: the end of a slice. */
static void put_event(
	const struct level *l, unsigned type, nsec at, const struct pf_event *v, struct str *out)
{
	size_t packet = pftrace_begin_packet(out);

	pbw_varint(out, PACKET_TIMESTAMP, pftrace_time(l->p, at));
	pbw_varint(out, PACKET_FLAGS, FLAG_STATE_NEEDED);
	size_t event = pbw_begin(out, PACKET_TRACK_EVENT);
	if (type != TYPE_NONE)
		pbw_varint(out, EVENT_TYPE, type);
	pbw_varint(out, EVENT_TRACK, l->track);
	if (v && v->body_n)
		str_add(out, l->p->bodies.s + v->body, v->body_n);
	pbw_end(out, event);
	pbw_end(out, packet);
}

static const struct pf_event *innermost(const struct level *l)
{
	return l->nopen ? &l->p->event[l->open[l->nopen - 1]] : NULL;
}

/* Ends what ends by then; what begins then as well, not before `all`: an arrow binds to it. */
static void end_until(struct level *l, nsec at, bool all)
{
	const struct pf_event *v;

	while ((v = innermost(l)) && v->end <= at && (all || v->start < at)) {
		if (!v->is_open)
			put_event(l, TYPE_END, v->end, NULL, l->out);
		l->nopen--;
	}
}

/* Those of n events that fit on one track.  The others stay in rest.  Returns how many do not. */
static size_t put_level(struct level *l, size_t n, bool is_last)
{
	struct pftrace *p = l->p;
	size_t waiting = 0;
	nsec put_off = INT64_MIN; /* when the last slice begins that goes to another track */

	for (size_t i = 0; i < n; i++) {
		size_t at = l->rest[i];
		struct pf_event *v = &p->event[at];
		bool is_slice = v->type == TYPE_BEGIN;

		end_until(l, v->start, is_slice);
		bool crosses = is_slice && l->nopen && innermost(l)->end < v->end;
		if (!is_last && (crosses || (!is_slice && put_off == v->start))) {
			l->rest[waiting++] = at;
			put_off = v->start;
			continue;
		}
		if (crosses)
			v->end = innermost(l)->end;
		put_event(l, v->type, v->start, v, l->out);
		if (is_slice)
			l->open[l->nopen++] = at;
	}
	end_until(l, INT64_MAX, true);
	return waiting;
}

/* write_pftrace_put.c: the events of the next lane; false behind the last, when rows without events
 * have been named, too. */
static bool pftrace_put_lane(struct pftrace *p, struct str *out)
{
	struct level l = { .p = p, .out = out };
	uint64_t parent = 0;

	if (p->at == p->nevent) {
		/* Rows that have a name and no events. */
		for (uint32_t i = 0; i < p->lanes.n; i++)
			if (!p->lane[i].is_put)
				(void)pftrace_put_track(p, i, 0, 0, out);
		return false;
	}
	uint32_t lane = p->event[p->at].lane;
	size_t n = FIRST_FROM(i, p->at, p->nevent, p->event[i].lane != lane) - p->at;
	l.open = xcalloc(n, sizeof(*l.open));
	l.rest = xcalloc(n, sizeof(*l.rest));
	for (size_t i = 0; i < n; i++)
		l.rest[i] = p->at + i;
	p->at += n;
	for (int level = 0; n > 0; level++) {
		l.track = pftrace_put_track(p, lane, level, parent, out);
		parent = level ? parent : l.track;
		l.nopen = 0;
		n = put_level(&l, n, level == LEVELS_MAX - 1);
	}
	FREE_ALL(l.open, l.rest);
	return true;
}

/* --- events of Chrome's JSON, taken apart --- */

static struct json_value value_of(struct parts *e, const char *key)
{
	const struct part_of *part = parts_find(e, key);
	struct json_value none = { JSON_NONE, { "", 0 }, false };
	struct span rest;

	return part ? json_value(part->value, &rest) : none;
}

/* What a member says, as text without escapes; "" without it. */
static struct span text_of(struct pftrace *p, struct parts *e, const char *key)
{
	struct json_value v = value_of(e, key);

	return v.type == JSON_STRING ? annotation_text(v, &p->mem) : v.text;
}

/* ---- processes and lanes ---- */

static uint32_t process_of(struct pftrace *p, struct parts *e)
{
	sym pid = strings_intern(&p->text, text_of(p, e, "pid"));
	size_t before = p->processes.n;
	uint32_t at = keymap_add(&p->processes, &pid);

	if (at == before)
		PUSH(p->process, before, p->process_cap, (struct pf_process){ .pid = pid });
	return at;
}

static uint32_t lane_of(struct pftrace *p, struct parts *e, enum pf_row row, struct span tid)
{
	const uint32_t key[3] = { process_of(p, e), strings_intern(&p->text, tid), row };
	size_t before = p->lanes.n;
	uint32_t at = keymap_add(&p->lanes, key);

	if (at == before)
		PUSH(p->lane, before, p->lane_cap,
			(struct pf_lane){ .process = key[0], .tid = key[1], .row = row });
	return at;
}

static uint32_t thread_of(struct pftrace *p, struct parts *e)
{
	return lane_of(p, e, PF_THREAD, text_of(p, e, "tid"));
}

/* An M event. */
static void take_name(struct pftrace *p, struct parts *e)
{
	struct span what = text_of(p, e, "name");
	struct parts args;
	int64_t sort = 0;

	if (!parts_read(&args, value_of(e, "args").text))
		return;
	(void)num_i64(text_of(p, &args, "sort_index"), &sort);
	if (span_is(what, "thread_name")) {
		uint32_t lane = thread_of(p, e);

		p->lane[lane].name = strings_intern(&p->text, text_of(p, &args, "name"));
	} else if (span_is(what, "thread_sort_index")) {
		uint32_t lane = thread_of(p, e);

		p->lane[lane].sort = sort;
		p->lane[lane].has_sort = true;
	} else if (span_starts(what, "process_")) {
		uint32_t at = process_of(p, e); /* which may move them */
		struct pf_process *process = &p->process[at];

		if (span_is(what, "process_name"))
			process->name = strings_intern(&p->text, text_of(p, &args, "name"));
		else if (span_is(what, "process_labels"))
			process->labels = strings_intern(&p->text, text_of(p, &args, "labels"));
		else if (span_is(what, "process_sort_index")) {
			process->sort = sort;
			process->has_sort = true;
		}
	}
}

/* ---- slices, instants, counters ---- */

static struct pf_event *add_event(
	struct pftrace *p, uint32_t lane, uint8_t type, nsec start, nsec end, size_t body)
{
	struct pf_event *v = PUSH(p->event, p->nevent, p->event_cap,
		(struct pf_event){ .start = start,
			.end = end,
			.order = p->order++,
			.body = body,
			.body_n = (uint32_t)(p->bodies.n - body),
			.lane = lane,
			.type = type });
	p->first = MIN(start, p->first);
	return v;
}

/* Category, name and arguments; returns where they begin. */
static size_t put_body(struct pftrace *p, struct parts *e)
{
	size_t at = p->bodies.n;
	struct json_value args = value_of(e, "args"), v;
	struct span it = args.text, key;

	if (parts_find(e, "cat"))
		pbw_varint(&p->bodies, EVENT_CATEGORY_IID,
			strings_intern(&p->cats, text_of(p, e, "cat")) + 1u);
	if (parts_find(e, "name"))
		pbw_varint(&p->bodies, EVENT_NAME_IID,
			strings_intern(&p->names, text_of(p, e, "name")) + 1u);
	while (args.type == JSON_OBJECT && json_next(&it, &key, &v))
		annotation_put(&p->bodies, EVENT_NOTE, key, v, &p->keys, &p->mem);
	return at;
}

/* The row of a counter's series: named by the counter, its id, and the key of the value. */
static uint32_t counter_lane(struct pftrace *p, struct parts *e, struct span key)
{
	struct span cat = text_of(p, e, "cat"), id = text_of(p, e, "id");
	SCOPED_STR name = { 0 }, which = { 0 };

	str_add(&name, text_of(p, e, "name").p, text_of(p, e, "name").n);
	str_adds(&name, id.n ? " " : "");
	str_add(&name, id.p, id.n);
	str_adds(&name, key.n ? " " : "");
	str_add(&name, key.p, key.n);
	str_add(&which, name.s ? name.s : "", name.n);
	str_addc(&which, '\0');
	str_add(&which, cat.p, cat.n);
	str_addc(&which, '\0');
	str_add(&which, key.p, key.n);
	size_t before = p->lanes.n;
	uint32_t lane = lane_of(p, e, PF_COUNTER, (struct span){ which.s, which.n });
	if (lane == before) {
		p->lane[lane].name =
			strings_intern(&p->text, (struct span){ name.s ? name.s : "", name.n });
		p->lane[lane].cat = strings_intern(&p->text, cat);
		p->lane[lane].unit = strings_intern(&p->text, key);
	}
	return lane;
}

static void take_counter(struct pftrace *p, struct parts *e, nsec at)
{
	struct json_value args = value_of(e, "args"), v;
	struct span it = args.text, key;
	int64_t i;
	double f;

	while (args.type == JSON_OBJECT && json_next(&it, &key, &v)) {
		size_t body = p->bodies.n;

		if (v.type != JSON_NUMBER)
			continue;
		if (num_i64(v.text, &i) && !memchr(v.text.p, '.', v.text.n))
			pbw_varint(&p->bodies, EVENT_COUNTER_VALUE, (uint64_t)i);
		else if (num_f64(v.text, &f))
			pbw_double(&p->bodies, EVENT_COUNTER_DOUBLE, f);
		(void)add_event(p, counter_lane(p, e, key), TYPE_COUNTER, at, at, body);
	}
}

static void take_half(struct pftrace *p, uint32_t lane, nsec at, size_t event)
{
	PUSH(p->half, p->nhalf, p->half_cap, (struct pf_half){ at, p->order++, event, lane });
}

static void take_slice(struct pftrace *p, struct parts *e, nsec start, char ph)
{
	nsec dur = 0, end;

	if (ph == 'X' && (!num_ns(text_of(p, e, "dur"), &dur) || dur < 0))
		dur = 0;
	if (ph == 'B' || add_overflows(start, dur, &end))
		end = INT64_MAX;
	struct pf_event *v = add_event(p, thread_of(p, e), TYPE_BEGIN, start, end, put_body(p, e));
	if (ph != 'B')
		return;
	v->is_open = true;
	take_half(p, v->lane, start, p->nevent - 1);
}

/* ---- what has a phase of Chrome's ---- */

/* The id of a flow or of an asynchronous event: a number, or one that stands for a word. */
static uint64_t id_of(struct pftrace *p, struct parts *e)
{
	struct span id = text_of(p, e, "id");
	uint64_t v;

	return num_u64(id, &v) ? v : chain_key((struct span){ "", 0 }, id);
}

/* The older asynchronous phases, which are not drawn, are those of today. */
static char phase_of(char ph)
{
	switch (ph) {
	case 'S': return 'b';
	case 'F': return 'e';
	case 'T':
	case 'p': return 'n';
	default: return ph;
	}
}

static void take_phase(struct pftrace *p, struct parts *e, nsec at, char ph)
{
	uint32_t lane = thread_of(p, e);
	size_t body = put_body(p, e), legacy = pbw_begin(&p->bodies, EVENT_LEGACY);

	pbw_varint(&p->bodies, LEGACY_PHASE, (uint64_t)(unsigned char)phase_of(ph));
	if (parts_find(e, "id"))
		pbw_varint(&p->bodies, LEGACY_UNSCOPED_ID, id_of(p, e));
	if (span_is(text_of(p, e, "bp"), "e"))
		pbw_varint(&p->bodies, LEGACY_ENCLOSING, 1);
	pbw_end(&p->bodies, legacy);
	(void)add_event(p, lane, TYPE_NONE, at, at, body);
}

static void take_instant(struct pftrace *p, struct parts *e, nsec at)
{
	static const char scopes[] = " gpt"; /* by their numbers */
	struct span scope = text_of(p, e, "s");
	const char *is = scope.n == 1 ? strchr(scopes, scope.p[0]) : NULL;
	size_t body = put_body(p, e), legacy;

	if (is && is > scopes && *is) {
		legacy = pbw_begin(&p->bodies, EVENT_LEGACY);
		pbw_varint(&p->bodies, LEGACY_SCOPE, (uint64_t)(is - scopes));
		pbw_end(&p->bodies, legacy);
	}
	(void)add_event(p, thread_of(p, e), TYPE_INSTANT, at, at, body);
}

/* write_pftrace_take.c: takes in one event. */
static void pftrace_take_event(struct pftrace *p, struct span event)
{
	struct parts e;
	nsec at;

	if (!parts_read(&e, event))
		return;
	struct span phase = text_of(p, &e, "ph");
	char ph = phase.n == 1 ? phase.p[0] : 0;
	if (ph == 'M') {
		take_name(p, &e);
		return;
	}
	if (!num_ns(text_of(p, &e, "ts"), &at))
		return;
	if (ph == 'X' || ph == 'B')
		take_slice(p, &e, at, ph);
	else if (ph == 'E')
		take_half(p, thread_of(p, &e), at, PF_END);
	else if (ph == 'C')
		take_counter(p, &e, at);
	else if (ph == 'i' || ph == 'I')
		take_instant(p, &e, at);
	else if (ph)
		take_phase(p, &e, at, ph);
}

static void put_metadata(struct pftrace *p, struct span key, struct span value, bool quoted)
{
	size_t at = pbw_begin(&p->metadata, BUNDLE_METADATA);
	struct json_value text = { JSON_STRING, value, true };

	pbw_bytes(&p->metadata, METADATA_NAME, key);
	if (quoted)
		pbw_bytes(&p->metadata, METADATA_STRING, annotation_text(text, &p->mem));
	else
		pbw_bytes(&p->metadata, METADATA_JSON, value);
	pbw_end(&p->metadata, at);
	if (span_is(key, "baseTimeNanoseconds") && !num_i64(value, &p->base))
		p->base = 0;
}

static void *pftrace_open(const struct document *d)
{
	struct pftrace *p = zeroed(1, sizeof(*p));

	strings_init(&p->text, 0);
	strings_init(&p->cats, 0);
	strings_init(&p->names, 0);
	strings_init(&p->keys, 0);
	keymap_init(&p->processes, sizeof(sym));
	keymap_init(&p->lanes, 3 * sizeof(uint32_t));
	p->first = INT64_MAX;
	for (size_t i = 0; i < d->nmember; i++)
		if (!d->without || !span_is(d->member[i].key, d->without))
			put_metadata(p, d->member[i].key, d->member[i].value, d->member[i].quoted);
	p->before_note = p->metadata.n;
	if (d->note.n)
		put_metadata(p, span_of(d->note_key), d->note, false);
	return p;
}

static void pftrace_close(void *state)
{
	struct pftrace *p = state;

	strings_clear(&p->text);
	strings_clear(&p->cats);
	strings_clear(&p->names);
	strings_clear(&p->keys);
	keymap_clear(&p->processes);
	keymap_clear(&p->lanes);
	FREE_ALL(p->process, p->lane, p->event, p->half);
	str_free(&p->bodies);
	str_free(&p->metadata);
	arena_clear(&p->mem);
	free(p);
}

static void pftrace_take(void *state, struct span events)
{
	struct pftrace *p = state;
	struct json_value v;
	struct span it = events, key;

	while (json_next(&it, &key, &v)) {
		pftrace_take_event(p, v.text);
		arena_clear(&p->mem);
	}
}

static bool pftrace_next(void *state, struct str *out)
{
	struct pftrace *p = state;

	if (p->is_begun)
		return pftrace_put_lane(p, out);
	/* write_pftrace_put.c: begins and ends are slices, events by lane and time. */
	join(p);
	if (p->nevent)
		qsort(p->event, p->nevent, sizeof(*p->event), by_place);
	pftrace_put_head(p, out);
	p->is_begun = true;
	return true;
}

const struct writer_kind writer_pftrace = {
	.name = "pftrace",
	.suffix = ".pftrace",
	.open = pftrace_open,
	.take = pftrace_take,
	.next = pftrace_next,
	.close = pftrace_close,
};
