/* Mutations of texts.  Nothing is parsed as a whole: a value, a line or a cell is found from a
 * place by chance on, which is right often enough, and works in broken documents, too. */
#include "tests/fuzz/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "tests/fuzz/words.h"

enum { CHANGES_MAX = 4, COLUMN_MAX = 16, PIECE_MAX = 4096 };

struct text {
	uint8_t *p;
	size_t n, max;
	uint64_t *state;
};

struct range {
	size_t from, to;
};

size_t mutate_splice(
	uint8_t *data, size_t size, size_t max, size_t from, size_t to, const void *bytes, size_t n)
{
	uint8_t *copy;

	if (size - (to - from) + n > max)
		return size;
	copy = malloc(n ? n : 1);
	if (!copy)
		return size;
	if (n)
		memcpy(copy, bytes, n);
	memmove(data + from + n, data + to, size - to);
	if (n)
		memcpy(data + from, copy, n);
	free(copy);
	return size - (to - from) + n;
}

static size_t below(struct text *t, size_t n)
{
	return words_below(t->state, n);
}

static void put(struct text *t, struct range r, const void *bytes, size_t n)
{
	t->n = mutate_splice(t->p, t->n, t->max, r.from, r.to, bytes, n);
}

static void put_word(struct text *t, struct range r, const char *word)
{
	put(t, r, word, strlen(word));
}

/* ---- JSON ---- */

/* Behind the string that begins at i. */
static size_t string_end(const struct text *t, size_t i)
{
	for (i++; i < t->n && t->p[i] != '"'; i++)
		i += t->p[i] == '\\';
	return i < t->n ? i + 1 : t->n;
}

/* Behind the value that begins at i. */
static size_t value_end(const struct text *t, size_t i)
{
	size_t depth = 0;

	while (i < t->n) {
		uint8_t c = t->p[i];

		if (c == '"') {
			i = string_end(t, i);
		} else if (c == '{' || c == '[') {
			depth++;
			i++;
		} else if (c == '}' || c == ']') {
			if (depth == 0)
				return i;
			depth--;
			i++;
		} else if (c == ',' && depth == 0) {
			return i;
		} else {
			i++;
			if (depth == 0 && (c != ' ' && c != '\n'))
				while (i < t->n && !strchr(",]}\n ", t->p[i]))
					i++;
		}
		if (depth == 0 && i > 0 && t->p[i - 1] != ' ' && t->p[i - 1] != '\n')
			return i;
	}
	return t->n;
}

/* A member's or an element's value near a place by chance; is_string, is_number: of that kind. */
static bool find_value(struct text *t, struct range *r, bool is_number)
{
	size_t start = below(t, t->n), i, tried;

	for (tried = 0; tried < t->n; tried++) {
		i = (start + tried) % t->n;
		if (t->p[i] != ':' && t->p[i] != '[' && (t->p[i] != ',' || is_number))
			continue;
		for (i++; i < t->n && (t->p[i] == ' ' || t->p[i] == '\n'); i++)
			continue;
		if (i >= t->n || t->p[i] == ']' || t->p[i] == '}' ||
			(is_number && (t->p[i] < '-' || t->p[i] > '9')))
			continue;
		*r = (struct range){ i, value_end(t, i) };
		return r->to > r->from;
	}
	return false;
}

static const char *const hostile[] = { "null", "true", "{}", "[]", "\"\"", "0", "-1", "1e308",
	"-1e308", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e-320",
	"NaN", "Infinity", "0.1", "\"0\"", "\"\\u0000\"", "\"\\ud800\"", "\"\\u202e\"", "\"a\\nb\"",
	"\"'\"", "\"`x`\"", "\"@GPVAL_PWD\"", "\"%s%n\"", "\"<b>\"", "\"]]>\"", "\"|\"",
	"\"\\u001b[31m\"", "\"\xff\xfe\"", "\"\\\\\"", "\"{}[]\"", "[[[[[[[[]]]]]]]]", "{\"ts\":1}",
	"2147483648", "4294967296", "1000000000000000", "\"a;b;c\"", "\"=1+1\"" };

/* Numbers get near ones and each other's: times that touch, ids that are doubled. */
static void change_number(struct text *t)
{
	struct range r, other;
	char text[64];
	double v;

	if (!find_value(t, &r, true))
		return;
	if (below(t, 3) == 0 && find_value(t, &other, true)) {
		put(t, r, t->p + other.from, other.to - other.from);
		return;
	}
	(void)snprintf(text, sizeof(text), "%.*s", (int)(r.to - r.from < 40 ? r.to - r.from : 40),
		(const char *)t->p + r.from);
	v = strtod(text, NULL);
	switch (below(t, 8)) {
	case 0: v = -v; break;
	case 1: v += 1; break;
	case 2: v -= 1; break;
	case 3: v *= 1000; break;
	case 4: v /= 1000; break;
	case 5: v = 0; break;
	case 6: v += (double)below(t, 1000000); break;
	default: v *= 1e9; break;
	}
	(void)snprintf(text, sizeof(text), v > -1e15 && v < 1e15 ? "%.3f" : "%.17g", v);
	put_word(t, r, text);
}

/* A member or element with the comma before it. */
static bool find_member(struct text *t, struct range *r)
{
	size_t start = below(t, t->n), tried, i;

	for (tried = 0; tried < t->n; tried++) {
		i = (start + tried) % t->n;
		if (t->p[i] != ',' && t->p[i] != '{' && t->p[i] != '[')
			continue;
		r->from = i + (t->p[i] != ',');
		i++;
		r->to = value_end(t, i);
		while (r->to < t->n && (t->p[r->to] == ' ' || t->p[r->to] == ':'))
			r->to = t->p[r->to] == ':' ? value_end(t, r->to + 1) : r->to + 1;
		return r->to > r->from;
	}
	return false;
}

