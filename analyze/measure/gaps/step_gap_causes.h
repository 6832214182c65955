/* Waiting: what each device waited for in each step, exactly.
 *
 * The gaps of a device (gaps.h), split (gap_cause.h) and summed up by step: the parts of a step add
 * up to its idle time in the ledger (ledger.h), in integer ns, always. */
#pragma once

#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/partition.h"
#include "analyze/measure/gaps/gap_cause.h"
#include "analyze/measure/gaps/gaps.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct step_gap_causes {
	struct devices devices;       /* those with work, whatever the filter takes */
	struct partition_sums **step; /* by device, then by step: ns by enum gap_cause; NULL: too
	                                 many    steps x devices */
	struct partition_sums **side; /* the same: see struct step_waits */
	struct gap_notes *notes;      /* by device: of the gaps that were gone over */
};

/* What a device waited for. */
struct step_waits {
	nsec ns[GAP_CAUSE_COUNT]; /* adds up to its idle time */
	nsec long_host;           /* of GAP_CAUSES_HOST: in gaps of GAP_CAUSES_LONG_NS or more */
	nsec behind;              /* of all but SYNC: behind a call that waited for the device */
	nsec late; /* of that: the sync's rather than the host's, gap_cause_is_late */
};

/* Needs order, links and steps.  v's --cat, --device and --stream choose device work; all steps are
 * looked at.  O(n log streams).  Memory is the arena's: 256 bytes for each step and device, some 24
 * for each gap. */
void step_gap_causes_init(struct step_gap_causes *w, const struct run *r,
	const struct filter_view *v, struct arena *mem);

/* Of a device, for gaps under the same filter; NULL: there are none. */
const struct gap_notes *step_gap_causes_notes(const struct step_gap_causes *w, int64_t device);

/* What a device waited for in a step (index in run->steps) is added to sum; nothing where the
 * device is not known. */
void step_gap_causes_add(
	const struct step_gap_causes *w, int64_t device, size_t step, struct step_waits *sum);
