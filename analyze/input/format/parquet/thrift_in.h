/* Reading Thrift's compact protocol: a struct's fields one after the other.
 *
 * Nothing is believed: what does not fit makes the reader bad, and everything it gives from then on
 * is 0, empty or the end, so that callers look once, at the end.
 *
 *     for (struct thrift_field f = { 0 }; thrift_next(t, &f);)
 *             switch (f.id) {
 *             case 1: n = thrift_number(t, &f); break;
 *             default: thrift_skip(t, &f);
 *             }
 *
 * Source: thrift, doc/specs/thrift-compact-protocol.md. */
#pragma once

#include "base/base.h"
#include "base/parquet/parquet_words.h"

struct thrift_in {
	const unsigned char *at, *end;
	bool is_bad;
};

struct thrift_field {
	int64_t id;
	int type; /* enum thrift_type, or another that is not read here */
};

void thrift_fail(struct thrift_in *t);

uint64_t thrift_varint(struct thrift_in *t);

/* The next field; false at the struct's end, which is taken. */
bool thrift_next(struct thrift_in *t, struct thrift_field *f);

/* The field's value, which has to be of that type; a list's count, of elements that are: no more
 * than there are bytes for.  Fields of a struct follow by thrift_next. */
int64_t thrift_number(struct thrift_in *t, const struct thrift_field *f);
struct span thrift_string(struct thrift_in *t, const struct thrift_field *f);
size_t thrift_many(struct thrift_in *t, const struct thrift_field *f, enum thrift_type of);
void thrift_open(struct thrift_in *t, const struct thrift_field *f);

/* Passes over the field's value. */
void thrift_skip(struct thrift_in *t, const struct thrift_field *f);
