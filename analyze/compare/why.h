/*
 * Why the step changed, in sentences.
 *
 * The largest part of the ledger that went the step's way, the work behind it, and what happened to
 * that: more calls, longer calls, new, gone, replaced.
 */
#ifndef ANALYZE_COMPARE_WHY_H
#define ANALYZE_COMPARE_WHY_H

#include <stddef.h>

#include "base/str.h"

struct arena;
struct contrast;

enum { WHY_REPLACED_MAX = 3, WHY_MAX = 3 + WHY_REPLACED_MAX };

struct why {
	struct span text[WHY_MAX]; /* NUL-terminated */
	size_t n;
};

/*
 * Verdict, cause, configuration, replacements: each only where there is something to say.  Of a
 * contrast with its work (contrast_find_work).  Memory is the arena's.
 */
void why_init(struct why *w, const struct contrast *c, struct arena *mem);

#endif
