/* Spans and the text builder. */
#include "base/str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/ascii.h"
#include "base/compare3.h"
#include "base/minmax.h"
#include "base/search.h"

bool span_eq(struct span a, struct span b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static int lower(int c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

struct span span_lower(struct span a, char *low, size_t size)
{
	struct span s = { low, MIN(a.n, size) };

	for (size_t i = 0; i < s.n; i++)
		low[i] = (char)lower(a.p[i]);
	return s;
}

/* ---- one of "a|b|c" ---- */

bool span_words(const char **words, struct span *word)
{
	if (!*words || !**words)
		return false;
	*word = (struct span){ *words, strcspn(*words, "|") };
	*words += word->n + ((*words)[word->n] == '|');
	return true;
}

bool str_same_nocase(const char *a, const char *b, size_t n)
{
	return ALL(i, n, lower((unsigned char)a[i]) == lower((unsigned char)b[i]));
}

/* One of the words is there, whole or at the start. */
HOT_INLINE bool is_word(struct span a, const char *words, bool is_whole, bool nocase)
{
	for (const char *w = words; w && *w; w += *w == '|') {
		const char *p = a.p, *end = a.n ? a.p + a.n : a.p;

		while (p < end && *w && *w != '|' &&
			(*p == *w ||
				(nocase && lower((unsigned char)*p) == lower((unsigned char)*w)))) {
			p++;
			w++;
		}
		if ((!*w || *w == '|') && (!is_whole || p == end))
			return true;
		while (*w && *w != '|')
			w++;
	}
	return false;
}

/* One of the words is there, anywhere. */
static bool has_word(struct span a, const char *words, bool nocase)
{
	struct span word;

	while (span_words(&words, &word))
		if (nocase ? span_count_nocase(a, word, 1) > 0
			   : a.n >= word.n && memmem(a.p, a.n, word.p, word.n) != NULL)
			return true;
	return false;
}

#define ONE_OF(name, is_there)                                      \
	bool span_##name(struct span a, const char *words)          \
	{                                                           \
		return is_there(false);                             \
	}                                                           \
	bool span_##name##_nocase(struct span a, const char *words) \
	{                                                           \
		return is_there(true);                              \
	}
#define WHOLE(nocase)    is_word(a, words, true, nocase)
#define AT_START(nocase) is_word(a, words, false, nocase)
#define ANYWHERE(nocase) has_word(a, words, nocase)
ONE_OF(in, WHOLE)
ONE_OF(starts_in, AT_START)
ONE_OF(has_in, ANYWHERE)

int meaning_of(struct span a, const struct meaning *v, size_t n, int none)
{
	return FIND_VALUE(i, n, v[i].is(a, v[i].words), v[i].means, none);
}

bool span_line(struct span *text, struct span *line)
{
	if (text->n == 0)
		return false;
	const char *q = memchr(text->p, '\n', text->n);
	*line = (struct span){ text->p, q ? (size_t)(q - text->p) : text->n };
	text->n -= line->n + (q != NULL);
	text->p += line->n + (q != NULL);
	if (line->n && line->p[line->n - 1] == '\r')
		line->n--;
	return true;
}

struct span span_trim(struct span a)
{
	while (a.n && is_space_or_tab(a.p[0])) {
		a.p++;
		a.n--;
	}
	while (a.n && is_space_or_tab(a.p[a.n - 1]))
		a.n--;
	return a;
}

struct span span_trim_end(struct span a, const char *any)
{
	while (a.n && strchr(any, a.p[a.n - 1]) && a.p[a.n - 1])
		a.n--;
	return a;
}

struct span span_between(const char *p, const char *end)
{
	return (struct span){ p, (size_t)(end - p) };
}

struct span span_from(struct span a, size_t n)
{
	n = MIN(n, a.n);
	return (struct span){ a.p + n, a.n - n };
}

bool span_cut(struct span a, char c, struct span *before, struct span *behind)
{
	const char *at = a.n ? memchr(a.p, c, a.n) : NULL;

	*before = at ? span_between(a.p, at) : a;
	*behind = span_from(a, before->n + (at != NULL));
	return at != NULL;
}

struct span span_before(struct span a, char c)
{
	(void)span_cut(a, c, &a, &(struct span){ "", 0 });
	return a;
}

bool span_bracketed(struct span a, char open, struct span *name, struct span *inside)
{
	bool is = a.n && a.p[a.n - 1] == (open == '(' ? ')' : ']') &&
		span_cut((struct span){ a.p, a.n - 1 }, open, name, inside);

	if (!is)
		*name = a;
	if (!is)
		*inside = SPAN("");
	*name = span_trim(*name);
	return is;
}

bool span_has(struct span a, const char *needle)
{
	size_t n = strlen(needle);

	return n == 0 || (a.n >= n && memmem(a.p, a.n, needle, n) != NULL);
}

bool span_has_nocase(struct span a, const char *needle)
{
	return span_count_nocase(a, span_of(needle), 1) > 0;
}

size_t span_count_nocase(struct span a, struct span needle, size_t most)
{
	int first = needle.n > 0 ? lower((unsigned char)needle.p[0]) : 0;
	size_t found = 0;

	for (size_t i = 0; i + needle.n <= a.n && found < most; i++)
		found += (needle.n == 0 || lower((unsigned char)a.p[i]) == first) &&
			str_same_nocase(a.p + i, needle.p, needle.n);
	return found;
}

struct span_pairs span_pairs_of(struct span a)
{
	struct span_pairs p = { { 0 } };

	for (size_t i = 1; i < a.n; i++)
		p.follows[a.p[i - 1] & 31] |= 1u << (a.p[i] & 31);
	return p;
}

bool span_may_have(const struct span_pairs *p, struct span word)
{
	for (size_t i = 1; i < word.n; i++)
		if (!(p->follows[word.p[i - 1] & 31] >> (word.p[i] & 31) & 1))
			return false;
	return true;
}

const char *path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

int span_cmp(struct span a, struct span b)
{
	size_t n = MIN(a.n, b.n);
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : compare3(a.n, b.n);
}

/* The length of the digits at p[at..n), without the zeros before them, which *at goes past. */
static size_t digits_at(struct span s, size_t *at)
{
	size_t end;

	while (*at < s.n && s.p[*at] == '0')
		++*at;
	end = FIRST_FROM(k, *at, s.n, s.p[k] < '0' || s.p[k] > '9');
	return end - *at;
}

static bool is_digit_at(struct span s, size_t at)
{
	return at < s.n && is_digit(s.p[at]);
}

int span_cmp_natural(struct span a, struct span b)
{
	size_t i = 0, k = 0;

	while (i < a.n && k < b.n) {
		struct span x = { a.p + i, 1 }, y = { b.p + k, 1 };

		if (is_digit_at(a, i) && is_digit_at(b, k)) {
			size_t n = digits_at(a, &i), m = digits_at(b, &k);

			if (n != m)
				return compare3(n, m);
			x = (struct span){ a.p + i, n };
			y = (struct span){ b.p + k, n };
		}
		int c = span_cmp(x, y);
		if (c)
			return c;
		i += x.n;
		k += y.n;
	}
	if (i < a.n || k < b.n)
		return k < b.n ? -1 : 1;
	return span_cmp(a, b); /* 1 and 01 */
}

void str_free(struct str *b)
{
	free(b->s);
	*b = (struct str){ 0 };
}

void str_reset(struct str *b)
{
	b->n = 0;
	if (b->s)
		b->s[0] = '\0';
}

void str_add(struct str *b, const char *p, size_t n)
{
	b->s = array_grow(b->s, &b->cap, b->n + n + 1, 1);
	if (n)
		memcpy(b->s + b->n, p, n);
	b->n += n;
	b->s[b->n] = '\0';
}

void str_adds(struct str *b, const char *s)
{
	str_add(b, s, strlen(s));
}

void str_addc(struct str *b, char c)
{
	str_add(b, &c, 1);
}

void str_addf(struct str *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n <= 0)
		return;
	b->s = array_grow(b->s, &b->cap, b->n + (size_t)n + 1, 1);
	va_start(ap, fmt);
	(void)vsnprintf(b->s + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

void str_add_by(struct str *b, void (*put)(struct str *b, const char *s), const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	for (;;) {
		size_t n = strcspn(fmt, "%");

		str_add(b, fmt, n);
		fmt += n;
		if (!*fmt)
			break;
		if (fmt[1] == 's')
			put(b, va_arg(ap, const char *));
		else
			str_addf(b, "%d", va_arg(ap, int));
		fmt += 2;
	}
	va_end(ap);
}

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = MIN(a, b);

	return MIN(m, c);
}

size_t str_distance(const char *a, const char *b)
{
	size_t row[3][65];
	size_t na = strlen(a), nb = strlen(b);
	size_t *before = row[0], *above = row[1], *now = row[2];

	if (na > 63 || nb > 63)
		return SIZE_MAX;
	for (size_t j = 0; j <= nb; j++)
		above[j] = j;
	memcpy(before, above, sizeof(row[0]));
	for (size_t i = 1; i <= na; i++) {
		size_t *t = before;

		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = min3(above[j] + 1, now[j - 1] + 1,
				above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
				before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		before = above;
		above = now;
		now = t;
	}
	return above[nb];
}
