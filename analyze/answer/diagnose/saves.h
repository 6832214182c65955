/* What mending a finding could save at most.
 *
 * Its share of the time is one bound: that is what it was measured to take.  Where the rule knows a
 * scenario the steps are timed again without it (predict.h), which is another: what else is as long
 * is not saved.  The smaller counts; what freeing something saves of others' waiting is theirs. */
#pragma once

#include "analyze/answer/diagnose/profile.h"
#include "analyze/depgraph/predict.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/rule/finding.h"

/* Sets saves and is_predicted of what was found, and says so in the text where it is less than half
 * of its share.  O(nodes).  t gets the times of nodes. */
void saves_of(const struct profile *x, struct finding *f, struct whatif_times *t);
