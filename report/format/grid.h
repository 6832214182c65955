/*
 * A table as rows under headings, for a terminal.
 */
#ifndef REPORT_FORMAT_GRID_H
#define REPORT_FORMAT_GRID_H

#include <stdio.h>

#include "base/table.h"
#include "report/format/renderer.h"

/* SGR sequences, where how->color allows them; they only repeat what position and words say. */
#define SGR_BOLD "\033[1m"
#define SGR_DIM  "\033[2m"
#define SGR_OFF  "\033[0m"

/*
 * Writes headings, rows and foot rows of t, without title and footnote.  Numbers are aligned at
 * their decimal point, elastic columns come last.  To fit how->width (not 0) names are shortened
 * (base/name/name.h) and other elastic columns cut, down to 28 (half of a narrow line); then other
 * texts go on below themselves, down to their longest word; then columns are left out: cumulative
 * ones, then numbers from the right, then texts.  Numbers, and texts that are figures, are never
 * cut.  A last line names what was left out.  A table of many columns and few rows that does not
 * fit (200 without a width) is turned if it then does: nothing is left out. O(cells); of the rows
 * only names are kept.
 */
void grid_put(FILE *out, const struct table *t, const struct render *how);

#endif
