/*
 * Documents as one HTML file: style and pictures inside, no script, nothing loaded from elsewhere;
 * readable on a phone, in print, in light and dark.
 */
#include "report/page.h"
#include "report/svg.h"

static const char *const tones[] = { "", "good", "warn", "bad", "unknown" };
static const char *const words[] = { "", "ok", "warn", "bad", "?" };

static void put_style(struct str *out)
{
	str_adds(out,
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
		"white-space:nowrap}\n"
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
		"grid-template-columns:repeat(var(--n),minmax(4.7rem,1fr));padding:.3rem 0;"
		"border-bottom:1px solid var(--line)}.named td,.named th{border:0;padding:0 .2rem}"
		".named th{white-space:normal}.named .e{grid-column:1/-1;grid-row:1;"
		"max-width:calc(100vw - 2.4rem)}}\n"
		"@media print{:root{color-scheme:light;--bg:#fff;--fg:#000;--line:#ccc;--soft:#444}"
		":root{font-size:11px}body{font-size:1rem;max-width:none;padding:0}"
		".scroll{overflow:visible}th,td{white-space:normal;padding:.15rem .35rem}"
		".n{white-space:nowrap}pre{white-space:pre-wrap}h2,caption,figcaption{"
		"break-after:avoid}figure,tr,.panel,.panels>div{break-inside:avoid}"
		"figure,.panels>div{flex:1 1 40%}.wide{flex-basis:100%}}\n");
	svg_style(out);
	str_adds(out, "</style>\n");
}

static void put_element(struct str *out, const char *open, const char *text, const char *close)
{
	str_adds(out, open);
	html_text(out, text);
	str_adds(out, close);
}

static void put_tone(struct str *out, enum page_tone tone)
{
	if (tone != TONE_NONE)
		str_addf(out, "<span class=\"tone %s\">%s</span> ", tones[tone], words[tone]);
}

/* Figures of something with a long name: on a phone the name stands on a line of its own. */
static bool is_named(const struct page_block *b)
{
	size_t n = 0, j;

	for (j = 0; j < b->ncol; j++)
		n += b->col[j].is_elastic;
	return !b->is_prose && n == 1 && b->ncol > 3;
}

static const char *class_of(const struct page_column *c)
{
	return c->is_number ? " class=\"n\"" : c->is_elastic ? " class=\"e\"" : "";
}

static void put_table(struct str *out, const struct page_block *b)
{
	size_t i, j;

	str_adds(out, "<div class=\"scroll\"><table");
	if (is_named(b))
		str_addf(out, " class=\"named\" style=\"--n:%zu\"", b->ncol - 1);
	str_adds(out, b->is_prose ? " class=\"prose\">\n" : ">\n");
	if (b->text)
		put_element(out, "<caption>", b->text, "</caption>\n");
	str_adds(out, "<tr>");
	for (j = 0; j < b->ncol; j++) {
		str_addf(out, "<th%s>", class_of(&b->col[j]));
		put_element(out, "", b->col[j].title, "</th>");
	}
	str_adds(out, "</tr>\n");
	for (i = 0; i < b->nrow; i++) {
		str_adds(out, "<tr>");
		for (j = 0; j < b->ncol; j++) {
			str_addf(out, "<td%s>", class_of(&b->col[j]));
			if (j == 0)
				put_tone(out, b->row_tone[i]);
			put_element(out, "", b->cell[i * b->ncol + j], "</td>");
		}
		str_adds(out, "</tr>\n");
	}
	str_adds(out, "</table></div>\n");
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
	struct str line = { 0 };

	str_adds(out, "<pre>");
	for (; *text; text++) {
		if (*text != '\n') {
			str_addc(&line, *text);
			continue;
		}
		html_text(out, line.n ? line.s : "");
		str_addc(out, '\n');
		str_reset(&line);
	}
	str_adds(out, "</pre>\n");
	str_free(&line);
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

const struct page_format page_format_html = { "html", ".html", put };
