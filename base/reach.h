/* The door for inputs: every file and folder that is read is opened here.
 *
 * A program that reads for somebody else, as traceq mcp does, says once which folders that may be
 * in.  From then on what is opened is looked at, not how it was named: whatever a path says, and
 * whatever links lie on the way or are put there meanwhile, what lies outside is not there. */
#pragma once

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Only what lies in the n folders, real paths, can be opened from now on, and only regular files
 * and folders.  They are borrowed.  Before there are threads; nothing undoes it. */
void reach_limit(const char *const *folder, size_t n);

/* As open(2) for reading, with those flags and O_CLOEXEC; -1 with errno.  What is out of reach is
 * ENOENT, as if it were not there. */
int reach_open(const char *path, int flags);

/* The same as fopen(3) with "rb", opendir(3) do. */
FILE *reach_file(const char *path);
DIR *reach_folder(const char *path);

/* How many entries a folder has but hidden ones, counted up to `most`; -1: it cannot be read. */
int reach_count(const char *path, int most);

/* Whether a real path is that folder or lies below it. */
bool reach_is_below(const char *path, const char *folder);

/* Whether what is open lies within the limits: for what was made by its name. */
bool reach_holds(int fd);

/* Whether standard input and what else is open already may be read: not within limits. */
bool reach_is_limited(void);
