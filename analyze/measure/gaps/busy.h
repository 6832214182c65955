/* Busy: how long a device works, and how long of that in windows of time.
 *
 * The same figures as those of a list of intervals (interval.h), without the list: it has as many
 * entries as there are gaps, which is nearly one for each event of a device with one stream. */
#pragma once

#include "analyze/measure/interval.h"
#include "base/base.h"

/* The time at least one event of KINDS_DEVICE on `device` takes, over all its streams; ns[i]
 * receives its part inside of window[i].  Windows may come in any order, overlap and be empty; end
 * >= start.  Needs r->order.  O(events log streams + n log n). */
nsec busy_of_device(
	const struct run *r, int64_t device, const struct interval *window, size_t n, nsec *ns);
