/*
 * Op sums: the rows of all traces of a side, added up by name, and matched with the other side's.
 */
#pragma once

#include "analyze/job/digest/digest.h"
#include "base/base.h"
#include "base/opt.h"

struct jobsteps;
struct side;
struct side_run;

#define OPSUMS_BYS(X)                                                                             \
	X(OPSUMS_OP, "op") /* device work by launching op; what has none, and host calls, by name \
	                    */                                                                    \
	X(OPSUMS_SHAPE, "shape") /* the same, and by input shapes */                              \
	X(OPSUMS_CALL, "call")   /* device work by launching op and name */                       \
	X(OPSUMS_NAME, "kernel") /* by name */
enum opsums_by { OPSUMS_BYS(OPT_ID) };

/* What a row is known by; texts live as long as the digests. */
struct opsum_key {
	struct span name, op, dims; /* empty: not part of the key, or unknown */
	enum kind kind;
};

/* A digest's row, or one shape of it. */
struct opsum_item {
	struct opsum_key key;
	uint32_t trace; /* index of the trace on its side */
	const struct digest_op *op;
	const struct digest_shape *shape; /* NULL: all of it */
};

struct opsum {
	struct opsum_key key;
	uint32_t place;                /* the smallest of its rows, in the order of first sight */
	int64_t calls, ns;             /* in counted steps of all traces */
	double step_calls, step_ns;    /* per step: means over runs of means over their ranks */
	int64_t all_calls, all_ns;     /* in the traces as a whole; -1 for single shapes */
	const struct opsum_item *item; /* its rows, by trace */
	size_t nitem;
};

struct opsums {
	struct opsum *v; /* by key */
	size_t n;
	struct opsum_item *item; /* of all rows, in their order */
	size_t nitem;
	struct side_trace *trace;
	size_t ntrace;
	size_t nrun;  /* that have traces */
	size_t nstep; /* counted steps of all traces */
};

/* host: host calls, else device work.  Memory is the arena's.  O(rows log rows). */
void opsums_init(
	struct opsums *o, const struct side *s, bool host, enum opsums_by by, struct arena *mem);

/* Two sides by op and shape: the rows of an op whose shapes one side alone has, where both sides
 * have such, become one row of the op with OPSUMS_OTHER_SHAPES, for they are the same work with
 * another batch.  O(rows log rows + rows of an op squared). */
#define OPSUMS_OTHER_SHAPES "(other shapes)"
void opsums_join_shapes(struct opsums *base, struct opsums *now, struct arena *mem);

int opsum_compare(const struct opsum_key *a, const struct opsum_key *b);

/* "aten::copy_ (Memcpy HtoD)"; memory is the arena's. */
const char *opsum_name(const struct opsum_key *key, struct arena *mem);

/* The mean time per step of a row in one run of the side.  Its work is 0 where it has none. */
double opsum_run_ns(const struct opsums *o, const struct opsum *row, size_t run);

/* A row's time in each of the job's steps of a run, averaged over the ranks; v has room for them.
 * False when a trace has not kept its steps. */
bool opsum_run_values(const struct opsums *o, const struct opsum *row, const struct side_run *run,
	size_t at, const struct jobsteps *steps, double *v);

/* The row is called as often in each trace of the side, a whole number of times in a step. */
bool opsum_is_steady(const struct opsums *o, const struct opsum *row);
