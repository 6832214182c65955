/*
 * The files a database is kept in: the database, and beside it the log of what was committed since
 * (-wal), or of what a transaction that never ended has overwritten (-journal).  Without them the
 * database alone is another one: rows are missing, or are those of a transaction that never was.
 *
 * They are read where they lie: on disk, as members of an archive, compressed as the database is.
 */
#pragma once

#include "base/base.h"

struct format_input;

enum { STORED_IN_MEMORY_MAX = 1 << 30 }; /* of one that is no plain file */

/* One of them: on disk, or in memory; neither: it is not there. */
struct stored_file {
	int fd; /* or -1 */
	unsigned char *p;
	int64_t n;
	size_t cap;
};

struct stored {
	struct stored_file database, wal, journal;
	bool asks_further; /* the journal is of several databases: only all of them can be read */
};

/* Opens what `in` is and what lies beside it.  A journal that is to be rolled back makes the
 * database one in memory, which alone is written to.  E_LIMIT for what would have to be held in
 * memory and is too large, E_IO, and what source_open says; stored_close in any case. */
enum status stored_open(struct stored *s, struct format_input *in, struct err *e) MUST_CHECK;
void stored_close(struct stored *s);

/* Bytes of all of them: what explains work. */
int64_t stored_bytes(const struct stored *s);

bool stored_is_there(const struct stored_file *f);

/* As pread(2), all of n but at the end; -1 on failure. */
int64_t stored_read(const struct stored_file *f, void *buf, int64_t n, int64_t at);

/* Into memory, which grows; false for a file on disk, and beyond the limit. */
bool stored_write(struct stored_file *f, const void *buf, int64_t n, int64_t at);
bool stored_cut(struct stored_file *f, int64_t n);
