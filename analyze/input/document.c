/*
 * The document's grammar above the events: outer object or array, metadata, tail; what to do where
 * it is broken.  A state machine that can stop at any byte.
 */
#include "analyze/input/document.h"

#include "analyze/input/batch.h"
#include "analyze/input/decode.h"
#include "analyze/input/limits.h"
#include "analyze/input/recover.h"
#include "base/compiler.h"

enum { TAIL_TRIES = 256 };

/* One call of doc_scan. */
struct walk {
	const struct plan *plan;
	struct batch *b;
	struct doc *d;
	const char *text, *p, *end;
	int64_t base;
	bool eof;
	bool more; /* stop: the rest is incomplete */
};

void doc_init(struct doc *d)
{
	*d = (struct doc){.where = DOC_START};
}

void doc_guess(struct doc *d)
{
	*d = (struct doc){.where = DOC_EVENTS, .comma = true};
}

bool doc_accept(struct doc *d, const struct doc *end)
{
	struct doc next = *end;

	if (d->where != DOC_EVENTS || (!d->comma && d->form != FORM_LINES))
		return false;
	if (end->form != FORM_GUESSED && end->form != d->form)
		return false;
	next.form = d->form;
	if (next.where == DOC_CLOSED)
		next.where = d->form == FORM_OBJECT ? DOC_MEMBER : DOC_DONE;
	next.arrays += d->arrays;
	next.lost_bytes += d->lost_bytes;
	next.closed |= d->closed;
	next.complete |= next.where == DOC_DONE;
	*d = next;
	return true;
}

static int64_t offset_of(const struct walk *w, const char *p)
{
	return w->base + (p - w->text);
}

static const char *blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= 0x20)
		p++;
	return p;
}

/* A guessed window has entered no array itself, but may have left one. */
static bool behind_events(const struct doc *d)
{
	return d->arrays > 0 || d->closed;
}

/* The rest is incomplete: come back with more text, or give up at the end of the file. */
static void want_more(struct walk *w)
{
	w->more = true;
	if (!w->eof)
		return;
	batch_problem(w->b, PROBLEM_TRUNCATED_JSON, offset_of(w, w->end));
	w->p = w->end;
}

