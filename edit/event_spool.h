/* What a trace of another format says of its events, kept in a file until its rows are whole. */
#ifndef EDIT_EVENT_SPOOL_H
#define EDIT_EVENT_SPOOL_H

#include <stdio.h>

#include "analyze/input/events/tap.h"
#include "analyze/trace/run.h"
#include "base/err.h"
#include "base/io_temp.h"
#include "base/str.h"

struct event_spool {
	struct io_temp temp;
	FILE *file;         /* NULL: nothing was said */
	struct str note;    /* the one that was read last */
	uint64_t first_row; /* of the window it is of */
};

/* Sets said and rows of a tap whose ctx begins with a struct event_spool, temp of which is made. */
void event_spool_listen(struct tap *tap);

/* From the first event again.  E_IO. */
enum status event_spool_rewind(struct event_spool *s, struct err *e) MUST_CHECK;

/* The next event: its text, and its row or NO_ROW.  False behind the last, and where the file
 * cannot be read. */
bool event_spool_next(struct event_spool *s, uint32_t *row, struct str *text);

/* Gives an event's text the duration of its row, and whether it was cut off. */
void event_spool_finish(struct str *text, const struct run *r, uint32_t row);

void event_spool_drop(struct event_spool *s);

#endif
