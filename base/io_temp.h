/* Temporary files that do not stay: made in the folder of what they will be, locked while they are
 * written, known to whoever ends the program, swept when their writer is dead.
 *
 * A name says nothing about its writer but keeps two of them apart; that a writer lives, its lock
 * says, which the kernel takes away when it dies, however it dies.  That holds whatever becomes of
 * process ids, and for all machines of a network file system that shares locks.  Where there are no
 * locks nothing is swept. */
#pragma once

#include "base/err.h"

/* A temporary file.  Between io_temp_make and io_temp_place or io_temp_drop. */
struct io_temp {
	char *path; /* malloc'ed; NULL: there is none */
	int fd;     /* open for writing, and what holds the lock */
	int slot;   /* where the program's end finds the path; -1: nowhere */
};

/* Makes an empty file in the folder ("" is the current one), with the access mode any new file gets
 * here, after it has swept the folder.  Another program may be told to write to t->path.  E_IO with
 * the reason; *t then holds nothing. */
enum status io_temp_make(struct io_temp *t, const char *folder, struct err *e) MUST_CHECK;

/* The same for a folder, which goes with all files that are in it. */
enum status io_temp_make_folder(struct io_temp *t, const char *folder, struct err *e) MUST_CHECK;

/* A file in such a folder.  Once it is complete io_temp_leave closes it: there it needs neither a
 * lock nor a place of its own among what is known to who ends the program. */
enum status io_temp_make_in(
	struct io_temp *t, const struct io_temp *folder, struct err *e) MUST_CHECK;
void io_temp_leave(struct io_temp *t);

/* Renames it to path.  E_IO with the reason: the file is gone.  *t holds nothing afterwards. */
enum status io_temp_place(struct io_temp *t, const char *path, struct err *e) MUST_CHECK;

/* The same, but never in place of another file: what is at path by then stays, and that is E_IO,
 * also on a file system that cannot do better than find out. */
enum status io_temp_place_new(struct io_temp *t, const char *path, struct err *e) MUST_CHECK;

/* Removes it, if there is one; *t holds nothing afterwards. */
void io_temp_drop(struct io_temp *t);

/* Removes the temporary files and folders in the folder whose writers are dead.  O(names in the
 * folder). */
void io_temp_sweep(const char *folder);

/* Removes all of this program, which is about to end.  For a signal handler: calls nothing that
 * must not be called there. */
void io_temp_drop_all(void);
