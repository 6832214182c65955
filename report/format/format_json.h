/* JSON Schema (draft 2020-12) of an answer that format_json.c writes, made of the descriptions that
 * its tables are made of. */
#pragma once

#include "base/table.h"

/* A table an answer may have.  Several of one id: it looks like one of them. */
struct schema_table {
	struct table_doc doc;
	const char *about;         /* what tells it from others of its id; NULL: nothing does */
	const struct column *more; /* columns beside these, whose keys nobody knows before, of
	                              CELL_TEXT also numbers; NULL */
};

struct schema_doc {
	const char *id;    /* what the answer says of itself: "traceq.top/1" */
	const char *uri;   /* the same as an absolute URI: "urn:traceq:top:1" */
	const char *title; /* "traceq top --json" */
	const char *doc;   /* a sentence or more */
	const struct schema_table *table;
	size_t ntable;
	const char *const *note; /* ids that its notes may have; twice the same one counts once */
	size_t nnote;
};

/* Appends the schema, and a line feed.  The same description gives the same bytes. */
void schema_put(struct str *b, const struct schema_doc *d);
