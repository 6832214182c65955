/* Documents as one HTML file: style, pictures and a script that sorts tables inside, nothing loaded
 * from elsewhere; readable on a phone, in print, in light and dark, by ear, and without the script.
 *
 * The page begins with its answer: the first sentence that says how good things are, which stays in
 * sight where there is room. */
#include "base/width.h"
#include "report/chart/draw/svg.h"
#include "report/chart/draw/tiles.h"
#include "report/escape.h"
#include "report/page/page.h"

/* ---- text between markup ---- */

static const char *const tones[] = { "", "good", "warn", "bad", "unknown" };
static const char *const words[] = { "", "ok", "warn", "bad", "?" };

/* Text between markup, escaped. */
static void html_element(struct str *out, const char *open, const char *text, const char *close)
{
	str_adds(out, open);
	escape_html(out, span_of(text));
	str_adds(out, close);
}

/* The word for a tone, before what it is of. */
static void html_tone(struct str *out, enum page_tone tone)
{
	if (tone != TONE_NONE)
		str_addf(out, "<span class=\"tone %s\">%s</span> ", tones[tone], words[tone]);
}

/* ---- style and script ---- */

/* Of the bytes between the tags below. */
#define SCRIPT_HASH "sha256-lis0MIiIU/t1ebnKExL0+FGRv6xFhmI1ol6VJLNzukA="

static const char script[] =
	"(() => {\n"
	"'use strict';\n"
	"const value = cell => {\n"
	"  const text = cell.textContent.trim();\n"
	"  const number = Number(cell.dataset.value ?? text.replace(/,/g, ''));\n"
	"  return text === '' || text === '-' ? null : Number.isNaN(number) ? text : number;\n"
	"};\n"
	"const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b\n"
	"  : String(a).localeCompare(String(b), 'en', {numeric: true});\n"
	"/* What has no value comes last either way. */\n"
	"const order = (rows, i, sign) => rows.map(row => [value(row.cells[i]), row])\n"
	"  .sort(([a], [b]) => a === null || b === null ? (a === null) - (b === null)\n"
	"    : sign * compare(a, b)).map(pair => pair[1]);\n"
	"for (const table of document.querySelectorAll('table')) {\n"
	"  const body = table.tBodies[0], rows = [...body.rows];\n"
	"  const heads = [...table.tHead.rows[0].cells];\n"
	"  if (2 > rows.length)\n"
	"    continue;\n"
	"  heads.forEach((head, i) => {\n"
	"    if (!head.textContent)\n"
	"      return;\n"
	"    const button = document.createElement('button');\n"
	"    const ways = ['ascending', 'descending'];\n"
	"    if (head.classList.contains('n'))\n"
	"      ways.reverse();\n"
	"    button.type = 'button';\n"
	"    button.append(...head.childNodes);\n"
	"    head.append(button);\n"
	"    button.addEventListener('click', () => {\n"
	"      const way = ways[ways.indexOf(head.getAttribute('aria-sort')) + 1];\n"
	"      for (const other of heads)\n"
	"        other.removeAttribute('aria-sort');\n"
	"      if (way)\n"
	"        head.setAttribute('aria-sort', way);\n"
	"      body.append(...(way ? order(rows, i, way === 'ascending' ? 1 : -1) : rows));\n"
	"    });\n"
	"  });\n"
	"}\n"
	"/* A page to work in is made when it is opened; it goes where it is told then. */\n"
	"const open = (work, mark) => {\n"
	"  const frame = work.querySelector('iframe');\n"
	"  const tell = () => mark && frame.contentWindow.postMessage({mark}, '*');\n"
	"  work.open = true;\n"
	"  if (frame.srcdoc)\n"
	"    return tell();\n"
	"  frame.addEventListener('load', tell);\n"
	"  frame.srcdoc = frame.dataset.page;\n"
	"};\n"
	"for (const work of document.querySelectorAll('.work'))\n"
	"  work.addEventListener('toggle', () => work.open && open(work));\n"
	"for (const link of document.querySelectorAll('[data-mark]'))\n"
	"  link.addEventListener('click', () =>\n"
	"    open(document.querySelector(link.hash), link.dataset.mark));\n"
	"})();\n";

