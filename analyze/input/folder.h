/*
 * Folders: which files a run left behind, and what each of them is by its content.
 */
#ifndef ANALYZE_INPUT_FOLDER_H
#define ANALYZE_INPUT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

struct artifact;
struct str;

enum {
	FOLDER_FILES = 10000,   /* looked at; more are counted */
	FOLDER_FOLDERS = 10000, /* walked; more are counted */
	FOLDER_DEPTH = 8        /* folders below one another */
};

enum folder_what {
	FOLDER_TRACE,
	FOLDER_FURTHER, /* a trace that is read by itself (parts.h) */
	FOLDER_ARTIFACT,
	FOLDER_UNKNOWN, /* nothing that is read here; why says what it seems to be */
	FOLDER_DAMAGED  /* cannot be opened, inflated or told apart; why says so */
};

struct folder_file {
	const char *path; /* to open */
	const char *name; /* below the folder: "torch_profiler/trace.json" */
	enum folder_what what;
	const struct artifact *kind; /* of FOLDER_ARTIFACT */
	const char *why;             /* of the last two; "" else */
	int64_t bytes;
	unsigned depth; /* 0: in the folder itself */
};

struct folder {
	const char *path;         /* as it was given */
	struct folder_file *file; /* those of a folder by name (bytewise), then its subfolders' */
	size_t n, cap;
	int64_t hidden;     /* names with a dot in front, not looked at */
	int64_t too_many;   /* files beyond FOLDER_FILES, folders beyond FOLDER_FOLDERS */
	int64_t too_deep;   /* folders beyond FOLDER_DEPTH */
	int64_t unreadable; /* folders that could not be opened */
	int64_t twice;      /* links to files and folders that are there already */
	int64_t outside;    /* links that lead out of the folder */
	int64_t dangling;   /* links that lead to nothing, or in a circle */
	int64_t special;    /* pipes, sockets, devices, and links to them */
	struct arena mem;   /* owns all of it */
};

/* True when path is a folder. */
bool folder_is(const char *path);

/*
 * Walks the folder and looks at the beginning of each file, each taken once.  path may be a link;
 * of those inside, one to a file in the folder is followed, one to a folder is not (what it leads
 * to is there already, such as `latest`), nor anything that leads out: a folder is what lies in it,
 * whoever packed it.  Nothing but regular files is opened.  E_IO when the folder itself cannot be
 * opened, E_NODATA when all that is in it leads out; *f is initialised in any case and released by
 * folder_clear.
 */
enum status folder_read(
	struct folder *f, const char *path, const char *inflate, struct err *e) MUST_CHECK;
void folder_clear(struct folder *f);

/*
 * Appends what of the folder was not looked at: "2 hidden names, 1 folder too deep".  Returns how
 * many all of it is; *is_odd: more than hidden names and links to what is there already.
 */
int64_t folder_put_left_out(const struct folder *f, struct str *out, bool *is_odd);

#endif
