/* Members of an archive, zip, tar or digests, as bytes of their own, one after the other.
 *
 * A member's path is FILE!NAME, with NAME as members_next gives it: "run.zip!rank0/trace.json".  It
 * is a text to look for, and names nothing on disk. */
#pragma once

#include "analyze/input/source/unpack.h"
#include "analyze/input/source/unwrap.h"
#include "base/base.h"

struct members;

/* Takes over *outer, whose bytes are the archive, but for the first ones, which come in `first`.
 * fd: of a regular file that is itself the archive, so that a zip is read by its directory, else
 * -1; stays the caller's, as the outer's context and tally do.  E_FORMAT without libarchive.  *made
 * is there to be closed, or NULL. */
enum status members_open(struct members **made, struct unwrap *outer, struct span first, int fd,
	struct err *e) MUST_CHECK;
void members_close(struct members *m);

/* The next member.  Its name has no "." and no empty parts.  UNPACK_OVER at the end; what else ends
 * the archive is counted in the outer's tally. */
enum unpack_end members_next(struct members *m, struct archived *one);

/* Goes to the file of that name, or for NULL to the first one that is not hidden; *bytes is its
 * size, -1 unknown.  E_NODATA: there is none; E_FORMAT: it is encrypted; E_LIMIT, E_IO. */
enum status members_find(
	struct members *m, const char *name, int64_t *bytes, struct err *e) MUST_CHECK;

/* The bytes of the member at hand, as read(2); for unwrap_open.  -1: members_failed. */
ssize_t members_read(void *members, void *buf, size_t n);

/* Why members_read gave -1, in e; its status. */
enum status members_failed(const struct members *m, struct err *e);

/* Files, not hidden, behind the member at hand. */
int64_t members_left(struct members *m);

/* Bytes taken from the archive so far. */
int64_t members_taken(const struct members *m);

/* What the archive is: CONTAINER_ZIP, TAR or DIGESTS; and what that was in: CONTAINER_GZIP, ...,
 * else PLAIN. */
enum container members_form(const struct members *m);
enum container members_outer(const struct members *m);

/* True when a part of the name begins with a dot: "..", too, so nothing leads upwards. */
bool members_is_hidden(const char *name);

/* FILE!NAME where FILE is a regular file: its length, and the name behind it.  False for any other
 * path.  Looks at names on disk only. */
bool members_split(const char *path, size_t *file_len, const char **name);
