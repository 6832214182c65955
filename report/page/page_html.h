/*
 * The parts of the writer of HTML documents (page_html.c).
 */
#ifndef REPORT_PAGE_PAGE_HTML_H
#define REPORT_PAGE_PAGE_HTML_H

#include "base/str.h"
#include "report/page/page.h"

/* page_html_text.c: text between markup, escaped. */
void html_element(struct str *out, const char *open, const char *text, const char *close);
/* The word for a tone, before what it is of. */
void html_tone(struct str *out, enum page_tone tone);
const char *html_tone_class(enum page_tone tone);

/* page_html_style.c: what the page may load, its style and its script. */
void html_policy(struct str *out);
void html_style(struct str *out);
void html_script(struct str *out);

/* page_html_table.c: a table; section: the heading above it, which names one without a caption. */
void html_table(struct str *out, const struct page_block *b, const char *section);

#endif
