/* Work split: how much of the change of an op's device time is more work, and how much is the same
 * work done slower.
 *
 * Time is F x R: work per step times time per unit of it.  Exactly, and without a term for both at
 * once, with L(a, b) = (b - a) / ln(b / a), the logarithmic mean (Vartia 1976, Ang 2004: LMDI-I):
 *
 *	more work = L(T0, T1) ln(F1 / F0)
 *	slower    = L(T0, T1) ln(R1 / R0)
 *
 * summed over groups of calls: those whose arguments and work both sides have, each a group, for
 * which a call is the unit; and all others together, whose unit is a FLOP or a byte, whichever
 * bounds most of them.  So a mix of other shapes is not taken for another speed; and as small and
 * large calls differ in rate by orders of magnitude, it is the logarithms that are split in halves:
 * arithmetic means would ask what large calls took at the rate of small ones.  A group that one
 * side alone has is work.
 *
 * More work is more calls and larger ones.  With the mean price of a unit, r = L(T0, T1) / L(F0,
 * F1) of its group, the work of a side is worth V = sum of F r, of which more work is V1 - V0, and
 *
 *	more calls = L(V0, V1) ln(C1 / C0)
 *	larger     = L(V0, V1) ln(v1 / v0)      v = V / C, C calls
 *
 * All change their sign when the sides are swapped. */
#pragma once

#include "analyze/costmodel/op_work.h"
#include "analyze/job/digest/digest.h"
#include "base/base.h"

/* Calls of one op on one side, with the same arguments and work. */
struct work_item {
	struct span dims;
	int64_t flop, bytes;  /* of a call; below 1: not known, or none */
	bool by_bytes;        /* bytes bound it */
	enum roof_reason why; /* of one of which neither is known */
	double calls, ns;     /* per step; calls are not 0 */
};

/* What an op of one side does, per step. */
struct work_side {
	const struct work_item *item; /* by work_item_compare, each key once */
	size_t n;
	int64_t ns; /* all its time, rounded */
};

enum work_unit {
	WORK_CALLS, /* both sides have the same arguments and work, or one side has none at all */
	WORK_FLOP,
	WORK_BYTES
};

struct worksplit {
	bool is_known;        /* else all of it is `unknown` */
	int64_t delta;        /* new - base, ns; calls + larger + slower + unknown, exactly */
	int64_t calls;        /* more, or fewer, of them */
	int64_t larger;       /* more work in each */
	int64_t slower;       /* less of it a second */
	int64_t unknown;      /* of calls of which no work is known */
	enum roof_reason why; /* why so: of most of that time; ROOF_WHY_KNOWN: there is none */
	enum work_unit unit;  /* of what has other arguments */
	/* Of those that have others than the other side's, the most time; empty: none. */
	struct span base_dims, now_dims;
};

/* An op that only one side has is more calls, or fewer, whatever is known of it.  Else nothing is
 * said where other numbers of calls are unknown on both sides, for they may be any work, or where
 * calls with other arguments have no unit that is known of all.  O(items). */
void worksplit_of(struct worksplit *s, const struct work_side *base, const struct work_side *now);

/* Work sums: what the ops of a side do per step, over all its traces.  Collectives are none of it:
 * how long they take says more of others than of work.
 *
 * Beside opsums.h, whose rows are of the op that launched: here the work is that of its owner
 * (analyze/costmodel/owners.h), and the time of a call the union of its kernels. */

struct metric_sample;
struct side;
struct side_trace;

/* An amount of work per step, and the time of the calls that it is known of. */
struct work_amount {
	double v, ns; /* FLOP or bytes; both 0 where nothing is known */
};

struct worksum {
	struct span op;
	struct work_side does;
	double calls; /* per step */
	struct work_amount flop, bytes;
	double bytes_ns, known_ns;       /* time of calls that bytes bound; of known ones */
	int64_t all_calls;               /* in counted steps of all traces */
	const struct digest_work **work; /* by trace; NULL: it has none of it */
	int64_t *ns, *ncalls;            /* by trace, in counted steps */
};

struct worksums {
	struct worksum *v; /* by op */
	size_t n;
	const struct side *side;
	struct side_trace *trace;
	size_t ntrace, nrun; /* nrun: that have traces */
	double comm_ns;      /* time of collectives, per step */
	bool is_known;       /* of each trace with device work some work is, and there is one */
};

/* Memory is the arena's.  O(costs log costs). */
void worksums_init(struct worksums *o, const struct side *s, struct arena *mem);

/*
 * The time per step of an op, NULL: of all ops, in run `at` of the side, as a sample of a metric
 * whose centre is the mean; by the job's steps where they are kept.  False: the run has no steps.
 */
bool worksums_sample(const struct worksums *o, const struct worksum *op, size_t at,
	struct metric_sample *x, struct arena *mem);

/* Bytes bound most of its time on the sides that have it (NULL: one has it not). */
bool worksum_is_by_bytes(const struct worksum *a, const struct worksum *b);

/* It is called as often in each trace of the side, a whole number of times in a step. */
bool worksum_is_steady(const struct worksums *o, const struct worksum *op);
