/* How steps are made: marks are found, then device work is given to them.  Private to steps*.c. */
#pragma once

struct run;
struct steps;

/* steps_find.c: the steps ProfilerStep#N marks, those a repeated annotation does; maybe none. */
void steps_find_profiler(const struct run *r, struct steps *s);
void steps_find_annotation(const struct run *r, struct steps *s);
/* The whole run as one step; none when no slice is in it.  Needs links to see launches. */
void steps_take_whole(const struct run *r, struct steps *s);

/* steps_device.c: of_device, ndevice and incomplete; then, where the host runs ahead, the cut. */
void steps_assign_device(const struct run *r, struct steps *s);
void steps_mark_incomplete(const struct run *r, struct steps *s);
void steps_cut_on_device(const struct run *r, struct steps *s);
