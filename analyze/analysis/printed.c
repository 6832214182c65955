/*
 * Lines in the layout of the documents.
 */
#include "analyze/analysis/printed.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/minmax.h"

static const struct column lines[] = {
	{ "line", "line", "A line of the document.", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
};

struct table *printed_table(struct result *out, int input, const char *id)
{
	struct table *t = result_table(out, id, NULL, lines, COUNT_OF(lines));

	t->layout = TABLE_TEXT;
	t->input = input;
	return t;
}

void printed_line(struct table *t, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = MAX(0, n);
	text = arena_alloc(t->mem, (size_t)n + 1);
	va_start(ap, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	table_row(t);
	table_text(t, 0, (struct span){ text, (size_t)n });
}

void printed_rule(struct table *t, char c, int n)
{
	char *text = arena_alloc(t->mem, (size_t)n);

	memset(text, c, (size_t)n);
	table_row(t);
	table_text(t, 0, (struct span){ text, (size_t)n });
}

void printed_title(struct table *t, const char *title, int n)
{
	printed_rule(t, '=', n);
	printed_line(t, "%s", title);
	printed_rule(t, '=', n);
}

/* Not a byte inside a character of UTF-8. */
static bool is_first(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

void printed_left(struct str *b, struct span text, size_t width)
{
	size_t i, n = 0;

	for (i = 0; i < text.n; i++)
		n += is_first(text.p[i]);
	str_add(b, text.p, text.n);
	for (; n < width; n++)
		str_addc(b, ' ');
}

const char *printed_float(struct table *t, double v)
{
	const char *text = arena_printf(t->mem, "%.12g", v);

	return strpbrk(text, ".en") ? text : arena_printf(t->mem, "%s.0", text);
}

struct span printed_cut(struct span text, size_t n)
{
	size_t i;

	for (i = 0; i < text.n; i++)
		if (is_first(text.p[i]) && n-- == 0)
			break;
	return (struct span){ text.p, i };
}
