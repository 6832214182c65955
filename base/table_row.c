/* Rows of result tables as values. */
#include "base/table_row.h"

#include <stdio.h>

void table_add_cells(struct table *t, struct row_cells cells)
{
	for (size_t i = 0; i < cells.n; i++) {
		const struct row_cell *c = &cells.v[i];

		if (!c->is_known)
			continue;
		switch (c->type) {
		case CELL_TEXT: table_text(t, i, c->v.s); break;
		case CELL_INT: table_int(t, i, c->v.i); break;
		case CELL_REAL: table_real(t, i, c->v.r); break;
		case CELL_BOOL: table_bool(t, i, c->v.b); break;
		}
	}
}

void table_add_row(struct table *t, struct row_cells cells)
{
	table_row(t);
	table_add_cells(t, cells);
}

struct row_cell cell_int(int64_t v)
{
	return (struct row_cell){ true, CELL_INT, { .i = v } };
}

struct row_cell cell_size(size_t v)
{
	return cell_int((int64_t)v);
}

struct row_cell cell_count(int64_t v)
{
	return v >= 0 ? cell_int(v) : NO_CELL;
}

struct row_cell cell_known(int64_t v, int64_t unknown)
{
	return v != unknown ? cell_int(v) : NO_CELL;
}

struct row_cell cell_real(double v)
{
	return (struct row_cell){ !isnan(v), CELL_REAL, { .r = v } };
}

struct row_cell cell_ratio(int64_t part, int64_t whole)
{
	return cell_real(ratio_of((double)part, (double)whole));
}

struct row_cell cell_bool(bool v)
{
	return (struct row_cell){ true, CELL_BOOL, { .b = v } };
}

struct row_cell cell_text(struct span v)
{
	return (struct row_cell){ true, CELL_TEXT, { .s = v } };
}

struct row_cell cell_word(const char *word)
{
	return word ? cell_text(span_of(word)) : NO_CELL;
}

struct row_cell cell_name(struct span name)
{
	return name.n ? cell_text(name) : NO_CELL;
}

struct row_cell cell_textf(const struct table *t, const char *fmt, ...)
{
	char text[1024];

	PRINTF_TO(text, fmt);
	return cell_word(arena_copy(t->mem, text, strlen(text)));
}

struct row_cell cell_copy(const struct table *t, struct span text)
{
	return CELL_IF(
		text.n, cell_text((struct span){ arena_copy(t->mem, text.p, text.n), text.n }));
}

struct row_cell cell_str(const struct table *t, struct str *b)
{
	struct row_cell cell = cell_copy(t, (struct span){ b->s, b->n });

	str_free(b);
	return cell;
}
