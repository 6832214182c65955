/* What makes a valid run hostile: each trait spoils it in one way, so that it is still a trace. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct valid_run;

struct valid_trait {
	const char *name;
	void (*spoil)(struct valid_run *r, unsigned how); /* how: 0 to 255 */
};

/* Numbered for good, as seeds name them by number: new ones stand behind all others, which is in
 * the table of valid_trait.c, never in this list. */
extern const struct valid_trait valid_traits[];
extern const size_t valid_trait_count;

/* Those of times and of steps (valid_trait_time.c). */
#define VALID_TIME_TRAITS(X)  \
	X(zero_durations)     \
	X(negative_times)     \
	X(huge_times)         \
	X(overlapping)        \
	X(crossing)           \
	X(early_kernels)      \
	X(steps_overlap)      \
	X(steps_unordered)    \
	X(steps_empty)        \
	X(all_at_once)        \
	X(long_pause)         \
	X(endless)            \
	X(negative_durations) \
	X(shuffled)           \
	X(steps_nested)       \
	X(at_zero)            \
	X(steps_apart)        \
	X(steps_of_device)
#define X(name) void valid_trait_##name(struct valid_run *r, unsigned how);
VALID_TIME_TRAITS(X)
#undef X

/* Whether `how` means event i: one of one, two, three or seven. */
bool valid_trait_hits(size_t i, unsigned how);
