/* Values as bytes that every machine and version reads alike: what digests are made of.
 *
 * Whole numbers are in base 128, low digits first, the sign in the lowest bit; reals are the eight
 * bytes of IEEE 754, low ones first.  A text is written where it comes first and is a number from
 * then on.  docs/formats.md describes all of it.
 *
 * Numbers whose low digits are noise (times) are split: a byte says how large one is and its two
 * digits behind the first, what is below those stands as it is behind all bytes, where nothing
 * tries to make it smaller.
 *
 * Reading believes nothing: what does not fit makes the reader bad, and everything it gives from
 * then on is 0 or empty, so that callers look once, at the end. */
#pragma once

#include "analyze/trace/columns/strings.h"
#include "base/base.h"

/* Columns that came before: others are written as what they differ by from one of them. */
struct wire_columns {
	struct wire_column {
		const int64_t *v;
		size_t n, stride;
	} * v;
	size_t n, cap;
	int64_t over; /* what reals were last shares of, which the writer tries again */
};

struct wire_out {
	struct str bytes, bits;
	unsigned used;        /* bits of the last byte of `bits`; 0: all of it */
	struct strings texts; /* those written; sym + 1 is the number of the next mention */
	struct wire_columns columns;
	struct arena mem;
	bool is_plain; /* as it was before numbers were split: for who only compares */
	size_t raw;    /* of the bytes of a sealed one, the last ones: see digest_file_add */
};

