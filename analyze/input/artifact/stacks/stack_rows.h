/* Stacks of sampling profilers: equal ones become one row. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

enum { STACK_DEPTH = 512 };

struct stack_rows {
	struct reading *in;
	struct sheet *sheet;
	struct strings names[STACK_UNITS];
	size_t *row[STACK_UNITS], cap[STACK_UNITS]; /* by their syms: 1 + their row; 0: no room */
	struct str text;                            /* the stack at hand, root first */
	size_t end[STACK_DEPTH];                    /* length of the text below each frame */
	size_t depth, deeper; /* deeper: frames pushed beyond the limit, which are not in it */
};

void stack_rows_open(struct stack_rows *s, struct reading *in);
void stack_rows_close(struct stack_rows *s);

/* The stack at hand: emptied, a frame called on top, the top frame left. */
void stack_rows_reset(struct stack_rows *s);
void stack_rows_push(struct stack_rows *s, struct span frame);
void stack_rows_pop(struct stack_rows *s);

/* "train (train.py:42)" on top; line: NAN where it is not known. */
void stack_rows_push_at(struct stack_rows *s, struct span name, struct span file, double line);

/* Adds weight to the stack at hand; an empty one is none. */
void stack_rows_add(struct stack_rows *s, double weight, enum stack_unit unit);

/* The same for a stack that is a text already: "a;b;c". */
void stack_rows_add_text(
	struct stack_rows *s, struct span text, double weight, enum stack_unit unit);

/* What a word for a unit is ("microseconds", "bytes"), and how many of ours are one of it; samples
 * where it is another. */
enum stack_unit stack_unit_of(struct span word, double *factor);

/* A text of HTML or XML without its &lt;, &#39; and their kin, in in->mem. */
struct span stack_unescaped(struct reading *in, struct span t);
