/*
 * Threshold files of rlhf-canary, as settings of gate.
 *
 * Source: rlhf-canary, compare/thresholds.py: a flat mapping, base_tier and what overrides it; or
 * the same as a block `thresholds` of a run's configuration, whose other keys are not looked at.
 * What overrides the tier may stand in a block `overrides`.
 */
#ifndef CMD_LOAD_THRESHOLDS_H
#define CMD_LOAD_THRESHOLDS_H

#include "base/err.h"

struct settings;

/*
 * Puts the file's values over s.  E_USAGE, E_SYNTAX, E_IO, E_LIMIT with "FILE:LINE:COLUMN: " at the
 * beginning of the text; an unknown key is an error with the nearest known one.
 */
enum status thresholds_read(struct settings *s, const char *path, struct err *e) MUST_CHECK;

#endif
