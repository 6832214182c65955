/* A packet's members are read at once and applied in the order in which they count: what was lost,
 * what is forgotten, what is new, then the time of its event. */
#include "analyze/input/format/proto/sequences.h"

#include "analyze/input/format/proto/wire.h"

enum { CLOCK_MONOTONIC_ID = 3, EXTRA_TRACKS = 64 };

#define NS_PER_US 1000

struct sequence {
	uint64_t id;
	struct view *view; /* of what was said so far */
	struct local_clocks clocks;
	uint32_t clock; /* of packets that say none */
	bool is_valid;  /* nothing of what was said was lost */
	bool was_seen;
	int64_t reference_us; /* of events that say how much later they are */
};

/* The members of a packet. */
struct members {
	uint64_t timestamp, flags, dropped;
	uint32_t sequence, clock, machine;
	bool has_timestamp, has_clock, cleared, is_first;
	uint32_t data; /* field of its data; 0: it has none */
	struct span body, interned, defaults;
};

void sequences_init(struct sequences *s, const struct keys *keys, uint64_t seed)
{
	memset(s, 0, sizeof(*s));
	s->seed = seed;
	s->interner = (struct interner){ &s->mem, keys, 0, 0 };
	tracks_init(&s->tracks, seed, &s->mem);
	clocks_init(&s->clocks);
	keymap_init(&s->ids, sizeof(uint64_t));
}

void sequences_clear(struct sequences *s)
{
	tracks_clear(&s->tracks);
	keymap_clear(&s->ids);
	free(s->sequence);
	clocks_clear(&s->clocks);
	arena_clear(&s->mem);
}

/* Beside what is known, any field of a message is the packet's data. */
static void read_rare(const struct wire_field *f, struct members *m)
{
	switch (f->number) {
	case PACKET_CLEARED: m->cleared |= f->value != 0; break;
	case PACKET_DROPPED: m->dropped = f->value; break;
	case PACKET_CLOCK:
		m->clock = f->value > UINT32_MAX ? 0 : (uint32_t)f->value;
		m->has_clock = true;
		break;
	case PACKET_DEFAULTS: m->defaults = f->bytes; break;
	case PACKET_MACHINE: m->machine = (uint32_t)f->value; break;
	case PACKET_FIRST_ON_SEQUENCE: m->is_first = f->value != 0; break;
	default:
		if (f->type == WIRE_BYTES) {
			m->data = f->number;
			m->body = f->bytes;
		}
		break;
	}
}

static void no_members(struct members *m)
{
	m->timestamp = m->flags = m->dropped = 0;
	m->sequence = m->clock = m->machine = m->data = 0;
	m->has_timestamp = m->has_clock = m->cleared = m->is_first = false;
	m->interned.p = m->defaults.p = NULL;
}

static bool read_all(struct span packet, struct members *m)
{
	struct wire w = wire_of(packet);
	struct wire_field f;

	no_members(m);
	while (wire_next(&w, &f)) {
		switch (f.number) {
		case PACKET_TIMESTAMP:
			m->timestamp = f.value;
			m->has_timestamp = true;
			break;
		case PACKET_SEQUENCE: m->sequence = (uint32_t)f.value; break;
		case PACKET_FLAGS: m->flags = f.value; break;
		case PACKET_INTERNED: m->interned = f.bytes; break;
		default: read_rare(&f, m); break;
		}
	}
	return !w.damaged;
}

enum {
	TAG_TIMESTAMP = PACKET_TIMESTAMP << 3 | WIRE_VARINT,
	TAG_SEQUENCE = PACKET_SEQUENCE << 3 | WIRE_VARINT,
	TAG_FLAGS = PACKET_FLAGS << 3 | WIRE_VARINT,
	TAG_EVENT = PACKET_TRACK_EVENT << 3 | WIRE_BYTES
};

/* The members of a packet that has an event, a time and little else, as nearly all have; false: it
 * has more, or is damaged, and nothing is known. */
static bool read_plain(struct span packet, struct members *m)
{
	const char *p = packet.p, *end = p + packet.n;
	uint64_t v;

	no_members(m);
	while (p < end) {
		unsigned char tag = (unsigned char)*p;

		p = wire_varint(p + 1, end, &v);
		if (UNLIKELY(!p))
			return false;
		if (tag == TAG_TIMESTAMP) {
			m->timestamp = v;
			m->has_timestamp = true;
		} else if (tag == TAG_SEQUENCE) {
			m->sequence = (uint32_t)v;
		} else if (tag == TAG_FLAGS) {
			m->flags = v;
		} else if (tag == TAG_EVENT && v <= (uint64_t)(end - p)) {
			m->data = PACKET_TRACK_EVENT;
			m->body = (struct span){ p, (size_t)v };
			p += v;
		} else {
			return false;
		}
	}
	return true;
}

