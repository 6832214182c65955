/*
 * What is known of a trace that is edited: its run, loaded as for an answer, for what is to be kept
 * around something found, and for what is written beside its events.
 */
#ifndef CMD_EDIT_KNOWN_H
#define CMD_EDIT_KNOWN_H

#include <stdbool.h>

#include "analyze/input/load_file.h"
#include "analyze/mark/mark.h"
#include "analyze/measure/interval.h"
#include "analyze/trace/run.h"
#include "base/err.h"
#include "cmd/config.h"

struct analyses;
struct filter;

/* Zero-initialised but for `all`; known_clear in any case. */
struct known {
	const struct analyses *all;
	struct config config; /* of ./traceq.yaml and the environment, as answers have it */
	struct run run;
	bool has_config, has_run;
};

/* Loads it once more; nothing where it is loaded.  needs, kinds: as in load_options.  Not bounded
 * in memory, as answers are.  As load_single, and as config_read. */
enum status known_load(struct known *k, const char *path, unsigned needs, unsigned kinds,
	const struct load_options *o, struct err *e) MUST_CHECK;

/* What marks are made of. */
struct mark_request known_request(const struct known *k, const struct filter *filter);

/*
 * The stretch of an id (marks.h), with a margin on both sides: so long a text ("5ms"), or where it
 * is NULL a tenth of its length, and at least AROUND_LEAST.  Loads what the id needs.
 */
enum { AROUND_LEAST = 50000 };
enum status known_around(struct known *k, const char *path, const char *id, const char *margin,
	const struct filter *filter, const struct load_options *o, struct interval *out,
	struct err *e) MUST_CHECK;

void known_clear(struct known *k);

#endif
