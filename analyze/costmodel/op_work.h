/* The work of one call: operations and bytes that no implementation of the op can do without, as
 * far as the call's arguments tell.
 *
 * FLOP: a multiply-add counts two.  Bytes: every tensor that is read or written once, in its own
 * type; what a cache or a fusion could keep is not counted twice, workspaces not at all. */
#pragma once

#include "analyze/costmodel/op_call.h"
#include "analyze/costmodel/element.h"
#include "base/base.h"

/* X(NAME, word): why a figure is not known */
#define ROOF_REASONS(X)                                                       \
	X(KNOWN, "known")                                                     \
	X(COLLECTIVE, "collective: what it moves is not known")               \
	X(HOST_COPY, "copy from or to the host: no roof of the GPU")          \
	X(NO_OP, "no op in the trace launched it")                            \
	X(NO_FORMULA, "no formula for this op")                               \
	X(NO_SHAPES, "its shapes are not in the trace")                       \
	X(NO_TYPE, "the type of the elements is not said")                    \
	X(NO_VALUES, "needs values of arguments (Concrete Inputs)")           \
	X(NO_LENGTHS, "the lengths of the sequences are not in the trace")    \
	X(NO_OUTPUT, "the size of what it writes follows from data")          \
	X(NO_WEIGHTS, "its weights are not among its arguments")              \
	X(NO_TABLES, "widths and lookups of its tables are not in the trace") \
	X(MISFIT, "its arguments are not those of the formula")

enum roof_reason {
#define X(name, word) ROOF_WHY_##name,
	ROOF_REASONS(X)
#undef X
		ROOF_WHY_COUNT
};
extern const char *const roof_reason_words[ROOF_WHY_COUNT];

struct roof_work {
	int64_t flop;  /* -1: not known */
	int64_t again; /* of flop: what was computed before and was not kept (flash attention's
	                  backward); part of HFU, not of MFU */
	int64_t bytes; /* -1: not known */
	int64_t done;  /* what its kernels compute of flop: less where they multiply less
	                  (fastconv.h);  the roof is of that */
	bool is_most;  /* done: at most that */
	enum roof_reason why;  /* of the first that is not known; ROOF_WHY_KNOWN: both are */
	enum roof_dtype dtype; /* of the arithmetic; ROOF_DTYPE_COUNT: no peak is said of it */
};

struct roof_op;

/* c's arguments are checked by each formula. */
typedef struct roof_work (*roof_formula)(const struct roof_op *op, const struct roof_call *c);

/* Both figures are unknown. */
struct roof_work roof_unknown(enum roof_reason why);

/* Both figures as roof_set_* sets them; the arithmetic's format is that of an argument, or of e. */
struct roof_work roof_work_of(const struct roof_call *c, int arg, int64_t flop, int64_t bytes);
struct roof_work roof_work_as(const struct roof_element *e, int64_t flop, int64_t bytes);

/* Sets them; -1 and what does not fit is not known. */
void roof_set_flop(struct roof_work *w, int64_t flop);
void roof_set_bytes(struct roof_work *w, int64_t bytes);

/* a x b x c x d, ROOF_MANY where that does not fit. */
int64_t roof_product(int64_t a, int64_t b, int64_t c, int64_t d);
/* Sum of bytes of which one may be unknown (-1): of two or more. */
#define ROOF_PLUS(...) \
	roof_plus((const int64_t[]){ __VA_ARGS__ }, COUNT_OF(((const int64_t[]){ __VA_ARGS__ })))
int64_t roof_plus(const int64_t *bytes, size_t n);
/* Stored bytes of an argument: 0 where it is none, -1 of unknown type. */
int64_t roof_bytes_of(const struct roof_call *c, int arg);
/* n elements of a type: -1 where that is NULL. */
int64_t roof_bytes_as(int64_t n, const struct roof_element *e);