static void copy_member(struct text *t)
{
	struct range r, to;
	uint8_t piece[PIECE_MAX];
	size_t n;

	if (!find_member(t, &r) || !find_member(t, &to) || r.to - r.from >= PIECE_MAX)
		return;
	n = r.to - r.from;
	piece[0] = ',';
	memcpy(piece + (t->p[r.from] != ','), t->p + r.from, n);
	n += t->p[r.from] != ',';
	put(t, (struct range){ below(t, 2) ? to.to : r.to, below(t, 2) ? to.to : r.to }, piece, n);
}

static void lose_bracket(struct text *t)
{
	size_t start = below(t, t->n), tried, i;

	for (tried = 0; tried < t->n; tried++) {
		i = (start + tried) % t->n;
		if (!strchr("{}[]\",:", t->p[i]) || !t->p[i])
			continue;
		put(t, (struct range){ i, i + 1 }, "}]\"", below(t, 2));
		return;
	}
}

static void change_json(struct text *t)
{
	struct range r, other;

	switch (below(t, 8)) {
	case 0:
	case 1:
	case 2: change_number(t); break;
	case 3:
		if (find_value(t, &r, false))
			put_word(t, r, hostile[below(t, COUNT_OF(hostile))]);
		break;
	case 4: copy_member(t); break;
	case 5:
		if (find_member(t, &r))
			put(t, r, "", 0);
		break;
	case 6:
		if (find_value(t, &r, false) && find_value(t, &other, false))
			put(t, r, t->p + other.from, other.to - other.from);
		break;
	default: lose_bracket(t); break;
	}
}

/* ---- tables and logs ---- */

static struct range line_at(const struct text *t, size_t at)
{
	struct range r = { at, at };

	while (r.from > 0 && t->p[r.from - 1] != '\n')
		r.from--;
	while (r.to < t->n && t->p[r.to] != '\n')
		r.to++;
	r.to += r.to < t->n;
	return r;
}

static bool is_separator(uint8_t c)
{
	return c == ',' || c == '\t' || c == ';' || c == ':' || c == '|' || c == '=' || c == ' ';
}

/* The cell around a place. */
static struct range cell_at(const struct text *t, size_t at)
{
	struct range r = { at, at };

	while (r.from > 0 && !is_separator(t->p[r.from - 1]) && t->p[r.from - 1] != '\n')
		r.from--;
	while (r.to < t->n && !is_separator(t->p[r.to]) && t->p[r.to] != '\n')
		r.to++;
	return r;
}

/* The k-th column of every line goes, or stands there twice. */
static void change_column(struct text *t, uint8_t sep, bool is_doubled)
{
	size_t k = below(t, COLUMN_MAX / 2), i = 0, col = 0;
	struct range r = { 0, 0 };

	for (i = 0; i <= t->n; i++) {
		if (i < t->n && t->p[i] != sep && t->p[i] != '\n')
			continue;
		r.to = i;
		if (col == k && r.to > r.from) {
			size_t was = t->n;

			if (is_doubled)
				put(t, (struct range){ r.from, r.from }, t->p + r.from,
					r.to - r.from);
			else
				put(t, r, "", 0);
			i = i + t->n - was;
		}
		col = i < t->n && t->p[i] == sep ? col + 1 : 0;
		r.from = i + (col == 0 || !is_doubled);
	}
}

static void change_separators(struct text *t)
{
	static const uint8_t all[] = ",\t;: |=";
	uint8_t from = all[below(t, sizeof(all) - 1)], to = all[below(t, sizeof(all) - 1)];
	size_t i;

	for (i = 0; i < t->n; i++)
		if (t->p[i] == from)
			t->p[i] = to;
}

static void change_cell(struct text *t)
{
	static const char *const words[] = { "", "0", "-1", "nan", "inf", "1e308", "-0", "N/A",
		"--", "9223372036854775808", "\"", "\"a\nb\"", "x,y", "'", "%", "100 %", "1.5ms",
		"[N/A]", "1e-9", "@x", "`x`", "\x1b[1m", "\xff", "name", "step", "0x10", "1_000" };
	struct range r = cell_at(t, below(t, t->n)), other = cell_at(t, below(t, t->n));

	if (below(t, 2))
		put_word(t, r, words[below(t, COUNT_OF(words))]);
	else
		put(t, r, t->p + other.from, other.to - other.from);
}

static void change_table(struct text *t)
{
	struct range r = line_at(t, below(t, t->n)), other = line_at(t, below(t, t->n));

	switch (below(t, 10)) {
	case 0: put(t, r, "", 0); break;
	case 1:
		put(t, (struct range){ other.from, other.from }, t->p + r.from, r.to - r.from);
		break;
	case 2: put(t, r, t->p + other.from, other.to - other.from); break;
	case 3: put(t, line_at(t, 0), "", 0); break;
	case 4: change_column(t, ',', below(t, 2)); break;
	case 5: change_separators(t); break;
	case 6: put(t, (struct range){ below(t, t->n), t->n }, "", 0); break;
	default: change_cell(t); break;
	}
}

size_t mutate_text(uint8_t *data, size_t size, size_t max, uint64_t *state)
{
	struct text t = { data, size, max, state };
	size_t i, n = 1 + below(&t, CHANGES_MAX);
	bool is_json = size && (memchr(data, '{', size) || memchr(data, '[', size));

	for (i = 0; i < n && t.n > 0; i++)
		if (is_json && below(&t, 8))
			change_json(&t);
		else
			change_table(&t);
	return t.n;
}
