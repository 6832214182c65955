/* Text: a span to look at, a builder to write into. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"

/* n bytes at p; not NUL-terminated, may hold NULs; whoever made it says who owns the bytes. */
struct span {
	const char *p;
	size_t n;
};

#define SPAN(literal) ((struct span){ "" literal, sizeof(literal) - 1 })

/* The span of a NUL-terminated string (borrowed). */
static inline struct span span_of(const char *s)
{
	return (struct span){ s, strlen(s) };
}

bool span_eq(struct span a, struct span b);
/* Equality of n bytes ignoring ASCII case. */
bool str_same_nocase(const char *a, const char *b, size_t n);

/* Here, so that nobody counts a literal's bytes while the program runs. */
static inline bool span_is(struct span a, const char *s)
{
	return span_eq(a, span_of(s));
}
static inline bool span_is_nocase(struct span a, const char *s)
{
	return a.n == strlen(s) && str_same_nocase(a.p, s, a.n);
}
static inline bool span_starts(struct span a, const char *prefix)
{
	return a.n >= strlen(prefix) && memcmp(a.p, prefix, strlen(prefix)) == 0;
}
static inline bool span_ends(struct span a, const char *suffix)
{
	size_t n = strlen(suffix);

	return a.n >= n && memcmp(a.p + a.n - n, suffix, n) == 0;
}
/* Without blanks and tabs at either end; without bytes of `any` at its end. */
struct span span_trim(struct span a);
struct span span_trim_end(struct span a, const char *any);
/* From p up to end; the text without its first n bytes, or nothing of a shorter one. */
struct span span_between(const char *p, const char *end);
struct span span_from(struct span a, size_t n);
/* What is in front of the first c, and behind it; false: there is none, and all is in front. */
bool span_cut(struct span a, char c, struct span *before, struct span *behind);
struct span span_before(struct span a, char c);
/* "Time (us)" is a name, "Time", and something in the brackets that it ends with, which open by
 * '(' or '['.  False: it ends with none; then it is all name, and *inside is empty. */
bool span_bracketed(struct span a, char open, struct span *name, struct span *inside);
bool span_has(struct span a, const char *needle);
bool span_has_nocase(struct span a, const char *needle); /* ignoring ASCII case */
/* How often the needle is in it, ignoring ASCII case; the search ends at `most`. */
size_t span_count_nocase(struct span a, struct span needle, size_t most);

/* ASCII letters as small ones, in low, of the first `size` bytes at most. */
struct span span_lower(struct span a, char *low, size_t size);

/* It is one of the words "a|b|c", starts with one, or has one; the same ignoring ASCII case. */
bool span_in(struct span a, const char *words);
bool span_starts_in(struct span a, const char *words);
bool span_has_in(struct span a, const char *words);
bool span_in_nocase(struct span a, const char *words);
bool span_starts_in_nocase(struct span a, const char *words);
bool span_has_in_nocase(struct span a, const char *words);

/* The next of such words, which may be NULL; false behind the last. */
bool span_words(const char **words, struct span *word);

/* What texts mean, a row for each meaning: the first whose words are there, as `is` looks for them.
 */
struct meaning {
	bool (*is)(struct span a, const char *words); /* span_in or one of its kin */
	const char *words;
	int means;
};

/* none: of a text that no row is of. */
int meaning_of(struct span a, const struct meaning *v, size_t n, int none);
#define MEANING_OF(a, rows, none) meaning_of((a), (rows), COUNT_OF(rows), (none))

/* The next line of *text, without its end ("\n", "\r\n"); false when there is none. */
bool span_line(struct span *text, struct span *line);

/* Which pairs of letters a text has, whatever their case, for many searches of words in a long
 * text: a word is not in it when one of its pairs is not.  Other characters share places with
 * letters. */
struct span_pairs {
	uint32_t follows[32]; /* by the lower five bits of a character: those of the next */
};
struct span_pairs span_pairs_of(struct span a);
bool span_may_have(const struct span_pairs *p, struct span word);

/* What a path calls its file: behind the last slash; all of a path without one. */
const char *path_name(const char *path);

/* Like memcmp over the common length, then the shorter first: <0, 0, >0. */
int span_cmp(struct span a, struct span b);

/* As people count: numbers in them by their value, so that run2 is before run10; else bytes. */
int span_cmp_natural(struct span a, struct span b);

/* Growing text.  s is NUL-terminated when n > 0 or after any str_ call; free with str_free. */
struct str {
	char *s;
	size_t n, cap;
};

void str_free(struct str *b);
/* One of a block, which is freed where the block is left: `SCOPED_STR text = { 0 };`. */
#define SCOPED_STR __attribute__((cleanup(str_free))) struct str
void str_reset(struct str *b); /* n = 0, memory kept */
void str_add(struct str *b, const char *p, size_t n);
void str_adds(struct str *b, const char *s);
void str_addc(struct str *b, char c);
void str_addf(struct str *b, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* For text in a language of its own (roff, JSON, a shell): as printf of the two conversions %d, and
 * %s, whose text goes through `put`, which escapes it.  The rest of fmt stays as it is. */
void str_add_by(struct str *b, void (*put)(struct str *b, const char *s), const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Edit distance (insert, delete, replace, swap of neighbours count 1) between two short words, for
 * did-you-mean.  Words longer than 63 bytes compare as very different. */
size_t str_distance(const char *a, const char *b);
