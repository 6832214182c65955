/*
 * Small steps that the parts of the walk share.
 */
#include "analyze/input/events/walk.h"

#include "analyze/input/events/event_batch.h"

int64_t walk_offset(const struct walk *w, const char *p)
{
	return w->base + (p - w->text);
}

const char *walk_blanks(const char *p, const char *end)
{
	while (p < end && (unsigned char)*p <= 0x20)
		p++;
	return p;
}

bool walk_behind_events(const struct doc *d)
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

void walk_broken_member(struct walk *w, const char *p)
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
