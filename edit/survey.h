/* The survey: the first reading of a trace that is cut, after which each event can be judged alone.
 *
 * Of launches and device work rows are made, of flows and asynchronous events their chains; nothing
 * else of the events is held. */
#pragma once

#include "analyze/input/load_file.h"
#include "edit/chains.h"
#include "edit/choice.h"
#include "edit/companion.h"

/* Kinds of events that say which call they are of, and marks of steps: those that are read. */
#define KINDS_CALLS                                                        \
	(KINDS_DEVICE | KIND_BIT(KIND_RUNTIME) | KIND_BIT(KIND_SYNC) |     \
		KIND_BIT(KIND_GPU_ANNOTATION) | KIND_BIT(KIND_GPU_EVENT) | \
		KIND_BIT(KIND_ANNOTATION) | KIND_BIT(KIND_OTHER))

/* What a person wants to keep; all NULL: everything. */
struct cut_want {
	struct filter filter;           /* with steps */
	const char *time;               /* "1.2s-1.5s", from the run's first event; or NULL */
	const struct interval *stretch; /* the same in the run's time, or NULL */
	bool no_python, no_args;
	int64_t sample_ns; /* of each counter one value in so much time at most; 0: all */
};

struct survey {
	struct batch_member *member; /* of the document, in its order */
	size_t nmember;
	struct str note;    /* the cut's own member (cutnote.h), JSON; empty: nothing is cut off */
	struct span had;    /* the same of the input, which is a cut itself; or empty */
	int64_t nevent;     /* events in the input */
	nsec first, last;   /* of the run */
	struct tally tally; /* what was odd about the input */
	struct chains chains;
	const struct companion *companion; /* borrowed */
	size_t ncompanion;
	struct arena mem; /* owns members */
};

/* Reads the file once, and fills the choice, fresh from choice_init, and *s, of which the
 * companions are set and all else is zero; survey_clear releases it in any case.  o: threads,
 * inflate, scanner, strict, progress.  E_USAGE for a malformed time, E_NODATA where nothing is
 * there to be kept, else what loading says. */
enum status survey_make(struct survey *s, struct choice *c, const char *path,
	const struct cut_want *want, const struct load_options *o, struct err *e) MUST_CHECK;
void survey_clear(struct survey *s);
