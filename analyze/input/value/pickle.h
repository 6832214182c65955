/* Pickles, as data: a reader of Python's pickle protocols 2 to 5 that runs nothing.
 *
 * A pickle is a program for a small machine, and some of its opcodes import and call what they
 * name.  Those are refused by name; what is left makes numbers, texts, lists and dicts.  Sets and
 * tuples are lists here, bytes are texts, integers beyond 64 bits are reals.
 *
 * Source: Python's Lib/pickletools.py; PEP 307, 3154, 574. */
#pragma once

#include "analyze/input/value/compact.h"
#include "base/base.h"

struct source;

/* It begins as a pickle of protocol 2 or later does. */
bool pickle_is(struct span head);

/* The value that the pickle makes, which may hold itself.  *end is behind its STOP; *has_more:
 * there are bytes behind it.  E_FORMAT: an opcode that would run code, or of another protocol;
 * E_SYNTAX, E_TRUNCATED, with the place; E_LIMIT, E_IO; what the taker says.  What the pickle
 * claims to have is taken only once it is there. */
enum status pickle_read(struct compact *c, struct source *source, compact_value *out, int64_t *end,
	bool *has_more, struct err *e) MUST_CHECK;
