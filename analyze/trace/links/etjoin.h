/* Joining: which events of a run are which calls of an execution trace (exectrace.h).
 *
 * An execution trace is of one iteration, a trace of many.  Where events have the number of their
 * call ("Record function id") that says it.  Elsewhere the calls of a thread of the execution
 * trace, in the order in which they began, are looked for among those of the trace's threads:
 *
 *	execution trace           A B C D
 *	thread of the trace    C D A B C D A B C D A C D A B
 *	found                      [-----) [-----)(----)         as they are; then, of what is left
 *	                                                         between and in each step, those of
 *	                                                         which at least half are found, in
 *	                                                         order
 *
 * An iteration is what was found of the thread that began first, with what others began from there
 * to the next; of another thread the first in it counts. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/strings.h"
#include "analyze/trace/links/exectrace.h"

struct run;

/* A call of the execution trace that is an event of the run. */
struct etjoin_pair {
	uint32_t node;
	uint32_t row;
};

struct etjoin_iteration {
	nsec start;         /* of its first event */
	size_t pair, npair; /* by node */
};

/* How an execution trace was chosen. */
enum etjoin_choice {
	ETJOIN_TAKEN,   /* it is the run's as far as it tells */
	ETJOIN_NONE,    /* of those found beside it none is the run's */
	ETJOIN_SEVERAL, /* of those found beside it several fit alike, and none is taken */
};

/* Whose an execution trace is, by what it says of its process and its name of the rank. */
enum etjoin_owner {
	ETJOIN_OTHER_RANK,
	ETJOIN_OTHER_PROCESS,
	ETJOIN_ANYONE, /* nothing tells */
	ETJOIN_ITS_OWN
};

struct etjoin {
	const struct exectrace *et; /* borrowed; unless it is taken, the first of those meant */
	enum etjoin_choice choice;
	enum etjoin_owner owner;
	size_t near;                   /* folders that its path and the run's have in common */
	size_t ntried;                 /* execution traces there were */
	size_t nalike;                 /* those that fit as well as it does, itself too */
	const struct exectrace *alike; /* the second of them, or NULL */
	struct etjoin_iteration *iteration;
	size_t niteration;
	struct etjoin_pair *pair;
	size_t npair;
	uint32_t *node_of;      /* by row: its node, or ET_NONE */
	uint32_t *iteration_of; /* by row; of those that have one */
	size_t nrow;
	size_t ncall;    /* calls that are looked for: those of the execution trace, less steps */
	size_t whole;    /* iterations with all calls there are */
	size_t by_id;    /* pairs that the number of the call tells */
	size_t seen;     /* calls that are in any iteration */
	size_t nsteps;   /* steps of the run, where it is known to have some; else 0 */
	size_t in_steps; /* of those that have an iteration begin in them */
};

/* What a run has to be loaded with besides. */
#define ETJOIN_NEEDS (NEED_ORDER | NEED_STEPS | NEED_LINKS | NEED_CALL_IDS)

/* Joins the one of n execution traces that is the run's, as r->etjoin, which the run releases; it
 * is there also where nothing is found.  That of the run's process and rank goes before those that
 * do not say whose they are; then counts of how many calls the number is known, then how many are
 * found.  Of those that fit alike the first is taken where they were named; where they were found
 * none is, nor one that says it is another's: no pair is there then.  Needs ETJOIN_NEEDS. */
void etjoin_attach(struct run *r, const struct exectrace *et, size_t n);

/* Joins one, for etjoin_attach.  O(events + calls), but for what differs: at most ETJOIN_CELLS for
 * each stretch, and ETJOIN_CELLS_ALL for all of them. */
struct etjoin *etjoin_new(struct run *r, const struct exectrace *et);
void etjoin_free(struct etjoin *j);

/* The row of a node in an iteration, or NO_ROW.  O(log calls). */
uint32_t etjoin_row(const struct etjoin *j, size_t iteration, uint32_t node);

enum { ETJOIN_CELLS = 4 << 20, ETJOIN_CELLS_ALL = 256 << 20 };

/* ---- finding a sequence of names in another: as it is, and with gaps ---- */

struct names {
	const sym *v;
	size_t n;
};

/* Where `what` stands in `in`, from place `from` on; in.n: nowhere.  fail: find_table of `what`, at
 * what.n entries.  O(in).  Source: Knuth, Morris, Pratt, 1977. */
void find_table(struct names what, uint32_t *fail);
size_t find_next(struct names what, const uint32_t *fail, struct names in, size_t from);

/* The longest sequence that both have, in order: pair[i] is the place in b of a's i-th, or
 * UINT32_MAX.  Returns how long it is; 0 where what differs is larger than *cells, from which it is
 * taken else.  Of sequences as long the one whose pairs are first. */
size_t find_common(struct names a, struct names b, size_t *cells, uint32_t *pair);
