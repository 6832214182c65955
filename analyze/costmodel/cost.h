/*
 * Costs: calls of one op with the same arguments, what each should cost, and its time at the roof.
 */
#pragma once

#include "analyze/costmodel/fastconv.h"
#include "analyze/costmodel/op.h"
#include "analyze/costmodel/op_work.h"
#include "analyze/costmodel/peaks.h"
#include "analyze/measure/comm/commclass.h"
#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

enum roof_flag {
	ROOF_IS_KERNEL = 1,    /* the name is of device work that no op launched */
	ROOF_IS_COMM = 2,      /* all it did was to communicate; of a kernel: it is a collective */
	ROOF_IS_HOST_COPY = 4, /* all it did was to copy from or to the host */
	ROOF_IS_REPLAYED = 8   /* its arguments are of the capture, where that can matter */
};

/* Calls that cost the same: of one op with the same arguments.  No padding: a key of a keymap. */
struct roof_key {
	sym name, dims, types, strides, values;
	sym about;        /* the annotation that says lengths */
	sym kernel;       /* that says what a list's elements are */
	uint32_t flags;   /* enum roof_flag */
	uint32_t format;  /* enum roof_dtype: what matrix work of FP32 is rounded to, as a kernel
	                     says;  0: nothing */
	uint32_t message; /* 1 + index of what it communicates; 0: nothing, or not known */
	uint32_t said;    /* 1 + index of what the trace says of its work; 0: nothing */
	struct fastconv fast[FASTCONV_HALVES]; /* what a convolution's kernels say */
};

struct roof_cost {
	const struct roof_op *op; /* NULL: no formula */
	struct roof_work work;    /* of one call */
	bool is_comm;             /* a collective: its roof is that of the links */
	comm_bus bus;             /* what one moves over a link, or COMM_BUS_UNKNOWN */
};

/* A time at the roof, ns of one call; NaN: not known. */
struct roof_limit {
	double ns;         /* the longer of the first two; of a collective the last */
	double compute_ns; /* FLOP that are done over the peak of their format */
	double memory_ns;  /* bytes over the memory's bandwidth */
	double link_ns;    /* what a collective moves over the bandwidth of the device's links */
};
struct roof_limit roof_limit_of(const struct roof_peaks *p, const struct roof_cost *c);

/* The word of a class, "other" without a formula, "collective" and the like by the reason. */
const char *roof_class_of(const struct roof_cost *c);

/* ---- messages: what calls that communicate send, and what that costs of a link ---- */

/* What one call sends.  No padding: a key of a keymap. */
struct roof_message {
	int64_t bytes, ranks; /* ARG_UNKNOWN */
	int64_t op;           /* enum comm_op */
};

/*
 * 1 + the index of what a collective sends (a device row), together with `before`, what others of
 * its call do: the sum, where they are of one kind and as many ranks.  before: 0: there are none.
 */
uint32_t roof_message_at(
	struct keymap *messages, const struct run *r, uint32_t before, uint32_t row);

/* The cost of a call that communicates and does nothing else.  message: 0: what is not known. */
void roof_communicate(struct roof_cost *c, const struct keymap *messages, uint32_t message);

/* What a trace itself says of a kernel's work: XLA's compiler counts operations and bytes of each
 * op that it makes a kernel of (xplane.proto's statistics flops and bytes_accessed). */

/* A key of a keymap. */
struct reported_cost {
	int64_t flop, bytes; /* -1: not said */
};

/* 1 + the number of what is said of a device row, which is added to the map; 0: nothing is. */
uint32_t reported_cost_at(struct keymap *said, const struct run *r, uint32_t row);

/* Takes that (not 0) for the work; in which format it is done nobody says. */
void reported_cost_take(struct roof_work *w, const struct keymap *said, uint32_t which);
