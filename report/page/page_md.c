/* Documents as Markdown that GitHub shows in a pull request: nothing in it is HTML but what GitHub
 * allows everywhere. */
#include "report/page/page.h"
#include "report/escape.h"

enum { NAME_COLUMNS = 100 };

static const char *const marks[] = { "", "\xe2\x9c\x85 ", "\xe2\x9a\xa0\xef\xb8\x8f ",
	"\xe2\x9d\x8c ", "\xe2\x9d\x94 " };

static void put_text(struct str *out, const char *s)
{
	escape_markdown(out, span_of(s));
}

/* A text that begins a paragraph or an item. */
static void put_paragraph(struct str *out, const char *s)
{
	escape_markdown_block(out, span_of(s));
}

static void put_table(struct str *out, const struct page_block *b)
{
	struct arena mem = { 0 };

	const char **cell = page_short_names(&mem, b, NAME_COLUMNS);
	if (b->text) {
		put_paragraph(out, b->text);
		str_adds(out, "\n\n");
	}
	for (size_t j = 0; j < b->ncol; j++) {
		str_adds(out, "| ");
		put_text(out, b->col[j].title);
		str_addc(out, ' ');
	}
	str_adds(out, "|\n");
	for (size_t j = 0; j < b->ncol; j++)
		str_adds(out, b->col[j].is_number ? "| --: " : "| :-- ");
	str_adds(out, "|\n");
	for (size_t i = 0; i < b->nrow; i++) {
		for (size_t j = 0; j < b->ncol; j++) {
			str_adds(out, "| ");
			if (j == 0)
				str_adds(out, marks[b->row_tone[i]]);
			put_text(out, cell[i * b->ncol + j]);
			str_addc(out, ' ');
		}
		str_adds(out, "|\n");
	}
	arena_clear(&mem);
	if (b->footnote) {
		str_adds(out, "\n");
		put_paragraph(out, b->footnote);
		str_adds(out, "\n");
	}
}

static void put_facts(struct str *out, const struct page_block *b)
{
	for (size_t i = 0; i < b->nrow; i++) {
		str_adds(out, "- **");
		put_text(out, b->cell[i * 2]);
		str_adds(out, "**: ");
		put_text(out, b->cell[i * 2 + 1]);
		str_addc(out, '\n');
	}
}

/* The fence is longer than any run of backticks in the text. */
static void put_lines(struct str *out, const char *text)
{
	size_t longest = 2, run = 0;

	for (const char *p = text; *p; p++) {
		run = *p == '`' ? run + 1 : 0;
		longest = MAX(run, longest);
	}
	for (size_t i = 0; i <= longest; i++)
		str_addc(out, '`');
	str_adds(out, "text\n");
	escape_lines(out, span_of(text));
	for (size_t i = 0; i <= longest; i++)
		str_addc(out, '`');
	str_addc(out, '\n');
}

static void put_block(struct str *out, const struct page_block *b)
{
	switch (b->kind) {
	case PAGE_HEADING:
		str_adds(out, "### ");
		put_text(out, b->text);
		str_addc(out, '\n');
		break;
	case PAGE_TEXT:
		put_paragraph(out, b->text);
		str_addc(out, '\n');
		break;
	case PAGE_ITEM:
		str_adds(out, "- ");
		str_adds(out, marks[b->tone]);
		put_paragraph(out, b->text);
		str_addc(out, '\n');
		break;
	case PAGE_FACTS: put_facts(out, b); break;
	case PAGE_TABLE: put_table(out, b); break;
	case PAGE_LINES: put_lines(out, b->text); break;
	case PAGE_WORK: break; /* of HTML */
	case PAGE_CHART:
		str_adds(out, "![");
		put_text(out, b->text);
		str_adds(out, "](");
		escape_link(out, span_of(b->picture));
		str_adds(out, ")\n");
		break;
	}
}

static void put(struct str *out, const struct page *d)
{
	enum page_kind last = PAGE_TEXT;

	if (d->title) {
		str_adds(out, "## ");
		put_text(out, d->title);
		str_addc(out, '\n');
	}
	if (d->subtitle) {
		str_addc(out, '\n');
		put_paragraph(out, d->subtitle);
		str_addc(out, '\n');
	}
	for (EACH(const struct page_block, b, d->block, d->n)) {
		if (b->kind == PAGE_CHART && !b->picture)
			continue;
		if (out->n > 0 && (b->kind != PAGE_ITEM || last != PAGE_ITEM))
			str_addc(out, '\n');
		put_block(out, b);
		last = b->kind;
	}
}

const struct page_format page_format_md = { "md", ".md", put, false };
