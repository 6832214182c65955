/* Host time: what a thread was in, piece by piece, between one moment and the next.
 *
 * A piece is a stretch in which the innermost call stays the same; the pieces of a stretch add up
 * to it. */
#pragma once

#include "analyze/measure/gaps/gap_words.h"
#include "analyze/measure/host/pyframes.h"
#include "analyze/measure/phase.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* What a thread is in: the class of host time.
 *
 * Of the calls around a moment the innermost that says DATA or SYNC does; else the innermost call's
 * kind.  Old traces have steps among the operators.  They are regions, too. */

enum host_class {
	HOST_NOTHING, /* nothing is recorded there */
	HOST_PYTHON,  /* a region or a Python function, and no operator or call in it */
	HOST_OP,
	HOST_RUNTIME, /* a call that launches nothing and waits for nothing, or for what was done */
	HOST_LAUNCH,  /* a call that launches device work */
	HOST_SYNC,    /* another call that waits for a device, whatever it does */
	HOST_DATA,    /* the data loader */
	HOST_COUNT
};

struct hostwhat {
	const struct run *run;
	struct phases phases;
	struct gap_words words;
	struct pyframes functions;
	uint8_t *of_name;   /* by sym: see hosttime.c */
	uint64_t *launches; /* bits by row: calls that launched work */
	uint64_t *in_vain;  /* bits by row: calls whose work was done when they began */
	uint64_t *held;     /* bits by row: calls that launched work, and waited for some */
	uint64_t *startup;  /* bits by row: calls that started something up, see below */
	bool *is_loader;    /* by lane, or NULL: what it does is loading (loaders.h) */
};

/* Needs order and links.  Memory is the arena's. */
void hostwhat_init(struct hostwhat *w, const struct run *r, struct arena *mem);

/* What a runtime call's name says that was not asked for yet. */
enum { HOSTWHAT_ASKED = 1, HOSTWHAT_WAITS = 2, HOSTWHAT_COPIES = 4, HOSTWHAT_GRAPHS = 8 };
uint8_t hostwhat_look(const struct hostwhat *w, uint32_t row);

/* Those bits; 0 of what is no runtime call.  Inline, as most of what follows: asked for every call.
 */
static inline unsigned hostwhat_says(const struct hostwhat *w, uint32_t row)
{
	uint8_t *known = &w->of_name[w->run->events.name[row]];

	if (w->run->events.kind[row] != KIND_RUNTIME)
		return 0;
	if (UNLIKELY(!*known))
		*known = hostwhat_look(w, row);
	return *known;
}

/* Whether it says that it waits for a device, that it copies, or has to do with graphs. */
static inline bool hostwhat_waits(const struct hostwhat *w, uint32_t row)
{
	return (hostwhat_says(w, row) & HOSTWHAT_WAITS) != 0;
}
static inline bool hostwhat_copies(const struct hostwhat *w, uint32_t row)
{
	return (hostwhat_says(w, row) & HOSTWHAT_COPIES) != 0;
}
static inline bool hostwhat_graphs(const struct hostwhat *w, uint32_t row)
{
	return (hostwhat_says(w, row) & HOSTWHAT_GRAPHS) != 0;
}

static inline enum phase hostwhat_phase(struct hostwhat *w, uint32_t row)
{
	const struct events *ev = &w->run->events;

	return phases_of(&w->phases, ev->name[row], (enum kind)ev->kind[row], PHASE_OTHER);
}

/* The word that a call has itself (gap_words.def), or GAP_CAUSE_COUNT. */
static inline enum gap_cause hostwhat_word(struct hostwhat *w, uint32_t row)
{
	return hostwhat_phase(w, row) == PHASE_DATA ? GAP_CAUSE_DATA : gap_words_of(&w->words, row);
}

/* Asks what the name of a call says.  When all were asked, several threads may ask all of it at
 * once: depend_init does. */
static inline void hostwhat_ask(struct hostwhat *w, uint32_t row)
{
	(void)hostwhat_says(w, row);
	(void)hostwhat_word(w, row);
}

/* A region that does not make a thread busy: a step, also one of an old trace, which is an
 * operator; an annotation that has no word, or says that a loader's thread is waited for. */
static inline bool hostwhat_is_region(struct hostwhat *w, uint32_t row)
{
	enum kind k = (enum kind)w->run->events.kind[row];

	if (k == KIND_OP)
		return hostwhat_phase(w, row) == PHASE_OTHER;
	if (k != KIND_ANNOTATION)
		return false;
	enum gap_cause word = hostwhat_word(w, row);
	return word == GAP_CAUSE_COUNT || (word == GAP_CAUSE_DATA && w->is_loader);
}

/* Whether the call launched device work that is in the trace.  Inline: asked for every call. */
static inline bool hostwhat_launches(const struct hostwhat *w, uint32_t row)
{
	return w->launches[row / 64] >> row % 64 & 1;
}

