/* Folders: which files a run left behind, and what each of them is by its content.  An archive of
 * several files is a folder, too. */
#pragma once

#include "analyze/input/folder_file.h"
#include "base/base.h"

/* True when path is a folder, an archive with more than one file, or one of its folders: A!NAME/.
 */
bool folder_is(const char *path);

/* True when nothing is there, and the name is that of a folder: it ends in '/', or has no dot. */
bool folder_is_missing(const char *path);

/* Walks the folder and looks at the beginning of each file, each taken once.  path may be a link;
 * of those inside, one to a file in the folder is followed, one to a folder is not (what it leads
 * to is there already, such as `latest`), nor anything that leads out: a folder is what lies in it,
 * whoever packed it.  Nothing but regular files is opened.  Of an archive no link is followed. E_IO
 * when the folder itself cannot be opened, E_NODATA when all that is in it leads out, E_LIMIT when
 * an archive is a bomb or would have to be read too often; *f is initialised in any case and
 * released by folder_clear. */
enum status folder_read(
	struct folder *f, const char *path, const char *inflate, struct err *e) MUST_CHECK;
void folder_clear(struct folder *f);

/* How far a glance goes. */
struct folder_reach {
	size_t files;                    /* looked at */
	unsigned depth;                  /* folders below one another; 0: the folder itself */
	bool (*wants)(const char *name); /* by their names; the others are not opened */
};

/* The same of what is near only, for who wants to know what there is and not all of it. */
enum status folder_glance(struct folder *f, const char *path, const struct folder_reach *reach,
	struct err *e) MUST_CHECK;

/* Appends what of the folder was not looked at: "2 hidden names, 1 folder too deep".  Returns how
 * many all of it is; *is_odd: more than hidden names and links to what is there already. */
int64_t folder_put_left_out(const struct folder *f, struct str *out, bool *is_odd);
