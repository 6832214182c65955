/*
 * Tables and notes of an answer as bytes.
 */
#ifndef ANALYZE_TRACE_DIGEST_DIGEST_WIRE_TABLE_H
#define ANALYZE_TRACE_DIGEST_DIGEST_WIRE_TABLE_H

#include <stddef.h>

struct result;
struct table_doc;
struct wire_in;
struct wire_out;

/* All tables and notes of a result; which input they are about is only: one, or none. */
void wire_put_tables(struct wire_out *w, const struct result *r);

/*
 * Adds them to a result as those of that input; what columns mean, where `doc` has them, is said
 * there.  Cells are in r->mem, where the reader's texts are to be, too.  Where the bytes are
 * damaged the reader is bad, and the result has what came before.
 */
void wire_tables(
	struct wire_in *w, struct result *r, int input, const struct table_doc *doc, size_t ndocs);

#endif
