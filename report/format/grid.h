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
 * their decimal point, elastic columns come last.  To fit how->width (not 0; taken as at least 80)
 * elastic columns are cut first, down to 24; then other texts, down to 12; then columns are left
 * out: cumulative ones, then numbers from the right.  A last line names what was left out.  A table
 * of many columns and few rows that does not fit (200 without a width) is turned if it then does:
 * nothing is left out.
 * O(cells); memory does not depend on the number of rows.
 */
void grid_put(FILE *out, const struct table *t, const struct render *how);

#endif
