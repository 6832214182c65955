/* Runs from the command line: files, and folders with one or several runs of one or several ranks.
 *
 * With more of them than cores each is read by one thread, several side by side; where an answer
 * goes from run to run, they are read ahead of it, and only as many are in memory as threads read,
 * and one more. */
#pragma once

#include "analyze/input/folder.h"
#include "analyze/input/load.h"
#include "cmd/load/progress.h"
#include "cmd/options.h"

struct captured;
struct exectrace;
struct ring;

/* ---- what the paths name: what there is to load, and how (inputs_find.c) ---- */

/* What becomes of a folder. */
enum inputs_folder {
	FOLDER_EACH_RUN, /* each run in it (analyze/input/run_parts.h) */
	FOLDER_RANKS,    /* one run; each trace of it, when it is one run of several ranks */
	FOLDER_AS_ONE    /* one run */
};

/* What runs are wanted for. */
struct inputs_want {
	unsigned needs;                  /* enum need */
	unsigned job_needs;              /* load_options.job_needs */
	const char *comm;                /* load_options.comm */
	const struct captured *captured; /* what names graph replays, ncaptured of them */
	size_t ncaptured;
	const struct exectrace *exectrace; /* what says what operators read and write */
	size_t nexectrace;
	enum inputs_folder folder;
	const char *const *first; /* traces that are taken before others where not all are; nfirst
	                           */
	size_t nfirst;
	bool is_of_events;  /* each trace of a folder's run is a run */
	bool is_of_folders; /* a folder's run is called by the folder, not by its first trace */
	bool takes_records; /* a run without a trace is one, too */
	bool takes_missing; /* a folder that is not there is one, too */
	bool is_one_by_one; /* of several runs those that can be are waiting: inputs_open */
	bool goes_on;       /* of several paths one that cannot be read is left out, and said */
};

/* How it came to be named, and so what is done where it cannot be read. */
enum input_kind {
	INPUT_NAMED,   /* a path, or a digest: it fails */
	INPUT_RUN,     /* a run of a folder: left out where it has no trace and others have */
	INPUT_FURTHER, /* a further trace of such a run: left out unless strict */
	INPUT_LEFT     /* never read: why is its error */
};

struct input {
	enum input_kind kind;
	const char *path;  /* to load; of INPUT_RUN, its folder's */
	const char *shown; /* for people */
	enum status (*load)(const struct input *f, const struct load_options *o, struct run *run,
		struct err *e);
	const struct load_beside *beside; /* of INPUT_FURTHER: what is read with it, or NULL */
	const struct folder *folder;      /* of INPUT_RUN */
	const struct part *part;
	bool has_others; /* of INPUT_RUN: other runs or traces of its folder are looked at, too */
	bool may_wait;   /* it has a trace, as far as its first bytes tell */
	bool is_closed;  /* it was there, and was released */
	int64_t bytes;
	struct run *run; /* NULL: not loaded, or released */
	struct err *err; /* why it cannot be; NULL: nothing is known against it */
};

/* A folder that was read; what was found in it points into it. */
struct input_folder {
	struct folder folder;
	struct input_folder *next;
};

struct input_list {
	struct input *input;
	size_t n, cap;
	struct input_folder *folder; /* newest first */
	const struct inputs_want *want;
	bool is_strict;
	struct arena mem;
};

/* Traces of several runs, each by itself. */
struct trace_item {
	const char *path;
	const struct load_beside *beside; /* what is read with it, or NULL */
};
struct trace_list {
	struct trace_item *v;
	size_t n, cap;
	size_t left; /* files of folders that are no traces */
};

/*
 * The traces that n paths name, files and folders, all of which are inputs (base/door.h); memory is
 * the arena's.  E_NODATA for a folder without a trace; *where is what an error is about, or NULL.
 */
enum status traces_find(struct trace_list *l, const char *const *path, size_t n, struct arena *mem,
	const char **where, struct err *e) MUST_CHECK;

/* Adds what `path` names to the list, which is all zero but for want and is_strict at first; path
 * is borrowed.  A failure is about the path and in e.  input_list_clear releases, not the runs. */
enum status inputs_find(struct input_list *l, const char *path, struct err *e) MUST_CHECK;

/* Takes back what was found last: all but the first `keep`. */
void input_list_cut(struct input_list *l, size_t keep);
void input_list_clear(struct input_list *l);

/* ---- loading it (inputs.c) ---- */

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

/* Finds all runs that the paths name, in order, and loads those that cannot wait.  *where: what an
 * error is about.  inputs_clear releases, also after a failure.  Neither the runs nor what is said
 * about them depend on the number of threads. */
enum status inputs_load(struct inputs *in, const struct inputs_want *want,
	const struct read_options *read, bool is_quiet, const char *const *path, size_t npath,
	const char **where, struct err *e) MUST_CHECK;

/* The i-th run; loaded now if it is still waiting, and released by inputs_close, but for the first,
 * which stays until inputs_clear.  One at a time; what is asked for in rising order is loaded
 * ahead, each time they are gone through.  e is about in->path[i]. */
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
