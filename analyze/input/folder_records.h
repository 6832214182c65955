/*
 * Records of digests in folders: they are what their traces are, in whichever files they lie.
 */
#ifndef ANALYZE_INPUT_FOLDER_RECORDS_H
#define ANALYZE_INPUT_FOLDER_RECORDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct folder;

/* What stands between the paths of files that are read as one: a byte that no path ends with. */
enum { RECORDS_AND = '\n' };

/*
 * Of n paths those of files of digests become one, where the first of them stood; returns how many
 * paths there are then.  What it is, folder_read knows.
 */
size_t records_join(const char **path, size_t n, struct arena *mem);

/* Whether a path is one of those. */
bool records_are_joined(const char *path);

/*
 * Records of a folder behind all else, by name and by what they say, each once: how they lie in
 * files makes no difference.
 */
void records_settle(struct folder *f);

#endif
