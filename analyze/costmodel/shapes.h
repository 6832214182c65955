/*
 * Shapes of a call for people: "[512] [141,512] .." of "[[512], [141, 512], [512, 512], [], []]".
 */
#ifndef ANALYZE_COSTMODEL_SHAPES_H
#define ANALYZE_COSTMODEL_SHAPES_H

#include "base/arena.h"
#include "base/str.h"

/*
 * Those of the first tensors, as many as have room, in memory of the arena; "" without any.  It is
 * a text of short words, a shape each, which a narrow line can break.
 */
struct span roof_shapes_text(struct span dims, struct arena *mem);

#endif
