/* The eight roles of the TensorBoard plugin: what a step's time is spent on, host and devices
 * together, each moment given to the first role that is active.
 *
 * Source: tb_plugin, overall_parser.py and event_parser.py.  Ours differs: collectives are known by
 * class (classes.h), not by five names; of a collective only its device time is communication (its
 * host time, too, for gloo); a step is its range on the CPU, not lengthened by device work; a step
 * without some role keeps what earlier roles took. */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/gaps/partition.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct filter_view;

/* X(NAME, word), in the order of precedence */
#define ROLES(X)                 \
	X(KERNEL, "kernel")      \
	X(MEMCPY, "memcpy")      \
	X(MEMSET, "memset")      \
	X(COMM, "communication") \
	X(RUNTIME, "runtime")    \
	X(DATA, "data loader")   \
	X(CPU, "CPU exec")       \
	X(OTHER, "other")

enum role {
#define X(name, word) ROLE_##name,
	ROLES(X)
#undef X
		ROLE_COUNT
};

struct roles {
	size_t nstep;
	struct partition_sums *step;  /* by step: ns[role]; they add up to the step */
	struct partition_sums window; /* first start to last end of the steps the filter takes */
};

/* Needs order and steps.  v's --device, --stream and --cat choose device work; hosts count whole.
 * O(n log lanes).  Memory is the arena's: 128 bytes a step. */
void roles_init(struct roles *o, const struct run *r, const struct classes *c,
	const struct filter_view *v, struct arena *mem);

/* "kernel", ...; constant. */
const char *role_word(enum role k);
