/* Why the step changed, in sentences.
 *
 * The largest part of the ledger that went the step's way, the work behind it, and what happened to
 * that: more calls, longer calls, new, gone, replaced. */
#pragma once

#include "base/base.h"

struct contrast;
struct metric_pairs;

enum { WHY_REPLACED_MAX = 3, WHY_MAX = 9 + WHY_REPLACED_MAX };

struct why {
	struct span text[WHY_MAX]; /* NUL-terminated */
	size_t n;
};

/* Verdict, another unit of times, all steps where odd ones tell something else, who the others wait
 * for, cause, the slowest rank, more work or slower work, configuration, replacements: each only
 * where there is something to say; of a side whose steps are not marked only that.  Of a contrast
 * with its work (contrast_find_work).  Memory is the arena's. */
void why_init(struct why *w, const struct contrast *c, struct arena *mem);

/* "configured differently: batch_size 2 -> 1, ..."; NULL: it is not, or not said. */
const char *why_settings(const struct contrast *c, struct arena *mem);

/* "all times are 1000 times those of base: another unit?"; NULL: they are not.  O(metrics). */
const char *why_unit(const struct metric_pairs *p, struct arena *mem);

/* "device time +12 ms a step: +9 ms more work (2048 -> 4096 in aten::mm), ..."; NULL: work is not
 * known, or noise may explain all of it.  why_work.c */
const char *why_more_work(const struct contrast *c, struct arena *mem);

/* "all kernels take 12% more, and the host does not: clocks, ..."; NULL: they do not.  why_work.c
 */
const char *why_alike(const struct contrast *c, struct arena *mem);

/* ---- the parts, for why.c ---- */

struct contrast_part;
struct opsum_key;

/* A name, cut in the middle when it is long. */
void why_add_name(struct str *b, const struct opsum_key *key, struct arena *mem);
/* ": aten::mm has 12 calls per step (was 4) ...", of a part of the ledger; nothing where no work is
 * behind it. */
void why_add_cause(struct str *b, const struct contrast *c, const struct contrast_part *part,
	struct arena *mem);
