/* Charts as pages of their own: one HTML file that loads nothing.  Boxes in rows (flames, lanes)
 * can be zoomed, searched and summed there (tiles.js); other panels are pictures as documents have
 * them. */
#pragma once

#include "base/base.h"
#include "report/chart/chart.h"

/* How a page of traceq's begins, before the chart's id. */
#define TILES_MARK "<!DOCTYPE html><!-- traceq: "

/* The scripts of pages of boxes in rows, as a policy names them. */
extern const char tiles_hashes[];

/* Appends the page. */
void tiles_page(struct str *out, const struct chart *c);
