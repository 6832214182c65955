/*
 * Costs: calls of one op with the same arguments, what each should cost, and its time at the roof.
 */
#ifndef ANALYZE_COSTMODEL_COST_H
#define ANALYZE_COSTMODEL_COST_H

#include "analyze/measure/comm/commclass.h"
#include "analyze/costmodel/op.h"
#include "analyze/costmodel/peaks.h"
#include "analyze/trace/columns/strings.h"

enum roof_flag {
	ROOF_IS_KERNEL = 1,    /* the name is of device work that no op launched */
	ROOF_IS_TF32 = 2,      /* a kernel says that it rounds to TF32 */
	ROOF_IS_COMM = 4,      /* all it did was to communicate; of a kernel: it is a collective */
	ROOF_IS_HOST_COPY = 8, /* all it did was to copy from or to the host */
	ROOF_IS_REPLAYED = 16  /* its arguments are of the capture, where that can matter */
};

/* Calls that cost the same: of one op with the same arguments.  No padding: a key of a keymap. */
struct roof_key {
	sym name, dims, types, strides, values;
	sym about;        /* the annotation that says lengths */
	sym kernel;       /* that says what a list's elements are */
	uint32_t flags;   /* enum roof_flag */
	uint32_t message; /* 1 + index of what it communicates; 0: nothing, or not known */
	uint32_t said; /* 1 + index of what the trace says of its work (reported_cost.h); 0: nothing
	                */
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
	double compute_ns; /* FLOP over the peak of their format */
	double memory_ns;  /* bytes over the memory's bandwidth */
	double link_ns;    /* what a collective moves over the bandwidth of the device's links */
};
struct roof_limit roof_limit_of(const struct roof_peaks *p, const struct roof_cost *c);

/* The word of a class, "other" without a formula, "collective" and the like by the reason. */
const char *roof_class_of(const struct roof_cost *c);

#endif
