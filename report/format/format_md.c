/* Markdown as GitHub reads it: grids as tables, lists as bullets, titles as headings, all notes at
 * the end.  For people: numbers in the scale of their column, as on the terminal; names are
 * shortened where a width is asked for, and nothing else is cut. */

#include "base/name/name.h"
#include "report/cells.h"
#include "report/escape.h"
#include "report/format/format_lanes.h"

/* Cells go on below themselves where a page is narrow: names only have to be legible. */
enum { NAME_COLUMNS = 100 };

static void put_text(struct str *b, const char *s)
{
	escape_markdown(b, span_of(s));
}

static void put_cell(
	struct str *b, const struct table *t, size_t row, size_t col, struct unit_scale scale)
{
	const union cell *v = table_cell(t, row, col);

	if (v && t->col[col].type == CELL_TEXT)
		escape_markdown(b, v->s);
	else if (v || row < t->nrow - t->nfoot)
		cells_put(b, t, row, col, scale);
}

/* A cell that begins a paragraph. */
static void put_first_cell(
	struct str *b, const struct table *t, size_t row, size_t col, struct unit_scale scale)
{
	const union cell *v = table_cell(t, row, col);

	if (v && t->col[col].type == CELL_TEXT)
		escape_markdown_block(b, v->s);
	else
		put_cell(b, t, row, col, scale);
}

static void put_heading(struct str *b, const char *input, const char *title)
{
	if (!input && !title)
		return;
	str_adds(b, "### ");
	put_text(b, input ? input : "");
	str_adds(b, input && title ? ": " : "");
	put_text(b, title ? title : "");
	str_adds(b, "\n\n");
}

/* A footnote may have several lines; Markdown joins them unless told. */
static void put_footnote(struct str *b, const char *s)
{
	size_t n;

	str_addc(b, '\n');
	for (; *s; s += n) {
		n = strcspn(s, "\n");
		escape_markdown_block(b, (struct span){ s, n });
		str_adds(b, s[n] ? "  \n" : "\n");
		n += s[n] != '\0';
	}
}

static bool is_shown(const struct table *t, size_t col)
{
	return !(t->col[col].flags & COLUMN_HIDDEN) && cells_is_there(t, col);
}

static void put_head(struct str *b, const struct table *t)
{
	for (size_t i = 0; i < t->ncol; i++) {
		if (is_shown(t, i)) {
			str_adds(b, "| ");
			put_text(b, cells_title(&t->col[i]));
			str_addc(b, ' ');
		}
	}
	str_adds(b, "|\n");
	for (size_t i = 0; i < t->ncol; i++)
		if (is_shown(t, i))
			str_adds(b, cells_is_number(&t->col[i]) ? "| --: " : "| :-- ");
	str_adds(b, "|\n");
}

/* The names of a column, shortened; NULL: they stay as they are. */
static const struct span *shorten(
	struct arena *mem, const struct table *t, size_t col, const struct render *how)
{
	struct span *name = arena_array(mem, t->nrow + 1, sizeof(*name));

	if (how->width == 0 || (t->col[col].flags & COLUMN_NAME) != COLUMN_NAME)
		return NULL;
	for (size_t row = 0; row < t->nrow; row++) {
		struct span s = table_text_at(t, row, col);

		name[row] = (struct span){ arena_copy(mem, s.n ? s.p : "", s.n), s.n };
	}
	return names_shorten(mem, name, t->nrow - t->nfoot, NAME_COLUMNS, true);
}

static void put_grid(FILE *out, struct str *b, const struct table *t, const struct render *how)
{
	SCOPED_ARENA mem = { 0 };

	struct unit_scale *scale = arena_array(&mem, t->ncol + 1, sizeof(*scale));
	const struct span **name = arena_array(&mem, t->ncol + 1, sizeof(const struct span *));
	for (size_t i = 0; i < t->ncol; i++) {
		scale[i] = cells_scale_column(t, i, how->unit);
		name[i] = shorten(&mem, t, i, how);
	}
	put_head(b, t);
	for (size_t row = 0; row < t->nrow; row++) {
		for (size_t i = 0; i < t->ncol; i++) {
			if (is_shown(t, i)) {
				str_adds(b, "| ");
				if (name[i] && row < t->nrow - t->nfoot && table_cell(t, row, i))
					escape_markdown(b, name[i][row]);
				else
					put_cell(b, t, row, i, scale[i]);
				str_addc(b, ' ');
			}
		}
		str_adds(b, "|\n");
		cells_flush(out, b);
	}
}

