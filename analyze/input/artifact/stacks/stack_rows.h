/* Stacks of sampling profilers: equal ones become one row. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

enum { STACK_DEPTH = 512 };

struct stack_rows {
	struct sheet *sheet;
	struct strings names[2]; /* stacks in samples, in time */
	size_t *row[2], cap[2];  /* by their syms: 1 + their row; 0: there was no room */
	struct str text;         /* the stack at hand, root first */
	size_t end[STACK_DEPTH]; /* length of the text below each frame */
	size_t depth, deeper;    /* deeper: frames pushed beyond the limit, which are not in it */
	struct reading *in;
};

void stack_rows_open(struct stack_rows *s, struct reading *in);
void stack_rows_close(struct stack_rows *s);

/* The stack at hand: emptied, a frame called on top, the top frame left. */
void stack_rows_reset(struct stack_rows *s);
void stack_rows_push(struct stack_rows *s, struct span frame);
void stack_rows_pop(struct stack_rows *s);

/* Adds weight (samples, or ns when is_time) to the stack at hand; an empty one is none. */
void stack_rows_add(struct stack_rows *s, double weight, bool is_time);

/* The same for a stack that is a text already: "a;b;c". */
void stack_rows_add_text(struct stack_rows *s, struct span text, double weight, bool is_time);
