/* The fence: the folders whose files may be read and written. */
#pragma once

#include "base/base.h"

struct fence {
	const char **root; /* real paths of folders, at least one */
	size_t n;
};

/* The folders of n paths, of the current one where n is 0.  Memory is the arena's.  E_USAGE for a
 * path that is no folder. */
enum status fence_open(struct fence *f, const char *const *path, size_t n, struct arena *mem,
	struct err *e) MUST_CHECK;

/* The way to a file or folder at or below a root, from the current folder; links are followed.
 * *file is what is to be opened, the arena's.  E_USAGE, in the same words, for what is
 * elsewhere and for what is nowhere; and for what is neither file nor folder. */
enum status fence_reads(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e) MUST_CHECK;

/* The same for a file that is to be written, and is not there yet: its folder lies in a root. */
enum status fence_writes(const struct fence *f, const char *path, struct arena *mem,
	const char **file, struct err *e) MUST_CHECK;

/* ---- the sandbox: what the kernel itself keeps this process from (Landlock, Linux 5.13) ---- */

/* From now on this process and its children open files below the n folders only, read the libraries
 * of the system, and connect to no TCP port where the kernel can see to that.  Nothing undoes it;
 * it can be narrowed once more.  can_write: also make files there.  False where the kernel cannot,
 * or does not want to. */
bool sandbox_enter(const char *const *folder, size_t n, bool can_write);
