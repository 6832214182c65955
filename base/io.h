/*
 * Output files that are either complete or not there.
 */
#ifndef BASE_IO_H
#define BASE_IO_H

#include <stdio.h>

#include "base/err.h"

struct str;

/* A file being written.  Between io_create and io_commit or io_abandon. */
struct io_file {
	FILE *out;    /* write here */
	char *path;   /* where it will be: the target when a link was given; malloc'ed */
	char *beside; /* the temporary file in the same folder; NULL when written in place */
};

/*
 * Opens a temporary file beside path; io_commit renames it over path, so that readers see the old
 * file or the whole new one.  Keeps the access mode of an existing file and follows a symbolic
 * link. What is there and is no regular file (a pipe, /dev/null) is written in place. E_IO with the
 * reason; *f then holds nothing.
 */
enum status io_create(struct io_file *f, const char *path, struct err *e) MUST_CHECK;

/* Flushes, checks, renames.  On E_IO the temporary file is gone and path is as before. */
enum status io_commit(struct io_file *f, struct err *e) MUST_CHECK;

/* Throws away what was written; path is as before. */
void io_abandon(struct io_file *f);

/* Writes text to path as io_create and io_commit do.  E_IO; the error's text begins with path. */
enum status io_put(const char *path, const struct str *text, struct err *e) MUST_CHECK;

/* When st is a failure: "path: " before the error's text; the hint stays.  Returns st. */
enum status io_named(const char *path, enum status st, struct err *e) MUST_CHECK;

#endif
