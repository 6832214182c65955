/* Inflating raw deflate streams, by ISA-L where it is built in, else by zlib; and their checksums.
 * The frames around them (gzip, zlib) are source.c's work. */
#pragma once

#include "base/base.h"

enum inflate_end {
	INFLATE_MORE, /* input used up or output full */
	INFLATE_END,  /* the stream's last block is complete */
	INFLATE_BAD   /* no deflate stream */
};

struct inflater {
	const char *name;
	/* A new decoder; freed by close. */
	void *(*open)(void);
	void (*close)(void *state);
	/* Ready for another stream. */
	void (*reset)(void *state);
	/* Inflates from *in (of *nin bytes) to *out (of *nout bytes); all four are advanced by what
	 * was used and made.  At INFLATE_END up to 8 bytes taken by earlier calls may be given
	 * back: *in then points before where it was, so the caller keeps them readable there. */
	enum inflate_end (*run)(void *state, const unsigned char **in, size_t *nin,
		unsigned char **out, size_t *nout) MUST_CHECK;
	uint32_t (*crc32)(uint32_t crc, const unsigned char *p, size_t n);
	uint32_t (*adler32)(uint32_t adler, const unsigned char *p, size_t n);
};

#ifdef HAVE_ISAL
extern const struct inflater inflater_isal;
#endif

/* The one of that name ("zlib", "isal"), or for NULL and unknown names the best there is. */
const struct inflater *inflater_pick(const char *wanted);

/* "ISA-L 2.30.0, zlib 1.2.13" or "zlib 1.2.13"; constant after the first call of the program. */
const char *inflate_versions(void);
