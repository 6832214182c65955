/*
 * Values that are passed over, across any number of windows.
 */
#include <string.h>

#include "analyze/input/events/walk.h"

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
		enum skip_end e;

		s.open = *p;
		e = w->plan->scanner->skip(&s, &q, w->end);

		*more = e == SKIP_MORE;
		return e == SKIP_DONE ? q : NULL;
	}
	for (q = p; q < w->end && (unsigned char)*q > 0x20 && !strchr(",}]\"{[:", *q); q++)
		;
	*more = q == w->end;
	return q > p && q < w->end ? q : NULL;
}
