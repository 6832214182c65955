/* Text for a terminal: grids, lists and lines with their titles and footnotes, then the notes that
 * only inform.  Warnings and errors belong to stderr and are printed by cmd/. */

#include "base/name/name.h"
#include "base/shell.h"
#include "base/width.h"
#include "report/cells.h"
#include "report/escape.h"
#include "report/format/grid.h"
#include "report/format/format_lanes.h"

/* Writes text, made harmless and wrapped, as a line of its own. */
static void put_line(FILE *out, const char *text, const struct render *how, const char *sgr)
{
	SCOPED_STR safe = { 0 }, line = { 0 };
	bool color = how->color && sgr;

	escape_terminal(&safe, span_of(text), how->utf8);
	width_wrap(&line, (struct span){ safe.s, safe.n }, how->width, 0);
	str_adds(&line, color ? SGR_OFF "\n" : "\n");
	if (color)
		fputs(sgr, out);
	cells_flush(out, &line);
}

/* "input: title", of which either may be missing. */
static void put_heading(FILE *out, const char *input, const char *title, const struct render *how)
{
	SCOPED_STR b = { 0 };

	str_addf(&b, "%s%s%s", input ? input : "", input && title ? ": " : "", title ? title : "");
	if (b.n > 0)
		put_line(out, b.s, how, SGR_BOLD);
}

/* One cell on its own, harmless. */
static void cell_alone(
	struct str *b, const struct table *t, size_t row, size_t col, const struct render *how)
{
	const union cell *v = table_cell(t, row, col);

	if (v && t->col[col].type == CELL_TEXT)
		escape_terminal(b, v->s, how->utf8);
	else
		cells_put(b, t, row, col, cells_scale_one(t, row, col, how->unit));
}

static bool is_hidden(const struct table *t, size_t col)
{
	return t->col[col].flags & COLUMN_HIDDEN;
}

static size_t label_width(const struct table *t, const struct render *how)
{
	SCOPED_STR b = { 0 };
	size_t most = 0;

	for (size_t i = 0; i < t->ncol; i++) {
		if (is_hidden(t, i))
			continue;
		str_reset(&b);
		escape_terminal(&b, span_of(cells_title(&t->col[i])), how->utf8);
		size_t w = width_of((struct span){ b.s, b.n });

		most = MAX(w, most);
	}
	return most;
}

/* A value in what a line has for it behind indent: names are shortened, what has no spaces is cut
 * if elastic, else it goes on under itself. */
static void put_value(struct str *line, struct span s, const struct column *c, size_t indent,
	const struct render *how)
{
	bool is_elastic = c->flags & COLUMN_ELASTIC && how->width > indent;

	if (is_elastic && (c->flags & COLUMN_NAME) == COLUMN_NAME)
		name_shorten(line, s, how->width - indent, how->utf8);
	else if (is_elastic && !(s.n && memchr(s.p, ' ', s.n)))
		width_cut(line, s, how->width - indent, how->utf8);
	else
		width_wrap(line, s, how->width, indent);
}

/* "title  value" */
static void put_item(FILE *out, const struct table *t, size_t row, size_t col, size_t label,
	const struct render *how)
{
	SCOPED_STR b = { 0 }, value = { 0 }, line = { 0 };
	size_t indent = label + 2;

	escape_terminal(&b, span_of(cells_title(&t->col[col])), how->utf8);
	cell_alone(&value, t, row, col, how);
	const char *sgr = how->color ? tone_of((struct span){ value.s, value.n }) : NULL;
	width_pad(&line, (struct span){ b.s, b.n }, indent, false);
	str_adds(&line, sgr ? sgr : "");
	put_value(&line, (struct span){ value.s, value.n }, &t->col[col], indent, how);
	str_adds(&line, sgr ? SGR_OFF "\n" : "\n");
	cells_flush(out, &line);
}

static void put_list(FILE *out, const struct table *t, const struct render *how)
{
	size_t label = label_width(t, how);

	for (size_t row = 0; row < t->nrow; row++) {
		if (row > 0)
			fputc('\n', out);
		for (size_t i = 0; i < t->ncol; i++)
			if (!is_hidden(t, i))
				put_item(out, t, row, i, label, how);
	}
	if (t->nrow == 0)
		put_line(out, "(none)", how, SGR_DIM);
}

