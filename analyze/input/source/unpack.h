/* What libarchive takes apart: streams of zstd, xz, bzip2 and lz4, and the members of zip and tar.
 * Nothing is written anywhere; names of members are texts. */
#pragma once

#include <sys/types.h>

#include "analyze/input/source/magic.h"

/* A bomb: more bytes than this many for each that was read, and UNPACK_FREE besides.  Deflate
 * reaches 1,032; zstd and bzip2 would reach tens of thousands. */
enum { UNPACK_RATIO = 4096, UNPACK_FREE = 64 << 20 };

/* What is said then. */
#define UNPACK_BOMB_TEXT "a decompression bomb: more than 4,096 times its size comes out"
_Static_assert(UNPACK_RATIO == 4096, "as the words say");

/* Where packed bytes come from. */
struct unpack_from {
	/* The next bytes, valid until the next call: their number, 0 at the end, -1 for a failure.
	 */
	ssize_t (*more)(void *ctx, const void **p);
	/* To a place, as lseek; NULL where there is no way back. */
	int64_t (*seek)(void *ctx, int64_t to, int whence);
	void *ctx;
};

enum unpack_end {
	UNPACK_MORE,
	UNPACK_OVER,  /* the end of the stream, of the member, or of the archive */
	UNPACK_CUT,   /* the bytes end too early */
	UNPACK_BAD,   /* the bytes are damaged; unpack_why says how */
	UNPACK_TWICE, /* compressed by the same twice */
	UNPACK_BOMB,  /* more comes out than UNPACK_RATIO lets through */
	UNPACK_FAILED /* `more` failed */
};

enum member_what { MEMBER_FILE, MEMBER_FOLDER, MEMBER_LINK, MEMBER_SPECIAL };

struct archived {
	const char *name; /* untrusted, as the archive spells it; valid until the next call */
	int64_t bytes;    /* as the archive says; -1: it does not */
	enum member_what what;
	bool is_locked; /* encrypted */
};

struct unpack;

/* NULL when there is a libarchive, else why not: "traceq was built without libarchive". */
const char *unpack_missing(void);

/* form: CONTAINER_ZSTD .. LZ4 for a stream, which may be read at once, CONTAINER_ZIP or TAR for
 * members.  NULL when unpack_missing.  The caller frees it by unpack_close. */
struct unpack *unpack_open(enum container form, const struct unpack_from *from);
void unpack_close(struct unpack *u);

/* From now on `more` and `seek` get this. */
void unpack_rebase(struct unpack *u, void *ctx);

/* The next member of an archive; UNPACK_MORE: it is in *m. */
enum unpack_end unpack_next(struct unpack *u, struct archived *m);

/* Up to n bytes of the stream or member; all n came with UNPACK_MORE, *got in any case. */
enum unpack_end unpack_read(struct unpack *u, void *buf, size_t n, size_t *got);

/* What libarchive says is wrong; may quote the input. */
const char *unpack_why(const struct unpack *u);
