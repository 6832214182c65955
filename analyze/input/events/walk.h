/* Walking through a document: what doc_scan's parts share.  Only trace_document.c and walk*.c
 * include this. */
#pragma once

#include "analyze/input/events/doc.h"

/* One call of doc_scan. */
struct walk {
	const struct plan *plan;
	struct batch *b;
	struct doc *d;
	const char *text, *p, *end;
	int64_t base;
	bool eof;
	bool more;         /* stop: the rest is incomplete */
	unsigned failures; /* events the scanner could not read */
	size_t reread;     /* bytes read in vain to mend them */
};

/* The offset of p in the input. */
int64_t walk_offset(const struct walk *w, const char *p);

/* The rest is incomplete: come back with more text, or give up at the end of the file. */
void walk_want_more(struct walk *w);

/* At the '[' of the events. */
void walk_enter_events(struct walk *w, const char *p);

/* Counts a comma right before the bracket that was just passed. */
void walk_note_comma(struct walk *w);

/* Behind the value at p, or NULL: *more tells incomplete from malformed. */
const char *walk_value_end(struct walk *w, const char *p, bool *more);

/* Begins to pass over the value at p, which is too long to wait for; `after` comes behind it. */
void walk_skip_value(struct walk *w, const char *p, enum doc_where after);

/* One step in DOC_SKIP, DOC_MEMBER, DOC_HUNT (for "traceEvents": [ in broken text), DOC_EVENTS. */
void walk_skip(struct walk *w);
void walk_member(struct walk *w);
void walk_hunt(struct walk *w);
void walk_events(struct walk *w);
