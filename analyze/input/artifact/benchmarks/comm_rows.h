/* Collectives that were measured without a trace, as rows of a sheet: one for each size, rank and
 * communicator. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/trace/columns/strings.h"

struct comm_rows {
	struct reading *in;
	struct sheet *sheet;
	struct strings names; /* what has a row of it */
};

/* A call of one; NAN: not known.  Texts are the caller's. */
struct comm_call {
	struct span op, group, timing;
	double bytes, rank, ranks;
	double ns, transit_ns, wait_ns, sync_ns;
	double algorithm, bus; /* GB/s */
};

void comm_rows_open(struct comm_rows *r, struct reading *in);

/* A call without a name or a time is none. */
void comm_rows_add(struct comm_rows *r, const struct comm_call *call);

/* Bandwidths are means weighted by time: bytes over time, as all calls of a row are of one size. */
void comm_rows_close(struct comm_rows *r);
