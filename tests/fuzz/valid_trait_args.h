/* Traits of what events say beside their times: ids, places, arguments, jobs, devices
 * (valid_trait_args.c).  The list is closed, as that of valid_trait.h is. */
#pragma once

struct valid_run;

#define VALID_ARGS_TRAITS(X) \
	X(same_ids)          \
	X(no_partners)       \
	X(huge_ids)          \
	X(huge_places)       \
	X(no_args)           \
	X(huge_args)         \
	X(collectives_bare)  \
	X(collectives_odd)   \
	X(collectives_lost)  \
	X(world_zero)        \
	X(world_huge)        \
	X(rank_odd)          \
	X(ranks_missing)     \
	X(python_circles)    \
	X(odd_hardware)      \
	X(odd_members)       \
	X(graphs)            \
	X(memory_odd)
#define X(name) void valid_trait_##name(struct valid_run *r, unsigned how);
VALID_ARGS_TRAITS(X)
#undef X
