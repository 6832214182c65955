/*
 * Runs from the command line: files, and folders with one or several runs of one or several ranks.
 */
#ifndef CMD_LOAD_INPUTS_H
#define CMD_LOAD_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/load.h"
#include "analyze/trace/run.h"
#include "base/arena.h"
#include "base/err.h"
#include "cmd/options.h"

struct result;

/* What becomes of a folder. */
enum inputs_folder {
	FOLDER_EACH_RUN, /* each run in it (analyze/input/parts.h) */
	FOLDER_RANKS,    /* one run; each trace of it, when it is one run of several ranks */
	FOLDER_AS_ONE    /* one run */
};

/* What runs are wanted for. */
struct inputs_want {
	unsigned needs;   /* enum need */
	const char *comm; /* load_options.comm */
	enum inputs_folder folder;
	bool is_of_events;  /* each trace of a folder's run is a run */
	bool is_of_folders; /* a folder's run is called by the folder, not by its first trace */
	bool takes_records; /* a run without a trace is one, too */
	bool takes_missing; /* a folder that is not there is one, too */
	bool is_one_by_one; /* of several paths the files are waiting: inputs_open */
	bool goes_on;       /* of several paths one that cannot be read is left out, and said */
};

/* A trace that was found in a folder, or named, and could not be read. */
struct inputs_left {
	const char *path, *why;
	bool is_error; /* it was named: said on stderr */
};

struct inputs {
	struct run **own;       /* n of them */
	const struct run **run; /* the same, to look at */
	const char **path;      /* of each, for people */
	size_t n, cap;
	struct inputs_left *left;
	size_t nleft, left_cap;
	size_t nfailed;   /* of them, those that were named */
	bool is_waiting;  /* own and run have NULL for files: inputs_open loads them */
	struct run *open; /* the one that inputs_close releases */
	struct inputs_want want;
	bool is_quiet; /* no progress is shown */
	struct load_options options;
	struct arena mem;
};

/*
 * Loads all runs that the paths name, in order.  *where: what an error is about.  inputs_clear
 * releases, also after a failure.
 */
enum status inputs_load(struct inputs *in, const struct inputs_want *want,
	const struct read_options *read, bool is_quiet, const char *const *path, size_t npath,
	const char **where, struct err *e) MUST_CHECK;

/*
 * The i-th run; loaded now if it is still waiting, and released by inputs_close, but for the first,
 * which stays until inputs_clear.  One at a time.  e is about in->path[i].
 */
enum status inputs_open(
	struct inputs *in, size_t i, const struct run **run, struct err *e) MUST_CHECK;
void inputs_close(struct inputs *in);

/* A path that cannot be read, where others go on: said on stderr, and counted. */
void inputs_fail(struct inputs *in, const char *path, const struct err *e);

/* What was left out, as notes. */
void inputs_list(const struct inputs *in, struct result *out);

void inputs_clear(struct inputs *in);

#endif