static const char colors[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#222;--soft:#5c5c5c;--line:#ddd;"
	"--good:#00735a;--warn:#8a5a00;--bad:#b03a00;--link:#0b57d0;--mild:#f4f5f7}\n"
	"@media(prefers-color-scheme:dark){:root{--bg:#16181c;--fg:#e4e4e4;--soft:#a8a8a8;"
	"--line:#3a3d42;--good:#3ecfa6;--warn:#f0b040;--bad:#ff8a50;--link:#8ab4f8;"
	"--mild:#202329}}\n";

static const char parts[] =
	"body{background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
	"margin:0 auto;padding:1rem;max-width:72rem}\n"
	"h1{font-size:1.5rem;margin:.5rem 0 0}h2{font-size:1.15rem;margin:2rem 0 .5rem;"
	"border-bottom:1px solid var(--line)}\n"
	".sub,.note,figcaption,.from{color:var(--soft)}.sub,.from{margin:.2rem 0}"
	".from{font-size:.9rem}.from dd,code{color:var(--fg)}\n"
	"h1,.sub,figcaption,.panel,li,p,code{overflow-wrap:anywhere}\n"
	"dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;margin:0}"
	"dl div{display:contents}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}\n"
	".from,.from div{display:flex;flex-wrap:wrap;gap:0 1.5rem}.from div{gap:0 .4rem}"
	"p.from{display:block}"
	".made code{display:block;white-space:break-spaces;overflow-wrap:anywhere}\n"
	".answer{font-size:1.15rem;margin:1rem 0 .5rem;padding:.5rem .8rem;background:var(--mild);"
	"color:var(--fg)!important;border-left:.3rem solid var(--soft)}"
	".answer.good{border-color:var(--good)}.answer.warn{border-color:var(--warn)}"
	".answer.bad{border-color:var(--bad)}\n"
	"@media(min-width:64rem) and (min-height:30rem){.answer{position:sticky;top:0;z-index:1}"
	"h2,.work{scroll-margin-top:6rem}}\n"
	"nav ol{display:flex;flex-wrap:wrap;gap:.1rem 1rem;list-style:none;margin:.5rem 0;"
	"padding:0;font-size:.9rem}a{color:var(--link)}\n"
	".heard,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;"
	"clip-path:inset(50%);white-space:nowrap}\n"
	".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}"
	".tone{font-weight:600}\n"
	".charts,.panels{display:flex;flex-wrap:wrap;gap:1rem 2rem}"
	"figure{margin:1rem 0;flex:1 1 28rem;min-width:0;max-width:44rem}"
	".wide{flex-basis:100%;max-width:none}"
	".panels>div{flex:1 1 26rem;max-width:44rem;min-width:0}.panel{margin:0}\n"
	"pre{overflow-x:auto;font-size:.85rem}\n"
	".work{margin:1rem 0;border:1px solid var(--line);border-radius:.3rem}"
	".work summary{padding:.4rem .8rem;cursor:pointer;color:var(--link)}"
	".work iframe{display:block;width:100%;height:min(85vh,46rem);border:0;"
	"border-top:1px solid var(--line)}\n";

static const char tables[] =
	".scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem;"
	"margin:.5rem 0}\n"
	"caption{text-align:left;color:var(--soft);white-space:nowrap}th,td{padding:.25rem .6rem;"
	"text-align:left;border-bottom:1px solid var(--line);vertical-align:top;"
	"white-space:pre}tbody th{font-weight:400}\n"
	".e,.prose tbody>*>*{white-space:normal}.e{overflow-wrap:anywhere}"
	".e:not(:empty){min-width:9rem}"
	".n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"th button{font:inherit;color:inherit;background:none;border:0;margin:0;padding:0;"
	"cursor:pointer;text-align:inherit;white-space:inherit}"
	"th button:hover{text-decoration:underline}"
	"[aria-sort=ascending] button{box-shadow:0 -2px var(--link)}"
	"[aria-sort=descending] button{box-shadow:0 2px var(--link)}\n";

/* A phone: tables become what turn_of  says. */
static const char phone[] =
	"@media(max-width:40rem){dl:not(.from),dl:not(.from) div{display:block}"
	"dl:not(.from) dt{display:inline;margin-right:.5rem}dl:not(.from) dd{display:inline}"
	"figure{flex-basis:100%}.prose thead{display:none}"
	".prose tbody>*>*{display:block;border:0;padding:.1rem 0}.prose tr{display:block;"
	"padding:.4rem 0;border-bottom:1px solid var(--line)}"
	".named,.named thead,.named tbody,.named caption{display:block}.named tr{display:grid;"
	"grid-template-columns:repeat(var(--n),minmax(0,1fr));padding:.3rem 0;"
	"border-bottom:1px solid var(--line)}.named td,.named th{border:0;padding:0 .2rem}"
	".named thead th{white-space:normal}.named .h{grid-column:1/-1;grid-row:1;"
	"white-space:pre-wrap;overflow-wrap:anywhere;"
	"max-width:calc(100vw - 2.4rem)}"
	".cards,.cards tbody,.cards caption{display:block}.cards thead{display:none}"
	".cards tr{display:flex;flex-wrap:wrap;gap:0 1rem;padding:.35rem 0;"
	"border-bottom:1px solid var(--line)}"
	".cards tbody>*>*{border:0;padding:0;white-space:pre-wrap;overflow-wrap:anywhere}"
	".cards td:before{content:attr(data-h);color:var(--soft);margin-right:.4rem}"
	".cards .h{flex-basis:100%;order:-1}.cards .h:before{content:none}"
	"caption{white-space:normal}}\n";

/* Paper: heads of tables again on each page, nothing that belongs together on two. */
static const char paper[] =
	"@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--line:#ccc;--soft:#444;"
	"--good:#00735a;--warn:#8a5a00;--bad:#b03a00;--link:#000;--mild:#fff}"
	":root{font-size:11px}body{font-size:1rem;max-width:none;padding:0}"
	".answer{position:static}.skip,.work{display:none}nav{break-inside:avoid}"
	".scroll{overflow:visible}th,td{white-space:pre-wrap;padding:.15rem .35rem}"
	".n{white-space:nowrap}pre{white-space:pre-wrap;overflow-wrap:anywhere}"
	"thead{display:table-header-group;break-after:avoid}"
	"tbody tr:first-child{break-before:avoid}.few,h2{break-inside:avoid}"
	"h2,caption,figcaption,.panel{break-after:avoid}"
	"figure,tr,li,p,dl div,.answer,.panels>div{break-inside:avoid}p,li{orphans:3;widows:3}"
	".note{break-before:avoid}.charts,.panels{display:block}"
	"figure{max-width:68%}.wide,.wide .panels>div{max-width:100%}"
	".wide .panels{display:grid;grid-template-columns:1fr 1fr}}\n";

/* ---- tables ---- */

enum turn { TURN_NONE, TURN_PROSE, TURN_NAMED, TURN_CARDS };

/* Tables of up to that many rows are on one sheet of paper. */
enum { NAME_COLUMNS = 80, ROWS_TOGETHER = 25 };

/* A phone's width in pixels without margins; a letter of a table, and what is around a cell. */
enum { PHONE = 390 - 2 * 16, LETTER = 9, PADDING = 19, PADDING_PHONE = 6 };

/* The one column of names, which may be long; ncol: there is none, or several. */
static size_t elastic_of(const struct page_block *b)
{
	size_t n = 0, at = 0;

	for (size_t j = 0; j < b->ncol; j++)
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
	return MOST(size_t, i, b->nrow, width_of(span_of(b->cell[i * b->ncol + col])));
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
	size_t wide = 0;

	for (size_t j = 0; j < b->ncol; j++) {
		size_t title = width_of(span_of(b->col[j].title)), w = letters_of_cells(b, j);

		wide += MAX(w, title) * LETTER + PADDING;
	}
	return wide;
}

/* The figures fit beside each other on a phone, in columns of equal width. */
static bool do_figures_fit(const struct page_block *b, size_t head)
{
	size_t most = 0;

	for (size_t j = 0; j < b->ncol; j++) {
		size_t title = letters_of_longest_word(b->col[j].title), w = letters_of_cells(b, j);

		if (j == head)
			continue;
		w = MAX(w, title);
		most = MAX(w, most);
	}
	return (b->ncol - 1) * (most * LETTER + PADDING_PHONE) <= PHONE;
}

/* What becomes of a table on a phone.  What names a row stands on a line of its own, with the
 * figures below; where they do not fit beside each other, each row is a card: its figures have
 * their column's title before them, and go on in the next line. */
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

static void put_cell_class(
	struct str *out, const struct page_column *c, enum turn turn, bool is_head)
{
	bool is_named = is_head && (turn == TURN_CARDS || turn == TURN_NAMED);
	const char *class = c->is_number ? "n" : c->is_elastic ? "e" : "";

	if (*class || is_named)
		str_addf(out, " class=\"%s%s%s\"", class, *class && is_named ? " " : "",
			is_named ? "h" : "");
}

static void put_headings(struct str *out, const struct page_block *b, enum turn turn)
{
	str_adds(out, "<thead><tr>");
	for (size_t j = 0; j < b->ncol; j++) {
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

/* What names a row leads to the chart to work in, where that marks it. */
static void put_name(struct str *out, const struct page_block *b, size_t row, const char *text)
{
	if (!b->mark[row]) {
		html_element(out, "", text, "");
		return;
	}
	html_element(out, "<a href=\"#timeline-lanes\" data-mark=\"", b->mark[row], "\">");
	html_element(out, "", text, "</a>");
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
	if (j == 0)
		put_name(out, b, row, text);
	html_element(out, "", j == 0 ? "" : text, is_head ? "</th>" : "</td>");
}

/* A table; section: the heading above it, which names one without a caption. */
static void html_table(struct str *out, const struct page_block *of, const char *section)
{
	struct page_block named = *of;
	const struct page_block *b = &named;
	struct arena mem = { 0 };

	named.cell = page_short_names(&mem, of, NAME_COLUMNS);
	enum turn turn = turn_of(b);
	put_table_tag(out, b, turn);
	if (b->text)
		html_element(out, "<caption>", b->text, "</caption>\n");
	else if (section)
		html_element(out, "<caption class=\"heard\">", section, "</caption>\n");
	put_headings(out, b, turn);
	for (size_t i = 0; i < b->nrow; i++) {
		str_adds(out, "<tr>");
		for (size_t j = 0; j < b->ncol; j++)
			put_cell(out, b, of->cell[i * b->ncol + j], turn, i, j);
		str_adds(out, "</tr>\n");
	}
	str_adds(out, "</tbody></table></div>\n");
	arena_clear(&mem);
	if (b->footnote)
		html_element(out, "<p class=\"note\">", b->footnote, "</p>\n");
}

/* ---- the page ---- */

enum { CONTENTS_MIN = 3 }; /* fewer sections are found without a list of them */

static void put_facts(struct str *out, const struct page_block *b, const char *class)
{
	str_addf(out, "<dl%s>\n", class);
	for (size_t i = 0; i < b->nrow; i++) {
		html_element(out, "<div><dt>", b->cell[i * 2], "</dt>");
		html_element(out, "<dd>", b->cell[i * 2 + 1], "</dd></div>\n");
	}
	str_adds(out, "</dl>\n");
}

/* Lines stay lines.  Each is escaped on its own. */
static void escape_each_line(struct str *out, const char *text)
{
	while (*text) {
		size_t n = strcspn(text, "\n");

		escape_html(out, (struct span){ text, n });
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
}

static void put_lines(struct str *out, const char *text)
{
	str_adds(out, "<pre tabindex=\"0\">");
	escape_each_line(out, text);
	str_adds(out, "</pre>\n");
}

/* Folded, and made by the script when it is opened. */
static void put_work(struct str *out, const struct page_block *b)
{
	str_addf(out, "<details class=\"work\" id=\"%s\">", b->id);
	html_element(out, "<summary>", b->text, ": zoom, search, click</summary>\n");
	html_element(out, "<iframe sandbox=\"allow-scripts\" title=\"", b->text, "\" ");
	str_adds(out, "data-page=\"");
	escape_each_line(out, b->html);
	str_adds(out, "\"></iframe></details>\n");
}

static void put_block(struct str *out, const struct page_block *b, const char *section)
{
	switch (b->kind) {
	case PAGE_HEADING: break; /* put_heading */
	case PAGE_TEXT: html_element(out, "<p>", b->text, "</p>\n"); break;
	case PAGE_ITEM:
		str_adds(out, "<li>");
		html_tone(out, b->tone);
		html_element(out, "", b->text, "</li>\n");
		break;
	case PAGE_FACTS: put_facts(out, b, ""); break;
	case PAGE_TABLE: html_table(out, b, section); break;
	case PAGE_LINES: put_lines(out, b->text); break;
	case PAGE_CHART: svg_chart(out, b->chart); break;
	case PAGE_WORK: put_work(out, b); break;
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

/* What a heading is linked by: its number, so that no two are called the same. */
static void put_id(struct str *out, size_t i)
{
	str_addf(out, "s%zu", i);
}

static void put_heading(struct str *out, const struct page_block *b, size_t i)
{
	str_adds(out, "<section aria-labelledby=\"");
	put_id(out, i);
	str_adds(out, "\">\n<h2 id=\"");
	put_id(out, i);
	html_element(out, "\">", b->text, "</h2>\n");
}

/* The first sentence with a tone, as far as the second heading; d->n: there is none. */
static size_t answer_of(const struct page *d)
{
	size_t headings = 0;

	for (size_t i = 0; i < d->n; i++) {
		headings += d->block[i].kind == PAGE_HEADING;
		if (headings > 1)
			break;
		if (d->block[i].kind == PAGE_ITEM && d->block[i].tone != TONE_NONE)
			return i;
	}
	return d->n;
}

/* The blocks in sections, each from its heading to the next; `answer` stands above them. */
static void put_sections(struct str *out, const struct page *d, size_t answer)
{
	enum page_kind last = PAGE_TEXT;
	const char *section = NULL;

	for (size_t i = 0; i < d->n; i++) {
		const struct page_block *b = &d->block[i];

		if (i == answer)
			continue;
		put_between(out, last, b->kind);
		last = b->kind;
		if (b->kind == PAGE_HEADING) {
			str_adds(out, section ? "</section>\n" : "");
			section = b->text;
			put_heading(out, b, i);
		}
		put_block(out, b, section);
	}
	put_between(out, last, PAGE_TEXT);
	str_adds(out, section ? "</section>\n" : "");
}

static void put_contents(struct str *out, const struct page *d)
{
	size_t n = SUM(size_t, i, d->n, d->block[i].kind == PAGE_HEADING);

	if (n < CONTENTS_MIN)
		return;
	str_adds(out, "<nav aria-label=\"Contents\"><ol>\n");
	for (size_t i = 0; i < d->n; i++) {
		if (d->block[i].kind != PAGE_HEADING)
			continue;
		str_adds(out, "<li><a href=\"#");
		put_id(out, i);
		html_element(out, "\">", d->block[i].text, "</a></li>\n");
	}
	str_adds(out, "</ol></nav>\n");
}

static void put_header(struct str *out, const struct page *d)
{
	str_adds(out, "<header>\n");
	if (d->title)
		html_element(out, "<h1>", d->title, "</h1>\n");
	if (d->subtitle)
		html_element(out, "<p class=\"sub\">", d->subtitle, "</p>\n");
	if (d->origin.nrow)
		put_facts(out, &d->origin, " class=\"from\"");
	if (d->command)
		html_element(
			out, "<p class=\"from made\">made by\n<code>", d->command, "</code></p>\n");
	str_adds(out, "</header>\n");
}

static void put_head(struct str *out, const struct page *d)
{
	str_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
		"name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
	/* What the page may load, its style and its scripts: those of pages in it, too. */
	bool has_work = ANY(i, d->n, d->block[i].kind == PAGE_WORK);
	str_addf(out,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
		"style-src 'unsafe-inline';script-src '" SCRIPT_HASH "'%s%s;base-uri 'none';"
		"form-action 'none'\">\n",
		has_work ? " " : "", has_work ? tiles_hashes : "");
	html_element(out, "<title>", d->title ? d->title : "traceq", "");
	if (d->about)
		html_element(out, ": ", d->about, "");
	str_adds(out, "</title>\n<style>\n");
	str_adds(out, colors);
	str_adds(out, parts);
	str_adds(out, tables);
	str_adds(out, phone);
	str_adds(out, paper);
	svg_style(out);
	str_adds(out, "</style>\n</head>\n");
}

static void put(struct str *out, const struct page *d)
{
	size_t answer = answer_of(d);

	put_head(out, d);
	str_adds(out, "<body>\n<a class=\"skip\" href=\"#main\">to the answer</a>\n");
	put_header(out, d);
	str_adds(out, "<main id=\"main\">\n");
	if (answer < d->n) {
		str_addf(out, "<p class=\"answer %s\">", tones[d->block[answer].tone]);
		html_tone(out, d->block[answer].tone);
		html_element(out, "", d->block[answer].text, "</p>\n");
	}
	put_contents(out, d);
	put_sections(out, d, answer);
	str_adds(out, "</main>\n");
	str_adds(out, "<script>");
	str_adds(out, script);
	str_adds(out, "</script>\n");
	str_adds(out, "</body>\n</html>\n");
}

const struct page_format page_format_html = { "html", ".html", put, true };
