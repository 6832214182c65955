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

/* E_FORMAT at an opcode that would run code, or is of protocol 0; OK at any other. */
enum status pickle_refuse(const struct pickle_scan *s);

#endif