/* Small where the number is near 0, and back. */
static inline uint64_t wire_unsigned(int64_t v)
{
	return (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0);
}
static inline int64_t wire_signed(uint64_t v)
{
	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

void wire_begin(struct wire_out *w);
void wire_free(struct wire_out *w);

/* Ends it: all bytes, with what stands behind them. */
struct span wire_seal(struct wire_out *w);

void wire_put_count(struct wire_out *w, uint64_t v);
void wire_put_int(struct wire_out *w, int64_t v);
void wire_put_real(struct wire_out *w, double v);
void wire_put_bool(struct wire_out *w, bool v);
void wire_put_split(struct wire_out *w, uint64_t v);
void wire_put_text(struct wire_out *w, struct span v);

/* n values that stand `stride` bytes from each other, each as its distance from the one before it;
 * a distance that is no int64_t wraps around, and comes back. */
void wire_put_column(struct wire_out *w, const int64_t *v, size_t n, size_t stride);

struct wire_in {
	const unsigned char *at, *end;
	struct span *text; /* those read so far; in mem */
	size_t ntext, text_cap;
	bool is_bad;
	struct arena *mem;     /* the caller's: texts and arrays are in it */
	struct arena *scratch; /* the same, unless the caller wants what is not kept elsewhere */
	bool is_sealed;        /* else it was written before numbers were split */
	const unsigned char *bits;
	size_t bit, nbit; /* those read so far, all */
	struct wire_columns columns;
};

/* bytes: borrowed while reading.  As they were before numbers were split: without an end. */
void wire_open(struct wire_in *w, struct span bytes, struct arena *mem);

/* Those that wire_seal gave. */
void wire_open_sealed(struct wire_in *w, struct span bytes, struct arena *mem);

/* A record's section, by the record's version; plain receives the bytes.  As digest_file_get. */
struct kept;
enum status wire_open_section(struct wire_in *w, const struct kept *k, const char *section,
	struct str *plain, struct arena *mem, struct err *e) MUST_CHECK;

/* All of it was read, and all of it fitted. */
bool wire_is_done(const struct wire_in *w);

void wire_fail(struct wire_in *w);

uint64_t wire_count(struct wire_in *w);
int64_t wire_int(struct wire_in *w);
double wire_real(struct wire_in *w);
bool wire_bool(struct wire_in *w);

/* Ends with a 0 behind its bytes; in mem. */
struct span wire_text(struct wire_in *w);

/* How many things follow, of at least `least` bytes each (1 or more): no more than there are bytes
 * for, so that what is allocated for them is bounded by the input. */
size_t wire_many(struct wire_in *w, size_t least);

/* A count below `limit`, as indexes are; 0 where it is none. */
size_t wire_below(struct wire_in *w, size_t limit);

uint64_t wire_split(struct wire_in *w);
void wire_column(struct wire_in *w, int64_t *v, size_t n, size_t stride);

/* ---- one description of a layout for both ways ---- */

/* A walk over bytes that writes values, or reads them to where they are written from.  What was
 * read and is below `least`, or not below `limit`, makes the reader bad, and is `least` or 0 then:
 * what goes on counting with it stays within its range. */
struct walk {
	struct wire_out *out; /* NULL: it reads */
	struct wire_in *in;   /* NULL: it writes */
};

void walk_int(struct walk *w, int64_t *v, int64_t least);
void walk_real(struct walk *w, double *v);
void walk_bool(struct walk *w, bool *v);
void walk_text(struct walk *w, struct span *v);

/* What it is for the way back: v, or what was read. */
size_t walk_below(struct walk *w, size_t v, size_t limit);
size_t walk_many(struct walk *w, size_t n, size_t least);

/* As what it is more than *last, which it becomes; split. */
void walk_step(struct walk *w, int64_t *v, int64_t *last);

/* As it was before numbers were split. */
bool walk_is_plain(const struct walk *w);

/* A split number, and one of 0 or more. */
uint64_t walk_split(struct walk *w, uint64_t v);

/* The n last digits of a number (below 64), as they are. */
uint64_t walk_noise(struct walk *w, uint64_t v, unsigned n);
int64_t walk_natural(struct walk *w, int64_t v);

/* As above, and as what differs from what most of them are, or from a column that came before,
 * whichever is shorter (digest_column.c). */
void walk_column(struct walk *w, int64_t *v, size_t n, size_t stride, int64_t least);

/* n reals: what are shares of a number, or of a column that came before, as whole numbers. */
void walk_reals(struct walk *w, double *v, size_t n, size_t stride);

/* n texts; those that all end in a number as what is before it and a column of numbers. */
void walk_texts(struct walk *w, struct span *v, size_t n, size_t stride);

/* A column that others are like, which the reader has, too. */
void walk_likely(struct walk *w, const int64_t *v, size_t n, size_t stride);

/* Texts that come again behind here are new: zlib finds what stands a few pages before. */
void walk_new_texts(struct walk *w);

/* For what is needed until all is written or read. */
struct arena *walk_scratch(const struct walk *w);

/* *n rows of a size that have `least` bytes each: v, or room for those that are to be read. */
void *walk_rows(struct walk *w, void *v, size_t *n, size_t least, size_t size);

/* A column of n numbers of 0 or more, 1 at least: v, or those read.  *left: how many more there may
 * be in all.  NULL where there may not be so many, or are no bytes for them. */
int64_t *walk_naturals(struct walk *w, int64_t *v, size_t n, size_t *left);

/* What was read has to be so. */
void walk_check(struct walk *w, bool is_fine);

/* A number as its word of `count`, which `word` says of the i-th by the name i; words that are none
 * of them make the reader bad, and 0 is given. */
#define WALK_WORD(w, i, value, count, word)                                  \
	__extension__({                                                      \
		int i = (int)(value);                                        \
		struct span i##_text = (w)->out ? span_of(word) : SPAN("");  \
                                                                             \
		walk_text(w, &i##_text);                                     \
		if ((w)->in)                                                 \
			i = 0;                                               \
		while ((w)->in && i < (count) && !span_is(i##_text, (word))) \
			i++;                                                 \
		walk_check(w, i < (count));                                  \
		i < (count) ? i : 0;                                         \
	})

/* ---- tables and notes of an answer as bytes ---- */

struct result;
struct table_doc;

/* All tables and notes of a result; which input they are about is only: one, or none. */
void wire_put_tables(struct wire_out *w, const struct result *r);

/* Adds them to a result as those of that input; what columns mean, where `doc` has them, is said
 * there.  Cells are in r->mem, where the reader's texts are to be, too.  Where the bytes are
 * damaged the reader is bad, and the result has what came before. */
void wire_tables(
	struct wire_in *w, struct result *r, int input, const struct table_doc *doc, size_t ndocs);
