/*
 * What the paths of a command line name: what there is to load, and how.
 */
#ifndef CMD_LOAD_INPUTS_FIND_H
#define CMD_LOAD_INPUTS_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/folder.h"
#include "base/arena.h"
#include "base/err.h"

struct captured;
struct exectrace;
struct load_options;
struct part;
struct run;

/* What becomes of a folder. */
enum inputs_folder {
	FOLDER_EACH_RUN, /* each run in it (analyze/input/run_parts.h) */
	FOLDER_RANKS,    /* one run; each trace of it, when it is one run of several ranks */
	FOLDER_AS_ONE    /* one run */
};

/* What runs are wanted for. */
struct inputs_want {
	unsigned needs;                  /* enum need */
	const char *comm;                /* load_options.comm */
	const struct captured *captured; /* what names graph replays, ncaptured of them */
	size_t ncaptured;
	const struct exectrace *exectrace; /* what says what operators read and write */
	size_t nexectrace;
	enum inputs_folder folder;
	bool is_of_events;  /* each trace of a folder's run is a run */
	bool is_of_folders; /* a folder's run is called by the folder, not by its first trace */
	bool takes_records; /* a run without a trace is one, too */
	bool takes_missing; /* a folder that is not there is one, too */
	bool is_one_by_one; /* of several runs those that can be are waiting: inputs_open */
	bool goes_on;       /* of several paths one that cannot be read is left out, and said */
};

/* How it came to be named, and so what is done where it cannot be read. */
enum input_kind {
	INPUT_NAMED,   /* a path: it fails */
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

/*
 * Adds what `path` names to the list, which is all zero but for want and is_strict at first; path
 * is borrowed.  A failure is about the path and in e.  input_list_clear releases, not the runs.
 */
enum status inputs_find(struct input_list *l, const char *path, struct err *e) MUST_CHECK;

/* Takes back what was found last: all but the first `keep`. */
void input_list_cut(struct input_list *l, size_t keep);
void input_list_clear(struct input_list *l);

#endif
