/* The array of events: the scanner's work, and what to do where it stops: mend the event, pass over
 * an element that is none, or go on at the next event. */

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/decode.h"
#include "analyze/input/events/recover.h"
#include "analyze/input/events/walk.h"
#include "analyze/input/text/limits.h"

enum { TAIL_TRIES = 256 };

/* Text that is broken again and again, each time so that it shows at the window's end only, would
 * be read over and over.  So after FAST_FAILURES events the byte-by-byte reader, which sees faults
 * sooner, goes first; and when it has read a window MOST_REREADS times in vain, the rest of it is
 * given up. */
enum { FAST_FAILURES = 16, MOST_REREADS = 8 };

static void lose(struct walk *w, const char *from, const char *to)
{
	batch_problem(w->b, PROBLEM_SKIPPED_EVENT, walk_offset(w, from));
	tally_add(&w->b->tally, PROBLEM_SKIPPED_BYTES, to - from, walk_offset(w, from));
	w->d->lost_bytes += to - from;
	w->d->comma = true;
	w->p = to;
}

/* Is p, just behind a ']', followed by members up to the end of the file? */
static bool tail_fits(struct walk *w, const char *p)
{
	bool more;

	for (;;) {
		p = anchor_blanks(p, w->end);
		if (p == w->end)
			return false;
		if (*p == '}')
			return anchor_blanks(p + 1, w->end) == w->end;
		if (*p != ',')
			return false;
		p = anchor_blanks(p + 1, w->end);
		if (p == w->end || *p != '"')
			return false;
		p = walk_value_end(w, p, &more);
		p = p ? anchor_blanks(p, w->end) : NULL;
		if (!p || p == w->end || *p != ':')
			return false;
		p = walk_value_end(w, anchor_blanks(p + 1, w->end), &more);
		if (!p)
			return false;
	}
}

/* The end of the array behind a broken last event, or NULL. */
static const char *find_tail(struct walk *w, const char *p)
{
	for (int i = 0; i < TAIL_TRIES && p; i++) {
		p = memchr(p, ']', (size_t)(w->end - p));
		if (p && tail_fits(w, p + 1))
			return p;
		p = p ? p + 1 : NULL;
	}
	return NULL;
}

static bool is_hopeless(const struct walk *w)
{
	return w->reread > (size_t)(w->end - w->text) * MOST_REREADS;
}

/* Where an event opens at or behind p, not just text alike inside of a broken string; or NULL. */
static const char *find_event(struct walk *w, const char *p)
{
	struct raw_event raw;
	const char *after;

	while (!is_hopeless(w) && (p = anchor_next(w->text, p, w->end)) != NULL) {
		if (anchor_shows_phase(p, w->end))
			return p;
		enum recover_end e = recover_event(w->plan, w->b, &raw, p, w->end, false, &after);
		if (e == RECOVER_MORE || (e == RECOVER_OK && (raw.have & RAW_PH)))
			return p;
		w->reread += (size_t)(after - p);
		p++;
	}
	return NULL;
}

/* Nothing can be made of the text at p: go on at the next event. */
static void resync(struct walk *w, const char *p)
{
	const char *q = find_event(w, p + 1);

	if (!q && w->eof)
		q = find_tail(w, p);
	lose(w, p, q ? q : w->end);
}

/* An event read leniently makes sense when it says what it is and when. */
static bool is_sound(const struct raw_event *raw)
{
	return (raw->have & RAW_PH) && (raw->ph == 'M' || (raw->have & RAW_TS));
}

/* Reads the event as it was meant; `strict` is what the strict reading of it ended with. */
static enum recover_end mend_strings(struct walk *w, const char *p, struct raw_event *raw,
	enum recover_end strict, const char **after)
{
	enum recover_end e = recover_event(w->plan, w->b, raw, p, w->end, true, after);

	if (e == RECOVER_OK && is_sound(raw))
		return RECOVER_OK;
	w->reread += (size_t)(*after - p);
	if (strict == RECOVER_BAD || find_event(w, p + 1) || is_hopeless(w))
		return RECOVER_BAD;
	return RECOVER_MORE; /* cut off inside the last event */
}

