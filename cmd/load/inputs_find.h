/*
 * What the paths of a command line name: what there is to load, and how.  Private to
 * cmd/load/inputs*.c.
 */
#ifndef CMD_LOAD_INPUTS_FIND_H
#define CMD_LOAD_INPUTS_FIND_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/input/folder.h"
#include "base/err.h"

struct inputs;
struct load_options;
struct part;
struct run;

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
	const struct folder *folder; /* of INPUT_RUN */
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

/*
 * Adds what `path` names to in->found.  A failure is about the path and in e; folders are released
 * by inputs_lose.
 */
enum status inputs_find(struct inputs *in, const char *path, struct err *e) MUST_CHECK;
void inputs_lose(struct inputs *in);

#endif
