/* What making replays keeps between its parts.  Private to analyze/trace/graphs/replay*.c. */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* Matching: the kernels of one graph replay with the launches of one captured graph.
 *
 *	captured  A  B  copy  C  ?  ?  D       ?: a launch that does not say what it launches
 *	replayed  A  B        C  X  Y  D
 *
 * Names that are the same in the same order are certain: A B C D.  Between two of them launches
 * without a name are the kernels there, in order, where there are as many of both: X and Y.  What
 * is left goes by its name alone, as kernels of several streams are not in the order of capture. */

/* What a launch launched, or what ran. */
struct replay_step {
	sym name;      /* of the kernel; 0: not known */
	uint32_t kind; /* KIND_KERNEL, KIND_MEMCPY or KIND_MEMSET */
};

struct replay_steps {
	const struct replay_step *v;
	size_t n;
};

/* How well they fit: kernels whose name says so, and those that only their place tells. */
struct replay_fit {
	size_t by_name, by_place;
};

/*
 * pair: by kernel, the index of its launch, or NO_ROW.  Scratch is the arena's.  O(launches +
 * kernels) where they are alike, O(launches x kernels) between their first and last difference, at
 * most `cells` (MATCH_CELLS_MAX in all); beyond, names there are matched without regard to order.
 */
struct replay_fit replay_match(struct replay_steps launches, struct replay_steps kernels,
	size_t cells, uint32_t *pair, struct arena *mem);

enum { MATCH_CELLS_MAX = 4 << 20 };

/* Whether all are pairs one by one: as many, of the same kinds, and no two names that differ. */
bool replay_alike(struct replay_steps launches, struct replay_steps kernels);

struct captured;
struct captured_graph;
struct replay;
struct run;

/* A captured graph of one of the captures. */
struct replay_graph {
	const struct captured *of;
	const struct captured_graph *graph;
	uint32_t shape; /* of its launches */
};

/* Sequences of steps, each once. */
struct replay_shapes {
	struct replay_steps *v;
	struct keymap by_hash;
	size_t cap;
};

/* One launch of a graph. */
struct replay_one {
	uint32_t launch;  /* row */
	uint32_t shape;   /* of its kernels */
	uint32_t *kernel; /* rows, in the order of the graph */
	size_t n;
	uint32_t context; /* the annotation that names a size around it, else any; or NO_ROW */
	int64_t size;     /* captured_size of it; -1: not known */
	int64_t graph_id; /* ARG_UNKNOWN: not said */
};

/* replay_match.c: cleared by shapes_clear.  What is in them is the arena's. */
void shapes_init(struct replay_shapes *s);
void shapes_clear(struct replay_shapes *s);
/* The index of these steps, new (then they are borrowed) or old. */
uint32_t shapes_add(struct replay_shapes *s, struct replay_steps steps, struct arena *mem);
/* How many there are. */
size_t shapes_count(const struct replay_shapes *s);

/* Which captured graph a replay is. */
struct replay_choice {
	uint32_t graph;       /* NO_ROW: none fits */
	const uint32_t *pair; /* by kernel: its launch in the graph, or NO_ROW */
};

/* replay_choose.c: a choice for each of the n replays, which are in the order of time, lane by
 * lane.  Counts p->alike and p->unfit. */
void replay_choose(struct replay *p, const struct replay_shapes *shapes,
	const struct replay_graph *graph, size_t ngraph, const struct replay_one *one, size_t n,
	struct replay_choice *choice, struct arena *mem);

/* replay_graft.c: rows of captured calls behind the events of the run. */
struct replay_graft {
	struct run *run;
	struct replay *replay;
	const struct captured *of;
	uint32_t *row;  /* by call: its row, or NO_ROW */
	uint32_t *sym;  /* by sym of the capture: 1 + that of the run, or 0 */
	uint32_t *path; /* scratch */
	size_t path_cap;
};

/* Memory is the arena's, but for what graft_clear releases. */
void graft_init(struct replay_graft *g, struct run *r, struct replay *p, const struct captured *of,
	struct arena *mem);
void graft_clear(struct replay_graft *g);
/* A name of the capture in the run's. */
sym graft_sym(struct replay_graft *g, sym name);
/* The row of a call; it and those around it that have none get one, at the place of row `at`. */
uint32_t graft_call(struct replay_graft *g, uint32_t call, uint32_t at);