/* A broken or incomplete event opens at p. */
static void mend_event(struct walk *w, const char *p)
{
	struct raw_event raw;
	const char *after;
	enum recover_end e = recover_event(w->plan, w->b, &raw, p, w->end, false, &after);
	bool strict = e == RECOVER_OK;

	if (e == RECOVER_MORE && w->end - p > LIMIT_EVENT_BYTES) {
		batch_problem(w->b, PROBLEM_TOO_LONG, walk_offset(w, p));
		w->d->comma = false;
		walk_skip_value(w, p, DOC_EVENTS);
		return;
	}
	if (e == RECOVER_BAD || (e == RECOVER_MORE && w->eof)) {
		w->reread += (size_t)(after - p);
		e = mend_strings(w, p, &raw, e, &after);
	}
	if (e == RECOVER_MORE) {
		walk_want_more(w);
		return;
	}
	if (e == RECOVER_BAD) {
		resync(w, p);
		return;
	}
	if (!strict)
		batch_problem(w->b, PROBLEM_REPAIRED_QUOTE, walk_offset(w, p));
	if (!w->d->comma)
		batch_problem(w->b, PROBLEM_COMMA, walk_offset(w, p));
	w->d->comma = false;
	decode_event(w->plan, w->b, &raw, walk_offset(w, p));
	if (w->plan->tap)
		decode_tap(w->plan, w->b, &raw, after, !strict, walk_offset(w, p));
	w->p = after;
}

/* What may stand behind an element: a separator, or where that was forgotten the next event. */
static bool ends_element(const struct walk *w, const char *p)
{
	p = anchor_blanks(p, w->end);
	return p == w->end || *p == ',' || *p == ']' || *p == '{';
}

/* An element that is no object stands at p. */
static void odd_element(struct walk *w, const char *p)
{
	bool more;

	if (*p == '}' || *p == ':') {
		resync(w, p);
		return;
	}
	const char *q = walk_value_end(w, p, &more);
	if (q ? !ends_element(w, q) : !more) {
		resync(w, p);
	} else if (q) {
		batch_problem(w->b, PROBLEM_NOT_AN_OBJECT, walk_offset(w, p));
		w->d->comma = false;
		w->p = q;
	} else if (strchr("\"[", *p) && w->end - p > LIMIT_PIECE_BYTES / 2) {
		batch_problem(w->b, PROBLEM_NOT_AN_OBJECT, walk_offset(w, p));
		w->d->comma = false;
		walk_skip_value(w, p, DOC_EVENTS);
	} else {
		walk_want_more(w);
	}
}

static void close_events(struct walk *w)
{
	struct doc *d = w->d;
	const char *p = anchor_blanks(w->p, w->end);

	if (d->form != FORM_ARRAY)
		walk_note_comma(w);

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

/* One element, or what is between two, without the scanner. */
static void walk_slowly(struct walk *w)
{
	const char *p = w->p = anchor_blanks(w->p, w->end);

	if (p == w->end) {
		w->more = true;
	} else if (*p == '{') {
		mend_event(w, p);
	} else if (*p == ',') {
		if (w->d->comma)
			batch_problem(w->b, PROBLEM_COMMA, walk_offset(w, p));
		w->d->comma = true;
		w->p++;
	} else if (*p == ']') {
		w->p++;
		close_events(w);
	} else {
		odd_element(w, p);
	}
}

void walk_events(struct walk *w)
{
	if (w->failures >= FAST_FAILURES) {
		walk_slowly(w);
		return;
	}
	switch (w->plan->scanner->events(
		w->plan, w->b, &w->p, w->text, w->end, w->base, &w->d->comma)) {
	case SCAN_CLOSED: close_events(w); return;
	case SCAN_BAD:
		w->failures++;
		walk_slowly(w);
		return;
	case SCAN_MORE: break;
	}
	w->more = true;
	w->p = w->end;
}
