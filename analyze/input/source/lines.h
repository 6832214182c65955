/* Lines: byte offsets of oddities to line numbers, by reading the file once more up to the last
 * one. */
#pragma once

#include "analyze/trace/columns/tally.h"
#include "base/base.h"

/* Fills tally->line for every offset, and e->line when e (may be NULL) has an offset.  Does nothing
 * for what cannot be read twice (stdin, pipes): lines stay -1. */
void lines_locate(const char *path, const char *inflate, struct tally *tally, struct err *e);
