/* What flame graphs and their diff share. */
#pragma once

#include "report/chart/chart_build.h"

/* Notes what rows [from, to) put together, and which threads are left out. */
void flame_note_quiet(struct chart *c, const struct chart_rows *r, size_t from, size_t to);
