/* Scanning: text to raw events, one window at a time, by the vector unit of this machine.
 *
 * All scanners are the same source (scan_impl.h) over a handful of primitives; the portable one is
 * the oracle of the others.  A window is text[0 .. n) followed by a '"' and WINDOW_PADDING readable
 * bytes, so that no inner loop has to look at the end. */
#pragma once

#include "analyze/input/events/plan.h"
#include "analyze/input/events/raw.h"
#include "base/base.h"

struct batch;

/* An object or array being passed over, across window ends.  Only brackets of its own kind are
 * counted: those of the other kind come in pairs between them. */
struct skip {
	char open;            /* '{' or '[' */
	uint64_t depth;       /* of these that are open; 0 = the value is over */
	uint64_t in_string;   /* 0 or ~0 */
	uint64_t escape;      /* 1: the first byte of the next window is escaped */
	uint64_t after_close; /* 1: the byte before was a closing quote */
};

enum scan_end {
	SCAN_MORE,   /* the text ends inside something; *at is its beginning */
	SCAN_CLOSED, /* the array's ']' was met; *at is behind it */
	SCAN_BAD     /* malformed; *at is the beginning of the element */
};

/* What stands in 64 bytes, a bit each. */
struct masks {
	uint64_t quote, backslash;
	uint64_t open, close; /* { and }, or [ and ] */
	uint64_t follow;      /* what may stand behind a closing quote: blank , : } ] */
};

/* The bracket that closes what '{' or '[' opens. */
#define CLOSING(open) ((char)((open) + 2))

enum skip_end { SKIP_DONE, SKIP_MORE, SKIP_BAD };

struct scanner {
	const char *name;
	/* Reads array elements from *at, handing each event to the batch, until one of enum
	 * scan_end. comma: in: a ',' (or the '[') was just before; out: the same for *at.  base is
	 * the offset of text[0] in the input, for the tally. */
	enum scan_end (*events)(const struct plan *plan, struct batch *b, const char **at,
		const char *text, const char *end, int64_t base, bool *comma);
	/* Passes over the value s from *at until s->depth is 0 (*at is then behind the closing
	 * bracket) or the text ends.  SKIP_BAD: a quote stands where none can. */
	enum skip_end (*skip)(struct skip *s, const char **at, const char *end);
};

extern const struct scanner scanner_portable;
#if defined(__x86_64__)
extern const struct scanner scanner_sse2;
extern const struct scanner scanner_avx2;
#elif defined(__aarch64__)
extern const struct scanner scanner_neon;
#endif

/* The best scanner of this machine; TRACEQ_SCANNER=portable|sse2|avx2|neon overrides, in tests. */
const struct scanner *scanner_pick(const char *wanted);

/* All scanners that run here, best first, NULL at the end. */
const struct scanner *const *scanner_all(void);