static bool read_members(struct span packet, struct members *m)
{
	return LIKELY(read_plain(packet, m)) || read_all(packet, m);
}

static NEVER_INLINE struct sequence *new_sequence(struct sequences *s, uint64_t id, size_t at)
{
	struct sequence *q = arena_alloc(&s->mem, sizeof(*q));

	q->id = id;
	q->view = arena_alloc(&s->mem, sizeof(*q->view));
	s->sequence = array_grow(s->sequence, &s->cap, at + 1, sizeof(*s->sequence));
	return s->sequence[at] = q;
}

static struct sequence *find_sequence(struct sequences *s, const struct members *m)
{
	uint64_t id = (uint64_t)m->machine << 32 | m->sequence;
	size_t before = s->ids.n;

	if (LIKELY(s->last && s->last->id == id))
		return s->last;
	uint32_t at = keymap_add(&s->ids, &id);
	s->last = at < before ? s->sequence[at] : new_sequence(s, id, at);
	return s->last;
}

/* The view for packets from here on, to be changed. */
static struct view *change_view(struct sequences *s, struct sequence *q)
{
	struct view *v = arena_alloc(&s->mem, sizeof(*v));

	*v = *q->view;
	q->view = v;
	return v;
}

static bool take_interned(struct sequences *s, struct sequence *q, struct span data)
{
	if (!q->view->book) {
		struct view *v = change_view(s, q);

		v->book = arena_alloc(&s->mem, sizeof(*v->book));
		book_init(v->book, s->seed, &s->mem);
	}
	return interned_take(&s->interner, q->view->book, data, s->place);
}

/* A list of track uuids in the defaults. */
static const uint64_t *take_list(
	struct sequences *s, struct span message, uint32_t field, size_t *n)
{
	uint64_t list[EXTRA_TRACKS], v;
	struct wire w = wire_of(message);
	struct wire_field f;

	*n = 0;
	while (wire_next(&w, &f))
		for (size_t at = 0; f.number == field && *n < EXTRA_TRACKS &&
			wire_repeated(&f, WIRE_VARINT, &at, &v);)
			list[(*n)++] = v;
	uint64_t *kept = arena_array(&s->mem, *n, sizeof(*kept));
	if (*n)
		memcpy(kept, list, *n * sizeof(*kept));
	return kept;
}

static bool take_defaults(struct sequences *s, struct sequence *q, struct span message)
{
	struct view *v = change_view(s, q);
	struct wire w = wire_of(message);
	struct wire_field f, track;

	while (wire_next(&w, &f)) {
		if (wire_is(&f, DEFAULTS_CLOCK, WIRE_VARINT)) {
			q->clock = f.value > UINT32_MAX ? 0 : (uint32_t)f.value;
		} else if (wire_is(&f, DEFAULTS_EVENT, WIRE_BYTES)) {
			if (wire_find(f.bytes, EVENT_TRACK, WIRE_VARINT, &track))
				v->track = track.value;
			v->extra = take_list(s, f.bytes, EVENT_EXTRA_TRACK, &v->nextra);
			v->extra_real =
				take_list(s, f.bytes, EVENT_EXTRA_DOUBLE_TRACK, &v->nextra_real);
		}
	}
	return !w.damaged;
}