static void put_list(struct str *b, const struct table *t, const char *unit)
{
	for (size_t row = 0; row < t->nrow; row++) {
		str_adds(b, row > 0 ? "\n" : "");
		for (size_t i = 0; i < t->ncol; i++) {
			if (!is_shown(t, i))
				continue;
			str_adds(b, "- **");
			put_text(b, cells_title(&t->col[i]));
			str_adds(b, "**: ");
			put_cell(b, t, row, i, cells_scale_one(t, row, i, unit));
			str_addc(b, '\n');
		}
	}
}

static void put_line(struct str *b, const struct table *t, const char *unit)
{
	for (size_t row = 0; row < t->nrow; row++) {
		bool is_first = true;

		str_adds(b, row > 0 ? "  \n" : "");
		for (size_t i = 0; i < t->ncol; i++) {
			if (!is_shown(t, i) || !table_cell(t, row, i))
				continue;
			str_adds(b, is_first ? "" : " \xc2\xb7 ");
			(is_first ? put_first_cell : put_cell)(
				b, t, row, i, cells_scale_one(t, row, i, unit));
			is_first = false;
		}
	}
	str_adds(b, "\n");
}

/* What each command is for, and the command as a line to be copied. */
static void put_commands(struct str *b, const struct table *t)
{
	for (size_t row = 0; row < t->nrow; row++) {
		str_adds(b, row > 0 ? "\n" : "");
		put_first_cell(b, t, row, 1, cells_scale_one(t, row, 1, NULL));
		str_adds(b, ":\n\n");
		escape_markdown_command(b, table_text_at(t, row, 0));
	}
}

/* A picture of letters: lines of code, which nothing in them ends. */
static void put_lanes(struct str *b, const struct table *t, const struct render *how)
{
	struct render plain = { .width = how->width, .utf8 = true, .unit = how->unit };
	SCOPED_STR picture = { 0 };
	const char *end;

	str_adds(&picture, "");
	lanes_put(&picture, t, &plain);
	for (const char *line = picture.s; *line; line = end + 1) {
		end = strchr(line, '\n');
		str_adds(b, "    ");
		str_add(b, line, (size_t)(end - line) + 1);
	}
}

static void put_notes(struct str *b, const struct result *r)
{
	static const char *const level[] = { "note", "warning", "error" };

	str_adds(b, r->nnote > 0 ? "### Notes\n\n" : "");
	for (EACH(const struct note, n, r->note, r->nnote)) {
		const char *input = cells_input(r, n->input);

		str_addf(b, "- **%s**: ", level[n->level]);
		put_text(b, input ? input : "");
		str_adds(b, input ? ": " : "");
		put_text(b, n->text);
		str_addc(b, '\n');
	}
}

static enum status put(FILE *out, const struct result *r, const struct render *how, struct err *e)
{
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < r->ntable; i++) {
		const struct table *t = r->table[i];

		str_adds(&b, i > 0 ? "\n" : "");
		put_heading(&b, cells_heading_input(r, i), t->title);
		if (t->layout == TABLE_LIST)
			put_list(&b, t, how->unit);
		else if (t->layout == TABLE_LINE)
			put_line(&b, t, how->unit);
		else if (t->layout == TABLE_COMMANDS)
			put_commands(&b, t);
		else if (t->layout == TABLE_LANES)
			put_lanes(&b, t, how);
		else
			put_grid(out, &b, t, how);
		if (t->footnote)
			put_footnote(&b, t->footnote);
		cells_flush(out, &b);
	}
	str_adds(&b, r->ntable > 0 && r->nnote > 0 ? "\n" : "");
	put_notes(&b, r);
	cells_flush(out, &b);
	return cells_done(out, e);
}

const struct renderer renderer_md = {
	.name = "md",
	.summary = "Markdown tables as GitHub shows them",
	.suffix = ".md",
	.for_people = true,
	.shows_notes = true,
	.put = put,
};
