/*
 * A lock on a folder: who holds it is alone with what lies there.
 *
 * It is the kernel's, on the folder itself, by whatever path it is reached, and gone with the
 * process.  On a network file system it may count for this machine only.
 */
#ifndef CMD_BASELINE_LOCK_H
#define CMD_BASELINE_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Waits for the lock; *fd holds it until it is closed.  When that takes LOCK_PATIENCE_S seconds it
 * is said on stderr, with the process that has it where the kernel tells.  A file system without
 * locks is said unless is_quiet, and no failure.  E_IO when the folder cannot be opened: errno is
 * kept, and the text begins with the folder.
 */
enum { LOCK_PATIENCE_S = 3 };
enum status lock_folder(int *fd, const char *folder, bool is_quiet, struct err *e) MUST_CHECK;

#endif
