/* Documents as plain text of 78 columns, as the reports of the field look: rules of "=" and "-". */

#include "report/page/page.h"
#include "report/escape.h"
#include "base/width.h"

/* An elastic column that would get less than LEGIBLE letters and needs more has its own lines. */
enum { WIDTH = 78, GAP = 2, ELASTIC_MIN = 16, LEGIBLE = 28, COLUMNS_MAX = 32, UNCUT = 1 << 20 };
enum { APART_INDENT = 6, APART_WIDTH = WIDTH - APART_INDENT };

static const char *const marks[] = { "-  ", "ok ", "!  ", "!! ", "?  " };

/* One line of text, nothing in it obeyed; freed by the caller. */
static struct str plain(const char *text)
{
	struct str b = { 0 };

	str_adds(&b, "");
	escape_terminal(&b, span_of(text), true);
	return b;
}

static void put_rule(struct str *out, char c)
{
	for (int i = 0; i < WIDTH; i++)
		str_addc(out, c);
	str_addc(out, '\n');
}

static void put_wrapped(struct str *out, const char *text, const char *lead)
{
	SCOPED_STR b = plain(text);

	str_adds(out, lead);
	width_wrap(out, (struct span){ b.s, b.n }, WIDTH, width_of(span_of(lead)));
	str_addc(out, '\n');
}

static void put_upper(struct str *out, const char *text)
{
	SCOPED_STR b = plain(text);

	for (size_t i = 0; i < b.n; i++)
		str_addc(out, b.s[i] >= 'a' && b.s[i] <= 'z' ? (char)(b.s[i] - 'a' + 'A') : b.s[i]);
	str_addc(out, '\n');
}

static void put_facts(struct str *out, const struct page_block *b)
{
	size_t wide = MOST(size_t, i, b->nrow, width_of(span_of(b->cell[i * 2])));

	for (size_t i = 0; i < b->nrow; i++) {
		SCOPED_STR lead = { 0 }, title = plain(b->cell[i * 2]);

		str_adds(&lead, "  ");
		width_pad(&lead, (struct span){ title.s, title.n }, wide + GAP, false);
		put_wrapped(out, b->cell[i * 2 + 1], lead.s);
	}
}

/* Widths of the columns.  The elastic ones share what is left.  The column that stands below its
 * row, or b->ncol: none does. */
static size_t measure(const struct page_block *b, size_t *width)
{
	size_t total = 0, elastic = 0, apart = b->ncol;

	for (size_t j = 0; j < b->ncol; j++) {
		width[j] = width_of(span_of(b->col[j].title));
		for (size_t i = 0; i < b->nrow; i++) {
			SCOPED_STR s = plain(b->cell[i * b->ncol + j]);
			size_t w = width_of((struct span){ s.s, s.n });

			width[j] = MAX(w, width[j]);
		}
		total += width[j] + GAP;
		elastic += b->col[j].is_elastic;
	}
	for (size_t j = 0; j < b->ncol && total > WIDTH && elastic > 0; j++) {
		size_t over = total - WIDTH, least = ELASTIC_MIN;

		if (!b->col[j].is_elastic || width[j] <= least)
			continue;
		if (elastic == 1 && width[j] > LEGIBLE && width[j] < over + LEGIBLE)
			apart = j;
		over = MIN(over, width[j] - least);
		width[j] -= over;
		total -= over;
	}
	return apart;
}

/* Text in a column of that width, cut in its middle. */
static void put_cell(struct str *line, const char *text, size_t width, bool is_number)
{
	SCOPED_STR s = plain(text), cut = { 0 };

	str_adds(&cut, "");
	width_cut(&cut, (struct span){ s.s, s.n }, width, true);
	width_pad(line, (struct span){ cut.s, cut.n }, width, is_number);
}

static void put_line(struct str *out, struct str *line)
{
	while (line->n && line->s[line->n - 1] == ' ')
		line->n--;
	str_add(out, line->s, line->n);
	str_addc(out, '\n');
	line->n = 0;
}

