/* A source: a file or pipe as one stream of UTF-8 text, whatever it is wrapped in.
 *
 * gzip (several members, trailing bytes), zlib, zstd, xz, bzip2, lz4, plain; a file of a zip or tar
 * archive; byte order marks; UTF-16.  Text comes in order, by one reader.  Nothing is mapped, so a
 * file that shrinks while being read is a short read and no signal. */
#pragma once

#include "analyze/input/source/magic.h"
#include "analyze/input/source/unwrap.h"
#include "analyze/trace/columns/tally.h"
#include "base/base.h"

struct members;

struct source {
	int fd;             /* -1 when not ours */
	int64_t file_bytes; /* size on disk, or of a named member in its archive; -1 unknown */
	int64_t disk_bytes; /* what source_taken comes to at most; -1 unknown */
	struct unwrap file;
	struct members *members; /* of the archive that `file` is a member of, or NULL */
	bool is_first;           /* the member was not named, and others may follow */
	char container[48];
	const char *inflate; /* as it was given */

	enum encoding encoding;
	unsigned char *raw; /* UTF-16: undecoded bytes raw[0 .. nraw) */
	size_t nraw;
	bool raw_eof;
	char *ready; /* decoded text not yet delivered: ready[ready_at .. nready) */
	size_t ready_at, nready;
	char *peeked; /* text source_peek has taken and source_read has still to deliver */
	size_t peeked_at, npeeked;

	int64_t text_bytes;     /* delivered so far */
	struct tally tally;     /* what was odd about the wrapping */
	char head[MAGIC_BYTES]; /* the beginning of the text, for messages */
	size_t nhead;
};

/* Opens path ("-" is stdin) and looks at its first bytes.  inflate: "zlib", "isal" or NULL.
 * ARCHIVE!NAME is a file in an archive (archive_members.h); of an archive itself it is the first
 * file, and what follows is counted.  E_IO (missing, unreadable, a directory), E_FORMAT (empty,
 * another format: says which), E_NODATA (no such file in the archive). */
enum status source_open(
	struct source *s, const char *path, const char *inflate, struct err *e) MUST_CHECK;

/* The same over a read function of the caller's. */
enum status source_open_reader(struct source *s, ssize_t (*read)(void *, void *, size_t), void *ctx,
	const char *inflate, struct err *e) MUST_CHECK;
void source_close(struct source *s);

/* Opens a regular file that is an archive before its first member, for members_next; s->members is
 * NULL for what is none, and then there is nothing to read.  source_close in any case.  E_IO,
 * E_FORMAT. */
enum status source_open_archive(
	struct source *s, const char *path, const char *inflate, struct err *e) MUST_CHECK;

/* True when the source is the first file of an archive and others follow; ends what it reads. */
bool source_has_further(struct source *s);

/* Whether its text is, byte for byte, a regular file that the source has opened itself. */
bool source_is_plain_file(const struct source *s);

/* Bytes of the file read so far. */
int64_t source_taken(const struct source *s);

/* Up to n bytes of text into buf; *got < n only at its end.  E_IO when reading fails. */
enum status source_read(
	struct source *s, char *buf, size_t n, size_t *got, struct err *e) MUST_CHECK;

/* The next n bytes of text, fewer only at its end, which source_read will deliver once more.  Valid
 * until the next call.  Before the first source_read; again only with a larger n. */
enum status source_peek(struct source *s, size_t n, struct span *text, struct err *e) MUST_CHECK;

/* "gzip", "zstd", "plain", "zip", "gzip in tar in xz"; the source owns it. */
const char *source_container(const struct source *s);

/* Text on its way through windows, with WINDOW_PADDING bytes of room behind n. */
struct window_text {
	char *p; /* owned */
	size_t n, cap;
};

/* Room for n bytes.  The same for a text that begins anew: nothing is copied. */
void window_reserve(struct window_text *t, size_t n);
void window_renew(struct window_text *t, size_t n);
void window_append(struct window_text *t, const char *p, size_t n);
