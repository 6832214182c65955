/* CSV and TSV: one table of the result, for a spreadsheet or a csv module to read as it is.  The
 * header row holds column keys; numbers are exact and in base units; absent is empty; foot rows,
 * titles, footnotes and notes are left out (cmd/ says the notes on stderr).
 *
 * Of several tables the first grid is the one, else the first; of several inputs the rows stand
 * below each other, and the column "input" holds the path. */

#include "report/cells.h"
#include "report/escape.h"

/* What differs between the two. */
struct dialect {
	char separator;
	void (*escape)(struct str *b, struct span s);
};

struct sheet {
	const struct dialect *d;
	const struct result *r;
	const struct table **table;
	size_t ntable;
	const struct column **column; /* the union, in order of first appearance */
	size_t ncolumn;
	bool has_input; /* the column in front */
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

static bool has_column(const struct sheet *s, const char *key)
{
	return ANY(i, s->ncolumn, strcmp(s->column[i]->key, key) == 0);
}

static void choose_tables(struct sheet *s, struct arena *mem)
{
	const char *id = NULL;

	for (size_t i = 0; i < s->r->ntable && !id; i++)
		if (s->r->table[i]->layout == TABLE_GRID || s->r->table[i]->layout == TABLE_TORCH)
			id = s->r->table[i]->id;
	if (!id && s->r->ntable)
		id = s->r->table[0]->id;
	s->table = arena_array(mem, s->r->ntable + 1, sizeof(*s->table));
	for (size_t i = 0; i < s->r->ntable; i++)
		if (id && strcmp(s->r->table[i]->id, id) == 0)
			s->table[s->ntable++] = s->r->table[i];
}

static void choose_columns(struct sheet *s, struct arena *mem)
{
	size_t most = 1;

	for (size_t i = 0; i < s->ntable; i++)
		most += s->table[i]->ncol;
	s->column = arena_array(mem, most, sizeof(*s->column));
	for (size_t i = 0; i < s->ntable; i++)
		for (size_t j = 0; j < s->table[i]->ncol; j++)
			if (!has_column(s, s->table[i]->col[j].key))
				s->column[s->ncolumn++] = &s->table[i]->col[j];
	for (size_t i = 0; i < s->ntable; i++)
		s->has_input |= s->r->ninput > 1 && s->table[i]->input >= 0;
	s->has_input &= !has_column(s, "input");
}

/* Where each column of the sheet is in table t: index + 1, 0 for not there. */
static void find_columns(const struct sheet *s, const struct table *t, size_t *at)
{
	for (size_t i = 0; i < s->ncolumn; i++)
		at[i] = table_find_column(t, s->column[i]->key, &at[i]) ? at[i] + 1 : 0;
}

static void put_row(struct sheet *s, const struct table *t, size_t row, const size_t *at, FILE *out)
{
	if (s->has_input)
		put_text(s, t->input < 0 ? SPAN("") : span_of(s->r->input[t->input]));
	for (size_t i = 0; i < s->ncolumn; i++) {
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
	struct sheet s = { .d = d, .r = r };
	SCOPED_ARENA mem = { 0 };

	choose_tables(&s, &mem);
	choose_columns(&s, &mem);
	size_t *at = arena_array(&mem, s.ncolumn + 1, sizeof(*at));
	if (s.ncolumn > 0) {
		if (s.has_input)
			put_text(&s, SPAN("input"));
		for (size_t i = 0; i < s.ncolumn; i++)
			put_text(&s, span_of(s.column[i]->key));
		end_line(&s, out);
	}
	for (size_t i = 0; i < s.ntable; i++) {
		const struct table *t = s.table[i];

		find_columns(&s, t, at);
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
