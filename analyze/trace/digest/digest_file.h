/* A record of a trace: what is kept of it for good, in sections that are compressed each for
 * itself.  Digests (analyze/job, analyze/analysis) write the sections and read them; here they are
 * bytes with a name, a length and a checksum.  docs/formats.md has the layout. */
#pragma once

#include "base/base.h"

/* Of files, and of records.  Later ones are refused; records of the first are read (digest_wire.h).
 */
enum { DIGEST_FILE_VERSION = 1, DIGEST_RECORD_VERSION = 2 };

enum {
	DIGEST_FILE_HEAD = 32,            /* bytes of a record's and of a file's head */
	DIGEST_FILE_NAME = 16,            /* bytes of a section's name */
	DIGEST_FILE_SECTIONS = 64,        /* at most */
	DIGEST_FILE_PLAIN_MAX = 64 << 20, /* bytes of a section when it is inflated */
	DIGEST_FILE_RECORD_MAX = 512 << 20
};

struct kept;

/* The checksum that the head of a record says, DIGEST_FILE_HEAD bytes. */
uint32_t digest_file_check_of(const char *head);

/* Whether that is the head of a record; errors as of digest_file_open. */
enum status digest_file_check_head(struct span head, struct err *e) MUST_CHECK;

/* Whether bytes begin as a record does. */
bool digest_file_is(struct span head);

/* A record of n bytes from malloc, which it takes over, also on failure.  E_SYNTAX: cut off,
 * damaged; E_FORMAT: of a version that is not known here. */
enum status digest_file_open(struct kept **made, char *bytes, size_t n, struct err *e) MUST_CHECK;
void digest_file_free(struct kept *k); /* NULL is fine */

/* All of its bytes; its version. */
struct span digest_file_bytes(const struct kept *k);
unsigned digest_file_version(const struct kept *k);

bool digest_file_has(const struct kept *k, const char *section);

/* A section's bytes, inflated, in `plain`, which is empty or text to be replaced.  E_SYNTAX where
 * it is damaged; E_NODATA where there is none.  Any thread may do this. */
enum status digest_file_get(
	const struct kept *k, const char *section, struct str *plain, struct err *e) MUST_CHECK;

/* A record that is being written. */
struct digest_file_out {
	struct digest_file_made *section;
	size_t n;
};

void digest_file_begin(struct digest_file_out *o);
/* The last `raw` bytes are kept as they are: noise does not become smaller. */
void digest_file_add(struct digest_file_out *o, const char *section, struct span plain, size_t raw);
/* Appends the record to `out`. */
void digest_file_put(const struct digest_file_out *o, struct str *out);
void digest_file_end(struct digest_file_out *o);

/* Numbers of heads: low bytes first. */
void digest_file_put_u32(struct str *out, uint32_t v);
void digest_file_put_u64(struct str *out, uint64_t v);
uint32_t digest_file_u32(const char *p);
uint64_t digest_file_u64(const char *p);

/* CRC-32 as zlib and gzip have it, of `bytes` behind those that gave `before` (0 at first). */
uint32_t digest_file_check(uint32_t before, struct span bytes);

/* "a digest of version 3; this traceq reads version 2": E_FORMAT. */
enum status digest_file_refuse_version(uint32_t version, int newest, struct err *e);
