/* Chains: events that belong together by category and id, as flows (s, t, f) and asynchronous ones
 * (b, n, e) do, and from when to when each chain lasts. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"
#include "edit/idset.h"

struct keep_ranges;

/* What a chain's ends are joined by. */
struct chain_end {
	uint64_t key;
	nsec at;
};

struct chain {
	nsec from, to;
	bool is_flow;
};

/* chains_init, then chains_note of every end, then chains_choose. */
struct chains {
	struct keymap keys; /* uint64_t */
	struct chain *v;    /* by number of the key */
	size_t cap;
};

void chains_init(struct chains *c);
void chains_clear(struct chains *c);

/* Whether a phase is that of a chain's event. */
bool chain_is_flow(char ph);
bool chain_is_async(char ph);

/* Whether flows of that category lead from a call to the work it launched, so that their id is its
 * correlation (Kineto). */
bool chain_is_launch(struct span cat);

/* The key of an event: its category, and the id as written without quotes. */
uint64_t chain_key(struct span cat, struct span id);

void chains_note(struct chains *c, struct chain_end end, bool is_flow);

/* The keys of those to be kept: flows of which all ends are in one stretch of h, asynchronous
 * events of which any time is.  Sealed. */
void chains_choose(struct chains *c, const struct keep_ranges *h, struct idset *kept);
