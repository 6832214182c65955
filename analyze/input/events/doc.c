/* Document states: the beginning, the guess, and whether a guess came true. */
#include "analyze/input/events/doc.h"

void doc_init(struct doc *d)
{
	*d = (struct doc){ .where = DOC_START };
}

void doc_guess(struct doc *d)
{
	*d = (struct doc){ .where = DOC_EVENTS, .comma = true };
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
