/* Building documents. */
#include "report/page/page.h"

#include <stdarg.h>
#include <strings.h>

#include "report/cells.h"

enum { FACT_COLUMNS = 2 };

void page_init(struct page *d)
{
	*d = (struct page){ 0 };
}

void page_clear(struct page *d)
{
	for (EACH(const struct page_block, block, d->block, d->n))
		if (block->chart)
			chart_clear(block->chart);
	free(d->block);
	arena_clear(&d->mem);
	*d = (struct page){ 0 };
}

const char *page_printf(struct page *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *text = arena_vprintf(&d->mem, fmt, ap);
	va_end(ap);
	return text;
}

static struct page_block *add_block(struct page *d, enum page_kind kind)
{
	return PUSH(d->block, d->n, d->cap, (struct page_block){ .kind = kind });
}

bool page_says_something(const struct page *d)
{
	return ANY(i, d->n, d->block[i].kind != PAGE_HEADING);
}

void page_heading(struct page *d, const char *text)
{
	add_block(d, PAGE_HEADING)->text = page_printf(d, "%s", text);
}

void page_text(struct page *d, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_block(d, PAGE_TEXT)->text = arena_vprintf(&d->mem, fmt, ap);
	va_end(ap);
}

void page_item(struct page *d, enum page_tone tone, const char *fmt, ...)
{
	struct page_block *b = add_block(d, PAGE_ITEM);
	va_list ap;

	va_start(ap, fmt);
	b->text = arena_vprintf(&d->mem, fmt, ap);
	va_end(ap);
	b->tone = tone;
}

void page_lines(struct page *d, const char *text)
{
	add_block(d, PAGE_LINES)->text = text;
}

void page_row(struct page *d, struct page_block *b, enum page_tone tone, const char *const *text,
	size_t n)
{
	size_t n_mark = b->nrow, mark_cap = b->cap;

	ARENA_PUSH(&d->mem, b->mark, n_mark, mark_cap, NULL);
	ARENA_PUSH(&d->mem, b->row_tone, b->nrow, b->cap, tone);
	for (size_t i = 0; i < b->ncol; i++)
		ARENA_PUSH(&d->mem, b->cell, b->ncell, b->cell_cap, i < n ? text[i] : "");
}

void page_mark(struct page *d, struct page_block *b, const char *name)
{
	b->mark[b->nrow - 1] = page_printf(d, "%s", name);
}

void page_forget_marks(struct page *d)
{
	for (EACH(struct page_block, b, d->block, d->n))
		FILL(b->mark, b->mark ? b->nrow : 0, NULL);
}

void page_work(struct page *d, const char *id, const char *title, const char *html)
{
	struct page_block *b = add_block(d, PAGE_WORK);

	b->text = page_printf(d, "%s", title);
	b->id = id;
	b->html = html;
}

static void add_fact(
	struct page *d, struct page_block *b, const char *title, const char *fmt, va_list ap)
{
	b->kind = PAGE_FACTS;
	b->ncol = FACT_COLUMNS;
	PAGE_ROW(d, b, TONE_NONE, page_printf(d, "%s", title), arena_vprintf(&d->mem, fmt, ap));
}

void page_fact(struct page *d, const char *title, const char *fmt, ...)
{
	struct page_block *b = d->n ? &d->block[d->n - 1] : NULL;
	va_list ap;

	if (!b || b->kind != PAGE_FACTS)
		b = add_block(d, PAGE_FACTS);
	va_start(ap, fmt);
	add_fact(d, b, title, fmt, ap);
	va_end(ap);
}

void page_origin(struct page *d, const char *title, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_fact(d, &d->origin, title, fmt, ap);
	va_end(ap);
}

struct page_block *page_table(
	struct page *d, const char *caption, const struct page_column *col, size_t ncol)
{
	struct page_block *b = add_block(d, PAGE_TABLE);

	b->text = caption ? page_printf(d, "%s", caption) : NULL;
	b->col = col;
	b->ncol = ncol;
	return b;
}

static const char *cell_text(
	struct page *d, const struct table *t, size_t row, size_t col, struct unit_scale s)
{
	SCOPED_STR b = { 0 };

	cells_put(&b, t, row, col, s);
	return arena_copy(&d->mem, b.s ? b.s : "", b.n);
}