/* The metadata is malformed at p. */
static void broken_member(struct walk *w, const char *p)
{
	if (behind_events(w->d)) {
		batch_problem(w->b, PROBLEM_BROKEN_TAIL, offset_of(w, p));
		w->d->where = DOC_DONE;
		w->d->complete = w->d->tail_said = true;
		w->p = w->end;
		return;
	}
	batch_problem(w->b, PROBLEM_BROKEN_METADATA, offset_of(w, p));
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

static void skip_on(struct walk *w)
{
	struct doc *d = w->d;

	if (d->in_long_string) {
		skip_string(w);
	} else {
		switch (w->plan->scanner->skip(&d->skip, &w->p, w->end)) {
		case SKIP_DONE:
			d->where = d->after_skip;
			break;
		case SKIP_MORE:
			break;
		case SKIP_BAD:
			d->where = d->after_skip;
			if (d->where != DOC_EVENTS)
				broken_member(w, w->p);
			break;
		}
	}
	if (w->p == w->end && d->where == DOC_SKIP)
		want_more(w);
}

/* Begins to pass over the value at p, which is too long to wait for. */
static void skip_value(struct walk *w, const char *p, enum doc_where after)
{
	w->d->skip = (struct skip){.depth = 1};
	w->d->in_long_string = *p == '"';
	w->d->where = DOC_SKIP;
	w->d->after_skip = after;
	w->p = p + 1;
}

/* Behind the value at p, or NULL: *more tells incomplete from malformed. */
static const char *value_end(struct walk *w, const char *p, bool *more)
{
	struct skip s = {.depth = 1};
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
		value = (struct span){value.p + 1, value.n - 2};
	m->key = (struct span){arena_copy(&b->mem, key.p, key.n), key.n};
	m->value = (struct span){arena_copy(&b->mem, value.p, value.n), value.n};
	m->after_events = behind_events(w->d);
}

static void enter_events(struct walk *w, const char *p)
{
	if (behind_events(w->d))
		batch_problem(w->b, PROBLEM_DUPLICATE_EVENTS_KEY, offset_of(w, p));
	w->d->arrays++;
	w->d->where = DOC_EVENTS;
	w->d->comma = true;
	w->p = p + 1;
}

/* At a key's opening quote. */
static void walk_key(struct walk *w)
{
	const char *key = w->p + 1, *q, *v;
	struct span name;
	bool more;

	q = value_end(w, w->p, &more);
	if (!q) {
		want_more(w);
		return;
	}
	name = (struct span){key, (size_t)(q - 1 - key)};
	v = blanks(q, w->end);
	if (v < w->end && *v != ':') {
		broken_member(w, w->p);
		return;
	}
	v = v < w->end ? blanks(v + 1, w->end) : v;
	if (v >= w->end) {
		want_more(w);
		return;
	}
	if (*v == '[' && span_is(name, "traceEvents")) {
		enter_events(w, v);
		return;
	}
	q = value_end(w, v, &more);
	if (!q && !more) {
		broken_member(w, v);
	} else if (!q && w->end - w->p > LIMIT_META_BYTES && strchr("\"[{", *v)) {
		skip_value(w, v, DOC_MEMBER);
	} else if (!q) {
		want_more(w);
	} else {
		keep_member(w, name, (struct span){v, (size_t)(q - v)});
		w->p = q;
	}
}

/* A comma right before the bracket that was just passed. */
static void note_trailing_comma(struct walk *w)
{
	const char *p = w->p - 1;

	while (p > w->text && (unsigned char)p[-1] <= 0x20)
		p--;
	if (p > w->text && p[-1] == ',')
		batch_problem(w->b, PROBLEM_COMMA, offset_of(w, p - 1));
}

static void walk_member(struct walk *w)
{
	w->p = blanks(w->p, w->end);
	if (w->p == w->end) {
		want_more(w);
	} else if (*w->p == '}') {
		w->p++;
		note_trailing_comma(w);
		w->d->where = DOC_DONE;
		w->d->complete = true;
	} else if (*w->p == ',') {
		w->p++;
	} else if (*w->p == '"') {
		walk_key(w);
	} else {
		broken_member(w, w->p);
	}
}

/* Looking for "traceEvents": [ in broken text. */
static void walk_hunt(struct walk *w)
{
	static const char word[] = "\"traceEvents\"";
	const size_t n = sizeof(word) - 1;
	const char *q = memmem(w->p, (size_t)(w->end - w->p), word, n), *v;

	if (!q) {
		if ((size_t)(w->end - w->p) > n && !w->eof)
			w->p = w->end - n;
		want_more(w);
		return;
	}
	v = blanks(q + n, w->end);
	v = v < w->end && *v == ':' ? blanks(v + 1, w->end) : v;
	if (v >= w->end) {
		w->p = q;
		want_more(w);
	} else if (*v == '[') {
		enter_events(w, v);
	} else {
		w->p = q + n;
	}
}

/* --- the events --- */

static void lose(struct walk *w, const char *from, const char *to)
{
	batch_problem(w->b, PROBLEM_SKIPPED_EVENT, offset_of(w, from));
	tally_add(&w->b->tally, PROBLEM_SKIPPED_BYTES, to - from, offset_of(w, from));
	w->d->lost_bytes += to - from;
	w->d->comma = true;
	w->p = to;
}

/* Is p, just behind a ']', followed by members up to the end of the file? */
static bool tail_fits(struct walk *w, const char *p)
{
	bool more;

	for (;;) {
		p = blanks(p, w->end);
		if (p == w->end)
			return false;
		if (*p == '}')
			return blanks(p + 1, w->end) == w->end;
		if (*p != ',')
			return false;
		p = blanks(p + 1, w->end);
		if (p == w->end || *p != '"')
			return false;
		p = value_end(w, p, &more);
		p = p ? blanks(p, w->end) : NULL;
		if (!p || p == w->end || *p != ':')
			return false;
		p = value_end(w, blanks(p + 1, w->end), &more);
		if (!p)
			return false;
	}
}

/* The end of the array behind a broken last event, or NULL. */
static const char *find_tail(struct walk *w, const char *p)
{
	int i;

	for (i = 0; i < TAIL_TRIES && p; i++) {
		p = memchr(p, ']', (size_t)(w->end - p));
		if (p && tail_fits(w, p + 1))
			return p;
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

/* Nothing can be made of the text at p: go on at the next event. */
static void resync(struct walk *w, const char *p)
{
	const char *q = recover_next_event(w->text, p + 1, w->end);

	if (q) {
		lose(w, p, q);
		return;
	}
	q = w->eof ? find_tail(w, p) : NULL;
	if (q) {
		lose(w, p, q);
		return;
	}
	lose(w, p, w->end);
}

/* A broken or incomplete event opens at p. */
static void mend_event(struct walk *w, const char *p)
{
	struct raw_event raw;
	const char *after;
	enum recover_end e = recover_event(w->plan, w->b, &raw, p, w->end, false, &after);
	bool lenient = false;

	if (e == RECOVER_MORE && w->end - p > LIMIT_EVENT_BYTES) {
		batch_problem(w->b, PROBLEM_TOO_LONG, offset_of(w, p));
		w->d->comma = false;
		skip_value(w, p, DOC_EVENTS);
		return;
	}
	if (e == RECOVER_MORE && !w->eof) {
		want_more(w);
		return;
	}
	if (e != RECOVER_OK) {
		enum recover_end strict = e;

		lenient = true;
		e = recover_event(w->plan, w->b, &raw, p, w->end, true, &after);
		if (e != RECOVER_OK && strict == RECOVER_MORE &&
		    !recover_next_event(w->text, p + 1, w->end)) {
			want_more(w); /* cut off inside the last event */
			return;
		}
	}
	if (e != RECOVER_OK) {
		resync(w, p);
		return;
	}
	if (lenient)
		batch_problem(w->b, PROBLEM_REPAIRED_QUOTE, offset_of(w, p));
	if (!w->d->comma)
		batch_problem(w->b, PROBLEM_COMMA, offset_of(w, p));
	w->d->comma = false;
	decode_event(w->plan, w->b, &raw, offset_of(w, p));
	w->p = after;
}

/* An element that is no object stands at p. */
static void odd_element(struct walk *w, const char *p)
{
	const char *q;
	bool more;

	if (*p == '}' || *p == ':') {
		resync(w, p);
		return;
	}
	q = value_end(w, p, &more);
	if (q) {
		batch_problem(w->b, PROBLEM_NOT_AN_OBJECT, offset_of(w, p));
		w->d->comma = false;
		w->p = q;
	} else if (!more) {
		resync(w, p);
	} else if (strchr("\"[", *p) && w->end - p > WINDOW_BYTES / 2) {
		batch_problem(w->b, PROBLEM_NOT_AN_OBJECT, offset_of(w, p));
		w->d->comma = false;
		skip_value(w, p, DOC_EVENTS);
	} else {
		want_more(w);
	}
}

static void close_events(struct walk *w)
{
	struct doc *d = w->d;
	const char *p = blanks(w->p, w->end);

	if (d->form != FORM_ARRAY)
		note_trailing_comma(w);

	d->closed = true;
	if (d->form == FORM_GUESSED && p < w->end)
		d->form = *p == ',' || *p == '}' ? FORM_OBJECT : FORM_ARRAY;
	if (d->form == FORM_GUESSED) {
		d->where = DOC_CLOSED;
	} else if (d->form == FORM_OBJECT) {
		d->where = DOC_MEMBER;
	} else {
		d->where = DOC_DONE;
		d->complete = true;
	}
}

static void walk_events(struct walk *w)
{
	switch (w->plan->scanner->events(w->plan, w->b, &w->p, w->text, w->end, w->base,
					 &w->d->comma)) {
	case SCAN_CLOSED:
		close_events(w);
		return;
	case SCAN_BAD:
		if (*w->p == '{')
			mend_event(w, w->p);
		else
			odd_element(w, w->p);
		return;
	case SCAN_MORE:
		break;
	}
	w->more = true;
	w->p = w->end;
}

/* --- beginning and end --- */

/* One event per line, without array: does the text begin like that? */
static bool begins_with_event(struct walk *w)
{
	struct raw_event raw;
	const char *after;

	if (recover_event(w->plan, w->b, &raw, w->p, w->end, false, &after) != RECOVER_OK ||
	    !(raw.have & RAW_PH))
		return false;
	after = blanks(after, w->end);
	return after == w->end || *after == '{';
}

static void walk_start(struct walk *w)
{
	while (w->p < w->end && memchr(" \t\r\n", *w->p, 5)) /* and NUL; others mean another format */
		w->p++;
	if (w->p == w->end) {
		w->more = true;
	} else if (*w->p == '[') {
		w->d->form = FORM_ARRAY;
		enter_events(w, w->p);
	} else if (*w->p == '{' && begins_with_event(w)) {
		w->d->form = FORM_LINES;
		w->d->where = DOC_EVENTS;
		w->d->arrays = 1;
	} else if (*w->p == '{') {
		w->d->form = FORM_OBJECT;
		w->d->where = DOC_MEMBER;
		w->p++;
	} else {
		w->d->where = DOC_ALIEN;
	}
}

static void walk_done(struct walk *w)
{
	const char *p = blanks(w->p, w->end); /* NULs and blanks are silent */

	if (p < w->end && w->d->complete && !w->d->tail_said) {
		bool document = *p == '{' || *p == '[';

		batch_problem(w->b, document ? PROBLEM_SECOND_DOCUMENT : PROBLEM_TRAILING_GARBAGE,
			      offset_of(w, p));
		w->d->tail_said = true;
	}
	w->p = w->end;
}

static void walk_on(struct walk *w)
{
	switch (w->d->where) {
	case DOC_START:
		walk_start(w);
		break;
	case DOC_MEMBER:
		walk_member(w);
		break;
	case DOC_EVENTS:
		walk_events(w);
		break;
	case DOC_SKIP:
		skip_on(w);
		break;
	case DOC_HUNT:
		walk_hunt(w);
		break;
	case DOC_CLOSED:
	case DOC_DONE:
	case DOC_ALIEN:
		walk_done(w);
		break;
	}
}

size_t doc_scan(const struct plan *plan, struct batch *b, struct doc *d, const char *text, size_t n,
		int64_t base, bool eof)
{
	struct walk w = {plan, b, d, text, text, text + n, base, eof, false};

	while (!w.more && (w.p < w.end || (d->where != DOC_DONE && d->where != DOC_ALIEN &&
					   d->where != DOC_CLOSED)))
		walk_on(&w);
	return (size_t)(w.p - text);
}

size_t doc_last_anchor(const char *text, size_t n)
{
	const char *p = text + n;

	while (p > text) {
		p = memrchr(text, '{', (size_t)(p - text));
		if (!p || p == text)
			return 0;
		if (recover_is_anchor(text, p, text + n))
			return (size_t)(p - text);
	}
	return 0;
}
