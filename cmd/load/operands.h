/* Operands of commands that compare: which paths belong to which side.
 *
 *	BASE NEW            two sides of one path each
 *	A B vs C D          two sides of two
 *	label=PATH ...      paths of one label are one side, known by it */
#pragma once

#include "base/base.h"

/*
 * Paths of one command line and runs of one answer that goes from file to file.  What looks at
 * all of them together keeps all of them: reports, charts, comparisons and their sides take fewer.
 */
enum { OPERANDS_MAX = 100000, OPERANDS_TOGETHER_MAX = 10000 };

struct operand_side {
	const char *label; /* as given, else the paths with " " between */
	const char **path;
	size_t npath, cap;
};

struct operands {
	struct operand_side *side;
	size_t n;
};

/* E_USAGE when n paths are more than max. */
enum status operands_count(size_t n, size_t max, struct err *e) MUST_CHECK;

/* Sorts operands into min to max sides.  With max 1, all are one side.  An operand that is a file
 * is a path even with a '=' in it.  E_USAGE when they do not fit, with what would.  Memory is the
 * arena's, texts are borrowed. */
enum status operands_split(struct operands *o, const char *const *operand, size_t n, unsigned min,
	unsigned max, struct arena *mem, struct err *e) MUST_CHECK;

/* The same for paths that are nothing else, whatever they are called: with max 1 all are one side;
 * with 2, the first nfirst of them are one, and the others the second. */
enum status operands_take(struct operands *o, const char *const *path, size_t n, size_t nfirst,
	unsigned max, struct arena *mem, struct err *e) MUST_CHECK;
