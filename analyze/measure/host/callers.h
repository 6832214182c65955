/* Callers: where in the user's code device work comes from.
 *
 * It is what is around the call that launched it: Python functions (with_stack), of captured work
 * those around the captured call; without Python the Call stack of the innermost op that has one.
 * Backward runs on threads without Python.  What is below a backward op comes from where the
 * forward op with its Sequence number does, of several the last that began before it.
 *
 *	python   [main        [forward   ]      ]
 *	ops             [linear  7]                       main thread
 *	ops                              [AddmmBackward 7 [launch] ]   from: main, forward */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct run;

/* LINE: the innermost function that is not of torch, of Python itself or below site-packages, where
 * there is one, with its file and line; STACK: all of these and modules, outermost first; MODULE:
 * the innermost nn.Module, else what the op's Module Hierarchy says. */
enum callers_by { CALLERS_STACK, CALLERS_MODULE, CALLERS_LINE };

struct callers {
	const struct run *run;
	enum callers_by by;
	struct strings names; /* frames, and texts of places */
	uint32_t *name_of;    /* by sym of the run: 1 + sym in names; 0: not asked */
	uint32_t *stack_of;   /* by sym of a Call stack: its node; 0: not asked */
	struct keymap nodes;  /* struct caller_node; a node is 1 + its index */
	struct keymap rows; /* of calls that launched something, or ops where these are not there */
	uint32_t *place;    /* by index in rows: its node; 0: none */
	sym *text;          /* by node: its text; 0: not asked */
	size_t text_cap, ntext;
};

/* Needs NEED_LINKS, NEED_ORDER and CALLERS_NEEDS.  O(rows log rows).  Released by callers_clear. */
void callers_init(struct callers *c, const struct run *r, enum callers_by by, struct arena *mem);
void callers_clear(struct callers *c);

/* Where a device row comes from: of c->names; 0: nothing says. */
sym callers_of(struct callers *c, uint32_t row);

#define CALLERS_NEEDS (NEED_PYTHON | NEED_STACKS | NEED_AUTOGRAD)