static void put_row(struct str *out, const struct page_block *b, const size_t *width, size_t apart,
	const char *const *cell)
{
	SCOPED_STR line = { 0 };

	for (size_t j = 0; j < b->ncol; j++) {
		if (j == apart)
			continue;
		str_adds(&line, "  ");
		put_cell(&line, cell[j], width[j], b->col[j].is_number);
	}
	put_line(out, &line);
	if (apart < b->ncol) {
		str_addf(&line, "%*s", APART_INDENT, "");
		put_cell(&line, cell[apart], APART_WIDTH, false);
		put_line(out, &line);
	}
}

/* Sets the widths, and b to its names in these; returns what measure does. */
static size_t make_fit(struct arena *mem, struct page_block *b, size_t *width)
{
	const char **whole = b->cell;
	size_t least = APART_WIDTH;

	b->cell = page_short_names(mem, b, UNCUT);
	size_t apart = measure(b, width);
	for (size_t j = 0; j < b->ncol; j++)
		if (b->is_name && b->is_name[j] && j != apart && width[j] < least)
			least = width[j];
	b->cell = whole;
	b->cell = page_short_names(mem, b, least);
	return apart;
}

static void put_table(struct str *out, const struct page_block *of)
{
	struct page_block fitting = *of, *b = &fitting;
	size_t width[COLUMNS_MAX];
	const char *head[COLUMNS_MAX];
	SCOPED_ARENA mem = { 0 };

	if (b->is_prose) {
		/* Rows of sentences: the first cell, and the others below it, set in. */
		for (size_t i = 0; i < b->nrow; i++) {
			put_wrapped(out, b->cell[i * b->ncol], marks[b->row_tone[i]]);
			for (size_t j = 1; j < b->ncol; j++)
				if (b->cell[i * b->ncol + j][0])
					put_wrapped(out, b->cell[i * b->ncol + j],
						j + 1 == b->ncol ? "     -> " : "     ");
		}
		if (b->footnote)
			put_wrapped(out, b->footnote, "   ");
		return;
	}
	if (b->ncol > COLUMNS_MAX)
		return;
	size_t apart = make_fit(&mem, b, width);
	if (b->text)
		put_wrapped(out, b->text, "");
	for (size_t j = 0; j < b->ncol; j++)
		head[j] = b->col[j].title;
	put_row(out, b, width, apart, head);
	for (size_t i = 0; i < b->nrow; i++)
		put_row(out, b, width, apart, &b->cell[i * b->ncol]);
	if (b->footnote)
		put_wrapped(out, b->footnote, "  ");
}

static void put(struct str *out, const struct page *d)
{
	enum page_kind last = PAGE_LINES;

	if (d->title) {
		put_rule(out, '=');
		put_upper(out, d->title);
		if (d->subtitle)
			put_wrapped(out, d->subtitle, "");
		put_rule(out, '=');
		last = PAGE_TEXT;
	}
	for (EACH(const struct page_block, b, d->block, d->n)) {
		bool is_close =
			(b->kind == last && (b->kind == PAGE_ITEM || b->kind == PAGE_CHART)) ||
			last == PAGE_HEADING;

		if (b->kind == PAGE_CHART && !b->picture)
			continue;
		if (!is_close && out->n > 0)
			str_addc(out, '\n');
		switch (b->kind) {
		case PAGE_HEADING:
			put_upper(out, b->text);
			put_rule(out, '-');
			break;
		case PAGE_TEXT: put_wrapped(out, b->text, ""); break;
		case PAGE_ITEM: put_wrapped(out, b->text, marks[b->tone]); break;
		case PAGE_FACTS: put_facts(out, b); break;
		case PAGE_TABLE: put_table(out, b); break;
		case PAGE_LINES: escape_lines(out, span_of(b->text)); break;
		case PAGE_WORK: break; /* of HTML */
		case PAGE_CHART:
			if (b->picture) {
				str_adds(out, "chart: ");
				put_wrapped(out, b->picture, "");
			}
			break;
		}
		last = b->kind;
	}
}

const struct page_format page_format_txt = { "txt", ".txt", put, false };
