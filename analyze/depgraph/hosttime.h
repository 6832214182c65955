/*
 * Host time: what a thread was in, piece by piece, between one moment and the next.
 *
 * A piece is a stretch in which the innermost call stays the same; the pieces of a stretch add up
 * to it.
 */
#ifndef ANALYZE_DEPGRAPH_HOSTTIME_H
#define ANALYZE_DEPGRAPH_HOSTTIME_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/depgraph/nodes.h"
#include "analyze/depgraph/hostwhat.h"
#include "analyze/trace/columns/events.h"

struct host_piece {
	nsec start, end;
	uint32_t row; /* the innermost call, or NO_ROW */
	enum host_class cls;
	double factor; /* see host_scale_fn; 1 without one */
};
typedef void host_piece_fn(void *ctx, const struct host_piece *p);

/*
 * What a call and all it calls is scaled by, beside what is around it: asked once when a call
 * begins.  Bits that are set in *tags stay set for all it calls.
 */
typedef double host_scale_fn(void *ctx, uint32_t row, enum host_class cls, uint32_t *tags);

struct host_open {
	nsec end;
	uint32_t row, tags;
	enum host_class cls;
	double factor;
};

/* The walk over one lane. */
struct hosttime {
	const struct run *run;
	struct hostwhat *what;
	unsigned kinds;       /* of what is a call: KIND_BITs */
	host_scale_fn *scale; /* NULL: nothing is scaled */
	void *scale_ctx;
	size_t place, place_end; /* in order->host: calls not begun */
	nsec t;                  /* pieces before it were told */
	struct host_open *open;
	size_t depth, cap;
};

/* At the first call of a lane; nothing is told of time before t.  Released by hosttime_clear. */
void hosttime_init(struct hosttime *h, struct depend *d, uint32_t lane, nsec t);
/* The same where nothing else is wanted of a struct depend. */
void hosttime_over(
	struct hosttime *h, const struct run *r, struct hostwhat *what, uint32_t lane, nsec t);
void hosttime_clear(struct hosttime *h);

/* Tells the pieces from where it is until `until`; nothing where that is past. */
void hosttime_go(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx);

/* Goes there without a word. */
void hosttime_skip(struct hosttime *h, nsec until);

#endif
