/*
 * The opcodes of a pickle with what stands behind them, one after the other.  Private to pickle*.c.
 *
 * The text is all there, or comes from a source in windows, so that a pickle of any size is read in
 * constant memory.
 */
#ifndef ANALYZE_INPUT_VALUE_PICKLE_SCAN_H
#define ANALYZE_INPUT_VALUE_PICKLE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/str.h"

struct pickle_op;
struct pickle_vm;
struct source;

struct pickle_scan {
	struct span text; /* all of it, or the window */
	size_t at;        /* the next byte, in text */
	int64_t base;     /* of text in the pickle */
	int64_t op_at;    /* of the opcode, in the pickle */
	const struct pickle_op *op;
	unsigned char code;
	struct source *source; /* where more comes from; NULL: text is all */
	char *window;          /* of a source */
	bool is_end;           /* it has no more */
	struct err *e;
};

/* What stands behind an opcode; the text is valid until the next one. */
struct pickle_given {
	uint64_t v;
	struct span text;
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

/* From a text, and from a source; pickle_scan_close in any case. */
void pickle_scan_text(struct pickle_scan *s, struct span text, struct err *e);
void pickle_scan_source(struct pickle_scan *s, struct source *source, struct err *e);
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
enum status pickle_wants(struct pickle_scan *s, const char *what);

#endif