/* The thread of the sequence as it was said before there were tracks. */
static bool take_thread(struct sequences *s, struct sequence *q, struct span message)
{
	struct wire_field f;
	struct view *v = change_view(s, q);

	if (wire_find(message, THREAD_REFERENCE_US, WIRE_VARINT, &f))
		q->reference_us = wire_int64(&f);
	v->track = (q->id + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return tracks_take_thread(&s->tracks, message, v->track, s->place);
}

/* What comes before its event in a packet; false when it is damaged. */
static bool take_state(struct sequences *s, struct sequence *q, const struct members *p,
	int64_t offset, struct emitter *m)
{
	bool whole = true;

	if (p->dropped && q->was_seen && !p->is_first)
		emit_problem(m, PROBLEM_LOST_PACKETS, offset);
	if (p->dropped)
		q->is_valid = false;
	if ((p->flags & FLAG_STATE_CLEARED) || p->cleared) {
		q->view = arena_alloc(&s->mem, sizeof(*q->view));
		q->clock = 0;
		q->is_valid = true;
	}
	if (p->interned.p)
		whole &= take_interned(s, q, p->interned);
	if (p->defaults.p)
		whole &= take_defaults(s, q, p->defaults);
	switch (p->data) {
	case PACKET_TRACK: whole &= tracks_take(&s->tracks, p->body, s->place); break;
	case PACKET_CLOCK_SNAPSHOT: whole &= clocks_take(&s->clocks, &q->clocks, p->body); break;
	case PACKET_PROCESS_TREE: whole &= tracks_take_tree(&s->tracks, p->body, s->place); break;
	case PACKET_THREAD: whole &= take_thread(s, q, p->body); break;
	case PACKET_CHROME_EVENTS:
		idwords_take(&s->tracks.words, p->body);
		whole &= bundle_emit(m, p->body);
		break;
	default: break;
	}
	return whole;
}

/* Most packets have nothing but their event. */
static bool has_state(const struct members *p)
{
	return p->data != PACKET_TRACK_EVENT || p->interned.p || p->defaults.p || p->dropped ||
		p->cleared || (p->flags & FLAG_STATE_CLEARED);
}

/* The time of events without a timestamp, as they were written before packets had one. */
static bool old_time(struct sequence *q, const struct members *p, uint64_t *ns)
{
	struct wire_field f;
	int64_t us;

	if (p->data != PACKET_TRACK_EVENT)
		return false;
	if (wire_find(p->body, EVENT_DELTA_US, WIRE_VARINT, &f)) {
		if (add_overflows(q->reference_us, wire_int64(&f), &q->reference_us))
			return false;
		us = q->reference_us;
	} else if (wire_find(p->body, EVENT_ABSOLUTE_US, WIRE_VARINT, &f)) {
		us = wire_int64(&f);
	} else {
		return false;
	}
	return us >= 0 && !mul_overflows((uint64_t)us, NS_PER_US, ns);
}

/* When the packet was written; false and counted when nobody knows. */
static bool take_time(struct sequences *s, struct sequence *q, const struct members *p,
	int64_t offset, struct emitter *m, nsec *time)
{
	uint32_t clock = p->has_clock ? p->clock : q->clock;
	uint64_t timestamp = p->timestamp;
	bool is_related;

	if (LIKELY(p->has_timestamp && clocks_primary_time(&s->clocks, clock, timestamp, time)))
		return true;
	if (UNLIKELY(!p->has_timestamp)) {
		clock = CLOCK_MONOTONIC_ID;
		if (!old_time(q, p, &timestamp)) {
			emit_problem(m, PROBLEM_NO_TIME, offset);
			return false;
		}
	}
	if (UNLIKELY(!clocks_time(&s->clocks, &q->clocks, clock, timestamp, time, &is_related))) {
		emit_problem(m, PROBLEM_NO_TIME, offset);
		return false;
	}
	if (UNLIKELY(!is_related))
		emit_problem(m, PROBLEM_UNRELATED_CLOCK, offset);
	return true;
}

static bool has_events(uint32_t field)
{
	return field == PACKET_TRACK_EVENT || field == PACKET_RENDER_STAGE ||
		field == PACKET_GPU_COUNTER;
}

/* The data of a packet without events. */
static void take_without(struct sequences *s, struct sequence *q, const struct members *p,
	int64_t offset, struct emitter *m)
{
	nsec time;

	if (p->data != PACKET_CHROME_EVENTS || bundle_has_more(p->body))
		if (p->data && p->data < PACKET_KNOWN)
			s->other[p->data]++;
	/* A sequence's own clock counts every packet's time. */
	if (p->has_timestamp && (p->has_clock ? p->clock : q->clock) >= CLOCK_OF_SEQUENCE &&
		p->data != PACKET_CLOCK_SNAPSHOT)
		(void)take_time(s, q, p, offset, m, &time);
}

enum taken sequences_take(struct sequences *s, struct span packet, int64_t offset,
	struct emitter *m, struct packet *to)
{
	struct members p;

	if (UNLIKELY(!read_members(packet, &p))) {
		emit_problem(m, PROBLEM_SKIPPED_RECORD, offset);
		return TAKEN_NOTHING;
	}
	if (UNLIKELY(p.data == PACKET_COMPRESSED || p.data == PACKET_ZSTD)) {
		to->body = p.body;
		return TAKEN_COMPRESSED;
	}
	struct sequence *q = find_sequence(s, &p);
	if (UNLIKELY(has_state(&p) && !take_state(s, q, &p, offset, m)))
		emit_problem(m, PROBLEM_SKIPPED_RECORD, offset);
	if (!has_events(p.data)) {
		take_without(s, q, &p, offset, m);
		return TAKEN_NOTHING;
	}
	if (!take_time(s, q, &p, offset, m, &to->time))
		return TAKEN_NOTHING;
	if (UNLIKELY((p.flags & FLAG_STATE_NEEDED) && !q->is_valid)) {
		emit_problem(m, PROBLEM_LOST_STATE, offset);
		return TAKEN_NOTHING;
	}
	q->was_seen = true;
	to->body = p.body;
	to->view = q->view;
	to->offset = offset;
	to->field = p.data;
	to->said = s->tracks.n + s->interner.changes;
	s->place++;
	return TAKEN_EVENTS;
}
