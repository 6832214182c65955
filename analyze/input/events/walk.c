/* Small steps that the parts of the walk share; values that are passed over, across any number of
 * windows; and the outer object. */
#include "analyze/input/events/walk.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/recover.h"
#include "analyze/input/text/limits.h"

int64_t walk_offset(const struct walk *w, const char *p)
{
	return w->base + (p - w->text);
}

/* A guessed window has entered no array itself, but may have left one. */
static bool walk_behind_events(const struct doc *d)
{
	return d->arrays > 0 || d->closed;
}

void walk_want_more(struct walk *w)
{
	w->more = true;
	if (!w->eof)
		return;
	batch_problem(w->b, PROBLEM_TRUNCATED_JSON, walk_offset(w, w->end));
	w->p = w->end;
}

void walk_enter_events(struct walk *w, const char *p)
{
	if (walk_behind_events(w->d))
		batch_problem(w->b, PROBLEM_DUPLICATE_EVENTS_KEY, walk_offset(w, p));
	w->d->arrays++;
	w->d->where = DOC_EVENTS;
	w->d->comma = true;
	w->p = p + 1;
}

void walk_note_comma(struct walk *w)
{
	const char *p = w->p - 1;

	while (p > w->text && (unsigned char)p[-1] <= 0x20)
		p--;
	if (p > w->text && p[-1] == ',')
		batch_problem(w->b, PROBLEM_COMMA, walk_offset(w, p - 1));
}

/* The metadata is malformed at p: a broken tail, or the events are to be looked for. */
static void walk_broken_member(struct walk *w, const char *p)
{
	if (walk_behind_events(w->d)) {
		batch_problem(w->b, PROBLEM_BROKEN_TAIL, walk_offset(w, p));
		w->d->where = DOC_DONE;
		w->d->complete = w->d->tail_said = true;
		w->p = w->end;
		return;
	}
	batch_problem(w->b, PROBLEM_BROKEN_METADATA, walk_offset(w, p));
	w->d->where = DOC_HUNT;
}

/* --- values that are passed over --- */

static void skip_string(struct walk *w)
{
	for (; w->p < w->end; w->p++) {
		if (w->d->skip.escape) {
			w->d->skip.escape = 0;
		} else if (*w->p == '\\') {
			w->d->skip.escape = 1;
		} else if (*w->p == '"') {
			w->p++;
			w->d->in_long_string = false;
			w->d->where = w->d->after_skip;
			return;
		}
	}
}

void walk_skip(struct walk *w)
{
	struct doc *d = w->d;

	if (d->in_long_string) {
		skip_string(w);
	} else {
		switch (w->plan->scanner->skip(&d->skip, &w->p, w->end)) {
		case SKIP_DONE: d->where = d->after_skip; break;
		case SKIP_MORE: break;
		case SKIP_BAD:
			d->where = d->after_skip;
			if (d->where != DOC_EVENTS)
				walk_broken_member(w, w->p);
			break;
		}
	}
	if (w->p == w->end && d->where == DOC_SKIP)
		walk_want_more(w);
}

void walk_skip_value(struct walk *w, const char *p, enum doc_where after)
{
	w->d->skip = (struct skip){ .open = *p, .depth = 1 };
	w->d->in_long_string = *p == '"';
	w->d->where = DOC_SKIP;
	w->d->after_skip = after;
	w->p = p + 1;
}

const char *walk_value_end(struct walk *w, const char *p, bool *more)
{
	struct skip s = { .depth = 1 };
	const char *q = p + 1;

	*more = true;
	if (p >= w->end)
		return NULL;
	if (*p == '"') {
		for (; q < w->end && *q != '"'; q++)
			q += *q == '\\';
		return q < w->end ? q + 1 : NULL;
	}
	if (*p == '{' || *p == '[') {
		s.open = *p;
		enum skip_end e = w->plan->scanner->skip(&s, &q, w->end);

		*more = e == SKIP_MORE;
		return e == SKIP_DONE ? q : NULL;
	}
	for (q = p; q < w->end && (unsigned char)*q > 0x20 && !strchr(",}]\"{[:", *q); q++)
		;
	*more = q == w->end;
	return q > p && q < w->end ? q : NULL;
}

/* --- the outer object --- */

/* Its members are kept as text, "traceEvents" is entered, and where the text is broken before the
 * events, they are looked for. */

static void keep_member(struct walk *w, struct span key, struct span value)
{
	struct batch *b = w->b;

	if (b->nmember >= LIMIT_META_ENTRIES || value.n > LIMIT_META_BYTES)
		return;
	b->member = array_grow(b->member, &b->member_cap, b->nmember + 1, sizeof(*b->member));
	struct batch_member *m = &b->member[b->nmember++];
	m->quoted = value.n > 0 && value.p[0] == '"';
	if (m->quoted)
		value = (struct span){ value.p + 1, value.n - 2 };
	m->key = (struct span){ arena_copy(&b->mem, key.p, key.n), key.n };
	m->value = (struct span){ arena_copy(&b->mem, value.p, value.n), value.n };
}

/* At a key's opening quote. */
static void walk_key(struct walk *w)
{
	const char *key = w->p + 1;
	bool more;
	const char *q = walk_value_end(w, w->p, &more);

	if (!q) {
		walk_want_more(w);
		return;
	}
	struct span name = (struct span){ key, (size_t)(q - 1 - key) };
	const char *v = anchor_blanks(q, w->end);
	if (v < w->end && *v != ':') {
		walk_broken_member(w, w->p);
		return;
	}
	v = v < w->end ? anchor_blanks(v + 1, w->end) : v;
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
	w->p = anchor_blanks(w->p, w->end);
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
	const char *q = memmem(w->p, (size_t)(w->end - w->p), word, n);

	if (!q) {
		if ((size_t)(w->end - w->p) > n && !w->eof)
			w->p = w->end - n;
		walk_want_more(w);
		return;
	}
	const char *v = anchor_blanks(q + n, w->end);
	v = v < w->end && *v == ':' ? anchor_blanks(v + 1, w->end) : v;
	if (v >= w->end) {
		w->p = q;
		walk_want_more(w);
	} else if (*v == '[') {
		walk_enter_events(w, v);
	} else {
		w->p = q + n;
	}
}
