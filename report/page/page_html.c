/*
 * Documents as one HTML file: style, pictures and a script that sorts tables inside, nothing loaded
 * from elsewhere; readable on a phone, in print, in light and dark, by ear, and without the script.
 *
 * The page begins with its answer: the first sentence that says how good things are, which stays in
 * sight where there is room.
 */
#include "report/page/page_html.h"

#include <string.h>

#include "report/chart/draw/svg.h"
#include "report/escape.h"

enum { CONTENTS_MIN = 3 }; /* fewer sections are found without a list of them */

static void put_facts(struct str *out, const struct page_block *b, const char *class)
{
	size_t i;

	str_addf(out, "<dl%s>\n", class);
	for (i = 0; i < b->nrow; i++) {
		html_element(out, "<div><dt>", b->cell[i * 2], "</dt>");
		html_element(out, "<dd>", b->cell[i * 2 + 1], "</dd></div>\n");
	}
	str_adds(out, "</dl>\n");
}

/* Lines stay lines; each is escaped on its own. */
static void put_lines(struct str *out, const char *text)
{
	str_adds(out, "<pre tabindex=\"0\">");
	while (*text) {
		size_t n = strcspn(text, "\n");

		escape_html(out, (struct span){ text, n });
		str_addc(out, '\n');
		text += n + (text[n] == '\n');
	}
	str_adds(out, "</pre>\n");
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
	size_t headings = 0, i;

	for (i = 0; i < d->n; i++) {
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
	size_t i;

	for (i = 0; i < d->n; i++) {
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
	size_t n = 0, i;

	for (i = 0; i < d->n; i++)
		n += d->block[i].kind == PAGE_HEADING;
	if (n < CONTENTS_MIN)
		return;
	str_adds(out, "<nav aria-label=\"Contents\"><ol>\n");
	for (i = 0; i < d->n; i++) {
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

static void put_answer(struct str *out, const struct page_block *b)
{
	str_addf(out, "<p class=\"answer %s\">", html_tone_class(b->tone));
	html_tone(out, b->tone);
	html_element(out, "", b->text, "</p>\n");
}

static void put_head(struct str *out, const struct page *d)
{
	str_adds(out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n");
	html_policy(out);
	html_element(out, "<title>", d->title ? d->title : "traceq", "");
	if (d->about)
		html_element(out, ": ", d->about, "");
	str_adds(out, "</title>\n<style>\n");
	html_style(out);
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
	if (answer < d->n)
		put_answer(out, &d->block[answer]);
	put_contents(out, d);
	put_sections(out, d, answer);
	str_adds(out, "</main>\n");
	html_script(out);
	str_adds(out, "</body>\n</html>\n");
}

const struct page_format page_format_html = { "html", ".html", put, true };
