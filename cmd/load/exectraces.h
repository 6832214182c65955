/* Execution traces, which say what the operators of traces read and write: read before those, and
 * kept as long. */
#pragma once

#include "analyze/trace/graphs/captured.h"
#include "analyze/trace/links/exectrace.h"
#include "cmd/load/inputs.h"

/* One that was found and cannot be read. */
struct exectraces_left {
	const char *path, *why;
};

struct exectraces {
	struct exectrace *v; /* malloc'ed */
	size_t n;
	struct exectraces_left *left;
	size_t nleft;
	struct arena mem; /* what was found */
};

/* Reads the files the paths name.  On failure *where is the one.  exectraces_clear releases, also
 * then. */
enum status exectraces_load(struct exectraces *x, const struct opt_list *path, const char **where,
	struct err *e) MUST_CHECK;

/* Reads those that nobody named: in a folder, or its subfolders, all that are so by their content;
 * beside a trace, in its folder only, those that are called so, too ("et" or "execution_trace" is a
 * word of the name).  The first EXECTRACES_MAX of them.  exectraces_clear releases. */
enum { EXECTRACES_MAX = 64 };
void exectraces_find(struct exectraces *x, const char *const *path, size_t npath);

/* Those that were found and are left out, as notes. */
void exectraces_list(const struct exectraces *x, struct result *out);
void exectraces_clear(struct exectraces *x);

/* Traces of graph captures, which name the kernels of graph replays in other traces: loaded before
 * those, and kept as long. */
struct captures {
	struct inputs inputs;
	struct captured *v; /* of each run that has graphs; malloc'ed */
	size_t n;
};

/* Loads what the paths name: files, and folders with a file for each batch size or rank.  needs:
 * what the answer needs of a trace.  E_NODATA where one of the paths holds no capture.  On failure
 * *where is what the error is about.  captures_clear releases, also then. */
enum status captures_load(struct captures *c, const struct opt_list *path, unsigned needs,
	const struct read_options *read, bool is_quiet, const char **where,
	struct err *e) MUST_CHECK;
void captures_clear(struct captures *c);
