/* The judge: what a run is called by what a change would bring.
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
 * names the run, as verdict.h has it, and the verdict says why. */
#pragma once

#include "analyze/depgraph/depend.h"
#include "analyze/depgraph/predict.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/measure/device/family.h"
#include "analyze/measure/verdict.h"
#include "analyze/measure/window.h"
#include "base/base.h"

/* Families of kernels that are tried, each kernel in one: those that only convert types are apart.
 */
enum { FAMILY_CASTS = FAMILY_COUNT, KERNEL_FAMILY_COUNT };

/* "matmul", "casts"; constant. */
const char *kernel_family_word(int f);

enum judge_kind { JUDGE_REMEDY, JUDGE_SENSITIVITY };

/* What a change takes: X(NAME, word), least first */
#define EFFORTS(X)        \
	X(FLAG, "a flag") \
	X(LINE, "a line") \
	X(LINES, "lines") \
	X(DAYS, "days")

enum effort {
#define X(name, word) EFFORT_##name,
	EFFORTS(X)
#undef X
		EFFORT_COUNT
};
/* "a flag"; constant. */
const char *effort_word(enum effort e);

/* X(NAME, kind, part of the window, scenario as --what-if takes it, says, effort, advice).
 * Of changes that save the same the earlier one names the run.  Of FUNCTION and FAMILY there are
 * several, each with a name.  UNEVEN is no scenario: it is not about the steps that count, but
 * about those that do not. */
#define JUDGE_CHANGES(X)                                                                              \
	X(DATA, REMEDY, DATA, "dataloader=0", "data loader free", FLAG,                               \
		"num_workers, pin_memory and prefetch_factor of the DataLoader, so that it is ahead") \
	X(UNEVEN, REMEDY, UNEVEN, NULL, "odd steps as the usual ones", LINES,                         \
		"'traceq steps' says which they are and what they do")                                \
	X(ALLOCATOR, REMEDY, MALLOC, "allocator=0", "allocator free", FLAG,                           \
		"no empty_cache in the loop, shapes that stay the same, expandable_segments")         \
	X(CHECKPOINT, REMEDY, HOST, "checkpoint=0", "checkpoints free", LINES,                        \
		"asynchronous checkpoints, or fewer of them")                                         \
	X(LOGGING, REMEDY, HOST, "logging=0", "logging free", LINES,                                  \
		"log every n steps, and keep losses on the GPU until then")                           \
	X(GC, REMEDY, HOST, "gc=0", "garbage collection free", LINE,                                  \
		"gc.freeze() after the start, gc.disable() and gc.collect() every n steps")           \
	X(FUNCTION, REMEDY, HOST, "python:^\\Q%.*s\\E$=0", "%.*s free", DAYS,                         \
		"make it cheaper, or do it in another thread or process, or every n steps")           \
	X(COPIES, REMEDY, COPY, "copy=0", "copies free", LINES,                                       \
		"pin memory, copy with non_blocking=True on a stream of its own, or copy less")       \
	X(COMM, REMEDY, COMM, "comm=hidden", "communication hidden", LINES,                           \
		"larger buckets, overlap with the backward pass, fewer or smaller messages")          \
	X(STARTUP, REMEDY, STARTUP, "startup=0", "start-up left out", FLAG,                           \
		"profile after the warm-up: schedule(wait=..., warmup=...)")                          \
	X(GRAPH, REMEDY, LAUNCH, "launch=graph", "launches as one (graph)", DAYS,                     \
		"CUDA graphs: torch.compile(mode='reduce-overhead'), or larger batches")              \
	X(CASTS, REMEDY, CAST, "family:casts=0", "casts free", LINES,                                 \
		"keep weights and activations in one type; autocast caches casts of weights")         \
	X(FUSED, REMEDY, COMPUTE, "kernel=fused", "elementwise kernels fused", LINE,                  \
		"torch.compile, or fused operators and optimizers")                                   \
	X(SYNC, REMEDY, SYNC, "sync=0", "no sync waits", LINES,                                       \
		"remove .item(), .cpu() and prints from the loop, or do them every n steps")          \
	X(FREE_COMM, SENSITIVITY, COMM, "comm=0", "communication free", DAYS,                         \
		"faster links, fewer bytes, another way to split the model")                          \
	X(HOST, SENSITIVITY, HOST, "host=0.5", "host twice as fast", DAYS,                            \
		"less Python a step: torch.compile, fused operators, a faster CPU")                   \
	X(KERNELS, SENSITIVITY, COMPUTE, "kernel=0.5", "kernels twice as fast", DAYS,                 \
		"lower precision, better kernels, less to compute: 'traceq roofline'")                \
	X(FAMILY, SENSITIVITY, COMPUTE, "family:%.*s=0.5", "%.*s twice as fast", DAYS,                \
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
	const char *scenario, *says, *advice;
	enum effort effort;
};
const struct judge_doc *judge_doc(enum judge_change c);
/* Its advice, of PyTorch's words or in plain ones. */
const char *judge_advice(enum judge_change c, bool is_plain);

