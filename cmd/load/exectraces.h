/*
 * Execution traces, which say what the operators of traces read and write: read before those, and
 * kept as long.
 */
#ifndef CMD_LOAD_EXECTRACES_H
#define CMD_LOAD_EXECTRACES_H

#include <stddef.h>

#include "analyze/trace/exectrace.h"
#include "base/err.h"
#include "base/opt.h"

struct exectraces {
	struct exectrace *v; /* malloc'ed */
	size_t n;
};

/* Reads the files the paths name.  On failure *where is the one.  exectraces_clear releases, also
 * then. */
enum status exectraces_load(struct exectraces *x, const struct opt_list *path, const char **where,
	struct err *e) MUST_CHECK;
void exectraces_clear(struct exectraces *x);

#endif
