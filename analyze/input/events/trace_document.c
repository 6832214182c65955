/* The document's grammar above the events, as a state machine that can stop at any byte.  walk_*.c
 * are its steps. */
#include "analyze/input/events/trace_document.h"

#include "analyze/input/events/event_batch.h"
#include "analyze/input/events/recover.h"
#include "analyze/input/events/walk.h"
#include "analyze/input/text/limits.h"

/* One event per line, without array: does the text begin like that?  An object with a phase whose
 * end is not here yet is one of them as soon as it is: *more says that it is worth waiting for. */
static bool begins_with_event(struct walk *w, bool *more)
{
	struct raw_event raw = { 0 };
	const char *after;

	*more = false;
	if (!anchor_opens_event(w->p, w->end))
		return false;
	enum recover_end found = recover_event(w->plan, w->b, &raw, w->p, w->end, false, &after);
	if (!(raw.have & RAW_PH))
		return false;
	*more = found == RECOVER_MORE && !w->eof && w->end - w->p < LIMIT_EVENT_BYTES;
	if (found != RECOVER_OK)
		return false;
	after = anchor_blanks(after, w->end);
	return after == w->end || *after == '{';
}

static void walk_start(struct walk *w)
{
	bool more = false;

	while (w->p < w->end && memchr(" \t\r\n", *w->p, 5)) /* and NUL; others: another format */
		w->p++;
	bool is_event = w->p < w->end && *w->p == '{' && begins_with_event(w, &more);
	if (w->p == w->end || more) {
		w->more = true;
	} else if (*w->p == '[') {
		w->d->form = FORM_ARRAY;
		walk_enter_events(w, w->p);
	} else if (is_event) {
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
	const char *p = anchor_blanks(w->p, w->end); /* NULs and blanks are silent */

	if (p < w->end && w->d->complete && !w->d->tail_said) {
		bool document = *p == '{' || *p == '[';

		batch_problem(w->b, document ? PROBLEM_SECOND_DOCUMENT : PROBLEM_TRAILING_GARBAGE,
			walk_offset(w, p));
		w->d->tail_said = true;
	}
	w->p = w->end;
}

static void walk_on(struct walk *w)
{
	switch (w->d->where) {
	case DOC_START: walk_start(w); break;
	case DOC_MEMBER: walk_member(w); break;
	case DOC_EVENTS: walk_events(w); break;
	case DOC_SKIP: walk_skip(w); break;
	case DOC_HUNT: walk_hunt(w); break;
	case DOC_CLOSED:
	case DOC_DONE:
	case DOC_ALIEN: walk_done(w); break;
	}
}

size_t doc_scan(const struct plan *plan, struct batch *b, struct doc *d, const char *text, size_t n,
	int64_t base, bool eof)
{
	struct walk w = { plan, b, d, text, text, text + n, base, eof, false, 0, 0 };

	while (!w.more &&
		(w.p < w.end ||
			(d->where != DOC_DONE && d->where != DOC_ALIEN && d->where != DOC_CLOSED)))
		walk_on(&w);
	return (size_t)(w.p - text);
}

/* The last '{' before p, or NULL.  By blocks: what looks at the whole range in each call, as
 * sanitizers do, must not make a text of nothing but braces quadratic. */
static const char *brace_before(const char *text, const char *p)
{
	enum { BLOCK = 512 };

	while (p > text) {
		size_t n = p - text < BLOCK ? (size_t)(p - text) : BLOCK;
		const char *found = memrchr(p - n, '{', n);

		if (found)
			return found;
		p -= n;
	}
	return NULL;
}

size_t doc_last_anchor(const char *text, size_t n)
{
	const char *p = text + n;

	while ((p = brace_before(text, p)) && p > text)
		if (anchor_is(text, p, text + n))
			return (size_t)(p - text);
	return 0;
}
