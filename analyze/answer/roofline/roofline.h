/* `roofline`: what its parts share.  Private to analyze/answer/roofline/. */
#pragma once

#include "analyze/analysis/perrun.h"
#include "analyze/costmodel/columns.h"
#include "analyze/costmodel/roof.h"
#include "analyze/costmodel/sum.h"
#include "analyze/measure/device/hwcounters.h"
#include "base/opt.h"

struct roofline_options {
	int64_t limit;
	const char *by, *sort, *peak;
};

#define ROOFLINE_BYS(X)               \
	X(ROOFLINE_BY_SHAPE, "shape") \
	X(ROOFLINE_BY_OP, "op") X(ROOFLINE_BY_MODULE, "module") X(ROOFLINE_BY_PHASE, "phase")
enum roofline_by { ROOFLINE_BYS(OPT_ID) };

/* The order of rows. */
#define ROOFLINE_SORTS(X) \
	X(SORT_TIME, "time") X(SORT_ABOVE, "above") X(SORT_CALLS, "calls") X(SORT_FLOP, "flop")
enum roofline_sort { ROOFLINE_SORTS(OPT_ID) };

/* What makes a row of the table; fields that do not are 0.  No padding: a key of a keymap. */
struct roofline_key {
	sym name, dims, types;
	uint32_t is_kernel;
	int64_t flop, bytes; /* of one call: arguments that are not shown make others */
};

struct roofline_group {
	struct roof_sum sum;
	uint32_t cost; /* one of them */
	uint32_t phase;
	bool is_mixed;               /* of different costs a call */
	const struct fastconv *fast; /* how its convolutions are made, by half; NULL: they differ */
};

struct roofline {
	struct perrun *p;
	const struct roofline_options *o;
	enum roofline_by by;
	struct roof roof;
	struct keymap keys; /* struct roofline_key */
	struct roofline_group *group;
	size_t cap;
	nsec busy;       /* of all devices */
	nsec unrecorded; /* of all devices, before their first recorded work */
};

/* roofline_words.c */
void roofline_head_table(struct roofline *x);
/* roofline_ops.c: the groups, and their table. */
void roofline_groups(struct roofline *x);
/* Whether some calls are convolutions by Winograd or FFT. */
bool roofline_is_fast(const struct roofline_group *g);
void roofline_ops_table(struct roofline *x);
/* roofline_tables.c */
struct table *roofline_steps_table(struct roofline *x); /* NULL: there is none */
/* roofline_measured.c: below MFU and HFU, which it takes from the table of steps. */
void roofline_measured_table(struct roofline *x, const struct table *steps);
void roofline_peaks_table(struct roofline *x);
void roofline_coverage_table(struct roofline *x);

#define TABLES_DEF "analyze/answer/roofline/roofline_tables.def"
#include "base/table_names_impl.h"
