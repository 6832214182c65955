/* `steps`: what its parts share.  Private to analyze/answer/steps/.  (The store's steps, which
 * these are figures of, are in analyze/trace/run_steps.h.) */
#pragma once

#include "analyze/analysis/fields.h"
#include "analyze/analysis/perrun.h"
#include "analyze/measure/roles.h"
#include "analyze/measure/window.h"

struct steps_options {
	int64_t limit; /* rows; below 0: for people a few; 0: all */
	bool roles;    /* people see the roles step by step */
};

/* One run being looked at. */
struct steps_view {
	struct perrun *p;
	const struct steps_options *o;
	struct window window;
	struct stepstat stat; /* the window's */
	struct classes classes;
	struct ledgers ledgers;
	struct step_gap_causes waiting;
	struct roles roles;
	uint32_t **events; /* by device, then step: device events launched in it */
};

#define TABLES_DEF "analyze/answer/steps/steps_tables.def"
#include "base/table_names_impl.h"

enum { ROLES_FIRST = ROLES_KERNEL }; /* one column for each role */
_Static_assert(ROLES_MARK == ROLES_FIRST + (int)ROLE_COUNT, "a column for each role");

/* steps_tables.c: a row for each step and device; the roles on average, and step by step. */
void steps_ledger_table(struct steps_view *v);
/* What odd steps do; for people only where there are some. */
void steps_kind_table(struct steps_view *v);
void steps_role_tables(struct steps_view *v);
