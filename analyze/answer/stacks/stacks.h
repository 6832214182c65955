/*
 * `stacks`: what its parts share.  Private to analyze/answer/stacks/.
 */
#ifndef ANALYZE_ANSWER_STACKS_STACKS_H
#define ANALYZE_ANSWER_STACKS_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/calltree.h"
#include "analyze/query/perrun.h"
#include "analyze/query/sampled_table.h"

struct stacks_options {
	int64_t limit;      /* rows; below 0: the default */
	const char *metric; /* "cpu", "device" */
	const char *source; /* "auto", "python", "callstack", "ops" */
	bool fold;          /* ProfilerStep#N is one */
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
	struct calltree tree; /* self: the value of a stack; calls: its samples */
	struct strings names; /* of the tree */
	uint32_t *own;        /* by sym of the run: 1 + sym in names, 0 not asked */
	uint32_t *frames_of;  /* by sym of a Call stack: its node, or 0 */
	struct stacks_work work;
	bool has_captured_python; /* of captured calls Python functions are frames, too */
	uint32_t *chain;          /* captured calls around a kernel; scratch */
	size_t chain_cap;
	size_t crossing;  /* Python functions that are not under what encloses them */
	int64_t deep;     /* calls beyond STACKS_DEPTH_MAX */
	size_t unwritten; /* stacks beyond STACKS_TEXT_MAX */
	nsec outside;     /* device time without a launch in the trace */
};

/* What the trace has: the richest source. */
enum stacks_source stacks_best(const struct run *r);
bool stacks_has(const struct run *r, enum stacks_source source);

/* stacks_walk.c: fills tree. */
void stacks_collect(struct stacks *s);

/* stacks_functions.c: Python functions by name. */
void stacks_put_functions(struct stacks *s, const struct table_doc *doc, size_t limit);

/* stacks_sampled.c: stacks and functions of a sampled profile; E_NODATA when the run has none. */
enum status stacks_sampled(struct stacks *s, size_t limit, size_t functions) MUST_CHECK;

#define TABLES_DEF "analyze/answer/stacks/tables.def"
#include "base/table_names_impl.h"

#endif
