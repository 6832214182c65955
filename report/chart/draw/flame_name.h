/*
 * Names of frames in the room their boxes have.
 */
#ifndef REPORT_CHART_DRAW_FLAME_NAME_H
#define REPORT_CHART_DRAW_FLAME_NAME_H

#include "base/str.h"

/*
 * Appends the name in at most `letters` columns, one harmless line; nothing where only a letter or
 * two would be left.  Of a Python function, "path/file.py(12): name" or "name (path/file.py:12)",
 * the folders go first, then the file; what is left is cut at its end.  Others as base/name/name.h
 * says.
 */
void flame_name(struct str *b, const char *name, size_t letters);

#endif
