/*
 * How much memory a GPU has, by its name or as a size.
 */
#ifndef ANALYZE_MEASURE_CAPACITY_H
#define ANALYZE_MEASURE_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* A GPU by name. */
struct capacity {
	const char *name; /* NULL: a size was given */
	const char *also; /* other spellings, "a|b"; compared without case and punctuation */
	int64_t memory;   /* bytes that the driver exposes */
};

/* All that are known; *n: how many.  Constant. */
const struct capacity *capacity_all(size_t *n);

/* The GPU of that name, or NULL; *is_ambiguous: it comes in several sizes. */
const struct capacity *capacity_find(const char *name, bool *is_ambiguous);

/*
 * "A100-40", "nvidia t4", "16GiB" to *c.  E_USAGE with what is meant or known; `option` is for the
 * message.
 */
enum status capacity_parse(
	const char *text, const char *option, struct capacity *c, struct err *e) MUST_CHECK;

#endif
