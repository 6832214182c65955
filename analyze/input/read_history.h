/* Histories from text: stores of baselines, and CSV files. */
#pragma once

#include "analyze/trace/history.h"
#include "base/base.h"

/* The text begins as a store does. */
bool history_is_store(struct span text);

/*
 * Reads a store, one JSON object a line, or else CSV with a heading: columns of numbers are
 * metrics; one called commit, sha or revision, and the first other one (a date, a label), name the
 * runs; empty cells are unknown.  A torn last line is left out and counted in *torn.  E_SYNTAX with
 * byte and line for anything else; E_LIMIT; E_NODATA without a run.  *h is initialised in any case.
 */
enum status history_read(struct history *h, struct span text, const char *path, size_t *torn,
	struct err *e) MUST_CHECK;
