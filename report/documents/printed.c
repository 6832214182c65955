/* Text as Python prints it, and looking up what `info` says of files. */
#include "report/documents/printed.h"

#include "report/escape.h"

static const char info[] = "info";

void printed_about(struct printed *p, int input)
{
	p->input = input;
	p->artifacts = printed_table(p, info, "artifacts");
	p->sheets = printed_table(p, info, "sheets");
	p->scalars = printed_table(p, info, "scalars");
}

/* The first answer: all are about the same inputs. */
static const struct result *first(const struct printed *p)
{
	return FIND_VALUE(i, p->in->n, p->in->v[i].result, p->in->v[i].result, NULL);
}

size_t printed_inputs(const struct printed *p)
{
	return first(p) ? first(p)->ninput : 0;
}

const char *printed_safe(const struct printed *p, struct span text)
{
	SCOPED_STR b = { 0 };

	escape_terminal(&b, text, true);
	return arena_copy(p->mem, b.n ? b.s : "", b.n);
}

const char *printed_path(const struct printed *p)
{
	return printed_safe(p, span_of(first(p)->input[p->input]));
}

/* ---- text ---- */

void printed_rule(struct printed *p, char c, int n)
{
	for (; n > 0; n--)
		str_addc(&p->b, c);
	str_addc(&p->b, '\n');
}

void printed_title(struct printed *p, const char *title, int n)
{
	printed_rule(p, '=', n);
	str_addf(&p->b, "%s\n", title);
	printed_rule(p, '=', n);
}

/* Not a byte inside a character of UTF-8. */
static bool is_first(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

const char *printed_left(const struct printed *p, const char *text, size_t cut, size_t width)
{
	char *out = arena_alloc(p->mem, strlen(text) + width + 1);
	size_t i, n = 0;

	for (i = 0; text[i] && !(cut && n == cut && is_first(text[i])); i++) {
		out[i] = text[i];
		n += is_first(text[i]);
	}
	for (; n < width; n++)
		out[i++] = ' ';
	out[i] = '\0';
	return out;
}

const char *printed_float(const struct printed *p, double v)
{
	const char *text = arena_printf(p->mem, "%.12g", v);

	return strpbrk(text, ".en") ? text : arena_printf(p->mem, "%s.0", text);
}

double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* ---- tables ---- */

const struct table *printed_table(const struct printed *p, const char *ask, const char *id)
{
	const struct table *t;

	for (size_t i = 0; (t = answers_table(p->in, ask, id, i)); i++)
		if (t->input == p->input)
			return t;
	return NULL;
}

const char *printed_word(
	const struct printed *p, const struct table *t, size_t row, const char *key)
{
	return printed_safe(p, table_word(t, row, key));
}

/* What the run says of itself, and where it ran; not how it was set up. */
static bool find(const struct printed *p, const char *key, size_t *row)
{
	for (*row = 0; *row < table_rows(p->scalars); ++*row)
		if (span_is(table_word(p->scalars, *row, "key"), key) &&
			!span_is(table_word(p->scalars, *row, "of"), "config"))
			return true;
	return false;
}

double printed_number(const struct printed *p, const char *key)
{
	size_t row;

	return find(p, key, &row) ? table_number(p->scalars, row, "number") : NAN;
}

const char *printed_text(const struct printed *p, const char *key)
{
	size_t row;

	return find(p, key, &row) ? printed_word(p, p->scalars, row, "value") : "";
}

bool printed_artifact(const struct printed *p, const char *kind, size_t *row)
{
	return table_find_word(p->artifacts, "kind", span_of(kind), row);
}

/* The rows of the i-th sheet: sheets without any have no table of their own. */
static const struct table *rows_of(const struct printed *p, const char *id, size_t i)
{
	const char *full = arena_printf(p->mem, "sheet_%s", id);
	const struct table *t;

	if (!(table_number(p->sheets, i, "rows") > 0))
		return NULL;
	size_t before = SUM(size_t, row, i,
		span_is(table_word(p->sheets, row, "sheet"), id) &&
			table_number(p->sheets, row, "rows") > 0);
	for (size_t k = 0; (t = answers_table(p->in, info, full, k)); k++)
		if (t->input == p->input && before-- == 0)
			return t;
	return NULL;
}

bool printed_sheet(const struct printed *p, const char *id, const char *key, const char *word,
	const char *or_word, const struct table **t, size_t *artifact)
{
	*t = NULL;
	for (size_t i = 0; i < table_rows(p->sheets); i++) {
		double a = table_number(p->sheets, i, "artifact");

		if (!span_is(table_word(p->sheets, i, "sheet"), id) ||
			!table_find_number(p->artifacts, "artifact", a, artifact))
			continue;
		struct span its = table_word(p->artifacts, *artifact, key);
		if (!span_is(its, word) && !(or_word && span_is(its, or_word)))
			continue;
		*t = rows_of(p, id, i);
		return true;
	}
	return false;
}
