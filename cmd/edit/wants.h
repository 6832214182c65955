/*
 * Options that say what becomes of events on their way, for every command that writes traces.
 */
#ifndef CMD_EDIT_WANTS_H
#define CMD_EDIT_WANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/opt.h"
#include "edit/cut.h"

struct disguise;
struct known;

struct wants {
	bool no_python, no_args;
	const char *sample, *annotate, *lanes;
	bool anonymizes;
	struct disguise *disguise; /* for all traces; wants_free */
	int64_t number;            /* of the trace among those that go into one file */
};

/* The group of these, into struct wants. */
extern const struct opt_group wants_group;

/* E_USAGE for options that mean nothing to a file of that kind. */
enum status wants_check(
	const struct wants *w, const struct writer_kind *kind, struct err *e) MUST_CHECK;

/* Puts them into *want, and companions into *c, which the caller clears by wants_clear.  E_USAGE.
 */
enum status wants_take(
	struct wants *w, struct cut_want *want, struct cut *c, struct err *e) MUST_CHECK;

/* Behind cut_survey: makes the marks that are wanted, and puts them into *c.  known is loaded where
 * it is not. */
enum status wants_annotate(const struct wants *w, const struct cut_want *want, struct cut *c,
	struct known *known, const char *path, const struct load_options *o,
	struct err *e) MUST_CHECK;
void wants_clear(struct cut *c);

/* Says on stderr what --anonymize did; left: events that went. */
void wants_say(const struct wants *w, int64_t left);

void wants_free(struct wants *w);

#endif
