/*
 * The machine that pickles are programs for.  Private to pickle*.c.
 */
#ifndef ANALYZE_INPUT_VALUE_PICKLE_VM_H
#define ANALYZE_INPUT_VALUE_PICKLE_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/input/value/pickle_scan.h"
#include "analyze/input/value/value.h"

struct pickle_vm {
	struct pickle_scan in;
	struct value **stack;
	size_t nstack, stack_cap;
	size_t *mark; /* heights of the stack */
	size_t nmark, mark_cap;
	struct value **memo; /* NULL: not put */
	size_t nmemo, memo_cap;
	size_t nvalue;
	bool is_done;
	struct value *result; /* once it is */
	struct arena *mem;
};

/* What stands behind an opcode. */
enum pickle_arg {
	ARG_NONE,
	ARG_U1,
	ARG_U2,
	ARG_U4,
	ARG_U8,
	ARG_I4,
	ARG_REAL,  /* 8 bytes, big-endian */
	ARG_TEXT1, /* a length of 1, 4 or 8 bytes, and so many bytes */
	ARG_TEXT4,
	ARG_TEXT8
};

struct pickle_op {
	const char *name; /* NULL: there is no such opcode */
	enum pickle_arg arg;
	enum status (*run)(struct pickle_vm *vm, struct pickle_given a);
};

/* By the opcode's byte. */
extern const struct pickle_op pickle_ops[256];

/* E_FORMAT at an opcode that would run code, or is of protocol 0; OK at any other. */
enum status pickle_refuse(const struct pickle_scan *s);

#endif
