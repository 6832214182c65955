/* What building links keeps between its parts.  Private to analyze/trace/links/links*.c. */
#pragma once

#include "analyze/trace/columns/args.h"
#include "analyze/trace/columns/idmap.h"

struct links;
struct run;

struct links_work {
	struct idmap launch_of; /* correlation -> row of the call that counts */
	struct idmap op_of;     /* External id of a device row without a launch -> row of its op */
	uint32_t *fanout;       /* by launch side row: device events it launched */
	uint32_t *device_row;   /* by device side row + 1, as in events.args: its event */
	uint32_t *launch_row;   /* by launch side row + 1: its event */
	bool has_shared_ids;    /* calls of several processes have the same correlation */
};

/* A column of ids; empty when it is not kept. */
struct id_column {
	const uint32_t *id;
	size_t n;
};

struct id_column links_ids(const struct run *r, enum arg arg);

/* links_processes.c: of work whose correlation calls of several processes have, the call of the
 * process that its stream is of.  Needs l->launch and fanout, which it corrects. */
void links_processes(struct links *l, const struct run *r);

/* links_external.c: op_of.  Needs l->launch. */
void links_external(struct links *l, const struct run *r);
