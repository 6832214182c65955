/*
 * Cells of tables that monitors print.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_CELLS_H
#define ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_CELLS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { SMI_CELLS = 64 };

struct smi_cells {
	struct span v[SMI_CELLS]; /* borrowed from the line; never NULL */
	size_t n;
};

/*
 * A line's cells: between commas; or words; or, of a wide table, what is apart by two blanks or
 * more.  Those behind the last that there is room for are left out.
 */
void smi_cells_split(struct span line, bool has_commas, bool is_wide, struct smi_cells *c);

#endif
