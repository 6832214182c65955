/* Where memory goes that a log measured: a leak, one step up, or nowhere. */
#pragma once

#include "analyze/measure/curve.h"
#include "base/base.h"

struct series;
struct table;

/* X(NAME, word) */
#define MEMTREND_SIGNS(X)                                                                  \
	X(UNKNOWN, "unknown")          /* fewer than CURVE_LEAST values, or one place */   \
	X(STEADY, "steady")            /* none of the others */                            \
	X(ONCE, "one-time increase")   /* grew, and one jump explains it */                \
	X(LEAK, "leak")                /* grows, p < 0.01, the slope's interval above 0 */ \
	X(FRAGMENTED, "fragmentation") /* reserved memory does, allocated does not */

#define MEMTREND_ID(name, ...) MEMTREND_##name,
enum memtrend_sign { MEMTREND_SIGNS(MEMTREND_ID) MEMTREND_SIGN_COUNT };
const char *memtrend_word(enum memtrend_sign s);

struct memtrend {
	enum memtrend_sign sign;
	struct curve_trend trend; /* bytes per x, without the beginning */
	struct curve_jump jump;
};

/* The trend of c, bytes; its first 5% (at least 10 values, when 20 remain) are set aside, memory
 * is still being set up there.  peak: the largest value known; growth of up to MEMCURVE_LEAK_BYTES
 * or 0.1% of it is none.  is_reserved and allocated_grows tell fragmentation.  Scratch from mem.
 * Source: Theil 1950, Sen 1968; Mann 1945, Kendall 1975. */
void memtrend_of(struct memtrend *t, const struct curve *c, double peak, bool is_reserved,
	bool allocated_grows, struct arena *mem);

/* The name says that the series is a running maximum: it never falls. */
bool memtrend_is_maximum(struct span name);

/* A leak of memory whose name does not say whether it is a running maximum ("mem", "memory"), by
 * step: of one that never falls a quarter of the values rise.  c: bytes. */
bool memtrend_is_unnamed_leak(
	const struct series *s, const struct curve *c, double peak, struct arena *mem);

/* A column (TAKEN_ALLOCATED, TAKEN_RESERVED) of a sheet of measurements as a curve: those with the
 * tag that most have, by their order; *peak: the largest of it and of column max_col.  c->n may be
 * 0.  Arrays are mem's. */
void memtrend_column(struct curve *c, double *peak, const struct table *s, size_t col,
	size_t max_col, struct arena *mem);
