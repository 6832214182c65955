/* Lanes for viewers that drop or misplace slices which overlap on one lane (Perfetto).
 *
 * All slices (ph X) of the input are looked at, kept or not; what would tear another goes to a
 * further lane of its process, which is named after its own: "stream 7 (2)" (lanes_place.h).  Work
 * of streams that do nothing but replay graphs is put on as few lanes as it needs, "graphs", of its
 * process.  Arguments stay, device and stream among them; and events of name LANE_HOME_NAME say
 * which lane a further one belongs to, so that reading gives each stream and thread what is its
 * own.
 *
 * Ends of arrows (ph s, t, f) go with the slice they lie in: the one of their call, else the
 * innermost of their lane.  Names and sort indexes of lanes stay, further ones get their own.
 * Instants, counters and asynchronous events overlap nothing and stay; begins and ends (ph B, E)
 * nest by themselves and stay, too: slices are not moved out of their way.  Events that are no JSON
 * stay where they are. */
#pragma once

#include "edit/companion.h"

/* For one trace; its clear releases what it holds. */
struct companion lanes_companion(void);
