/* The devices that are known, as devices.def lists them, and which of them a name means. */
#pragma once

#include "analyze/costmodel/element.h"
#include "base/base.h"

/* One row; 0: not known, or there is no such thing. */
struct hardware {
	const char *name;
	const char *also; /* other spellings, "a|b" */
	bool is_variant;
	int64_t memory;                  /* bytes that the driver exposes */
	double units;                    /* SMs, CUs */
	double matrix_mhz, vector_mhz;   /* clocks of the figures; FP64: vector_mhz */
	double matrix[ROOF_DTYPE_COUNT]; /* TFLOP/s, dense */
	double vector[ROOF_DTYPE_COUNT];
	double memory_gb_s, link_gb_s; /* link: one direction */
	const char *source;            /* NULL: nothing but its memory is known */
};

/* All that are known; *n: how many.  Constant. */
const struct hardware *hardware_all(size_t *n);

/* The device of that name, compared without case, punctuation and maker; NULL: none.
 * *is_ambiguous: it comes in several sizes. */
const struct hardware *hardware_named(const char *name, bool *is_ambiguous);

/* ---- how much memory a GPU has, by its name or as a size ---- */

struct capacity {
	const char *name; /* constant; NULL: a size was given */
	int64_t memory;   /* bytes that the driver exposes */
};

/* "A100-40", "nvidia t4", "16GiB" to *c.  E_USAGE with what is meant or known; `option` is for the
 * message. */
enum status capacity_parse(
	const char *text, const char *option, struct capacity *c, struct err *e) MUST_CHECK;
