/* Classes: the category of an event that has none, by what else it says.
 *
 * PyTorch's exporter writes no categories.  Its device work is on tracks that are called streams,
 * its calls, frames and operators have annotations of their own (docs/formats.md). */
#pragma once

#include "analyze/input/format/proto/keys.h"
#include "analyze/input/format/proto/tracks.h"

/* A category as Kineto spells it, with padding behind; p NULL: nothing says which. */
struct span class_of(unsigned says, struct span name, const struct track *t);

/* Kineto's word for a category of ROCm's tools or a stage of a device's queue; else as it is. */
struct span class_spelling(struct span category, struct span name);
