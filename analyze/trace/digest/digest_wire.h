/*
 * Values as bytes that every machine and version reads alike: what digests are made of.
 *
 * Whole numbers are in base 128, low digits first, the sign in the lowest bit; reals are the eight
 * bytes of IEEE 754, low ones first.  A text is written where it comes first and is a number from
 * then on.  docs/formats.md describes all of it.
 *
 * Reading believes nothing: what does not fit makes the reader bad, and everything it gives from
 * then on is 0 or empty, so that callers look once, at the end.
 */
#pragma once

#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct wire_out {
	struct str bytes;
	struct strings texts; /* those written; sym + 1 is the number of the next mention */
};

void wire_begin(struct wire_out *w);
void wire_free(struct wire_out *w);

void wire_put_count(struct wire_out *w, uint64_t v);
void wire_put_int(struct wire_out *w, int64_t v);
void wire_put_real(struct wire_out *w, double v);
void wire_put_bool(struct wire_out *w, bool v);
void wire_put_text(struct wire_out *w, struct span v);

/*
 * n values that stand `stride` bytes from each other, each as its distance from the one before it;
 * a distance that is no int64_t wraps around, and comes back.
 */
void wire_put_column(struct wire_out *w, const int64_t *v, size_t n, size_t stride);

struct wire_in {
	const unsigned char *at, *end;
	struct span *text; /* those read so far; in mem */
	size_t ntext, text_cap;
	bool is_bad;
	struct arena *mem; /* the caller's: texts and arrays are in it */
};

/* bytes: borrowed while reading. */
void wire_open(struct wire_in *w, struct span bytes, struct arena *mem);

/* All of it was read, and all of it fitted. */
bool wire_is_done(const struct wire_in *w);

void wire_fail(struct wire_in *w);

uint64_t wire_count(struct wire_in *w);
int64_t wire_int(struct wire_in *w);
int64_t wire_natural(struct wire_in *w); /* of 0 or more */
double wire_real(struct wire_in *w);
bool wire_bool(struct wire_in *w);

/* Ends with a 0 behind its bytes; in mem. */
struct span wire_text(struct wire_in *w);

/*
 * How many things follow, of at least `least` bytes each (1 or more): no more than there are bytes
 * for, so that what is allocated for them is bounded by the input.
 */
size_t wire_many(struct wire_in *w, size_t least);

/* A count below `limit`, as indexes are; 0 where it is none. */
size_t wire_below(struct wire_in *w, size_t limit);

void wire_column(struct wire_in *w, int64_t *v, size_t n, size_t stride);

/*
 * n numbers of 0 or more below each other, 1 at least; in mem.  *left: how many more there may be
 * in all.  NULL where there may not be so many, or are no bytes for them.
 */
int64_t *wire_naturals(struct wire_in *w, size_t n, size_t *left);

/*
 * Which of `count` words the next text is, as its number: `word` says the i-th one by the name i.
 * Words that are none of them make the reader bad, and 0 is given.
 */
#define WIRE_WORD(w, i, count, word)                              \
	__extension__({                                           \
		struct span i##_text = wire_text(w);              \
		int i = 0;                                        \
                                                                  \
		while (i < (count) && !span_is(i##_text, (word))) \
			i++;                                      \
		if (i == (count))                                 \
			wire_fail(w);                             \
		i == (count) ? 0 : i;                             \
	})

/* ---- tables and notes of an answer as bytes ---- */

struct result;
struct table_doc;

/* All tables and notes of a result; which input they are about is only: one, or none. */
void wire_put_tables(struct wire_out *w, const struct result *r);

/*
 * Adds them to a result as those of that input; what columns mean, where `doc` has them, is said
 * there.  Cells are in r->mem, where the reader's texts are to be, too.  Where the bytes are
 * damaged the reader is bad, and the result has what came before.
 */
void wire_tables(
	struct wire_in *w, struct result *r, int input, const struct table_doc *doc, size_t ndocs);
