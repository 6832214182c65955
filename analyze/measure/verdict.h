/* The verdict: one word for a run, the same wherever it stands.
 *
 * Where it is known what each piece of work waited for, the run is called by what a change would
 * save (analyze/judge/judge.h).  Else the largest part of the window of the device that computes
 * least names it.  The parts add up to the window less unrecorded time (window.h).  DEPENDENCY and
 * UNKNOWN blame nobody, so they name it only where they are more than half of it. */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/device/family.h"
#include "analyze/measure/window.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

/* X(NAME, verdict, what of a step it is, definition).  Where two parts are equal the earlier one
 * names the run. */
#define PARTS(X)                                                                                 \
	X(COMPUTE, "compute-bound", "computing",                                                 \
		"a kernel that is not a collective, or a set, runs for most of the time")        \
	X(COMM, "comm-bound", "exposed communication", "a collective runs and nothing computes") \
	X(COPY, "copy-bound", "exposed copies", "a copy runs and nothing else does")             \
	X(DATA, "dataloader-bound", "waiting for the data loader",                               \
		"the GPU waits, and the launching thread is in the data loader")                 \
	X(SYNC, "sync-bound", "waiting after synchronizing",                                     \
		"the GPU waits, and a call that waits for the GPU kept the thread from "         \
		"launching ahead")                                                               \
	X(HOST, "host-bound", "waiting for the host",                                            \
		"the GPU waits in gaps of 1 ms or more for what the host does: operators, "      \
		"Python, runtime calls")                                                         \
	X(LAUNCH, "launch-bound", "waiting for launches",                                        \
		"the GPU waits in many short gaps, below 1 ms, for the host to launch: the "     \
		"host cannot launch as fast as the GPU works")                                   \
	X(DEPENDENCY, "dependency-bound", "waiting for its own work",                            \
		"the GPU waits though work is launched: what it takes itself between two "       \
		"pieces of work")                                                                \
	X(UNKNOWN, "device-only", "idle, nobody knows why",                                      \
		"the GPU waits, and no launches are recorded")                                   \
	X(STARTUP, "start-up", "starting up",                                                    \
		"contexts are made, modules loaded or kernels tuned for most of the time: "      \
		"profile after the warm-up")                                                     \
	X(MALLOC, "malloc-bound", "waiting for the allocator",                                   \
		"memory is allocated and freed (cudaMalloc, cudaFree and their kin) while the "  \
		"GPU waits")                                                                     \
	X(CAST, "cast-bound", "converting types",                                                \
		"kernels that only convert types run for much of the time")                      \
	X(BETWEEN, "idle-server", "between requests",                                            \
		"the GPU of a server has nothing to do between its batches for half of the run " \
		"or more")                                                                       \
	X(UNEVEN, "uneven-steps", "odd steps",                                                   \
		"some steps take longer than the usual ones, and more is lost by that than by "  \
		"what all steps do: 'traceq steps' says which and what they do")

#define PART_OF_ID(name, ...) PART_OF_##name,
enum verdict_part { PARTS(PART_OF_ID) PART_OF_COUNT };

/* "comm-bound", "exposed communication"; constant. */
const char *part_verdict(enum verdict_part p);
const char *part_word(enum verdict_part p);

extern const char verdict_healthy[];
/* All words that a run is called by, as "a|b|". */
extern const char verdict_words[];
/* A verdict's word and what it means; NULL behind the last. */
struct verdict_doc {
	const char *word, *doc;
};
const struct verdict_doc *verdict_doc(size_t i);
/* What a verdict's word means; constant. */
const char *verdict_meaning(const char *word);

struct verdict {
	const char *word;   /* "comm-bound", "healthy", "cpu-bound", "memory-leak" ...; constant */
	bool is_leak;       /* word is that of a leak */
	bool is_unjudged;   /* it says that nothing can be concluded */
	const char *second; /* of what saves half as much or more; or NULL.  Where nothing could be
	                       tried, of a part within a fifth of the first, or of a loss of 30% */
	enum verdict_part part, second_part;
	double share, second_share; /* of the window less unrecorded time; NaN without a device */
	size_t device;              /* index in the window's; SIZE_MAX: the run has none */
	nsec ns[PART_OF_COUNT];     /* of that device, over the window */
	enum family family;         /* with most time among kernels that compute, or OTHER */
	double family_share;        /* of the time of kernels that compute; NaN */
	/* What saves that: "data loader free"; NULL: the largest part named the run ... */
	const char *change;
	const char *doubt; /* ... because of this, or NULL; constant */
	bool is_odd;       /* that is about the odd steps */
	double saves;      /* so much of the steps the first saves; NaN */
	nsec casts;        /* time of kernels that only convert types, in the window */
};

/* By the largest part.  v chose the window.  O(device events); memory is the arena's. */
void verdict_init(struct verdict *x, const struct run *r, const struct window *w,
	const struct classes *c, const struct filter_view *v, struct arena *mem);

/* Where a server idles between its batches that names the run, and what was named comes second. */
void verdict_between(struct verdict *x, const struct window *w);
/* "20.7% of the run, 79.0% idle between requests" of that device; NULL: steps leave nothing out. */
const char *verdict_run_text(const struct window *w, size_t device, struct arena *mem);

/* Where more than this is not known nothing is judged. */
#define VERDICT_UNTOLD_MAX 0.2
/* Whether a device waits for what the trace does not have for more of its window. */
bool verdict_is_untold(const struct window *w, const struct account *a);
extern const char verdict_unlaunched[]; /* the doubt: launches are not recorded */

/* Of one device's window: its parts, which add up to a->ns. */
void verdict_parts(const struct account *a, nsec *ns);
