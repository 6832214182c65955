/*
 * The calls of runs over time, written as they are walked: memory does not depend on how many there
 * are, beyond what the run is.
 */
#ifndef CMD_CALLSTACKS_H
#define CMD_CALLSTACKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/str.h"

struct filter_view;
struct run;

/*
 * Writes the calls of a run as speedscope's JSON to out: a profile for each thread and stream, in
 * ns since the first call that is written.  kinds: of KINDS_HOST_TREE, KIND_PYTHON and
 * KINDS_DEVICE.  What the view does not take, by its name, too, is left out.  name: of the file.
 * *ncrossing receives how many calls stand in a profile of their own, as they begin inside another
 * one and end after it; NULL: nobody asks.  Needs r->order.  E_NODATA, with nothing written, where
 * there is no call; E_IO.  The same run gives the same bytes.  4 bytes a distinct name, and what
 * nesting_walk takes.
 */
enum status callstacks_speedscope(FILE *out, const struct run *r, struct filter_view *view,
	unsigned kinds, struct span name, size_t *ncrossing, struct err *e) MUST_CHECK;

#endif