/* Where the cell is, if it is known. */
static bool find_cell(const struct table *t, size_t row, const char *key, size_t *col)
{
	return t && row < t->nrow && table_find_column(t, key, col) && table_cell(t, row, *col);
}

bool page_has(const struct table *t, size_t row, const char *key)
{
	size_t col;

	return find_cell(t, row, key, &col);
}

const char *page_value(struct page *d, const struct table *t, size_t row, const char *key)
{
	size_t col;

	if (!find_cell(t, row, key, &col))
		return "-";
	return cell_text(d, t, row, col, cells_scale_one(t, row, col, NULL));
}

/* Columns of t to show, and their headings; returns how many. */
static size_t choose(struct page *d, const struct table *t, const struct page_picks *p, size_t nrow,
	size_t *from, struct page_column *to)
{
	size_t n = 0;

	for (size_t i = 0; i < PAGE_PICKS_MAX && p->pick[i].key; i++) {
		const char *title = p->pick[i].title;
		size_t col;

		if (!table_find_column(t, p->pick[i].key, &col) ||
			!ANY(row, nrow, table_cell(t, row, col)))
			continue;
		from[n] = col;
		to[n++] = (struct page_column){
			.title = page_printf(d, "%s", title ? title : cells_title(&t->col[col])),
			.is_number = cells_is_number(&t->col[col]),
			.is_elastic = t->col[col].flags & COLUMN_ELASTIC,
		};
	}
	return n;
}

/* The scale of a column.  The heading it has here may not say that it is per cent. */
static struct unit_scale scale_of(const struct table *t, size_t col, const char *title)
{
	if (t->col[col].unit == UNIT_RATIO && !strchr(title, '%'))
		return unit_scale_percent();
	return cells_scale_column(t, col, NULL);
}

void page_pick_table(struct page *d, const struct table *t, const struct page_picks *p)
{
	struct page_column *col = arena_array(&d->mem, PAGE_PICKS_MAX, sizeof(*col));
	bool *is_name = arena_array(&d->mem, PAGE_PICKS_MAX, sizeof(*is_name));
	size_t n = p->most ? MIN(p->most, table_rows(t)) : table_rows(t);
	const char *text[PAGE_PICKS_MAX];
	struct unit_scale scale[PAGE_PICKS_MAX];
	size_t from[PAGE_PICKS_MAX];
	size_t ncol = n ? choose(d, t, p, n, from, col) : 0;

	if (ncol == 0)
		return;
	struct page_block *b = page_table(d, p->caption, col, ncol);
	b->is_name = is_name;
	for (size_t j = 0; j < ncol; j++) {
		scale[j] = scale_of(t, from[j], col[j].title);
		is_name[j] = (t->col[from[j]].flags & COLUMN_NAME) == COLUMN_NAME;
	}
	for (size_t i = 0; i < n; i++) {
		if (p->needs && number_same(table_number(t, i, p->needs), 0))
			continue;
		for (size_t j = 0; j < ncol; j++)
			text[j] = cell_text(d, t, i, from[j], scale[j]);
		page_row(d, b, TONE_NONE, text, ncol);
	}
	if (table_rows(t) > n)
		b->footnote = page_printf(d, "the first %zu of %zu", n, table_rows(t) + t->ncut);
}

void page_chart(struct page *d, const struct chart *c, const char *picture)
{
	struct page_block *b = add_block(d, PAGE_CHART);

	b->chart = arena_alloc(&d->mem, sizeof(*b->chart));
	*b->chart = *c;
	b->text = c->title;
	b->picture = picture ? page_printf(d, "%s", picture) : NULL;
}

#define X(name) &page_format_##name,
static const struct page_format *const formats[] = { PAGE_FORMATS(X) };
#undef X

const struct page_format *page_format_find(const char *name)
{
	return FIND_NAMED(formats, COUNT_OF(formats), name, name);
}

const struct page_format *page_format_of_path(const char *path)
{
	size_t n = strlen(path);

	for (size_t i = 0; i < COUNT_OF(formats); i++) {
		size_t m = strlen(formats[i]->suffix);

		if (n > m && strcasecmp(path + n - m, formats[i]->suffix) == 0)
			return formats[i];
	}
	return NULL;
}
