/* Stretches: what a piece of a run's time is called, so that a person can type it.
 *
 *	gap:0@31294811      the gap of device 0 that this moment is in, from the end of the last
 *	                    work before it to the next start
 *	path@31294811+4821  so long from this moment on: a piece of the critical path
 *	G07@31294811+4821   the same: the place of a finding of rule G07
 *	step:7              step 7, as its figures see it
 *
 * Times count from the first event of the file, in ns.  A person may give them a unit: 31.3ms.  An
 * id says where in time something is, and not which row it was in: so it means the same whatever
 * was chosen, sorted or left out where it was read.
 *
 * A gap's id is that of the whole gap, also where a window shows but a part of it.  Of some of the
 * work (--stream, --cat) the gaps are others, and their ids have a length: gap:0@31294811+4821. */
#pragma once

#include "analyze/measure/interval.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* What ids look like: of gaps, of pieces of the path, of findings; docs/json.md. */
#define PLACE_ID_GAP_PATTERN     "^gap:-?[0-9]+@-?[0-9]+([+][0-9]+)?$"
#define PLACE_ID_PATH_PATTERN    "^path@-?[0-9]+[+][0-9]+$"
#define PLACE_ID_FINDING_PATTERN "^[A-Z][0-9]{2}@-?[0-9]+[+][0-9]+$"

struct filter_view;
struct gap;

/* From where times in ids count: the first event; 0 where there is none. */
nsec place_id_zero(const struct run *r);

/* "path@31294811+4821" of [start, end); `what` is a word without @.  Memory is the arena's. */
struct span place_id(
	const struct run *r, const char *what, nsec start, nsec end, struct arena *mem);

/* "gap:0@31294811".  v: through which filter it was found (gaps.h); NULL: through none. */
struct span place_id_of_gap(const struct run *r, const struct filter_view *v, int64_t device,
	const struct gap *g, struct arena *mem);

/* "step:7".  Memory is the arena's. */
struct span place_id_of_step(int64_t number, struct arena *mem);

/* The time that an id means, in times of r->events.  Needs order and steps.  E_USAGE: it is none,
 * and the hint says how they look; E_NODATA: nothing in the run is called so: no such device, no
 * such step, work at that moment.  O(events of the device). */
enum status place_id_find(
	const struct run *r, const char *id, struct interval *out, struct err *e) MUST_CHECK;
