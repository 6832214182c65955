/*
 * Pickles, as data: a reader of Python's pickle protocols 2 to 5 that runs nothing.
 *
 * A pickle is a program for a small machine, and some of its opcodes import and call what they
 * name.  Those are refused by name; what is left makes numbers, texts, lists and dicts.  Sets and
 * tuples are lists here, bytes are texts.
 *
 * Source: Python's Lib/pickletools.py; PEP 307, 3154, 574.
 */
#ifndef ANALYZE_INPUT_VALUE_PICKLE_H
#define ANALYZE_INPUT_VALUE_PICKLE_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/value/value.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

/* It begins as a pickle of protocol 2 or later does. */
bool pickle_is(struct span head);

/*
 * The value that the pickle makes, in mem, with texts borrowed from it; *end is behind its STOP.
 * E_FORMAT: an opcode that would run code, or of another protocol; E_SYNTAX, E_TRUNCATED, with the
 * place; E_LIMIT.  Memory: at most some 50 bytes a byte of the pickle, and what is claimed by it is
 * taken only once it is there.
 */
enum status pickle_read(struct span text, struct arena *mem, struct value **out, size_t *end,
	struct err *e) MUST_CHECK;

#endif
