/* `stacks`: what its parts share.  Private to analyze/answer/stacks/. */
#pragma once

#include "analyze/measure/host/calltree.h"
#include "analyze/measure/device/classes.h"
#include "analyze/analysis/groupby.h"
#include "analyze/analysis/sampled_table.h"

struct stacks_options {
	int64_t limit;      /* rows; below 0: the default */
	const char *metric; /* "cpu", "device" */
	const char *source; /* "auto", "python", "callstack", "ops" */
	const char *order;  /* "merged", "time": frames; NULL: stacks */
	bool fold;          /* ProfilerStep#N is one */
	bool merge_layers;  /* frames: layers that differ in a number are one */
	const char *waits;  /* frames: "hidden", "apart", "merged"; NULL: the default */
	int64_t narrowest;  /* what is narrower than a part in so many is one frame */
};

/* A stack is as long as it is deep, so a deep trace would be a text of its square. */
enum {
	STACKS_DEPTH_MAX = 1024,   /* frames; what is deeper counts for the frame there */
	STACKS_TEXT_MAX = 64 << 20 /* bytes of all stacks of an answer */
};

enum stacks_source { STACKS_PYTHON, STACKS_CALLSTACK, STACKS_OPS };

/* Device rows by the call that launched them. */
struct stacks_work {
	uint32_t *begin; /* by launch side row, one more */
	uint32_t *row;
};

/* One run being looked at. */
struct stacks {
	struct perrun *at;
	const struct stacks_options *o;
	enum stacks_source source;
	bool is_device;
	bool is_sampled;      /* what the tree counts are no calls */
	struct calltree tree; /* self: the value of a stack; calls: its samples */
	struct strings names; /* of the tree */
	uint32_t *own;        /* by sym of the run: 1 + sym in names, 0 not asked */
	uint32_t *frames_of;  /* by sym of a Call stack: its node, or 0 */
	struct stacks_work work;
	bool has_captured_python; /* of captured calls Python functions are frames, too */
	struct classes classes;   /* of device work; of frames only */
	uint32_t *chain;          /* captured calls around a kernel; scratch */
	size_t chain_cap;
	bool *waits;         /* by lane: a thread that only waits */
	size_t nwaits;       /* such threads */
	bool hides;          /* they are not in the picture */
	uint32_t waits_node; /* what they are below; 0: none */
	uint32_t *layers;    /* by node: of how many layers it is one; NULL: of one each */
	size_t crossing;     /* Python functions that are not under what encloses them */
	int64_t deep;        /* calls beyond STACKS_DEPTH_MAX */
	size_t unwritten;    /* stacks beyond STACKS_TEXT_MAX */
	nsec outside;        /* device time without a launch in the trace */
};

/* stacks_source.c: what the trace has: the richest source. */
enum stacks_source stacks_best(const struct run *r);
bool stacks_has(const struct run *r, enum stacks_source source);
/* -f or -v is given. */
bool stacks_are_filtered(const struct stacks *s);
/* Kinds of events that have a place in time: of one metric threads or streams, else both. */
unsigned stacks_kinds(const void *opts, const struct run *r);

/* stacks_walk.c: fills tree. */
void stacks_collect(struct stacks *s);

/* stacks_walk.c: the stack of a node into b, in place of what is there.  up: room for the deepest.
 */
void stacks_write(const struct stacks *s, uint32_t node, uint32_t *up, struct str *b);
/* Whether such a text passes -f and -v, and that of a node, with b for it. */
enum status stacks_text_passes(const struct stacks *s, const struct str *b, bool *yes) MUST_CHECK;
enum status stacks_pass(
	const struct stacks *s, uint32_t node, uint32_t *up, struct str *b, bool *yes) MUST_CHECK;

/* Frames of a picture, so many of them side by side at most (narrowest): what is narrower is one
 * with its neighbours. */
struct stacks_frame {
	uint32_t lane;  /* in the order of rows; 0 where there are none */
	uint32_t depth; /* 0: all of it, or the lane */
	int64_t at, length, total, self;
	int64_t calls;               /* below 0: it is none */
	int64_t merged;              /* frames it stands for */
	int64_t layers;              /* the same, of layers that are one */
	int64_t waits;               /* of all: threads that are left out */
	const char *kind;            /* constant */
	struct span name, lane_name; /* lane_name: NULL: none */
	bool may_merge;              /* of the host: may be a layer */
};
/* A Python function. */
struct stacks_function {
	sym name;
	uint32_t open; /* calls that have not ended */
	struct durations calls;
	nsec self, total; /* total: of the outermost calls */
};

struct stacks_frames {
	struct stacks_frame *v;
	size_t n, cap;
	int64_t narrowest; /* of what is by itself */
};
struct stacks_frame *stacks_frame(struct stacks_frames *f);

/* What a frame is: "python_function", "compute", ...; "frame" where no event is (NO_ROW). */
const char *stacks_kind(const struct stacks *s, uint32_t row);

/* stacks_frames.c: the tree as frames, or calls in time; E_NODATA where there are none. */
enum status stacks_put_frames(struct stacks *s, enum stack_unit unit, size_t limit) MUST_CHECK;

/* stacks_lanes.c: calls in order of time; *ncrossing: those in further lanes. */
void stacks_put_lanes(struct stacks *s, struct stacks_frames *f, size_t *ncrossing);

/* stacks_frames.c: Python functions by name. */
void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit);

/* stacks_quiet.c: finds the threads that only wait, as --waits wants them. */
void stacks_find_waits(struct stacks *s);
bool stacks_is_wait(const struct stacks *s, uint32_t lane);
/* The name with "*" for its number into b, where it may be that of a layer. */
bool stacks_layer(struct span name, struct str *b);
/* Whether a call may be one: device work is none. */
bool stacks_may_merge(const struct stacks *s, uint32_t row);
/* Puts layers of a tree with totals together, wherever one has several below it. */
void stacks_merge_layers(struct stacks *s);

/* stacks_sampled.c: stacks and functions of a sampled profile; E_NODATA when the run has none. */
enum status stacks_sampled(struct stacks *s, size_t limit, size_t functions) MUST_CHECK;
/* The stacks alone, as frames. */
enum status stacks_sampled_frames(struct stacks *s, size_t limit) MUST_CHECK;

#define TABLES_DEF "analyze/answer/stacks/stacks_tables.def"
#include "base/table_names_impl.h"
