/* What charts of memory over time share: where it ended, and its blocks. */
#pragma once

#include "report/chart/chart_build.h"

/* Where memory of the device of curve's row ran out, and what there was of it, as lines. */
void memory_limits(struct chart *c, struct chart_panel *p, const struct answers *in,
	const char *ask, const struct chart_rows *curve, size_t row);

/* A page of one device's blocks; false: none are known. */
bool memory_blocks(
	struct chart *c, const struct answers *in, const char *ask, const struct chart_rows *curve);
