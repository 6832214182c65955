/*
 * JSON: the whole result as one object, nothing rounded, nothing hidden, one row a line.  Written
 * row by row, so that its memory does not depend on the number of rows.
 */
#include <math.h>

#include "report/cells.h"
#include "report/escape.h"
#include "report/format/renderer.h"

static void put_text(struct str *b, const char *s)
{
	if (s)
		escape_json(b, span_of(s));
	else
		str_adds(b, "null");
}

/* A number of which -1 means unknown. */
static void put_known(struct str *b, int64_t v)
{
	if (v < 0)
		str_adds(b, "null");
	else
		unit_put_exact(b, v, 0);
}

static void put_member(struct str *b, const char *before, const char *key)
{
	str_adds(b, before);
	put_text(b, key);
	str_adds(b, ": ");
}

/* JSON has no infinity: null, as for absent. */
static void put_cell(struct str *b, const struct column *c, const union cell *v)
{
	if (!v || (c->type == CELL_REAL && !isfinite(v->r)))
		str_adds(b, "null");
	else if (c->type == CELL_TEXT)
		escape_json(b, v->s);
	else
		cells_put_exact(b, c, v);
}

static void put_columns(struct str *b, const struct table *t)
{
	size_t i;

	for (i = 0; i < t->ncol; i++) {
		str_adds(b, i ? ",\n    " : "\n    ");
		put_member(b, "{", "key");
		put_text(b, t->col[i].key);
		put_member(b, ", ", "title");
		put_text(b, t->col[i].title);
		put_member(b, ", ", "unit");
		put_text(b, cells_unit_name(t->col[i].unit));
		str_addc(b, '}');
	}
}

/* Rows [from, to) as objects, one a line. */
static void put_rows(FILE *out, struct str *b, const struct table *t, size_t from, size_t to)
{
	size_t row, i;

	for (row = from; row < to; row++) {
		str_adds(b, row > from ? ",\n    {" : "\n    {");
		for (i = 0; i < t->ncol; i++) {
			put_member(b, i ? ", " : "", t->col[i].key);
			put_cell(b, &t->col[i], table_cell(t, row, i));
		}
		str_addc(b, '}');
		cells_flush(out, b);
	}
}

static void put_table(FILE *out, struct str *b, const struct table *t)
{
	size_t data = t->nrow - t->nfoot;

	put_member(b, "{", "id");
	put_text(b, t->id);
	put_member(b, ", ", "title");
	put_text(b, t->title);
	put_member(b, ", ", "input");
	put_known(b, t->input);
	put_member(b, ",\n   ", "columns");
	str_addc(b, '[');
	put_columns(b, t);
	put_member(b, "],\n   ", "rows");
	str_addc(b, '[');
	put_rows(out, b, t, 0, data);
	put_member(b, "],\n   ", "footer");
	str_addc(b, '[');
	put_rows(out, b, t, data, t->nrow);
	put_member(b, "],\n   ", "footnote");
	put_text(b, t->footnote);
	put_member(b, ", ", "cut");
	str_addf(b, "%zu}", t->ncut);
	cells_flush(out, b);
}

static void put_note(struct str *b, const struct note *n)
{
	static const char *const level[] = { "info", "warning", "error" };

	put_member(b, "{", "level");
	put_text(b, level[n->level]);
	put_member(b, ", ", "id");
	put_text(b, n->id);
	put_member(b, ", ", "input");
	put_known(b, n->input);
	put_member(b, ", ", "count");
	put_known(b, n->count);
	put_member(b, ", ", "offset");
	put_known(b, n->offset);
	put_member(b, ", ", "line");
	put_known(b, n->line);
	put_member(b, ", ", "text");
	put_text(b, n->text);
	str_addc(b, '}');
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	struct str b = { 0 };
	size_t i;

	(void)how;
	put_member(&b, "{", "schema");
	put_text(&b, r->schema);
	put_member(&b, ",\n ", "inputs");
	str_addc(&b, '[');
	for (i = 0; i < r->ninput; i++) {
		str_adds(&b, i ? ", " : "");
		put_text(&b, r->input[i]);
	}
	put_member(&b, "],\n ", "tables");
	str_addc(&b, '[');
	for (i = 0; i < r->ntable; i++) {
		str_adds(&b, i ? ",\n  " : "\n  ");
		put_table(out, &b, r->table[i]);
	}
	put_member(&b, "],\n ", "notes");
	str_addc(&b, '[');
	for (i = 0; i < r->nnote; i++) {
		str_adds(&b, i ? ",\n  " : "\n  ");
		put_note(&b, &r->note[i]);
		cells_flush(out, &b);
	}
	str_adds(&b, "]}\n");
	cells_flush(out, &b);
	str_free(&b);
	return cells_done(out, e);
}

const struct renderer renderer_json = {
	.name = "json",
	.summary = "one JSON object, exact, in base units",
	.suffix = ".json",
	.shows_notes = true,
	.put = put,
};