/* A change that applies to the run. */
struct judge_row {
	enum judge_change of;
	struct change change;
	const char *scenario, *says;
	nsec saves; /* of all steps that count */
};

/* Whether people see it, beside a window of that length: families have many rows. */
bool judge_is_shown(const struct judge_row *row, double whole);

/* Of n rows: most saved first; those that save alike, a tenth less than the first of them or
 * nearer, by effort, and what the host does before waiting behind it. */
void judge_sort(const struct judge_row **row, size_t n);

/* What a run is judged by. */
struct judge {
	struct depend *depend;
	const struct predict *predict;
	const struct window *window;
	struct arena *mem;
	struct change fused;                   /* as FUSED has it; rows NULL: nothing is */
	uint64_t *family[KERNEL_FAMILY_COUNT]; /* bits by row; NULL: none of it */
	nsec family_ns[KERNEL_FAMILY_COUNT], kernel_ns;
	struct judge_row *row; /* by change */
	size_t n, cap;
	nsec blind;        /* HOST would save so much more if what is not recorded were faster */
	bool is_capture;   /* the run captures graphs, and replays none */
	const char *doubt; /* why nothing is tried; NULL: it is */
	bool is_own;       /* depend and predict are its own */
};

/* Makes the dependencies and tries all changes; memory is the arena's, but for what judge_clear
 * releases, also where it is all 0.  window gives what it is about when the dependencies are made,
 * so that it may be found meanwhile; NULL: there is nothing to judge, and j stays all 0.
 * O(events + changes x nodes). */
typedef const struct window *judge_window_fn(void *ctx);
void judge_init(struct judge *j, const struct run *r, judge_window_fn *window, void *ctx,
	unsigned threads, struct arena *mem);

/* The same of dependencies that are there, and nothing tried: judge_try does, with times of the
 * caller's thread; several threads may, each another row. */
void judge_begin(struct judge *j, struct depend *d, const struct predict *p, struct arena *mem);
void judge_try(struct judge *j, size_t row, struct whatif_times *t);

void judge_clear(struct judge *j);

/* The row of a change, of several the first; NULL: it does not apply. */
const struct judge_row *judge_row(const struct judge *j, enum judge_change c);
/* What it saves. */
nsec judge_saves(const struct judge *j, enum judge_change c);

/* What it says of the run. */
enum verdict_part judge_part(const struct judge *j, const struct judge_row *row);

/* A change of the family of that word gets its kernels; false: there are none, and it changes
 * nothing. */
bool judge_family(const struct judge *j, const char *word, struct change *c);

/* Sets word, second, part and what saves of a verdict that verdict_init made of the same window.
 * Texts are constant. */
void judge_name(const struct judge *j, struct verdict *v);
