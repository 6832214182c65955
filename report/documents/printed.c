/*
 * Lines as Python prints them, and looking up what `info` says of files.
 */
#include "report/documents/printed.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/minmax.h"
#include "base/str.h"
#include "report/documents/week1.h"

static const struct column lines[] = {
	{ "line", "line", "A line of the document.", NULL, CELL_TEXT, UNIT_NONE, .flags = 0 },
};

struct printed printed_of(const struct answers *in, int input, struct result *out)
{
	struct printed p = { .in = in, .input = input, .out = out };

	p.artifacts = printed_table(&p, ask_info, "artifacts");
	p.sheets = printed_table(&p, ask_info, "sheets");
	p.scalars = printed_table(&p, ask_info, "scalars");
	return p;
}

void printed_begin(struct printed *p)
{
	p->t = result_table(p->out, "lines", NULL, lines, COUNT_OF(lines));
	p->t->layout = TABLE_TEXT;
	p->t->input = p->input;
}

/* ---- lines ---- */

static void put(const struct printed *p, const char *text, size_t n)
{
	table_row(p->t);
	table_text(p->t, 0, (struct span){ text, n });
}

void printed_line(const struct printed *p, const char *fmt, ...)
{
	va_list ap;
	char *text;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = MAX(0, n);
	text = arena_alloc(p->t->mem, (size_t)n + 1);
	va_start(ap, fmt);
	(void)vsnprintf(text, (size_t)n + 1, fmt, ap);
	va_end(ap);
	put(p, text, (size_t)n);
}

void printed_blank(const struct printed *p)
{
	put(p, "", 0);
}

void printed_rule(const struct printed *p, char c, int n)
{
	char *text = arena_alloc(p->t->mem, (size_t)n);

	memset(text, c, (size_t)n);
	put(p, text, (size_t)n);
}

void printed_title(const struct printed *p, const char *title, int n)
{
	printed_rule(p, '=', n);
	printed_line(p, "%s", title);
	printed_rule(p, '=', n);
}

/* Not a byte inside a character of UTF-8. */
static bool is_first(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

const char *printed_left(const struct printed *p, struct span text, size_t cut, size_t width)
{
	char *out = arena_alloc(p->t->mem, text.n + width + 1);
	size_t i, n = 0;

	for (i = 0; i < text.n && !(cut && n == cut && is_first(text.p[i])); i++) {
		out[i] = text.p[i];
		n += is_first(text.p[i]);
	}
	for (; n < width; n++)
		out[i++] = ' ';
	out[i] = '\0';
	return out;
}

const char *printed_float(const struct printed *p, double v)
{
	const char *text = arena_printf(p->t->mem, "%.12g", v);

	return strpbrk(text, ".en") ? text : arena_printf(p->t->mem, "%s.0", text);
}

const char *printed_fixed(const struct printed *p, double v, int decimals, bool commas)
{
	return week1_fixed(p->t->mem, v, decimals, commas);
}

double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* ---- files ---- */

const struct table *printed_table(const struct printed *p, const char *ask, const char *id)
{
	const struct table *t;
	size_t i;

	for (i = 0; (t = answers_table(p->in, ask, id, i)); i++)
		if (t->input == p->input)
			return t;
	return NULL;
}

/* The first answer: all are about the same inputs. */
static const struct result *first(const struct answers *in)
{
	size_t i;

	for (i = 0; i < in->n; i++)
		if (in->v[i].result)
			return in->v[i].result;
	return NULL;
}

size_t printed_inputs(const struct answers *in)
{
	const struct result *r = first(in);

	return r ? r->ninput : 0;
}

const char *printed_path(const struct printed *p)
{
	return first(p->in)->input[p->input];
}

static bool find(const struct printed *p, const char *of, const char *key, size_t *row)
{
	for (*row = 0; *row < table_rows(p->scalars); ++*row)
		if (span_is(table_word(p->scalars, *row, "of"), of) &&
			span_is(table_word(p->scalars, *row, "key"), key))
			return true;
	return false;
}

double printed_number(const struct printed *p, const char *of, const char *key)
{
	size_t row;

	return find(p, of, key, &row) ? table_number(p->scalars, row, "number") : NAN;
}

struct span printed_text(const struct printed *p, const char *of, const char *key)
{
	size_t row;

	return find(p, of, key, &row) ? table_word(p->scalars, row, "value") : SPAN("");
}

bool printed_artifact(const struct printed *p, const char *kind, size_t *row)
{
	return table_find_word(p->artifacts, "kind", span_of(kind), row);
}

/* The rows of the i-th sheet: sheets without any have no table of their own. */
static const struct table *rows_of(const struct printed *p, const char *id, size_t i)
{
	const char *full = arena_printf(p->t->mem, "sheet_%s", id);
	size_t before = 0, row, k;
	const struct table *t;

	if (!(table_number(p->sheets, i, "rows") > 0))
		return NULL;
	for (row = 0; row < i; row++)
		before += span_is(table_word(p->sheets, row, "sheet"), id) &&
			table_number(p->sheets, row, "rows") > 0;
	for (k = 0; (t = answers_table(p->in, ask_info, full, k)); k++)
		if (t->input == p->input && before-- == 0)
			return t;
	return NULL;
}

bool printed_sheet(const struct printed *p, const char *id, const char *key, const char *word,
	const char *or_word, const struct table **t, size_t *artifact)
{
	size_t i;

	*t = NULL;
	for (i = 0; i < table_rows(p->sheets); i++) {
		double a = table_number(p->sheets, i, "artifact");
		struct span its;

		if (!span_is(table_word(p->sheets, i, "sheet"), id) ||
			!table_find_number(p->artifacts, "artifact", a, artifact))
			continue;
		its = table_word(p->artifacts, *artifact, key);
		if (!span_is(its, word) && !(or_word && span_is(its, or_word)))
			continue;
		*t = rows_of(p, id, i);
		return true;
	}
	return false;
}
