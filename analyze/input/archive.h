/*
 * Archives of several files as folders: read in one pass, in no order but that of a folder's walk.
 */
#ifndef ANALYZE_INPUT_ARCHIVE_H
#define ANALYZE_INPUT_ARCHIVE_H

#include <stdbool.h>

#include "base/err.h"

struct folder;
struct folder_file;

/* True for the path of a file that is an archive with more than one file that is not hidden. */
bool archive_is_folder(const char *path);

/* True for ARCHIVE!NAME/, a folder in an archive.  Looks at names on disk only. */
bool archive_has_folder(const char *path);

/*
 * The files of an archive, or of a folder in it, into *f, which is fresh but for its path, as
 * folder_read does it.  E_IO, E_FORMAT, E_NODATA (no such folder in it), E_LIMIT.
 */
enum status archive_read(
	struct folder *f, const char *path, const char *inflate, struct err *e) MUST_CHECK;

/*
 * The same for an archive that a folder holds: its files go behind those that *f has, named as if
 * it were a folder of that name, this deep.  One that cannot be read is itself a damaged file of
 * *f.
 */
void archive_add(struct folder *f, const struct folder_file *archive, const char *inflate);

#endif
