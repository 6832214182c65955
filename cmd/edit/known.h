/* What is known of a trace that is edited: its run, loaded as for an answer, for what is to be kept
 * around something found, and for what is written beside its events. */
#pragma once

#include "analyze/overlay/mark.h"
#include "cmd/config.h"
#include "edit/cut.h"

struct disguise;
struct edited_options;

/* Zero-initialised but for `all`; known_clear in any case. */
struct known {
	const struct analyses *all;
	struct config config; /* of ./traceq.yaml and the environment, as answers have it */
	struct run run;
	bool has_config, has_run;
};

/* The stretch of an id (marks.h), with a margin on both sides: so long a text ("5ms"), or where it
 * is NULL a tenth of its length, and at least AROUND_LEAST.  Loads what the id needs. */
enum { AROUND_LEAST = 50000 };
enum status known_around(struct known *k, const char *path, const char *id, const char *margin,
	const struct filter *filter, const struct load_options *o, struct interval *out,
	struct err *e) MUST_CHECK;

void known_clear(struct known *k);

/* Options that say what becomes of events on their way, for every command that writes traces. */
struct wants {
	bool no_python, no_args;
	const char *sample, *annotate, *lanes;
	bool anonymizes;
	struct disguise *disguise; /* for all traces; wants_free */
	int64_t number;            /* of the trace among those that go into one file */
};

/* The groups of commands that write traces: what to keep, what becomes of it, the file; and where
 * each is parsed into, NULL where only help is wanted.  Returns WANTS_GROUPS. */
enum { WANTS_GROUPS = 3 };
size_t wants_groups(struct opt_group *to, struct opt *filter, unsigned ignores, struct filter *keep,
	struct wants *wants, struct edited_options *out);

/* E_USAGE for options that mean nothing to a file of that kind. */
enum status wants_check(
	const struct wants *w, const struct writer_kind *kind, struct err *e) MUST_CHECK;

/* Puts them into *want, and companions into *c, which the caller clears by cut_clear.  E_USAGE.
 */
enum status wants_take(
	struct wants *w, struct cut_want *want, struct cut *c, struct err *e) MUST_CHECK;

/* Behind cut_survey: makes the marks that are wanted, and puts them into *c.  known is loaded where
 * it is not. */
enum status wants_annotate(const struct wants *w, const struct cut_want *want, struct cut *c,
	struct known *known, const char *path, const struct load_options *o,
	struct err *e) MUST_CHECK;

/* Says on stderr what --anonymize did; left: events that went. */
void wants_say(const struct wants *w, int64_t left);

void wants_free(struct wants *w);
