/*
 * The outer object: its members are kept as text, "traceEvents" is entered, and where the text is
 * broken before the events, they are looked for.
 */
#include <string.h>

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/walk.h"
#include "analyze/input/text/limits.h"

static void keep_member(struct walk *w, struct span key, struct span value)
{
	struct batch *b = w->b;
	struct batch_member *m;

	if (b->nmember >= LIMIT_META_ENTRIES || value.n > LIMIT_META_BYTES)
		return;
	b->member = array_grow(b->member, &b->member_cap, b->nmember + 1, sizeof(*b->member));
	m = &b->member[b->nmember++];
	m->quoted = value.n > 0 && value.p[0] == '"';
	if (m->quoted)
		value = (struct span){ value.p + 1, value.n - 2 };
	m->key = (struct span){ arena_copy(&b->mem, key.p, key.n), key.n };
	m->value = (struct span){ arena_copy(&b->mem, value.p, value.n), value.n };
	m->after_events = walk_behind_events(w->d);
}

/* At a key's opening quote. */
static void walk_key(struct walk *w)
{
	const char *key = w->p + 1, *q, *v;
	struct span name;
	bool more;

	q = walk_value_end(w, w->p, &more);
	if (!q) {
		walk_want_more(w);
		return;
	}
	name = (struct span){ key, (size_t)(q - 1 - key) };
	v = walk_blanks(q, w->end);
	if (v < w->end && *v != ':') {
		walk_broken_member(w, w->p);
		return;
	}
	v = v < w->end ? walk_blanks(v + 1, w->end) : v;
	if (v >= w->end) {
		walk_want_more(w);
		return;
	}
	if (*v == '[' && span_is(name, "traceEvents")) {
		walk_enter_events(w, v);
		return;
	}
	q = walk_value_end(w, v, &more);
	if (!q && !more) {
		walk_broken_member(w, v);
	} else if (!q && w->end - w->p > LIMIT_META_BYTES && strchr("\"[{", *v)) {
		walk_skip_value(w, v, DOC_MEMBER);
	} else if (!q) {
		walk_want_more(w);
	} else {
		keep_member(w, name, (struct span){ v, (size_t)(q - v) });
		w->p = q;
	}
}

void walk_member(struct walk *w)
{
	w->p = walk_blanks(w->p, w->end);
	if (w->p == w->end) {
		walk_want_more(w);
	} else if (*w->p == '}') {
		w->p++;
		walk_note_comma(w);
		w->d->where = DOC_DONE;
		w->d->complete = true;
	} else if (*w->p == ',') {
		w->p++;
	} else if (*w->p == '"') {
		walk_key(w);
	} else {
		walk_broken_member(w, w->p);
	}
}

void walk_hunt(struct walk *w)
{
	static const char word[] = "\"traceEvents\"";
	const size_t n = sizeof(word) - 1;
	const char *q = memmem(w->p, (size_t)(w->end - w->p), word, n), *v;

	if (!q) {
		if ((size_t)(w->end - w->p) > n && !w->eof)
			w->p = w->end - n;
		walk_want_more(w);
		return;
	}
	v = walk_blanks(q + n, w->end);
	v = v < w->end && *v == ':' ? walk_blanks(v + 1, w->end) : v;
	if (v >= w->end) {
		w->p = q;
		walk_want_more(w);
	} else if (*v == '[') {
		walk_enter_events(w, v);
	} else {
		w->p = q + n;
	}
}
