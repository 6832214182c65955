/*
 * Changes of events on their way to another file: what merging, lanes and anonymizing do to each.
 */
#ifndef EDIT_CHANGE_H
#define EDIT_CHANGE_H

#include <stddef.h>

#include "edit/parts.h"

struct arena;
struct facts;
struct tap_event;

/* An event that is kept, and where what replaces parts of it may be made. */
struct changing {
	const struct tap_event *event;
	const struct facts *facts;
	struct parts *parts;
	struct arena *mem; /* until the window is written */
};

struct change {
	/* Marks in c->parts what becomes of the event.  Any thread. */
	void (*apply)(void *ctx, struct changing *c);
	/* The same for a member of the document: a new value in mem, or the old one; p NULL: it
	 * goes.  Or NULL: members stay. */
	struct span (*member)(void *ctx, struct span key, struct span value, struct arena *mem);
	void *ctx;
};

/* Without their arguments. */
extern const struct change change_no_args;

#endif
