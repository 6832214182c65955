/* Making marks (mark.h says what they are), and finding what has an id. */
#pragma once

#include "analyze/overlay/mark.h"
#include "analyze/measure/interval.h"
#include "base/base.h"

/* "critical"; constant. */
const char *mark_source_word(enum mark_source s);

/* What a run has to be loaded with (enum need) for that source. */
unsigned marks_needs(const struct analyses *all, enum mark_source s);

/* Makes the marks of one source; memory is the arena's, and names are the run's.  The same run and
 * filter give the same marks in the same order.  E_USAGE and E_NODATA as the answer would have
 * them; a run in which there is nothing to mark has none.  Cost: that of the answer. */
enum status marks_make(struct marks *m, enum mark_source s, const struct mark_request *q,
	struct arena *mem, struct err *e) MUST_CHECK;

/* The time of an id as answers have it, in times of run->events; beside the ids of place_id_find
 * the id of a rule (G07), which means the worst place that diagnose has for it.  Needs
 * marks_needs(MARK_FINDINGS) for the latter, else order and steps.  E_USAGE: it is no id, and the
 * hint says how they look; E_NODATA: nothing in the run is called so. */
enum status marks_find(const struct mark_request *q, const char *id, struct interval *out,
	struct err *e) MUST_CHECK;
