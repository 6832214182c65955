/*
 * Names of bars that would look the same when they are cut: each shows where it differs.
 */
#include <ctype.h>
#include <string.h>

#include "report/chart/chart.h"
#include "report/width.h"

/* What every picture has room for (report/chart/draw/svg.c), how much of it says which function it
 * is, and how far before a difference its word may begin. */
enum { LETTERS = 28, HEAD = 8, WORD = 8 };

static bool looks_same(const char *a, const char *b)
{
	struct str x = { 0 }, y = { 0 };
	bool is_same;

	width_cut(&x, span_of(a), LETTERS, true);
	width_cut(&y, span_of(b), LETTERS, true);
	is_same = x.n == y.n && (x.n == 0 || memcmp(x.s, y.s, x.n) == 0);
	str_free(&x);
	str_free(&y);
	return is_same;
}

static size_t common(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && a[n] == b[n])
		n++;
	return n;
}

static bool is_of_word(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_';
}

/* The begin of the word that byte `at` is in; of a long word, the letter. */
static size_t begin_of_word(const char *s, size_t at)
{
	size_t from = at;

	while (from > 0 && is_of_word(s[from - 1]))
		from--;
	if (at - from <= WORD)
		at = from;
	while (((unsigned char)s[at] & 0xc0) == 0x80)
		at--;
	return at;
}

/* Where a function's own name begins, behind its type and namespaces. */
static size_t begin_of_function(const char *s)
{
	static const char void_[] = "void ", anonymous[] = "(anonymous namespace)";
	size_t from = strncmp(s, void_, sizeof(void_) - 1) == 0 ? sizeof(void_) - 1 : 0, i;

	for (i = from; s[i] && s[i] != '<'; i++) {
		if (strncmp(s + i, anonymous, sizeof(anonymous) - 1) == 0)
			i += sizeof(anonymous) - 2;
		else if (s[i] == '(')
			break;
		else if (strncmp(s + i, "::", 2) == 0)
			from = i + 2;
	}
	return from;
}

/* How far name i goes with the nearest of those that look the same; 0: there are none. */
static size_t shared_by_nearest(const struct chart_panel *p, size_t i)
{
	size_t most = 0, j;

	for (j = 0; j < p->nname; j++) {
		size_t n = common(p->whole[i], p->whole[j]);

		if (n > most && (p->whole[i][n] || p->whole[j][n]) &&
			looks_same(p->whole[i], p->whole[j]))
			most = n;
	}
	return most;
}

/* The bytes of so many columns of a text, at most. */
static size_t bytes_of(const char *s, size_t columns)
{
	size_t to = 0, next, wide = 0;

	for (; s[to]; to = next) {
		for (next = to + 1; ((unsigned char)s[next] & 0xc0) == 0x80; next++)
			continue;
		wide += width_of((struct span){ s + to, next - to });
		if (wide > columns)
			break;
	}
	return to;
}

/* "elementw…BinaryFunctor<c10:…": the function, and the word at byte `at` with what follows. */
static const char *name_with(struct chart *c, const char *name, size_t at)
{
	size_t head = begin_of_function(name), nhead = bytes_of(name + head, HEAD), n;

	if (at <= head + nhead) {
		at = head < at ? head : at;
		n = bytes_of(name + at, LETTERS - 2);
		return arena_printf(&c->mem, "%s%.*s%s", at ? "\u2026" : "", (int)n, name + at,
			name[at + n] ? "\u2026" : "");
	}
	n = bytes_of(name + at, LETTERS - 2 - HEAD);
	return arena_printf(&c->mem, "%.*s\u2026%.*s%s", (int)nhead, name + head, (int)n, name + at,
		name[at + n] ? "\u2026" : "");
}

void chart_tell_apart(struct chart *c)
{
	size_t i, k;

	for (k = 0; k < c->npanel; k++) {
		struct chart_panel *p = &c->panel[k];

		if (p->kind != PANEL_ROWS && p->kind != PANEL_BARS)
			continue;
		for (i = 0; i < p->nname; i++) {
			const char *name = p->whole[i];
			/* Steps may be many, but their names are short. */
			bool is_whole = width_of(span_of(name)) <= LETTERS;
			size_t n = is_whole ? 0 : shared_by_nearest(p, i);

			if (n > 0)
				p->name[i] = name_with(c, name, begin_of_word(name, n));
		}
	}
}
