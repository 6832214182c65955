/* Output files that are either complete or not there, and small files read whole. */
#pragma once

#include <stdio.h>

#include "base/base.h"
#include "base/door.h"
#include "base/io_temp.h"

/* A file being written.  Between io_create and io_commit or io_abandon. */
struct io_file {
	FILE *out;           /* write here */
	char *path;          /* where it will be: the target when a link was given; malloc'ed */
	char *named;         /* as it was given; malloc'ed */
	struct io_temp temp; /* the file in the same folder that will be it; none when in place */
	bool is_new;         /* io_create_new: nothing is replaced */
	bool is_durable;     /* to be set before io_commit: see there */
};

/* Opens a temporary file beside path; io_commit renames it over path, so that readers see the old
 * file or the whole new one, and a killed program leaves the old one (base/io_temp.h).  Keeps the
 * access mode of an existing file and follows symbolic links, also one whose target is not there
 * yet.  What is there and is no regular file (a pipe, /dev/null) is written in place, and so is
 * what is open already (io_own_fd): never renamed over what stdout was redirected to.  A named pipe
 * is given IO_READER_S seconds to be opened by a reader.  E_IO with the reason; E_USAGE, with both
 * names in its text, where the file is an input (base/door.h) or held already; *f then holds
 * nothing. */
enum { IO_READER_S = 10 };
enum status io_create(struct io_file *f, const char *path, struct err *e) MUST_CHECK;

/* The same for a file that is not there, and whose path is no link: neither now nor when it is
 * committed is anything replaced, whoever is faster.  E_IO where something is there. */
enum status io_create_new(struct io_file *f, const char *path, struct err *e) MUST_CHECK;

/* Flushes, checks, renames; between io_hold and io_release the last is left to that.  On E_IO and
 * E_USAGE the temporary file is gone and path is as before.
 *
 * With is_durable it returns when file and name are on the disk.  That costs some milliseconds and
 * is for what nobody can make again, such as a store.  An answer can be asked for again: after a
 * power cut it may be the old, the new or an empty one. */
enum status io_commit(struct io_file *f, struct err *e) MUST_CHECK;

/* Throws away what was written; path is as before. */
void io_abandon(struct io_file *f);

/* Files that appear together or not at all: from io_hold on what is committed waits, complete, in
 * its temporary file until io_release gives all of them their names, or io_drop throws them away.
 * io_release asks of each of them first whether it may be written: E_USAGE, E_IO, with the name in
 * the text.  They may be nested: then the outermost does it, and io_drop throws away what came
 * since the io_hold before it. */
void io_hold(void);

/* The same for thousands: they are written in a folder of their own in that one, and need no folder
 * of what they will be before io_release.  All were planned (door_plan), which tells them apart.
 * E_IO: nothing is held. */
enum status io_hold_in(const char *folder, struct err *e) MUST_CHECK;
enum status io_release(struct err *e) MUST_CHECK;
void io_drop(void);

/* The same as io_put at the end of what is there. */
enum status io_append(const char *path, const struct str *text, struct err *e) MUST_CHECK;

/* Writes text to path as io_create and io_commit do.  E_IO; the error's text begins with path. */
enum status io_put(const char *path, const struct str *text, struct err *e) MUST_CHECK;

/* Appends all of a file to out, at most `most` bytes of it.  Never waits for a named pipe, which is
 * E_IO; what is open already, such as <(command), is read to its end.  E_LIMIT when there is more.
 * The error's text begins with path. */
enum status io_get(const char *path, size_t most, struct str *text, struct err *e) MUST_CHECK;

/* When st is a failure: "path: " before the error's text.  The hint stays.  Returns st.  A text of
 * E_USAGE, what was asked for, names its files itself. */
enum status io_named(const char *path, enum status st, struct err *e) MUST_CHECK;

/* Waits until the names in the folder are on the disk.  E_IO only where the disk failed. */
enum status io_settle(const char *folder, struct err *e) MUST_CHECK;
