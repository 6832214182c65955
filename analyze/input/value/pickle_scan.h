/*
 * The opcodes of a pickle with what stands behind them, one after the other.  Private to pickle*.c.
 *
 * They come from a source in windows, so that a pickle of any size is read in constant memory.
 */
#ifndef ANALYZE_INPUT_VALUE_PICKLE_SCAN_H
#define ANALYZE_INPUT_VALUE_PICKLE_SCAN_H

#include "base/err.h"
#include "base/str.h"

struct source;

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

/* What an opcode does. */
enum pickle_act {
	DO_SKIP,
	DO_PROTO,
	DO_MARK,
	DO_STOP,
	DO_POP,
	DO_POP_MARK,
	DO_DUP,
	DO_NONE, /* from here on to DO_MAP: pushes a value */
	DO_TRUE,
	DO_FALSE,
	DO_INT,
	DO_LONG,
	DO_REAL,
	DO_TEXT,
	DO_LIST,
	DO_MAP,
	DO_TUPLE,    /* of what is above the mark */
	DO_TUPLE_OF, /* of one value or more, as the opcode says */
	DO_APPEND,
	DO_APPENDS,
	DO_SETITEM,
	DO_SETITEMS,
	DO_GET,
	DO_PUT,
	DO_MEMOIZE,
	DO_REFUSE, /* imports, calls or asks the caller for something */
	DO_REFUSE_OLD
};

struct pickle_op {
	const char *name; /* NULL: there is no such opcode */
	enum pickle_arg arg;
	enum pickle_act act;
};

struct pickle_scan {
	struct span text; /* the window */
	size_t at;        /* the next byte, in text */
	int64_t base;     /* of text in the pickle */
	int64_t op_at;    /* of the opcode, in the pickle */
	const struct pickle_op *op;
	unsigned char code;
	struct source *source;
	char *window;
	bool is_end; /* the source has no more */
	struct err *e;
};

/* What stands behind an opcode; the text is valid until the next one. */
struct pickle_given {
	uint64_t v;
	struct span text;
};

void pickle_scan_open(struct pickle_scan *s, struct source *source, struct err *e);
void pickle_scan_close(struct pickle_scan *s);

/* It begins as a pickle of protocol 2 or later does; E_FORMAT where it has to. */
bool pickle_scan_is(struct span head);
enum status pickle_scan_begin(struct pickle_scan *s) MUST_CHECK;

/*
 * The next opcode.  E_SYNTAX: there is no such opcode; E_TRUNCATED: it ends before its STOP; E_IO;
 * E_LIMIT: a text longer than a window.
 */
enum status pickle_scan_next(struct pickle_scan *s, struct pickle_given *a) MUST_CHECK;

/* The first byte behind what was scanned, in the pickle, and whether there is any. */
int64_t pickle_scan_place(const struct pickle_scan *s);
bool pickle_scan_has_more(struct pickle_scan *s);

/* E_SYNTAX at the opcode: what it wants and does not find. */
enum status pickle_wants(const struct pickle_scan *s, const char *what);

/* E_FORMAT at an opcode that would run code, or is of protocol 0. */
enum status pickle_refuse(const struct pickle_scan *s);

#endif
