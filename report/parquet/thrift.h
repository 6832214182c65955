/* Writing Thrift's compact protocol, in which Parquet's headers and its footer are.
 *
 * Source: thrift, doc/specs/thrift-compact-protocol.md.  Fields of a struct are written in
 * ascending order, at most 15 apart. */
#pragma once

#include "base/base.h"
#include "base/parquet/parquet_words.h"

enum { THRIFT_DEPTH = 8 };

struct thrift {
	struct str *out;
	unsigned depth;
	int last[THRIFT_DEPTH]; /* the field before, by depth */
};

/* A number of seven bits a byte, the lowest first; the same of a number with a sign, which becomes
 * the last bit. */
void varint_put(struct str *out, uint64_t v);
void zigzag_put(struct str *out, int64_t v);

/* A struct that is no field: the outermost, or an element of a list.  thrift_end ends each struct.
 */
void thrift_begin(struct thrift *t);
void thrift_end(struct thrift *t);

/* Fields. */
void thrift_int(struct thrift *t, int field, enum thrift_type type, int64_t v);
void thrift_bool(struct thrift *t, int field, bool v);
void thrift_text(struct thrift *t, int field, struct span v);
void thrift_struct(struct thrift *t, int field);

/* A list of n elements as a field; they follow, by thrift_begin, zigzag_put or thrift_element. */
void thrift_list(struct thrift *t, int field, enum thrift_type type, size_t n);
void thrift_element(struct thrift *t, struct span v);
