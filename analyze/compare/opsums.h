/*
 * Op sums: the rows of all traces of a side, added up by name, and matched with the other side's.
 */
#ifndef ANALYZE_COMPARE_OPSUMS_H
#define ANALYZE_COMPARE_OPSUMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/compare/digest.h"
#include "base/arena.h"

struct side;

enum opsums_by {
	OPSUMS_CALL, /* device work by name and launching op; host calls by name */
	OPSUMS_OP,   /* by launching op; what has none by its own name */
	OPSUMS_NAME, /* by name */
	OPSUMS_SHAPE /* as OPSUMS_CALL, and by input shapes */
};

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
	int64_t all_calls, all_ns;     /* in the traces as a whole; -1 for single shapes */
	const struct opsum_item *item; /* its rows, by trace */
	size_t nitem;
};

struct opsums {
	struct opsum *v; /* by key */
	size_t n;
	size_t ntrace;
	size_t nstep; /* counted steps of all traces */
};

/* host: host calls, else device work.  Memory is the arena's.  O(rows log rows). */
void opsums_init(
	struct opsums *o, const struct side *s, bool host, enum opsums_by by, struct arena *mem);

int opsum_compare(const struct opsum_key *a, const struct opsum_key *b);

/* "aten::copy_ (Memcpy HtoD)"; memory is the arena's. */
const char *opsum_name(const struct opsum_key *key, struct arena *mem);

/*
 * Samples of a row (NULL: a row without work): its time in each step, averaged over the ranks, run
 * by run; with per_run, the mean over the steps of each run.  Steps of ranks are matched by their
 * place.  Returns how many values were written to v, which has room for sides_steps(s); 0 when a
 * trace has not kept its steps.
 */
size_t opsum_values(
	const struct opsum *row, const struct side *s, bool per_run, double *v, struct arena *mem);

#endif
