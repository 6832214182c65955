/* Making digests of runs. */
#pragma once

#include "base/base.h"

struct digest;
struct digest_options;
struct run;

/* What must be loaded for a digest (enum need). */
unsigned digest_needs(const struct digest_options *o);

/* The digest of a run with those needs, which may be released afterwards; its record moves to the
 * digest.  On OK, digest_free releases *out.  E_USAGE for a malformed filter, E_NODATA when no step
 * is in --steps. O(n log n) of the run's events.  Runs know nothing of each other: any thread may
 * do this. */
enum status digest_new(struct digest **out, struct run *r, const struct digest_options *o,
	struct err *e) MUST_CHECK;

/* The same of a run that is looked at for something else, too: its record stays its own. */
enum status digest_look(struct digest **out, const struct run *r, const struct digest_options *o,
	struct err *e) MUST_CHECK;
