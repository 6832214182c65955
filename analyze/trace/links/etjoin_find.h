/*
 * Finding a sequence of names in another: as it is, and with gaps.
 */
#ifndef ANALYZE_TRACE_LINKS_ETJOIN_FIND_H
#define ANALYZE_TRACE_LINKS_ETJOIN_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/columns/strings.h"

struct names {
	const sym *v;
	size_t n;
};

/*
 * Where `what` stands in `in`, from place `from` on; in.n: nowhere.  fail: find_table of `what`, at
 * what.n entries.  O(in).  Source: Knuth, Morris, Pratt, 1977.
 */
void find_table(struct names what, uint32_t *fail);
size_t find_next(struct names what, const uint32_t *fail, struct names in, size_t from);

/*
 * The longest sequence that both have, in order: pair[i] is the place in b of a's i-th, or
 * UINT32_MAX.  Returns how long it is; 0 where what differs is larger than *cells, from which it is
 * taken else.  Of sequences as long the one whose pairs are first.
 */
size_t find_common(struct names a, struct names b, size_t *cells, uint32_t *pair);

#endif
