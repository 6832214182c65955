/* Spans of one lane in the order of time, whatever order they came in: a few bytes each.
 *
 * Some thousand at a time are sorted and packed as differences; reading merges these pieces. */
#pragma once

#include "analyze/trace/columns/events.h"

enum span_what {
	SPAN_CALL,   /* on a host's thread: may hold others */
	SPAN_WORK,   /* of a device: holds no other work */
	SPAN_REGION, /* on a device's lane, around its work */
	SPAN_POINT   /* an arrow's end */
};

struct spanned {
	nsec start, dur;
	int64_t offset; /* of the event in the input */
	uint64_t call;  /* correlation; 0: none */
	uint32_t lane;  /* number among those that are read together */
	enum span_what what;
};

/* Zero-initialise; spans_add of all, spans_seal, then reading; spans_clear in any case. */
struct spans {
	struct spanned *fresh; /* not packed yet */
	size_t nfresh, fresh_cap;
	struct str packed;
	size_t *piece; /* where each begins in packed */
	size_t npiece, piece_cap;
};

void spans_add(struct spans *s, const struct spanned *v);
void spans_seal(struct spans *s);
void spans_clear(struct spans *s);

/* By start; of equal starts slices before points, the longer ones first, then as in the file. */
int spans_by_time(const void *a, const void *b);

/* Reads several lanes as one. */
struct spans_reader {
	struct spans_cursor *cursor; /* a heap, the earliest first */
	size_t n;
};

/* of: n lanes, sealed, whose spans get lane 0, 1, ...; they must live as long as the reader. */
void spans_read(struct spans_reader *r, const struct spans *const *of, size_t n);
bool spans_next(struct spans_reader *r, struct spanned *v);
void spans_read_end(struct spans_reader *r);