/* The known values of a row, two spaces apart; without a heading an unknown one would say nothing.
 */
static void put_values(FILE *out, const struct table *t, size_t row, const struct render *how)
{
	SCOPED_STR b = { 0 }, line = { 0 };

	for (size_t i = 0; i < t->ncol; i++) {
		if (is_hidden(t, i) || !table_cell(t, row, i))
			continue;
		str_adds(&b, b.n > 0 ? "  " : "");
		cell_alone(&b, t, row, i, how);
	}
	width_wrap(&line, (struct span){ b.s, b.n }, how->width, 0);
	if (line.n > 0)
		str_addc(&line, '\n');
	cells_flush(out, &line);
}

/* Lines without a heading stand close together; all else is separated by a blank line. */
static bool is_bare_line(const struct result *r, size_t i)
{
	const struct table *t = r->table[i];

	return t->layout == TABLE_LINE && !t->title && !cells_heading_input(r, i);
}

/* Each command as a line that can be copied, whatever its width, and under it what it is for. */
static void put_commands(FILE *out, const struct table *t, const struct render *how)
{
	SCOPED_STR line = { 0 }, command = { 0 }, why = { 0 };

	for (size_t row = 0; row < t->nrow; row++) {
		str_reset(&command);
		str_reset(&why);
		if (how->utf8)
			str_add(&command, table_text_at(t, row, 0).p, table_text_at(t, row, 0).n);
		else
			shell_ascii(&command, table_text_at(t, row, 0));
		escape_terminal(&line, (struct span){ command.s, command.n }, how->utf8);
		escape_terminal(&why, table_text_at(t, row, 1), how->utf8);
		str_adds(&line, why.n ? "\n  " : "");
		width_wrap(&line, (struct span){ why.s, why.n }, how->width, 2);
		str_addc(&line, '\n');
		cells_flush(out, &line);
	}
}

static void put_lanes(FILE *out, const struct table *t, const struct render *how)
{
	SCOPED_STR b = { 0 };

	lanes_put(&b, t, how);
	cells_flush(out, &b);
}

static void put_notes(FILE *out, const struct result *r, const struct render *how, bool after)
{
	SCOPED_STR text = { 0 };

	for (EACH(const struct note, n, r->note, r->nnote)) {
		const char *input = cells_input(r, n->input);

		if (n->level != NOTE_INFO)
			continue;
		if (after)
			fputc('\n', out);
		after = false;
		str_reset(&text);
		str_addf(&text, "note: %s%s%s", input ? input : "", input ? ": " : "", n->text);
		put_line(out, text.s, how, SGR_DIM);
	}
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	for (size_t i = 0; i < r->ntable; i++) {
		bool close = i > 0 && r->table[i - 1]->layout == TABLE_LINE && is_bare_line(r, i) &&
			r->table[i - 1]->input == r->table[i]->input;

		if (i > 0 && !close)
			fputc('\n', out);
		const struct table *t = r->table[i];
		put_heading(out, cells_heading_input(r, i), t->title, how);
		switch (t->layout) {
		case TABLE_GRID:
		case TABLE_FLAME:
		case TABLE_TORCH: grid_put(out, t, how); break;
		case TABLE_LIST: put_list(out, t, how); break;
		case TABLE_LANES: put_lanes(out, t, how); break;
		case TABLE_COMMANDS: put_commands(out, t, how); break;
		case TABLE_TEXT:
		case TABLE_LINE:
			for (size_t row = 0; row < t->nrow; row++)
				put_values(out, t, row, how);
			break;
		}
		if (t->footnote)
			put_line(out, t->footnote, how, SGR_DIM);
	}
	put_notes(out, r, how, r->ntable > 0);
	return cells_done(out, e);
}

const struct renderer renderer_table = {
	.name = "table",
	.summary = "aligned text for people (the default)",
	.suffix = ".txt",
	.for_people = true,
	.shows_notes = true,
	.put = put,
};
