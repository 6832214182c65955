/* The file of a capture while it is written: "NAME.part", one gzip member, checkpoints in its
 * header (../seal.h).  Belongs to the worker; nothing here is safe from two threads. */
#pragma once

#include <zlib.h>

#include "capture/inject/jtext.h"

enum { GZOUT_PATH_MAX = 4096, GZOUT_ERROR_MAX = GZOUT_PATH_MAX + 256 };

struct gzout {
	int fd; /* -1: not open */
	bool failed;
	z_stream z;
	struct jtext text; /* written, not yet compressed */
	uint64_t offset;   /* bytes of the file */
	uint32_t crc, isize;
	uint64_t events;    /* counted by the writer of events */
	uint64_t device_ns; /* end of the last device work, told by the same */
	unsigned char *packed;
	char wish[GZOUT_PATH_MAX];     /* the name that was asked for */
	char path[GZOUT_PATH_MAX];     /* the final name; "" until gzout_settle */
	char part[GZOUT_PATH_MAX + 8]; /* the name now, or about to be */
	char next[GZOUT_PATH_MAX + 8]; /* the name it is about to get; mostly "" */
	char error[GZOUT_ERROR_MAX];
	/* Told of part and next before a file has such a name: whoever knows them at any moment can
	 * find the file.  NULL: nobody asks. */
	void (*tell)(void *user);
	void *tell_user;
};

/* Creates a file in the folder of `path`, under a name that no other process has.  It begins with
 * an empty checkpoint.  tell: as above.  False with words in o->error; the struct is then empty. */
bool gzout_open(struct gzout *o, const char *path, int level, void (*tell)(void *user), void *user);

/* After the first commit: gives it the name "PATH.part", or with ".1", ".2" ... before PATH's
 * suffix where that or PATH exists.  A file of that name can therefore always be sealed.  False as
 * in gzout_pump. */
bool gzout_settle(struct gzout *o);

/* Compresses o->text when there is much of it.  False, words in o->error, o->failed set: the file
 * stays as it is up to the last checkpoint, and nothing more is written to it. */
bool gzout_pump(struct gzout *o);

/* Everything so far to the file, on a byte boundary, and a checkpoint.  False as above. */
bool gzout_commit(struct gzout *o);

/* Ends the stream after o->text and gives the file its name; o->path is another one then where a
 * file of that name has come since gzout_settle, which stays.  False as above.  Closes it. */
bool gzout_finish(struct gzout *o);

/* Closes the descriptor and forgets everything, as a forked child must.  Nothing is written. */
void gzout_forget(struct gzout *o);
