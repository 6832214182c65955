/* Phases of a training step: data loading, forward, backward, optimizer.
 *
 * A call belongs to the phase its own name says; else to its caller's; else it is "forward" when it
 * is an operator, and "other" when it is not. */
#pragma once

#include "analyze/trace/columns/kinds.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct run;

/* X(NAME, word) */
#define PHASES(X)               \
	X(OTHER, "other")       \
	X(DATA, "data loading") \
	X(FORWARD, "forward")   \
	X(BACKWARD, "backward") \
	X(OPTIMIZER, "optimizer")

#define PHASE_ID(name, ...) PHASE_##name,
enum phase { PHASES(PHASE_ID) PHASE_COUNT };

enum { PHASES_NOT_ASKED, PHASES_NOTHING, PHASES_SAY };

struct phases {
	const struct strings *names;
	uint8_t *known; /* by sym: the above, PHASES_SAY + enum phase */
};

/* Memory is the arena's. */
void phases_init(struct phases *p, const struct run *r, struct arena *mem);

/* What a name says that was not asked for yet. */
uint8_t phases_look(struct phases *p, sym name);

/* The phase of a call with that name and kind whose caller is in phase `caller` (a root's: OTHER).
 * Inline: it is asked for every call. */
static inline enum phase phases_of(struct phases *p, sym name, enum kind k, enum phase caller)
{
	uint8_t says = p->known[name];

	if (says == PHASES_NOT_ASKED)
		says = phases_look(p, name);
	if (says >= PHASES_SAY)
		return (enum phase)(says - PHASES_SAY);
	return caller == PHASE_OTHER && k == KIND_OP ? PHASE_FORWARD : caller;
}

/* Whether it marks a step, and says nothing of what is done there. */
bool phases_is_step(struct phases *p, sym name);

/* "forward", ...; constant. */
const char *phase_word(enum phase p);
