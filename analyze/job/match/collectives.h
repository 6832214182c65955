/* Collectives of one run: what its devices say about meeting other ranks, kept in a digest.
 *
 * One row for each collective, send or receive on a device, in the order of starts (ties: of
 * lanes, of the file).  Times are of the rank's own clock, ns since 1970 where the trace says what
 * its zero is, else since that zero: only rank_clocks.h makes them comparable.
 *
 * What is exposed is what no computing of the device hides (kernels that are no collectives, sets),
 * as in the ledger.  Time that several collectives of a device share counts for the one that
 * started first, so that exposed times add up. */
#pragma once

#include "analyze/measure/comm/commclass.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* What makes collectives the same: each distinct one once. */
struct coll_kind {
	struct span group; /* name of the process group; empty: the trace has none */
	struct span desc;  /* its description: "default_pg", "TENSOR_MODEL_PARALLEL_GROUP" */
	struct span ranks; /* its ranks as the trace has them: "[0, 1, 2, 3]"; empty */
	struct span dtype; /* empty: unknown */
	enum comm_op op;
	int64_t bytes;    /* the message as nccl-tests count it (commclass.h); ARG_UNKNOWN */
	int64_t nrank;    /* Group size; ARG_UNKNOWN */
	int64_t src, dst; /* of sends and receives, ranks; ARG_UNKNOWN */
};

/* A stretch of a collective, and how much of it no computing work of its device hides. */
struct coll_piece {
	nsec at, span; /* from the collective's start; on a grid (collpieces.h) */
	nsec ns;       /* exposed */
};

enum { COLL_PIECES = 32 }; /* at most; where there were more, the grid is coarser */
#define COLL_NO_STEP UINT32_MAX

struct collective {
	nsec start, dur;
	nsec exposed;  /* of dur; the sum of its pieces */
	int64_t seq;   /* sequence number in its group; ARG_UNKNOWN */
	uint32_t kind; /* index in collectives.kind */
	uint32_t step; /* place among digest.step, or COLL_NO_STEP: in none that counts */
	uint32_t lane; /* a number for each stream that has collectives, by device and stream */
	uint32_t piece, npiece; /* in collectives.piece; none: all of it is hidden */
	uint32_t grid;  /* a piece begins and ends at multiples of 1 << grid ns, or with it */
	uint32_t split; /* 1 + index in collectives.split; 0: it has none */
};

/* Elements to and from each rank of an all_to_all of uneven parts. */
struct coll_split {
	const int64_t *in, *out; /* nin to each, nout from each */
	size_t nin, nout;
};

struct collectives {
	struct collective *v;
	size_t n;
	struct coll_kind *kind;
	size_t nkind;
	struct coll_piece *piece;
	size_t npiece;
	struct coll_split *split;
	size_t nsplit;
	const uint32_t *row; /* by collective: its event, in the run it was found in; NULL: it was
	                        read from a record */
	bool has_epoch;      /* times are since 1970 */
};
