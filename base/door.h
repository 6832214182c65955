/* The door that every file goes out by: it knows what a command reads and what it is going to
 * write, and lets nothing out that would replace an input, a file of somebody else that nobody
 * named, or another output of the same command.
 *
 * Files are known by device and inode, so that links and other spellings of a name are the same
 * file.  Who reads for an answer says so (door_input, door_input_fd); who writes says so beforehand
 * (door_plan); io_create and io_commit ask once more.  Only a command knows one process long what
 * it reads, so this is the process's: from door_begin to the next. */
#pragma once

#include "base/base.h"

/* A file that is going to be written. */
struct door_output {
	const char *option; /* that names it: "-o"; NULL: none does */
	const char *path;   /* NULL, "-": there is none */
	/* Not NULL: nobody named it.  It is written beside that file, or into that folder.  What is
	 * there is replaced where is_ours says so of its first bytes, or all is (door_force). */
	const char *beside;
	bool (*is_ours)(struct span head, const void *ctx);
	const void *ctx;
	bool is_store; /* what is read is written anew: it is no harm that it is an input */
};

/* Another command begins: nothing is known. */
void door_begin(void);

/* --force: what is there is replaced, whoever wrote it; but no input. */
void door_force(bool is_forced);

/* An input: the regular file that the path leads to, also as FILE!NAME of an archive, or that is
 * open as fd.  What is no regular file, or not there, is none.  Any thread.  Texts are copied. */
void door_input(const char *path);
void door_input_fd(int fd, const char *name);

/* Says that a file will be written.  E_USAGE, naming both, when it is an input, an output that was
 * planned before, what standard output or standard error goes to, or a file that is none of ours;
 * also for an empty name.  option, path and beside are copied, ctx is only used now. */
enum status door_plan(const struct door_output *o, struct err *e) MUST_CHECK;

/* Whether all that was planned may still be written, now that more is known of the inputs; and
 * standard output.  E_USAGE. */
enum status door_check(struct err *e) MUST_CHECK;

/* Whether the file may be written, which need not have been planned.  E_USAGE. */
enum status door_passes(const char *path, struct err *e) MUST_CHECK;

/* Standard output goes to no input: E_USAGE. */
enum status door_stdout(struct err *e) MUST_CHECK;

/* Whether two paths are one file, be it there or not.  What is no regular file is none. */
bool door_is_same(const char *a, const char *b);

/* ---- names of files: what they lead to, and what is open already ---- */

/* The file that path means, its links followed, be it there or not; malloc'ed. */
char *io_target(const char *path);

/* The folder path lies in, "." for one without; malloc'ed. */
char *io_folder(const char *path);

/* The number of the open file that path stands for (/dev/stdout, /dev/fd/3), or -1. */
int io_own_fd(const char *path);
