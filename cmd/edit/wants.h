/*
 * Options that say what becomes of events on their way, for every command that writes traces.
 */
#ifndef CMD_EDIT_WANTS_H
#define CMD_EDIT_WANTS_H

#include <stdbool.h>

#include "base/err.h"
#include "base/opt.h"
#include "edit/cut.h"

struct wants {
	bool no_python, no_args;
	const char *sample;
};

/* The group of these, into struct wants. */
extern const struct opt_group wants_group;

/* Puts them into *want, and companions into *c, which the caller clears by wants_clear.  E_USAGE.
 */
enum status wants_take(
	const struct wants *w, struct cut_want *want, struct cut *c, struct err *e) MUST_CHECK;
void wants_clear(struct cut *c);

#endif
