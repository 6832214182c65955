/* The clock of one sequence of collectives against another's, found while it is not known yet which
 * is which.  Private to analyze/job/match/match*.c.
 *
 * Collectives of one kind cannot be told apart, but when they end can: between two of them there is
 * the same time on each rank.  From a pair that is believed to be the same one goes on in both
 * directions, and counts how many more end together.  Believed are, first, the longest stretch of
 * the alignment at hand whose ends keep their distance; then, where this is not enough, the
 * distance that most ends of a stretch of one have from any ends of the other. */
#pragma once

#include "analyze/job/match/matchalign.h"

struct match_clock {
	bool is_found;  /* far more end together than would by chance */
	nsec at, apart; /* a's clock is `apart` ahead of b's at its time `at` */
	double drift;
	nsec tolerance;
	size_t n; /* that end together */
};

/* Two sequences, by start; to: the alignment at hand; ends are since 1970 (has_epoch) or not. */
struct match_two {
	const struct align_item *a, *b;
	size_t na, nb;
	const uint32_t *to;
	bool has_epoch;
	nsec tolerance; /* match_tolerance of b */
};

/* What ends of the same may be apart: a part of the median time from one to the next. */
nsec match_tolerance(const struct align_item *v, size_t n, struct arena *mem);

/* Whether all are matched and nearly all ends keep their distance. */
bool match_is_even(const struct match_two *t);

/* The clock of a against b's.  O(na + nb), and where the alignment at hand does not tell,
 * O(MATCH_VOTERS x MATCH_HEARD) besides. */
struct match_clock match_clock(const struct match_two *t, struct arena *mem);

enum { MATCH_VOTERS = 48, MATCH_HEARD = 1024 };

/* Sets items of a on b's clock. */
void match_set_times(struct align_item *a, size_t na, const struct match_clock *c);
