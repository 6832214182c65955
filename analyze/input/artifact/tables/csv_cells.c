/*
 * RFC 4180, and what programs write instead: blanks around cells, separators inside unquoted text.
 */
#include "analyze/input/artifact/tables/csv_cells.h"

enum { JOINED_LINES = 64 };

void csv_open(struct csv *c, struct reading *in)
{
	struct span text = in->head ? in->head->text : SPAN(""), line = text;

	(void)span_line(&text, &line);
	while ((span_trim(line).n == 0 || csv_is_sep(line)) && span_line(&text, &line))
		;
	*c = (struct csv){ .separator = csv_separator(line) };
	lines_open(&c->lines, in);
}

char csv_separator(struct span heading)
{
	size_t commas = SUM(size_t, i, heading.n, heading.p[i] == ',');

	return SUM(size_t, i, heading.n, heading.p[i] == ';') > commas ? ';' : ',';
}

bool csv_is_sep(struct span line)
{
	return line.n >= 5 && line.n <= 6 && span_starts(line, "sep=");
}

void csv_close(struct csv *c)
{
	lines_close(&c->lines);
	str_free(&c->joined);
	str_free(&c->whole);
}

/* The inside of a quoted cell; a doubled quote becomes one. */
static struct span inside(struct span t, struct str *unquote)
{
	t.p++;
	t.n -= t.n > 1 && t.p[t.n - 2] == '"' ? 2 : 1;
	if (!unquote || !memchr(t.p, '"', t.n))
		return t;
	size_t from = unquote->n;
	for (size_t i = 0; i < t.n; i++) {
		str_addc(unquote, t.p[i]);
		i += t.p[i] == '"' && i + 1 < t.n && t.p[i + 1] == '"';
	}
	/* A position, as the text may still move; csv_split turns it into a span. */
	return (struct span){ NULL, (from << 32) | (unquote->n - from) };
}

/* The end of the cell at p: a separator or the end of the line. */
static const char *cell_end(const char *p, const char *end, char separator)
{
	const char *q = p;

	while (q < end && (*q == ' ' || *q == '\t') && *q != separator)
		q++;
	if (q < end && *q == '"')
		for (q++; q < end; q++) {
			if (*q != '"')
				continue;
			if (q + 1 < end && q[1] == '"')
				q++;
			else
				break;
		}
	while (q < end && *q != separator)
		q++;
	return q;
}

void csv_split(struct span line, char separator, struct csv_row *row, struct str *unquote)
{
	const char *p = line.p, *end = line.p + line.n;

	row->n = 0;
	row->is_quoted = false;
	if (unquote)
		str_reset(unquote);
	while (row->n < CSV_CELLS) {
		const char *q = cell_end(p, end, separator);
		struct span t = span_trim(span_between(p, q));

		if (t.n > 1 && t.p[0] == '"') {
			row->is_quoted = true;
			t = inside(t, unquote);
		}
		row->cell[row->n++] = t;
		if (q >= end)
			break;
		p = q + 1;
	}
	for (size_t i = 0; i < row->n; i++)
		if (!row->cell[i].p && unquote)
			row->cell[i] = (struct span){ unquote->s + (row->cell[i].n >> 32),
				row->cell[i].n & UINT32_MAX };
}

/* Its last quote ends it: doubled ones stand for one inside. */
static bool is_closed(struct span quoted)
{
	size_t n = 0;

	while (n + 1 < quoted.n && quoted.p[quoted.n - 1 - n] == '"')
		n++;
	return n % 2 == 1;
}

/* A quoted cell goes on in the next line. */
static bool is_open(struct span line, char separator)
{
	const char *p = line.p, *end = line.p + line.n;

	while (p < end) {
		const char *q = cell_end(p, end, separator);
		struct span t = span_trim(span_between(p, q));

		if (q == end && t.n && t.p[0] == '"' && !is_closed(t))
			return true;
		p = q + 1;
	}
	return false;
}

bool csv_next(struct csv *c)
{
	struct str *whole = &c->whole;
	struct span line;
	int n = 0;

	do {
		if (!lines_next(&c->lines, &line))
			return false;
		c->offset = c->lines.offset;
	} while (span_trim(line).n == 0 || (c->lines.number == 1 && csv_is_sep(line)));
	if (!memchr(line.p, '"', line.n) || !is_open(line, c->separator)) {
		csv_split(line, c->separator, &c->row, &c->joined);
		return true;
	}
	str_reset(whole);
	str_add(whole, line.p, line.n);
	while (n++ < JOINED_LINES && is_open((struct span){ whole->s, whole->n }, c->separator) &&
		lines_next(&c->lines, &line)) {
		str_addc(whole, '\n');
		str_add(whole, line.p, line.n);
	}
	csv_split((struct span){ whole->s, whole->n }, c->separator, &c->row, &c->joined);
	return true;
}

enum status csv_read(struct reading *in, enum took (*take)(void *ctx, struct csv_row *row),
	void *ctx, const char *alien, const char *other, struct err *e)
{
	struct untaken untaken = { 0 };
	struct csv c;

	csv_open(&c, in);
	while (csv_next(&c)) {
		c.row.is_torn = c.lines.is_torn;
		c.row.offset = untaken.torn_at = c.offset;
		untaken_add(&untaken, take(ctx, &c.row), c.offset, c.row.is_torn);
	}
	reading_untaken(in, &untaken, alien, other);
	enum status st = lines_end(&c.lines, e);
	csv_close(&c);
	return st;
}

size_t csv_column(const struct csv_row *row, const char *name)
{
	return FIND_VALUE(i, row->n, span_is(row->cell[i], name), i, SIZE_MAX);
}

size_t csv_column_nocase(const struct csv_row *row, const char *name)
{
	return FIND_VALUE(i, row->n, span_is_nocase(row->cell[i], name), i, SIZE_MAX);
}

bool csv_take(struct span *text, struct csv_row *row, struct str *unquote, int64_t *lines)
{
	const char *begin = text->p;
	struct span line;
	int n = 0;

	if (!span_line(text, &line))
		return false;
	struct span whole = line;
	while (n++ < JOINED_LINES && is_open(whole, ',') && span_line(text, &line))
		whole.n = (size_t)(line.p + line.n - begin);
	*lines += n;
	csv_split(whole, ',', row, unquote);
	return true;
}

bool csv_mend(struct csv_row *row, size_t ncolumn, size_t text)
{
	size_t more = row->n - ncolumn;
	struct span *cell = &row->cell[text];

	if (row->n < ncolumn)
		return false;
	if (more == 0)
		return true;
	/* Cells of an unquoted line lie in one piece.  What is between them is the separator. */
	struct span *last = &row->cell[text + more];
	if (row->is_quoted || last->p < cell->p)
		return false;
	cell->n = (size_t)(last->p + last->n - cell->p);
	for (size_t i = text + 1; i < ncolumn; i++)
		row->cell[i] = row->cell[i + more];
	row->n = ncolumn;
	return true;
}
