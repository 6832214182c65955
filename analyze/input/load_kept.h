/*
 * Loading records of traces: what is kept of one becomes a run without its events.
 */
#ifndef ANALYZE_INPUT_LOAD_KEPT_H
#define ANALYZE_INPUT_LOAD_KEPT_H

#include <stdbool.h>

#include "base/err.h"

struct load_options;
struct run;
struct source;

/* Whether what is to be read is a record.  Before the first source_read. */
bool load_kept_is(struct source *s);

/*
 * Reads all of it into run->kept, and what it says of the trace into the run.  E_SYNTAX, E_FORMAT,
 * E_LIMIT, E_IO; E_NODATA for options that need events.
 */
enum status load_kept(struct source *s, const struct load_options *o, struct run *run,
	struct err *e) MUST_CHECK;

#endif
