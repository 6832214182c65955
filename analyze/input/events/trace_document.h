/* The document around the events: where in it the text is, window after window. */
#pragma once

#include "analyze/input/events/doc.h"

/* Reads text[0 .. n) (with padding, see scan.h) from state *d into the batch; base is the offset of
 * text[0] in the input.  Returns how many bytes are done with.  The rest is the beginning of
 * something incomplete, to be shown again with more text behind it.  With eof everything is done
 * with, and what is incomplete is counted as truncated. */
size_t doc_scan(const struct plan *plan, struct batch *b, struct doc *d, const char *text, size_t n,
	int64_t base, bool eof);

/* The last place in text[1 .. n) where an event seems to begin, or 0. */
size_t doc_last_anchor(const char *text, size_t n);
