/* Gathering the rows of a digest.  Private to analyze/job/digest/digest*.c. */
#pragma once

#include "analyze/job/digest/digest.h"
#include "analyze/measure/device/classes.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "analyze/trace/filter.h"
#include "base/base.h"

/* A run being digested. */
struct digest_view {
	struct digest *d;
	const struct digest_options *o;
	const struct run *run;
	struct filter_view *view;
	const struct classes *classes;
	uint32_t *place; /* by step of the run: 1 + its place among the counted ones, or 0 */
	struct arena scratch;
};

struct gather_key {
	sym name, op; /* of gather.texts */
	uint32_t kind, zero;
};

struct gather_row {
	struct digest_op op;
	nsec first; /* the earliest start */
};

struct gather_shape {
	uint32_t row;
	sym dims; /* of the run */
};

/* Rows by normal names. */
struct gather {
	const struct digest_view *v;
	struct strings texts; /* normal names */
	sym *normal;          /* by sym of the run: 1 + sym in texts; 0 not asked yet */
	struct keymap keys;   /* struct gather_key */
	struct gather_row *row;
	size_t row_cap;
	struct keymap shapes; /* struct gather_shape */
	struct digest_shape *shape;
	size_t shape_cap;
	size_t cells; /* values by step that are kept */
};

/* One call or piece of device work. */
struct gather_item {
	sym name, op; /* of the run; op 0: unknown or none */
	enum kind kind;
	nsec start, ns;
	uint32_t place;  /* 1 + of its counted step, or 0 */
	uint32_t op_row; /* whose shapes it has; NO_ROW: none */
};

void gather_init(struct gather *g, const struct digest_view *v);
void gather_add(struct gather *g, const struct gather_item *item);
/* Moves the rows to *out, in the digest's memory, and releases the rest. */
void gather_finish(struct gather *g, struct digest_ops *out);

/* digest_device.c, digest_host.c, digest_env.c */
void digest_device(struct digest_view *v);
void digest_phases(struct digest_view *v);
void digest_host(struct digest_view *v);
void digest_env(struct digest_view *v);
void digest_memory(struct digest_view *v);

/* digest_collectives.c */
void digest_collectives(struct digest_view *v);

/* digest_timing.c */
void digest_timing(struct digest_view *v);

/* digest_work.c */
void digest_work(struct digest_view *v);

/* digest_env.c */
void digest_record(struct digest *d, const struct run *r);

/* ---- names of the same work in two runs: what changes from run to run is taken out ---- */

/* Appends name to out with addresses as 0x*, whole numbers among template arguments as # (unroll
 * and vector widths, tile sizes) and the number of ProfilerStep#N as *.  O(n). */
void opname_normal(struct str *out, struct span name);
