/* CSV and TSV: one table of the result, for a spreadsheet or a csv module to read as it is.  The
 * header row holds column keys; numbers are exact and in base units; absent is empty; foot rows,
 * titles, footnotes and notes are left out (cmd/ says the notes on stderr). */

#include "report/cells.h"
#include "report/escape.h"
#include "report/format/one_table.h"

/* What differs between the two. */
struct dialect {
	char separator;
	void (*escape)(struct str *b, struct span s);
};

struct sheet {
	const struct dialect *d;
	struct one_table t;
	struct str line;
	size_t nfield; /* written in the line */
};

static void start_field(struct sheet *s)
{
	if (s->nfield++ > 0)
		str_addc(&s->line, s->d->separator);
}

static void put_text(struct sheet *s, struct span text)
{
	start_field(s);
	s->d->escape(&s->line, text);
}

/* An empty line would not read back as a row of one empty field. */
static void end_line(struct sheet *s, FILE *out)
{
	str_adds(&s->line, s->line.n == 0 && s->d->separator == ',' ? "\"\"\n" : "\n");
	cells_flush(out, &s->line);
	s->nfield = 0;
}

static void put_row(struct sheet *s, const struct table *t, size_t row, const size_t *at, FILE *out)
{
	if (s->t.has_input)
		put_text(s, one_table_input(&s->t, t));
	for (size_t i = 0; i < s->t.ncolumn; i++) {
		const union cell *v = at[i] ? table_cell(t, row, at[i] - 1) : NULL;
		const struct column *c = at[i] ? &t->col[at[i] - 1] : NULL;

		if (v && c->type == CELL_TEXT) {
			put_text(s, v->s);
		} else {
			start_field(s);
			if (v)
				cells_put_exact(&s->line, c, v);
		}
	}
	end_line(s, out);
}

static enum status put_sheet(
	FILE *out, const struct result *r, const struct dialect *d, struct err *e)
{
	struct sheet s = { .d = d };
	SCOPED_ARENA mem = { 0 };

	one_table_of(&s.t, r, &mem);
	size_t *at = arena_array(&mem, s.t.ncolumn + 1, sizeof(*at));
	if (s.t.ncolumn > 0) {
		if (s.t.has_input)
			put_text(&s, SPAN("input"));
		for (size_t i = 0; i < s.t.ncolumn; i++)
			put_text(&s, span_of(s.t.column[i]->key));
		end_line(&s, out);
	}
	for (size_t i = 0; i < s.t.ntable; i++) {
		const struct table *t = s.t.table[i];

		one_table_columns(&s.t, t, at);
		for (size_t row = 0; row < t->nrow - t->nfoot; row++)
			put_row(&s, t, row, at, out);
	}
	str_free(&s.line);
	return cells_done(out, e);
}

static enum status put_csv(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	static const struct dialect csv = { ',', escape_csv };

	return put_sheet(out, r, &csv, e);
}

static enum status put_tsv(
	FILE *out, const struct result *r, const struct render *how UNUSED, struct err *e)
{
	static const struct dialect tsv = { '\t', escape_tsv };

	return put_sheet(out, r, &tsv, e);
}

const struct renderer renderer_csv = {
	.name = "csv",
	.summary = "comma-separated values by RFC 4180, exact, in base units",
	.suffix = ".csv",
	.is_one_table = true,
	.put = put_csv,
};

const struct renderer renderer_tsv = {
	.name = "tsv",
	.summary = "tab-separated values with \\t \\n \\\\ escapes, exact, in base units",
	.suffix = ".tsv",
	.is_one_table = true,
	.put = put_tsv,
};
