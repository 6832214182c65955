/* Partitions of time: how long which kinds of things went on, in every one of many ranges at once.
 *
 * Intervals of up to PARTITION_KINDS kinds come in the order of their starts; time between two
 * changes is a slice, in which a set of kinds is active.  Sums of slices are kept by set (up to 4
 * kinds) or by the first active kind, which makes them a partition: in every range they add up to
 * the range's length, to the nanosecond.
 *
 *	  kind 0     [-----)       [--)
 *	  kind 1  [----)     [--------------)
 *	  slices   1 |01| 0 | 1     |01|  1
 *
 * Ranges may overlap, touch, be empty and lie anywhere. */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

enum { PARTITION_KINDS = 16, PARTITION_SLOTS = 17 };

/* Sums by slot.  By set: slot = bit set of active kinds, 0 = none.  By first: slot = the first
 * active kind, `nkind` = none.  Modulo 2^64, so that sums of any times are exact when they fit
 * nsec. */
struct partition_sums {
	uint64_t ns[PARTITION_SLOTS];
};

/* The edges of ranges in time's order, to be shared by several partitions. */
struct partition_edge {
	nsec at;
	uint32_t range;
	bool is_end;
};
struct partition_edges {
	struct partition_edge *v;
	size_t n, nrange;
};

struct partition {
	const struct partition_edges *edges;
	size_t next_edge;
	struct partition_sums *range; /* by range: filled as time passes */
	struct partition_sums sums;   /* of all slices so far */
	nsec at;                      /* where the last slice ended */
	nsec end[PARTITION_KINDS];    /* each kind is active up to here */
	unsigned active;              /* bits of kinds: all others have ended */
	unsigned nkind;
	bool is_by_set, has_begun;
};

/* start[i] <= end[i] of nrange ranges.  O(n log n), O(n) when sorted.  Memory is the arena's. */
void partition_edges_init(struct partition_edges *e, const nsec *start, const nsec *end,
	size_t nrange, struct arena *mem);

/* The same of all steps, which may be NULL: none. */
struct steps;
void partition_edges_of_steps(struct partition_edges *e, const struct steps *s, struct arena *mem);

/* range: edges->nrange zeroed sums, which the partition fills; by set only with nkind <= 4. */
void partition_init(struct partition *p, const struct partition_edges *edges,
	struct partition_sums *range, unsigned nkind, bool is_by_set);

/* The next interval; starts never descend.  One without length adds nothing.  O(nkind). */
void partition_add(struct partition *p, unsigned kind, nsec start, nsec end);

/* No more intervals: finishes all ranges. */
void partition_end(struct partition *p);
