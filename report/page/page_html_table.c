/*
 * Tables of HTML documents: what becomes of them on a phone, what names a row, what they are sorted
 * by.
 */
#include <math.h>
#include <string.h>

#include "base/minmax.h"
#include "base/width.h"
#include "report/escape.h"
#include "report/page/page_html.h"

enum turn { TURN_NONE, TURN_PROSE, TURN_NAMED, TURN_CARDS };

/* Tables of up to that many rows are on one sheet of paper. */
enum { NAME_COLUMNS = 80, ROWS_TOGETHER = 25 };

/* A phone's width in pixels without margins; a letter of a table, and what is around a cell. */
enum { PHONE = 390 - 2 * 16, LETTER = 9, PADDING = 19, PADDING_PHONE = 6 };

/* The one column of names, which may be long; ncol: there is none, or several. */
static size_t elastic_of(const struct page_block *b)
{
	size_t n = 0, at = 0, j;

	for (j = 0; j < b->ncol; j++)
		if (b->col[j].is_elastic && n++ == 0)
			at = j;
	return n == 1 ? at : b->ncol;
}

/* The column that names a row. */
static size_t head_of(const struct page_block *b)
{
	size_t elastic = elastic_of(b);

	return elastic < b->ncol ? elastic : 0;
}

static size_t letters_of_cells(const struct page_block *b, size_t col)
{
	size_t most = 0, i;

	for (i = 0; i < b->nrow; i++) {
		size_t w = width_of(span_of(b->cell[i * b->ncol + col]));

		most = MAX(w, most);
	}
	return most;
}

static size_t letters_of_longest_word(const char *title)
{
	size_t most = 0;

	while (*title) {
		size_t n = strcspn(title, " ");
		size_t w = width_of((struct span){ title, n });

		most = MAX(w, most);
		title += n + (title[n] == ' ');
	}
	return most;
}

/* Pixels of all columns, titles in one line. */
static size_t width_of_table(const struct page_block *b)
{
	size_t wide = 0, j;

	for (j = 0; j < b->ncol; j++) {
		size_t title = width_of(span_of(b->col[j].title)), w = letters_of_cells(b, j);

		wide += MAX(w, title) * LETTER + PADDING;
	}
	return wide;
}

/* The figures fit beside each other on a phone, in columns of equal width. */
static bool do_figures_fit(const struct page_block *b, size_t head)
{
	size_t most = 0, j;

	for (j = 0; j < b->ncol; j++) {
		size_t title = letters_of_longest_word(b->col[j].title), w = letters_of_cells(b, j);

		if (j == head)
			continue;
		w = MAX(w, title);
		most = MAX(w, most);
	}
	return (b->ncol - 1) * (most * LETTER + PADDING_PHONE) <= PHONE;
}

/*
 * What becomes of a table on a phone.  What names a row stands on a line of its own, with the
 * figures below; where they do not fit beside each other, each row is a card: its figures have
 * their column's title before them, and go on in the next line.
 */
static enum turn turn_of(const struct page_block *b)
{
	size_t elastic = elastic_of(b);

	if (b->is_prose)
		return TURN_PROSE;
	if (elastic < b->ncol ? b->ncol <= 3 : width_of_table(b) <= PHONE)
		return TURN_NONE;
	return do_figures_fit(b, head_of(b)) ? TURN_NAMED : TURN_CARDS;
}

static void put_table_tag(struct str *out, const struct page_block *b, enum turn turn)
{
	bool is_few = turn != TURN_PROSE && b->nrow <= ROWS_TOGETHER;

	str_addf(out, "<div class=\"scroll%s\"><table", is_few ? " few" : "");
	switch (turn) {
	case TURN_NONE: break;
	case TURN_PROSE: str_adds(out, " class=\"prose\""); break;
	case TURN_CARDS: str_adds(out, " class=\"cards\""); break;
	case TURN_NAMED: str_addf(out, " class=\"named\" style=\"--n:%zu\"", b->ncol - 1); break;
	}
	str_adds(out, ">\n");
}

static void put_caption(struct str *out, const struct page_block *b, const char *section)
{
	if (b->text)
		html_element(out, "<caption>", b->text, "</caption>\n");
	else if (section)
		html_element(out, "<caption class=\"heard\">", section, "</caption>\n");
}

static void put_cell_class(
	struct str *out, const struct page_column *c, enum turn turn, bool is_head)
{
	bool is_named = is_head && (turn == TURN_CARDS || turn == TURN_NAMED);
	const char *class = c->is_number ? "n" : c->is_elastic ? "e" : "";

	if (*class || is_named)
		str_addf(out, " class=\"%s%s%s\"", class, *class && is_named ? " " : "",
			is_named ? "h" : "");
}

static void put_head(struct str *out, const struct page_block *b, enum turn turn)
{
	size_t j;

	str_adds(out, "<thead><tr>");
	for (j = 0; j < b->ncol; j++) {
		str_adds(out, "<th scope=\"col\"");
		put_cell_class(out, &b->col[j], turn, j == head_of(b));
		html_element(out, ">", b->col[j].title, "</th>");
	}
	str_adds(out, "</tr></thead>\n<tbody>\n");
}

/* The number is needed where what is shown is not the number itself: "2.1 ms". */
static void put_value(struct str *out, const struct page_column *c, const char *text)
{
	double v = c->is_number ? page_number(text) : NAN;

	if (!isnan(v) && text[strspn(text, "+-.0123456789")])
		str_addf(out, " data-value=\"%.15g\"", v);
}

/* whole: its text in full, which a name that was shortened shows on demand. */
static void put_cell(struct str *out, const struct page_block *b, const char *whole, enum turn turn,
	size_t row, size_t j)
{
	const char *text = b->cell[row * b->ncol + j];
	bool is_head = j == head_of(b);

	str_adds(out, is_head ? "<th scope=\"row\"" : "<td");
	put_cell_class(out, &b->col[j], turn, is_head);
	put_value(out, &b->col[j], text);
	if (turn == TURN_CARDS && !is_head && *b->col[j].title)
		html_element(out, " data-h=\"", b->col[j].title, "\"");
	if (strcmp(text, whole) != 0)
		html_element(out, " title=\"", whole, "\"");
	str_addc(out, '>');
	if (j == 0)
		html_tone(out, b->row_tone[row]);
	html_element(out, "", text, is_head ? "</th>" : "</td>");
}

void html_table(struct str *out, const struct page_block *of, const char *section)
{
	struct page_block named = *of;
	const struct page_block *b = &named;
	struct arena mem;
	enum turn turn;
	size_t i, j;

	arena_init(&mem);
	named.cell = page_short_names(&mem, of, NAME_COLUMNS);
	turn = turn_of(b);
	put_table_tag(out, b, turn);
	put_caption(out, b, section);
	put_head(out, b, turn);
	for (i = 0; i < b->nrow; i++) {
		str_adds(out, "<tr>");
		for (j = 0; j < b->ncol; j++)
			put_cell(out, b, of->cell[i * b->ncol + j], turn, i, j);
		str_adds(out, "</tr>\n");
	}
	str_adds(out, "</tbody></table></div>\n");
	arena_clear(&mem);
	if (b->footnote)
		html_element(out, "<p class=\"note\">", b->footnote, "</p>\n");
}
