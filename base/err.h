/* Status and error: what a function that can fail returns, and where it says why.
 *
 * The function that detects a failure fills the struct once with err_set; everyone above passes the
 * status up (TRY).  Only cmd/ prints it. */
#pragma once

#include <stdint.h>

#include "base/compiler.h"

enum status {
	OK = 0,
	E_IO = -1,        /* the operating system said no */
	E_SYNTAX = -2,    /* the input breaks the rules of its own format */
	E_FORMAT = -3,    /* the input is not what is wanted: not a trace, not a log */
	E_LIMIT = -4,     /* a named limit was passed */
	E_TRUNCATED = -5, /* the input ends too early (an error under --strict only) */
	E_USAGE = -6,     /* wrong option or argument */
	E_NODATA = -7,    /* readable, but nothing in it answers the question */
	E_HELP = -8       /* no failure: help was asked for in place of an answer */
};

enum { ERR_TEXT_MAX = 768, ERR_HINT_MAX = 384 };

struct err {
	enum status status;
	int64_t offset;          /* byte offset in the (inflated) input, or -1 */
	int64_t line;            /* 1-based line of that offset, or -1 when not known */
	char text[ERR_TEXT_MAX]; /* lower case, no full stop; NUL-terminated */
	char hint[ERR_HINT_MAX]; /* what to do about it; "" when there is nothing to say */
};

/* An err that holds nothing. */
void err_clear(struct err *e);

/* Records a failure: status, byte offset (or -1) and printf-style text (cut at ERR_TEXT_MAX).
 * Clears line and hint.  Returns status, so that `return err_set(...)` reads well. */
enum status err_set(struct err *e, enum status status, int64_t offset, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

/* Adds the second line, what the user can do; printf-style.  Returns e->status. */
enum status err_hint(struct err *e, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Both, about no place in the input: what to do, a plain text, and then what failed. */
enum status err_hinted(struct err *e, enum status status, const char *hint, const char *fmt, ...)
	PRINTF_LIKE(4, 5);

#define TRY(expr)                                 \
	do {                                      \
		enum status try_status_ = (expr); \
		if (try_status_ != OK)            \
			return try_status_;       \
	} while (0)

/* In place of TRY where something is to be cleared at the end: the next step, while all went well.
 */
#define THEN(st, expr)                 \
	do {                           \
		if ((st) == OK)        \
			(st) = (expr); \
	} while (0)
