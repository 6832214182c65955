/*
 * Phases of a training step: data loading, forward, backward, optimizer.
 *
 * A call belongs to the phase its own name says; else to its caller's; else it is "forward" when it
 * is an operator, and "other" when it is not.
 */
#ifndef ANALYZE_PHASE_H
#define ANALYZE_PHASE_H

#include <stdint.h>

#include "analyze/store/kinds.h"
#include "analyze/store/strings.h"
#include "base/arena.h"

struct run;

/* X(NAME, word) */
#define PHASES(X)               \
	X(OTHER, "other")       \
	X(DATA, "data loading") \
	X(FORWARD, "forward")   \
	X(BACKWARD, "backward") \
	X(OPTIMIZER, "optimizer")

enum phase {
#define X(name, word) PHASE_##name,
	PHASES(X)
#undef X
		PHASE_COUNT
};

struct phases {
	const struct strings *names;
	uint8_t *known; /* by sym: 0 not looked at, 1 says nothing, 2 + enum phase */
};

/* Memory is the arena's. */
void phases_init(struct phases *p, const struct run *r, struct arena *mem);

/* The phase of a call with that name and kind whose caller is in phase `caller` (a root's: OTHER).
 */
enum phase phases_of(struct phases *p, sym name, enum kind k, enum phase caller);

/* "forward", ...; constant. */
const char *phase_word(enum phase p);

#endif
