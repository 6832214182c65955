/* Annotating: marks of what was found, as events of their own behind those of a trace.
 *
 * They are of category OWN_CAT, so that reading passes over them, and stand in a process of their
 * own with a row a lane: slices, instants and counters; arrows along the critical path lead from
 * work to work.  The changes of the cut are applied to them as to any event. */
#pragma once

#include "analyze/overlay/mark.h"
#include "edit/cut.h"

/* A row: marks in it nest. */
struct annotate_row {
	const char *lane;
	unsigned again; /* which of that lane */
	nsec *end;      /* of slices that are open, outermost first */
	size_t nend, end_cap;
};

struct annotating {
	struct cut *c; /* gets them in more */
	const struct run *run;
	int64_t number; /* of the trace, for ids of arrows */
	int64_t pid;
	struct annotate_row *row;
	size_t nrow, row_cap;
	int64_t nflow;
	struct str text; /* of one event */
	struct arena mem;
};

/* c: behind cut_survey, its changes set.  run: whose marks they are. */
void annotate_begin(struct annotating *a, struct cut *c, const struct run *run, int64_t number);

/* Appends those of the marks that lie in what is kept. */
void annotate_put(struct annotating *a, enum mark_source s, const struct marks *m);

void annotate_end(struct annotating *a);
