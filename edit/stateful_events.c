/* Counters and slices of two events. */
#include "edit/stateful_events.h"

#include "edit/choice.h"
#include "edit/window_notes.h"
#include "edit/time_range.h"
#include "edit/event_members.h"

/* Of a note, whose texts are where it is and the event. */
struct note {
	nsec at;
	enum stateful_what what;
	bool wanted;
};

/* A begin that waits for its end. */
struct opened {
	nsec at;
	char *event; /* malloc'ed; NULL: it is written already, or never will be */
	size_t n;
	bool written;
};

struct track {
	int64_t bin; /* of the last counter value that was kept */
	bool has_bin;
	struct opened *open;
	size_t nopen, cap;
};

/* The last value of a counter before a stretch. */
struct held {
	nsec at;
	char *event; /* malloc'ed */
	size_t n;
};

enum stateful_what stateful_what(char ph)
{
	switch (ph) {
	case 'C': return STATEFUL_COUNTER;
	case 'B': return STATEFUL_BEGIN;
	case 'E': return STATEFUL_END;
	default: return STATEFUL_OTHER;
	}
}

void stateful_note(struct str *notes, enum stateful_what what, nsec at, bool wanted,
	struct span where, struct span event)
{
	const struct span text[] = { where, event };
	struct note note;

	memset(&note, 0, sizeof(note));
	note.at = at;
	note.what = what;
	note.wanted = wanted;
	notes_add(notes, &note, sizeof(note), text, COUNT_OF(text));
}

void stateful_init(struct stateful *b, const struct choice *c, int64_t sample_ns, nsec zero)
{
	*b = (struct stateful){ .choice = c, .sample_ns = sample_ns, .zero = zero };
	strings_init(&b->where, 0);
	keymap_init(&b->held_of, 2 * sizeof(uint32_t));
}

void stateful_clear(struct stateful *b)
{
	for (EACH(const struct track, track, b->track, b->ntrack)) {
		for (size_t k = 0; k < track->nopen; k++)
			free(track->open[k].event);
		free(track->open);
	}
	for (size_t i = 0; i < b->held_of.n; i++)
		free(b->held[i].event);
	FREE_ALL(b->track, b->held);
	strings_clear(&b->where);
	keymap_clear(&b->held_of);
}

static char *copy(struct span event)
{
	return memcpy(xmalloc(event.n + 1), event.p, event.n);
}

static void put(struct str *out, const char *p, size_t n, int64_t *count)
{
	str_adds(out, ",\n");
	str_add(out, p, n);
	++*count;
}

static struct track *track_of(struct stateful *b, struct span where)
{
	sym at = strings_intern(&b->where, where);

	if (at >= b->ntrack) {
		b->track = array_grow(b->track, &b->track_cap, at + 1u, sizeof(*b->track));
		memset(b->track + b->ntrack, 0, (at + 1u - b->ntrack) * sizeof(*b->track));
		b->ntrack = at + 1u;
	}
	return &b->track[at];
}

/* A value before the stretch `next`, of which the last counts. */
static void hold(struct stateful *b, uint32_t track, size_t next, nsec at, struct span event)
{
	const uint32_t key[2] = { track, (uint32_t)next };
	size_t before = b->held_of.n;
	uint32_t i = keymap_add(&b->held_of, key);

	if (i == before) {
		PUSH(b->held, before, b->held_cap, (struct held){ at, copy(event), event.n });
	} else if (at >= b->held[i].at) {
		free(b->held[i].event);
		b->held[i] = (struct held){ at, copy(event), event.n };
	}
}

static void take_counter(struct stateful *b, struct track *t, const struct note *note,
	struct span event, struct str *out, int64_t *n)
{
	const struct keep_ranges *h = &b->choice->hull;
	size_t next = keep_ranges_behind(h, note->at);
	int64_t bin;

	if (!note->wanted)
		return;
	if (!keep_ranges_meets(h, note->at, note->at)) {
		if (next < h->time.n)
			hold(b, (uint32_t)(t - b->track), next, note->at, event);
		return;
	}
	if (b->sample_ns) {
		bin = (note->at - b->zero) / b->sample_ns;
		if (t->has_bin && t->bin == bin)
			return;
		t->bin = bin;
		t->has_bin = true;
	}
	put(out, event.p, event.n, n);
}

static void take_begin(struct stateful *b, struct track *t, const struct note *note,
	struct span event, struct str *out, int64_t *n)
{
	struct opened o = { .at = note->at, .n = event.n };

	if (note->wanted && keep_ranges_meets(&b->choice->hull, note->at, note->at)) {
		put(out, event.p, event.n, n);
		o.written = true;
	} else if (note->wanted) {
		o.event = copy(event);
	}
	PUSH(t->open, t->nopen, t->cap, o);
}

static void take_end(struct stateful *b, struct track *t, const struct note *note,
	struct span event, struct str *out, int64_t *n)
{
	struct opened *o = t->nopen ? &t->open[--t->nopen] : NULL;
	bool both = o && o->event && keep_ranges_meets(&b->choice->hull, o->at, note->at);

	if (both)
		put(out, o->event, o->n, n);
	if (both || (o && o->written) ||
		(!o && keep_ranges_meets(&b->choice->hull, note->at, note->at)))
		put(out, event.p, event.n, n);
	if (o)
		free(o->event);
}

void stateful_take(struct stateful *b, const struct str *notes, struct str *out, int64_t *n)
{
	struct span left = { notes->s, notes->n }, text[2];
	struct note note;

	while (notes_next(&left, &note, sizeof(note), text, COUNT_OF(text))) {
		struct track *t = track_of(b, text[0]);

		if (note.what == STATEFUL_COUNTER)
			take_counter(b, t, &note, text[1], out, n);
		else if (note.what == STATEFUL_BEGIN)
			take_begin(b, t, &note, text[1], out, n);
		else
			take_end(b, t, &note, text[1], out, n);
	}
}

/* A counter's event, its time set to where the stretch begins. */
static void put_held(const struct held *h, nsec at, struct str *out, int64_t *n)
{
	struct parts parts;
	char time[NUMBER_US_MAX];

	if (!parts_read(&parts, (struct span){ h->event, h->n }))
		return;
	struct part_of *ts = parts_find(&parts, "ts");
	if (!ts)
		return;
	ts->with = (struct span){ time, number_us(time, at) };
	str_adds(out, ",\n");
	parts_put(&parts, out);
	++*n;
}

void stateful_end(struct stateful *b, struct str *out, int64_t *n)
{
	uint32_t key[2];

	for (EACH(const struct track, track, b->track, b->ntrack))
		for (EACH(const struct opened, o, track->open, track->nopen))
			if (o->event && keep_ranges_meets(&b->choice->hull, o->at, INT64_MAX))
				put(out, o->event, o->n, n);
	for (size_t i = 0; i < b->held_of.n; i++) {
		memcpy(key, keymap_key(&b->held_of, (uint32_t)i), sizeof(key));
		put_held(&b->held[i], b->choice->hull.time.v[key[1]].start, out, n);
	}
}
