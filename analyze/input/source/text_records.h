/*
 * A file of digests: records of traces (analyze/trace/digest/digest_file.h) behind a list of their
 * names, read as an archive is.  Private to archive_members.c.
 */
#ifndef ANALYZE_INPUT_SOURCE_TEXT_RECORDS_H
#define ANALYZE_INPUT_SOURCE_TEXT_RECORDS_H

#include "analyze/input/source/unpack.h"
#include "base/err.h"

struct records;

/*
 * Reads and checks the list.  Ways of `from` that do not lead back are read through.  E_SYNTAX: cut
 * off, longer than it says, damaged; E_FORMAT: of an unknown version; E_IO.  *made is there to be
 * closed, or NULL.
 */
enum status records_open(
	struct records **made, const struct unpack_from *from, struct err *e) MUST_CHECK;
void records_close(struct records *r);

/*
 * The next record; its name is unlike all others'.  UNPACK_MORE: it is in *one; UNPACK_OVER;
 * UNPACK_FAILED, with the reason in e.
 */
enum unpack_end records_next(struct records *r, struct archived *one, struct err *e);

/* Up to n bytes of the record; all n came with UNPACK_MORE, *got in any case. */
enum unpack_end records_read(struct records *r, void *buf, size_t n, size_t *got, struct err *e);

#endif
