/* Marks on lanes as a picture of letters: a line for each device, stream and thread, as wide as the
 * terminal, under a ruler of time and the steps. */
#pragma once

#include "report/format/renderer.h"

/* Appends t, of TABLE_LANES: rows have the columns of `timeline`'s marks (lane, sort, kind, name,
 * at_ns, length_ns, busy_ns), those of a lane together.  A column of text is an equal part of the
 * time of the row `whole`; its height, or case, says how much of it is busy, its colour or letter
 * with what most of it is.  Gaps of devices have their cause in them where it fits; the longest are
 * listed.  Colours and blocks as `how` allows; width 0: 160 columns.  Lines end with \n and no
 * spaces. */
void lanes_put(struct str *out, const struct table *t, const struct render *how);
