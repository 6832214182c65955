/*
 * Documents as one HTML file: style and pictures inside, no script, nothing loaded from elsewhere;
 * readable on a phone, in print, in light and dark.
 */
#include <string.h>

#include "report/chart/draw/svg.h"
#include "report/escape.h"
#include "report/page/page.h"
#include "base/width.h"

static const char *const tones[] = { "", "good", "warn", "bad", "unknown" };
static const char *const words[] = { "", "ok", "warn", "bad", "?" };

enum turn { TURN_NONE, TURN_PROSE, TURN_NAMED, TURN_CARDS };

enum { NAME_COLUMNS = 80 };

/* A phone's width in pixels without margins; a letter of a table, and what is around a cell. */
enum { PHONE = 390 - 2 * 16, LETTER = 9, PADDING = 19, PADDING_PHONE = 6 };

static const char style[] =
	"<style>\n"
	":root{color-scheme:light dark;--bg:#fff;--fg:#222;--soft:#666;--line:#ddd;"
	"--good:#00735a;--warn:#8a5a00;--bad:#b03a00}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e4e4e4;--soft:#a0a0a0;"
	"--line:#3a3d42;--good:#3ecfa6;--warn:#f0b040;--bad:#ff8a50}}\n"
	"body{background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
	"margin:0 auto;padding:1rem;max-width:72rem}\n"
	"h1{font-size:1.5rem;margin:.5rem 0 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;"
	"border-bottom:1px solid var(--line)}\n"
	".sub,.note,figcaption{color:var(--soft)}h1,.sub,figcaption,.panel,li{"
	"overflow-wrap:anywhere}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}"
	"dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
	".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;"
	"margin:.5rem 0}\n"
	"caption{text-align:left;color:var(--soft);white-space:nowrap}th,td{padding:.25rem .6rem;"
	"text-align:left;border-bottom:1px solid var(--line);vertical-align:top;"
	"white-space:pre}\n"
	".e,.prose td{white-space:normal}.e{overflow-wrap:anywhere;min-width:9rem}"
	".n{text-align:right;"
	"font-variant-numeric:tabular-nums}\n"
	".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}\n"
	".tone{font-weight:600}\n"
	".charts,.panels{display:flex;flex-wrap:wrap;gap:1rem 2rem}"
	"figure{margin:1rem 0;flex:1 1 28rem;min-width:0;max-width:44rem}"
	".wide{flex-basis:100%;max-width:none}"
	".panels>div{flex:1 1 26rem;max-width:44rem;min-width:0}.panel{margin:0}\n"
	"pre{overflow-x:auto;font-size:.85rem}\n"
	"@media(max-width:40rem){dl{grid-template-columns:1fr}dd{margin:0 0 .4rem}"
	"figure{flex-basis:100%}.prose th{display:none}.prose td{display:block;"
	"border:0;padding:.1rem 0}.prose tr{display:block;padding:.4rem 0;"
	"border-bottom:1px solid var(--line)}"
	".named,.named tbody,.named caption{display:block}.named tr{display:grid;"
	"grid-template-columns:repeat(var(--n),minmax(0,1fr));padding:.3rem 0;"
	"border-bottom:1px solid var(--line)}.named td,.named th{border:0;padding:0 .2rem}"
	".named th{white-space:normal}.named .h{grid-column:1/-1;grid-row:1;"
	"white-space:pre-wrap;overflow-wrap:anywhere;"
	"max-width:calc(100vw - 2.4rem)}"
	".cards,.cards tbody,.cards caption{display:block}.cards th{display:none}"
	".cards tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.35rem 0;"
	"border-bottom:1px solid var(--line)}.cards tr:first-child{display:none}"
	".cards td{border:0;padding:0;white-space:pre-wrap;overflow-wrap:anywhere}"
	".cards td:before{content:attr(data-h);color:var(--soft);margin-right:.4rem}"
	".cards .h{flex-basis:100%;order:-1}.cards .h:before{content:none}"
	"caption{white-space:normal}}\n"
	"@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--line:#ccc;--soft:#444}"
	":root{font-size:11px}body{font-size:1rem;max-width:none;padding:0}"
	".scroll{overflow:visible}th,td{white-space:pre-wrap;padding:.15rem .35rem}"
	".n{white-space:nowrap}pre{white-space:pre-wrap}h2,caption,figcaption{"
	"break-after:avoid}figure,tr,.panel,.panels>div{break-inside:avoid}"
	"figure,.panels>div{flex:1 1 40%}.wide{flex-basis:100%}}\n";

static void put_style(struct str *out)
{
	str_adds(out, style);
	svg_style(out);
	str_adds(out, "</style>\n");
}

static void put_element(struct str *out, const char *open, const char *text, const char *close)
{
	str_adds(out, open);
	escape_html(out, span_of(text));
	str_adds(out, close);
}

static void put_tone(struct str *out, enum page_tone tone)
{
	if (tone != TONE_NONE)
		str_addf(out, "<span class=\"tone %s\">%s</span> ", tones[tone], words[tone]);
}

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

		most = w > most ? w : most;
	}
	return most;
}

