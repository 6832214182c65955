/*
 * The note that a cut carries: what analyze/input/events/meta.c reads.
 */
#ifndef EDIT_NOTE_H
#define EDIT_NOTE_H

#include <stdbool.h>

#include "analyze/measure/interval.h"
#include "base/str.h"

struct run;

/* Appends its JSON.  taken: by step of r, which of them were asked for; NULL: none. */
void note_put(
	struct str *out, const struct run *r, const bool *taken, const struct intervals *time);

#endif
