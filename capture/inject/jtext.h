/* JSON text under construction: one growing buffer, no checks on the way.
 *
 * When memory runs out the text stays as it was and `failed` is set; the caller winds back to the
 * start of the event it was writing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jtext {
	char *p;
	size_t n, cap;
	bool failed;
};

/* Ensures room for `more` bytes; false (and t->failed) when there is none to be had. */
bool jtext_room(struct jtext *t, size_t more);

void jtext_put(struct jtext *t, const char *s, size_t n);
void jtext_puts(struct jtext *t, const char *s);
void jtext_u64(struct jtext *t, uint64_t v);
void jtext_i64(struct jtext *t, int64_t v);

/* As printf, of whose conversions it has %s, %.*s, %u, %d, %lu, %ld and %g (jtext_real): 64-bit
 * numbers are long wherever CUDA is. */
void jtext_f(struct jtext *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Nanoseconds as microseconds with exactly three decimals; negative ones as 0.000. */
void jtext_us(struct jtext *t, int64_t ns);

/* The shortest text that reads back as the same double; "inf", "-inf" and "nan" as quoted words, as
 * Kineto writes them. */
void jtext_real(struct jtext *t, double v);

/* n bytes as a quoted string: escaped, bytes that are no UTF-8 as U+FFFD; the same of a text that a
 * 0 ends. */
void jtext_string(struct jtext *t, const char *s, size_t n);
void jtext_quoted(struct jtext *t, const char *s);

void jtext_free(struct jtext *t);

#define JTEXT_LIT(t, literal) jtext_put(t, literal, sizeof(literal) - 1)
