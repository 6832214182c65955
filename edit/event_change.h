/*
 * Changes of events on their way to another file: what merging, lanes and anonymizing do to each.
 */
#pragma once

#include "edit/event_members.h"

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
	/* Marks in c->parts what becomes of the event; false: it goes.  Any thread, but where the
	 * event is one of cut_more's: its offset is -1. */
	bool (*apply)(void *ctx, struct changing *c);
	/* The same for a member of the document: a new value in mem, or the old one, both without
	 * quotes where it is a string; p NULL: it goes.  Or NULL: members stay. */
	struct span (*member)(
		void *ctx, struct span key, struct span value, bool quoted, struct arena *mem);
	bool is_strict; /* what cannot be changed goes */
	void *ctx;
};
