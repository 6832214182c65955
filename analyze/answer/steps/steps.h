/*
 * `steps`: what its parts share.  Private to analyze/answer/steps/.  (The store's steps, which
 * these are figures of, are in analyze/trace/steps.h.)
 */
#ifndef ANALYZE_ANSWER_STEPS_STEPS_H
#define ANALYZE_ANSWER_STEPS_STEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/classes.h"
#include "analyze/measure/ledger.h"
#include "analyze/query/each.h"
#include "analyze/query/eachstep.h"
#include "analyze/measure/roles.h"
#include "analyze/measure/stepstat.h"

#define STEPS_UNSET INT64_MIN

struct steps_options {
	int64_t limit; /* rows; STEPS_UNSET: for people a few; 0 or less: all */
	bool roles;    /* people see the roles step by step */
};

/* One run being looked at. */
struct steps_view {
	struct each *p;
	const struct steps_options *o;
	struct stepstat stat;
	struct classes classes;
	struct ledgers ledgers;
	struct roles roles;
	uint32_t **events; /* by device, then step: device events launched in it */
};

enum steps_table_id { STEPS_LEDGER, STEPS_ROLE_MEANS, STEPS_ROLES, STEPS_TABLES };
extern const struct table_doc steps_docs[STEPS_TABLES];

enum {
	STEPS_STEP,
	STEPS_DEVICE,
	STEPS_WALL,
	STEPS_COMPUTE,
	STEPS_COMM,
	STEPS_MEMCPY,
	STEPS_IDLE,
	STEPS_BUSY_RATIO,
	STEPS_UTILIZATION,
	STEPS_EVENTS,
	STEPS_MARK,
	STEPS_NAME,
	STEPS_START,
	STEPS_END,
	STEPS_BUSY,
	STEPS_KERNEL_UNION,
	STEPS_COMPUTE_KERNELS,
	STEPS_ONLY_MEMSET,
	STEPS_COMM_UNION,
	STEPS_MEMCPY_UNION,
	STEPS_MEMSET_UNION,
	STEPS_OVERLAP,
	STEPS_COUNTED,
	STEPS_OUTLIER,
	STEPS_SLOW_FIRST,
	STEPS_INCOMPLETE,
	STEPS_LEDGER_COLUMNS
};
enum { MEANS_ROLE, MEANS_MEAN, MEANS_SHARE, MEANS_SUM, MEANS_MEDIAN, MEANS_COLUMNS };
enum {
	ROLES_STEP,
	ROLES_WALL,
	ROLES_FIRST, /* one column for each role */
	ROLES_MARK = ROLES_FIRST + ROLE_COUNT,
	ROLES_COLUMNS
};

/* steps_ledger.c: a row for each step and device. */
void steps_ledger_table(struct steps_view *v);

/* steps_roles.c: the roles on average, and step by step. */
void steps_role_tables(struct steps_view *v);

/* The row limit. */
size_t steps_limit(const struct steps_view *v);

/* The step's number (absent for the whole trace) and its mark. */
void steps_put_number(const struct steps_view *v, struct table *t, size_t col, size_t i);

#endif