/* Whether a call took long because something was started up in it: a context was made, a module was
 * loaded, kernels were compiled.  That is so of a launch that took more than STARTUP_TIMES what
 * launches by that call take (the median, but no more than STARTUP_USUAL_NS where it launches no
 * graph), and of the first call of another name that took so many times what launches take; below
 * STARTUP_MIN_NS nothing is. */
enum { STARTUP_TIMES = 20, STARTUP_USUAL_NS = 50000, STARTUP_MIN_NS = 100000 };
static inline bool hostwhat_starts_up(const struct hostwhat *w, uint32_t row)
{
	return w->startup[row / 64] >> row % 64 & 1;
}

/* A call that waits for a device began when its work was done: it waits for nothing. */
void hostwhat_waits_in_vain(struct hostwhat *w, uint32_t row);

/* A call that launched work waited for some: its copy, or room in the queue.  It started nothing
 * up. */
void hostwhat_is_held(struct hostwhat *w, uint32_t row);
static inline bool hostwhat_was_held(const struct hostwhat *w, uint32_t row)
{
	return w->held[row / 64] >> row % 64 & 1;
}

/* The class of a call with calls of class `around` around it (HOST_NOTHING: none). */
HOT_INLINE enum host_class hostwhat_class(struct hostwhat *w, uint32_t row, enum host_class around)
{
	if (around == HOST_SYNC)
		return around;
	if (w->run->events.kind[row] == KIND_RUNTIME) {
		if (hostwhat_waits(w, row) && !(w->in_vain[row / 64] >> row % 64 & 1))
			return HOST_SYNC;
		if (around == HOST_DATA)
			return around;
		return hostwhat_launches(w, row) ? HOST_LAUNCH : HOST_RUNTIME;
	}
	if (around == HOST_DATA || hostwhat_phase(w, row) == PHASE_DATA)
		return HOST_DATA;
	return hostwhat_is_region(w, row) ? HOST_PYTHON : HOST_OP;
}

/* Whether a thread is in a function, the innermost that is open or NO_ROW, itself: in no call, or
 * in an operator or a region that it began in.  That is HOST_PYTHON.  `row`: the innermost call, or
 * NO_ROW. */
static inline bool hostwhat_is_function(
	const struct hostwhat *w, enum host_class cls, uint32_t row, uint32_t function)
{
	return function != NO_ROW &&
		(cls == HOST_NOTHING || cls == HOST_OP || cls == HOST_PYTHON) &&
		(row == NO_ROW || pyframes_is_inside(&w->functions, function, row));
}

struct host_piece {
	nsec start, end;
	uint32_t row; /* the innermost call, or NO_ROW */
	enum host_class cls;
	bool is_unknown; /* Python's, of a step's mark and long: nothing is recorded */
	/* Where hosttime.names: */
	enum gap_cause word; /* of all that is open the innermost with a word, as gaps have it, or
	                        GAP_CAUSE_COUNT */
	uint32_t function;   /* the row of the innermost Python function that is open, or NO_ROW */
	double factor;       /* see host_scale_fn; 1 without one */
};
typedef void host_piece_fn(void *ctx, const struct host_piece *p);

struct host_open {
	nsec end;
	uint32_t row, tags;
	enum host_class cls;
	enum gap_cause word; /* of it or a call around it */
	nsec since;          /* the start of the call whose word that is */
	double factor;
};

/* What a call and all it calls is scaled by, beside what is around it: asked once when a call
 * begins.  Bits that are set in *tags stay set for all it calls. */
typedef double host_scale_fn(void *ctx, const struct host_open *call, uint32_t *tags);

/* The walk over one lane. */
struct hosttime {
	const struct run *run;
	struct hostwhat *what;
	unsigned kinds;       /* of what is a call: KIND_BITs */
	host_scale_fn *scale; /* NULL: nothing is scaled */
	void *scale_ctx;
	bool names; /* functions and words are asked for: by one thread the first time */
	size_t place, place_end;       /* in order->host: calls not begun */
	size_t function, function_end; /* of the functions: not begun */
	uint32_t in;                   /* the innermost of them, or NO_ROW */
	nsec t;                        /* pieces before it were told */
	nsec changed;                  /* when a call began or ended last */
	struct host_open *open;
	size_t depth, cap;
};

/* At the first call of a lane that is open at t.  Nothing is told of time before t.  Released by
 * hosttime_clear. */
void hosttime_init(
	struct hosttime *h, const struct run *r, struct hostwhat *what, uint32_t lane, nsec t);

/* Pieces get words and functions.  Not by two threads at once, the first time that a lane is
 * walked so; names of calls have been asked for (hostwhat_ask). */
void hosttime_name(struct hosttime *h, uint32_t lane);
void hosttime_clear(struct hosttime *h);

/* Tells the pieces from where it is until `until`; nothing where that is past. */
void hosttime_go(struct hosttime *h, nsec until, host_piece_fn *fn, void *ctx);

/* The word of a call that ends where it is, or of what is around it; GAP_CAUSE_COUNT. */
enum gap_cause hosttime_word(const struct hosttime *h, uint32_t row);

/* Goes there without a word. */
void hosttime_skip(struct hosttime *h, nsec until);
