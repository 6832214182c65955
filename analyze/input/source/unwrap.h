/* A file without its frame: gzip (several members, trailing garbage), zlib, zstd, xz, bzip2, lz4;
 * or as it is, which archives (archive_members.h) are, too. */
#pragma once

#include <sys/types.h>

#include "analyze/input/source/inflate.h"
#include "analyze/input/source/magic.h"
#include "analyze/trace/columns/tally.h"
#include "base/base.h"

struct unpack;

enum frame { FRAME_HEADER, FRAME_BODY, FRAME_TRAILER, FRAME_OVER };

struct unwrap {
	/* read(2) or a test's stand-in: bytes read, 0 at the end, -1 with errno. */
	ssize_t (*read)(void *ctx, void *buf, size_t n);
	void *read_ctx;
	int read_errno;      /* of the read that failed */
	int64_t read_bytes;  /* taken from the file so far */
	struct tally *tally; /* the caller's: what was odd about the frames */

	unsigned char *in; /* what was read and not yet used: in[at .. n) */
	size_t at, n;
	bool eof;

	enum container container;
	const struct inflater *inflater;
	void *state;
	enum frame frame;
	int members;
	int64_t made_bytes;    /* inflated so far */
	uint32_t check;        /* CRC-32 or Adler-32 of the member so far */
	uint32_t length;       /* its size mod 2^32 */
	struct unpack *unpack; /* what takes another frame than those two off */
};

/* Looks at the first bytes.  inflate: "zlib", "isal" or NULL.  ctx and tally stay the caller's,
 * until unwrap_close.  Errors: E_IO, E_FORMAT (empty, another format: says which); then nothing is
 * open. */
enum status unwrap_open(struct unwrap *u, ssize_t (*reader)(void *, void *, size_t), void *ctx,
	const char *inflate, struct tally *tally, struct err *e) MUST_CHECK;
void unwrap_close(struct unwrap *u);

/* From has moved to `to`, and is empty. */
void unwrap_move(struct unwrap *to, struct unwrap *from);

/* Puts the next n bytes into buf and their number into *got, fewer than n only at the end.  What is
 * wrong with a frame is counted and ends the text there.  Errors: E_IO; E_LIMIT for what grows
 * beyond UNPACK_RATIO; E_FORMAT for what is compressed twice. */
enum status unwrap_read(
	struct unwrap *u, char *buf, size_t n, size_t *got, struct err *e) MUST_CHECK;