static size_t letters_of_longest_word(const char *title)
{
	size_t most = 0;

	while (*title) {
		size_t n = strcspn(title, " ");
		size_t w = width_of((struct span){ title, n });

		most = w > most ? w : most;
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

		wide += (w > title ? w : title) * LETTER + PADDING;
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
		w = w > title ? w : title;
		most = w > most ? w : most;
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
	str_adds(out, "<div class=\"scroll\"><table");
	switch (turn) {
	case TURN_NONE: break;
	case TURN_PROSE: str_adds(out, " class=\"prose\""); break;
	case TURN_CARDS: str_adds(out, " class=\"cards\""); break;
	case TURN_NAMED: str_addf(out, " class=\"named\" style=\"--n:%zu\"", b->ncol - 1); break;
	}
	str_adds(out, ">\n");
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

	str_adds(out, "<tr>");
	for (j = 0; j < b->ncol; j++) {
		str_adds(out, "<th");
		put_cell_class(out, &b->col[j], turn, j == head_of(b));
		put_element(out, ">", b->col[j].title, "</th>");
	}
	str_adds(out, "</tr>\n");
}

/* whole: its text in full, which a name that was shortened shows on demand. */
static void put_cell(struct str *out, const struct page_block *b, const char *whole, enum turn turn,
	size_t row, size_t j)
{
	const char *text = b->cell[row * b->ncol + j];
	bool is_head = j == head_of(b);

	str_adds(out, "<td");
	put_cell_class(out, &b->col[j], turn, is_head);
	if (turn == TURN_CARDS && !is_head && *b->col[j].title)
		put_element(out, " data-h=\"", b->col[j].title, "\"");
	if (strcmp(text, whole) != 0)
		put_element(out, " title=\"", whole, "\"");
	str_addc(out, '>');
	if (j == 0)
		put_tone(out, b->row_tone[row]);
	put_element(out, "", text, "</td>");
}

static void put_table(struct str *out, const struct page_block *of)
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
	if (b->text)
		put_element(out, "<caption>", b->text, "</caption>\n");
	put_head(out, b, turn);
	for (i = 0; i < b->nrow; i++) {
		str_adds(out, "<tr>");
		for (j = 0; j < b->ncol; j++)
			put_cell(out, b, of->cell[i * b->ncol + j], turn, i, j);
		str_adds(out, "</tr>\n");
	}
	str_adds(out, "</table></div>\n");
	arena_clear(&mem);
	if (b->footnote)
		put_element(out, "<p class=\"note\">", b->footnote, "</p>\n");
}

static void put_facts(struct str *out, const struct page_block *b)
{
	size_t i;

	str_adds(out, "<dl>\n");
	for (i = 0; i < b->nrow; i++) {
		put_element(out, "<dt>", b->cell[i * 2], "</dt>");
		put_element(out, "<dd>", b->cell[i * 2 + 1], "</dd>\n");
	}
	str_adds(out, "</dl>\n");
}

/* Lines stay lines; each is escaped on its own. */
static void put_lines(struct str *out, const char *text)
{
	str_adds(out, "<pre>");
	while (*text) {
		size_t n = strcspn(text, "\n");

		escape_html(out, (struct span){ text, n });
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
	str_adds(out, "</pre>\n");
}

static void put_block(struct str *out, const struct page_block *b)
{
	switch (b->kind) {
	case PAGE_HEADING: put_element(out, "<h2>", b->text, "</h2>\n"); break;
	case PAGE_TEXT: put_element(out, "<p>", b->text, "</p>\n"); break;
	case PAGE_ITEM:
		str_adds(out, "<li>");
		put_tone(out, b->tone);
		put_element(out, "", b->text, "</li>\n");
		break;
	case PAGE_FACTS: put_facts(out, b); break;
	case PAGE_TABLE: put_table(out, b); break;
	case PAGE_LINES: put_lines(out, b->text); break;
	case PAGE_CHART: svg_chart(out, b->chart); break;
	}
}

/* Items stand in a list, charts beside each other: what opens and closes these. */
static void put_between(struct str *out, enum page_kind last, enum page_kind next)
{
	if (last == next)
		return;
	if (last == PAGE_ITEM)
		str_adds(out, "</ul>\n");
	if (last == PAGE_CHART)
		str_adds(out, "</div>\n");
	if (next == PAGE_ITEM)
		str_adds(out, "<ul>\n");
	if (next == PAGE_CHART)
		str_adds(out, "<div class=\"charts\">\n");
}

static void put(struct str *out, const struct page *d)
{
	const char *title = d->title ? d->title : "traceq";
	size_t i;

	str_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" "
		"content=\"default-src 'none';style-src 'unsafe-inline'\">\n");
	put_element(out, "<title>", title, "</title>\n");
	put_style(out);
	str_adds(out, "</head>\n<body>\n");
	if (d->title)
		put_element(out, "<h1>", d->title, "</h1>\n");
	if (d->subtitle)
		put_element(out, "<p class=\"sub\">", d->subtitle, "</p>\n");
	for (i = 0; i < d->n; i++) {
		put_between(out, i ? d->block[i - 1].kind : PAGE_TEXT, d->block[i].kind);
		put_block(out, &d->block[i]);
	}
	put_between(out, d->n ? d->block[d->n - 1].kind : PAGE_TEXT, PAGE_TEXT);
	str_adds(out, "</body>\n</html>\n");
}

const struct page_format page_format_html = { "html", ".html", put, true };
