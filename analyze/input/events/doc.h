/* Where in a document the text is: the state between two windows. */
#pragma once

#include "analyze/input/events/scan.h"

enum doc_where {
	DOC_START,  /* nothing read yet */
	DOC_MEMBER, /* in the outer object, before a key or its end */
	DOC_EVENTS, /* in the array of events */
	DOC_CLOSED, /* just behind the array's ']', form not known yet */
	DOC_SKIP,   /* inside a value too long to hold */
	DOC_HUNT,   /* metadata was broken: looking for "traceEvents" */
	DOC_DONE,   /* behind the document */
	DOC_ALIEN   /* this is no JSON document */
};

enum doc_form {
	FORM_GUESSED, /* a window in the middle, not told yet */
	FORM_OBJECT,  /* {"traceEvents": [...]} */
	FORM_ARRAY,   /* [...] */
	FORM_LINES    /* one event after the other, no array */
};

struct doc {
	enum doc_where where;
	enum doc_form form;
	bool comma;          /* DOC_EVENTS: a ',' or the '[' is just behind us */
	int arrays;          /* traceEvents arrays entered */
	bool closed;         /* one of them was closed properly */
	bool complete;       /* the outer value was closed */
	bool tail_said;      /* what follows it was counted */
	bool in_long_string; /* DOC_SKIP: inside a string that is no member of a nested value */
	enum doc_where after_skip;
	struct skip skip;
	int64_t lost_bytes; /* skipped while resynchronising */
};

/* The state before the first byte. */
void doc_init(struct doc *d);

/* The state a window in the middle is assumed to begin in: right before an event. */
void doc_guess(struct doc *d);

/* True when the state `end`, reached from doc_guess, stands for reality, given the true state
 * before that window; *d then becomes the true state behind it. */
bool doc_accept(struct doc *d, const struct doc *end);
