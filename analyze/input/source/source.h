/*
 * A source: a file or pipe as one stream of UTF-8 text, whatever it is wrapped in.
 *
 * gzip (several members, trailing bytes), zlib, plain; byte order marks; UTF-16.  Text comes in
 * order, by one reader; nothing is mapped, so a file that shrinks while being read is a short read
 * and no signal.
 */
#ifndef ANALYZE_INPUT_SOURCE_SOURCE_H
#define ANALYZE_INPUT_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "analyze/input/source/magic.h"
#include "analyze/input/source/unwrap.h"
#include "analyze/trace/tally.h"
#include "base/err.h"

struct source {
	int fd;             /* -1 when not ours */
	int64_t file_bytes; /* size on disk, -1 unknown */
	struct unwrap file;

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

/*
 * Opens path ("-" is stdin) and looks at its first bytes.  inflate: "zlib", "isal" or NULL.
 * E_IO (missing, unreadable, a directory), E_FORMAT (empty, another format: says which).
 */
enum status source_open(
	struct source *s, const char *path, const char *inflate, struct err *e) MUST_CHECK;

/* The same over a read function of the caller's. */
enum status source_open_reader(struct source *s, ssize_t (*read)(void *, void *, size_t), void *ctx,
	const char *inflate, struct err *e) MUST_CHECK;
void source_close(struct source *s);

/* Up to n bytes of text into buf; *got < n only at its end.  E_IO when reading fails. */
enum status source_read(
	struct source *s, char *buf, size_t n, size_t *got, struct err *e) MUST_CHECK;

/*
 * The next n bytes of text, fewer only at its end, which source_read will deliver once more.  Valid
 * until the next call.  Before the first source_read; again only with a larger n.
 */
enum status source_peek(struct source *s, size_t n, struct span *text, struct err *e) MUST_CHECK;

/* "gzip", "zlib", "plain". */
const char *source_container(const struct source *s);

#endif
