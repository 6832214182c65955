/*
 * How much memory a GPU has, by its name or as a size.
 */
#ifndef ANALYZE_COSTMODEL_CAPACITY_H
#define ANALYZE_COSTMODEL_CAPACITY_H

#include <stdint.h>

#include "base/err.h"

struct capacity {
	const char *name; /* constant; NULL: a size was given */
	int64_t memory;   /* bytes that the driver exposes */
};

/*
 * "A100-40", "nvidia t4", "16GiB" to *c.  E_USAGE with what is meant or known; `option` is for the
 * message.
 */
enum status capacity_parse(
	const char *text, const char *option, struct capacity *c, struct err *e) MUST_CHECK;

#endif
