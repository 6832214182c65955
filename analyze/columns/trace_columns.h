/* Columns: the rows of the schema's tables of one run, read where they are.
 *
 * Nothing of the store is copied: a cell is looked up when it is asked for.  What a table needs
 * beside (which rows are kernels, where gaps are) is made when its rows are first counted. */
#pragma once

#include "analyze/columns/schema.h"
#include "analyze/measure/account.h"
#include "analyze/measure/comm/commclass.h"
#include "analyze/measure/device/classes.h"
#include "analyze/trace/run.h"

struct series;

/* Rows of the run that are rows of a table. */
struct columns_rows {
	uint32_t *v;
	size_t n, cap;
};

/* What is kept of a gap, and of a stretch of it that is of one cause. */
struct columns_gap {
	int64_t device;
	nsec start, end, covered, behind;
	uint32_t prev, next, launch, doing, held;
	enum gap_cause cause;
};
struct columns_gap_part {
	nsec start, end;
	uint32_t gap, held;
	enum gap_cause cause;
};

/* A device in a step. */
struct columns_account {
	uint32_t step;
	int64_t device;
	struct account a;
};

/* A point, or of a series that is not exact a block of them. */
struct columns_point {
	const struct series *series;
	sym name, group, file;
	int64_t n;
	double x, value, min, max;
};

struct columns {
	const struct run *run;
	const struct table *findings; /* as `diagnose` answers; NULL: nobody asked it */
	sym file;                     /* the run's path for people, of own */
	struct strings own;
	bool is_made[SCHEMA_TABLES];
	struct classes classes;
	bool has_classes;
	const bool *counts;                      /* by step: it is in the window; NULL: all are */
	struct columns_rows rows[SCHEMA_TABLES]; /* of tables of events of some kinds */
	struct columns_account *account;
	size_t naccount, account_cap;
	struct columns_gap *gap;
	size_t ngap, gap_cap;
	struct columns_gap_part *part;
	size_t npart, part_cap;
	struct columns_point *point;
	size_t npoint, point_cap;
	struct arena mem;
};

/* Borrows the run, which was loaded with the needs of what is asked (enum need, of its tables and
 * columns), and the findings, which may be NULL.  columns_clear releases. */
void columns_init(
	struct columns *c, const struct run *r, const char *file, const struct table *findings);
void columns_clear(struct columns *c);

/* Whether the run is one that tables are of: it has a trace, or series of a log. */
bool columns_can(const struct run *r);

/* How many rows a table has; the first time, they are found.  Cells are asked for after that. */
size_t columns_rows(struct columns *c, enum schema_table_id table);

/* What a text id of a dictionary means; empty for SCHEMA_NO_TEXT.  Ids are below columns_texts. */
struct span columns_text(const struct columns *c, enum schema_dictionary d, uint32_t id);
size_t columns_texts(const struct columns *c, enum schema_dictionary d);

/* The id of a text in a dictionary, SCHEMA_NO_TEXT where it is none of its texts. */
uint32_t columns_find_text(const struct columns *c, enum schema_dictionary d, struct span text);
