/* Lanes of a timeline: what is drawn, and where; for chart_timeline.c and what a page has more. */
#pragma once

#include "report/chart/chart_build.h"

enum { TIMELINE_SERIES = 2 * WORK_KINDS };

/* What a page asks for the critical path, all of its pieces. */
#define TIMELINE_PATH "critical --list --limit=0"

/* The rows that are drawn, and where. */
struct lanes {
	struct chart_rows rows;
	struct place {
		double at, start, rate; /* of its time, on the axis, and how fast that goes */
	} * place;                      /* by input of a row's table; NULL: by its own time */
	bool is_one;                    /* input */
	size_t *lane;                   /* by row: its lane, or SIZE_MAX */
	uint8_t *series;                /* by row: its place among series */
	double whole;                   /* ns that are shown of an input, the most */
};

/* The series that were put are of rows in their order; they get what the details say. */
void lanes_put_details(struct chart *c, struct chart_panel *p, const struct lanes *l,
	const struct chart_rows *details);

/* Where findings are worst, as lines that last. */
void lanes_put_findings(struct chart *c, struct chart_panel *p, const struct answers *in,
	const struct chart_rows *slices);

/* The critical path as the last series, in order of time: from, to, lane and owner of each piece.
 */
void lanes_put_path(
	struct chart *c, struct chart_panel *p, const struct answers *in, const struct lanes *l);
