/* Cells of a run's own tables. */
#include "analyze/analysis/pagecells.h"

#include <stdio.h>

const struct table *pagecells_table(const struct result *r, size_t from, const char *ids)
{
	for (size_t i = from; i < r->ntable; i++)
		if (span_in(span_of(r->table[i]->id), ids))
			return r->table[i];
	return NULL;
}

size_t pagecells_column_of(const struct table *t, struct span key)
{
	return FIRST(i, t->ncol, span_is(key, t->col[i].key));
}

size_t pagecells_column(const struct table *t, const char *keys)
{
	for (struct span key; span_words(&keys, &key);) {
		size_t col = pagecells_column_of(t, key);

		if (col < t->ncol)
			return col;
	}
	return t->ncol;
}

struct span pagecells_word(const struct table *t, size_t row, size_t col, char *room)
{
	const union cell *v = row < t->nrow && col < t->ncol ? table_cell(t, row, col) : NULL;

	if (!v)
		return SPAN("");
	if (t->col[col].type == CELL_TEXT)
		return v->s;
	if (t->col[col].type == CELL_BOOL)
		return v->b ? SPAN("true") : SPAN("false");
	int n = snprintf(
		room, PAGECELLS_NUMBER, "%" PRId64, t->col[col].type == CELL_INT ? v->i : 0);
	return (struct span){ room, (size_t)n };
}

size_t pagecells_rows(const struct table *t)
{
	return t->nrow - t->nfoot;
}

void pagecells_text(struct table *t, size_t col, struct span text)
{
	if (text.n)
		table_text(t, col, (struct span){ arena_copy(t->mem, text.p, text.n), text.n });
}

void pagecells_copy(struct table *to, size_t to_col, const struct table *t, size_t row, size_t col)
{
	const union cell *v = table_cell(t, row, col);

	if (!v)
		return;
	switch (to->col[to_col].type) {
	case CELL_TEXT: pagecells_text(to, to_col, table_text_at(t, row, col)); break;
	case CELL_REAL: table_real(to, to_col, table_number_at(t, row, col)); break;
	case CELL_INT:
		if (t->col[col].type == CELL_INT)
			table_int(to, to_col, v->i);
		break;
	case CELL_BOOL:
		if (t->col[col].type == CELL_BOOL)
			table_bool(to, to_col, v->b);
		break;
	}
}

void pagecells_copy_table(struct result *r, const struct table *t)
{
	struct column *col = arena_array(&r->keep, t->ncol, sizeof(*col));

	memcpy(col, t->col, t->ncol * sizeof(*col));
	struct table *to = result_table(r, t->id, t->title, col, t->ncol);
	for (size_t row = 0; row < t->nrow; row++) {
		table_row(to);
		if (t->unit)
			table_unit(to, (enum unit)t->unit[row]);
		for (size_t i = 0; i < t->ncol; i++)
			pagecells_copy(to, i, t, row, i);
	}
	to->input = t->input;
	to->layout = t->layout;
	to->nfoot = t->nfoot;
	to->ncut = t->ncut;
	to->footnote = t->footnote;
}
