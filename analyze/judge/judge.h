/*
 * The judge: what a run is called by what a change would bring.
 *
 * Each change of a fixed table is tried on all steps at once: they are timed again under the same
 * dependencies (analyze/depgraph/predict.h).  Changes share no time: each piece of what the host
 * does belongs to one of them.  Nothing that is not recorded gets faster.
 *
 *	remedy        somebody can do it: the loader is ahead, copies are hidden, launches are one
 *	sensitivity   nobody can do all of it at once, but it says what the run hangs on
 *
 * The word of a run is that of the remedy which saves most, where one saves REMEDY_MIN or more;
 * else that of the change which saves most.  Of two that save nearly the same, what the host did
 * comes before waiting behind it.  A second word saves at least half as much.  Where the
 * dependencies are not known well enough, or nothing saves anything, the largest part of the window
 * names the run, as verdict.h has it, and the verdict says why.
 */
#ifndef ANALYZE_JUDGE_JUDGE_H
#define ANALYZE_JUDGE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/depgraph/depend.h"
#include "analyze/depgraph/predict.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/measure/verdict.h"
#include "analyze/measure/window.h"
#include "base/arena.h"

enum judge_kind { JUDGE_REMEDY, JUDGE_SENSITIVITY };

/*
 * X(NAME, kind, part of the window, scenario as --what-if takes it, says, effort, advice).
 * Of changes that save the same the earlier one names the run.
 */
#define JUDGE_CHANGES(X)                                                                              \
	X(DATA, REMEDY, DATA, "dataloader=0", "data loader free", "a flag",                           \
		"num_workers, pin_memory and prefetch_factor of the DataLoader, so that it is ahead") \
	X(COPIES, REMEDY, COPY, "copy=0", "copies free", "lines",                                     \
		"pin memory, copy with non_blocking=True on a stream of its own, or copy less")       \
	X(COMM, REMEDY, COMM, "comm=hidden", "communication hidden", "lines",                         \
		"larger buckets, overlap with the backward pass, fewer or smaller messages")          \
	X(STARTUP, REMEDY, STARTUP, "startup=0", "start-up left out", "a flag",                       \
		"profile after the warm-up: schedule(wait=..., warmup=...)")                          \
	X(GRAPH, REMEDY, LAUNCH, "launch=graph", "launches as one (graph)", "days",                   \
		"CUDA graphs: torch.compile(mode='reduce-overhead'), or larger batches")              \
	X(FUSED, REMEDY, COMPUTE, "kernel=fused", "elementwise kernels fused", "a line",              \
		"torch.compile, or fused operators and optimizers")                                   \
	X(SYNC, REMEDY, SYNC, "sync=0", "no sync waits", "lines",                                     \
		"remove .item(), .cpu() and prints from the loop, or do them every n steps")          \
	X(FREE_COMM, SENSITIVITY, COMM, "comm=0", "communication free", "days",                       \
		"faster links, fewer bytes, another way to split the model")                          \
	X(HOST, SENSITIVITY, HOST, "host=0.5", "host twice as fast", "days",                          \
		"less Python a step: torch.compile, fused operators, a faster CPU")                   \
	X(KERNELS, SENSITIVITY, COMPUTE, "kernel=0.5", "kernels twice as fast", "days",               \
		"lower precision, better kernels, less to compute: 'traceq roofline'")

enum judge_change {
#define X(name, kind, part, scenario, says, effort, advice) JUDGE_##name,
	JUDGE_CHANGES(X)
#undef X
		JUDGE_COUNT
};

/* A row of that table. */
struct judge_doc {
	enum judge_kind kind;
	enum verdict_part part;
	const char *scenario, *says, *effort, *advice;
};
const struct judge_doc *judge_doc(enum judge_change c);

/* What a run is judged by. */
struct judge {
	struct depend *depend;
	const struct predict *predict;
	const struct window *window;
	struct change fused; /* JUDGE_FUSED of this run */
	bool applies[JUDGE_COUNT];
	nsec saves[JUDGE_COUNT]; /* of all steps that count; 0 where it does not apply */
	nsec blind;        /* HOST would save so much more if what is not recorded were faster */
	bool is_capture;   /* the run captures graphs, and replays none */
	const char *doubt; /* why nothing is tried; NULL: it is */
	bool is_own;       /* depend and predict are its own */
};

/*
 * Makes the dependencies and tries all changes; memory is the arena's, but for what judge_clear
 * releases, also where it is all 0.  O(events + changes x nodes).
 */
void judge_init(struct judge *j, const struct run *r, const struct window *w, unsigned threads,
	struct arena *mem);

/* The same of dependencies that are there, and nothing tried: judge_try does, with times of the
 * caller's thread; several threads may, each another change. */
void judge_begin(struct judge *j, struct depend *d, const struct predict *p, struct arena *mem);
void judge_try(struct judge *j, enum judge_change c, struct whatif_times *t);

void judge_clear(struct judge *j);

/* What it tries; borrows j. */
struct scenario judge_scenario(const struct judge *j, enum judge_change c);

/* Sets word, second, part and what saves of a verdict that verdict_init made of the same window.
 * Texts are constant. */
void judge_name(const struct judge *j, struct verdict *v);

#endif
