/*
 * Runs from the command line: files, and folders with one or several runs of one or several ranks.
 *
 * With more of them than cores each is read by one thread, several side by side; where an answer
 * goes from run to run, they are read ahead of it, and only as many are in memory as threads read,
 * and one more.
 */
#ifndef CMD_LOAD_INPUTS_H
#define CMD_LOAD_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/load.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/err.h"
#include "cmd/load/inputs_find.h"
#include "cmd/load/meter.h"
#include "cmd/options.h"

struct ring;
struct result;

/* A trace that was found in a folder, or named, and could not be read. */
struct inputs_left {
	const char *path, *why;
	bool is_error; /* it was named: said on stderr */
};

struct inputs {
	const struct run **run; /* n of them; NULL: it is waiting */
	const char **path;      /* of each, for people */
	struct input **of;      /* of each, what was found to load */
	size_t n, cap;
	struct inputs_left *left;
	size_t nleft, left_cap;
	size_t nfailed;  /* of them, those that were named */
	bool is_waiting; /* there are runs that inputs_open loads */

	struct input_list all; /* all that there is to load */
	size_t *waiting;       /* which of them wait, in order */
	size_t nwaiting;
	struct ring *ring;  /* what loads them; NULL: not yet, or no longer */
	size_t first;       /* which of them it began with */
	struct input *open; /* the one that inputs_close releases */
	struct meter meter;
	unsigned threads_each; /* for one file of several at a time */

	struct inputs_want want;
	bool is_quiet; /* no progress is shown */
	struct load_options options;
	struct arena mem;
};

/*
 * Finds all runs that the paths name, in order, and loads those that cannot wait.  *where: what an
 * error is about.  inputs_clear releases, also after a failure.  Neither the runs nor what is said
 * about them depend on the number of threads.
 */
enum status inputs_load(struct inputs *in, const struct inputs_want *want,
	const struct read_options *read, bool is_quiet, const char *const *path, size_t npath,
	const char **where, struct err *e) MUST_CHECK;

/*
 * The i-th run; loaded now if it is still waiting, and released by inputs_close, but for the first,
 * which stays until inputs_clear.  One at a time; what is asked for in rising order is loaded
 * ahead, each time they are gone through.  e is about in->path[i].
 */
enum status inputs_open(
	struct inputs *in, size_t i, const struct run **run, struct err *e) MUST_CHECK;
void inputs_close(struct inputs *in);

/* No more is loaded ahead, and no progress shown: the answer is there. */
void inputs_stop(struct inputs *in);

/* The i-th could not be opened: said on stderr and counted where it was named. */
void inputs_miss(struct inputs *in, size_t i, const struct err *e);

/* What was left out, as notes. */
void inputs_list(const struct inputs *in, struct result *out);

void inputs_clear(struct inputs *in);

#endif
