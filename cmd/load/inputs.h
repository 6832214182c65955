/*
 * Runs from the command line: files, and folders with one or several runs of one or several ranks.
 */
#ifndef CMD_LOAD_INPUTS_H
#define CMD_LOAD_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/load.h"
#include "analyze/query/analysis.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/err.h"
#include "cmd/options.h"

/* A trace that was found in a folder and could not be read. */
struct inputs_left {
	const char *path, *why;
};

struct inputs {
	struct run **own;       /* n of them */
	const struct run **run; /* the same, to look at */
	const char **path;      /* of each, for people */
	size_t n, cap;
	struct inputs_left *left;
	size_t nleft, left_cap;
	bool is_waiting;  /* own and run have NULL for files: inputs_open loads them */
	struct run *open; /* the one that inputs_close releases */
	const struct analysis *analysis;
	const struct common_options *how;
	struct load_options options;
	struct arena mem;
};

/*
 * Loads all runs that the paths name, in order.  A folder is each run in it (analyze/input/parts.h)
 * and, for analyses of events, each trace of a run; one that takes one run gets a folder as a
 * whole.  Of several paths for an analysis one_by_one the files are waiting: inputs_open.  *where:
 * what an error is about.  inputs_clear releases, also after a failure; *a and *how live as long.
 */
enum status inputs_load(struct inputs *in, const struct analysis *a, const void *opts,
	const struct common_options *how, const char *const *path, size_t npath, const char **where,
	struct err *e) MUST_CHECK;

/*
 * The same for many analyses at once: a folder is one input with all that lies in it, unless it is
 * one run with traces of several ranks: then each of them, the first with what lies beside it.
 */
enum status inputs_load_whole(struct inputs *in, unsigned needs, const struct common_options *how,
	const char *const *path, size_t npath, const char **where, struct err *e) MUST_CHECK;

/*
 * The i-th run; loaded now if it is still waiting, and released by inputs_close, but for the first,
 * which stays until inputs_clear.  One at a time.  e is about in->path[i].
 */
enum status inputs_open(
	struct inputs *in, size_t i, const struct run **run, struct err *e) MUST_CHECK;
void inputs_close(struct inputs *in);

/* What was left out, as notes. */
void inputs_list(const struct inputs *in, struct result *out);

void inputs_clear(struct inputs *in);

#endif
