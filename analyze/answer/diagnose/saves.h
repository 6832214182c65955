/*
 * What mending a finding could save at most.
 *
 * Its share of the time is one bound: that is what it was measured to take.  Where the rule knows a
 * scenario the steps are timed again without it (predict.h), which is another: what else is as long
 * is not saved.  The smaller counts; what freeing something saves of others' waiting is theirs.
 */
#ifndef ANALYZE_ANSWER_DIAGNOSE_SAVES_H
#define ANALYZE_ANSWER_DIAGNOSE_SAVES_H

#include "analyze/answer/diagnose/profile.h"
#include "analyze/depgraph/predict.h"
#include "analyze/rule/finding.h"

/* The dependencies of the run, made when the first finding asks. */
struct saves {
	const struct profile *profile;
	bool is_made;
	struct depend depend;
	struct predict predict;
	struct whatif_times times; /* of the last scenario */
};

/* Sets saves and is_predicted of what was found, and says so in the text where it is less than half
 * of its share.  O(events) for the first with a scenario; O(nodes) for each. */
void saves_of(struct saves *s, struct finding *f);
void saves_clear(struct saves *s);

#endif
