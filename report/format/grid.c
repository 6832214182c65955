/*
 * The grid: measure every column over all rows, make the widths fit, print.  Cells are made twice
 * (once to be measured) instead of being kept.
 */
#include "report/format/grid.h"

#include "base/arena.h"
#include "report/cells.h"
#include "report/escape.h"
#include "report/width.h"

enum { GAP = 2, WIDTH_MIN = 80, ELASTIC_MIN = 24, TEXT_MIN = 12 };

/* A table with more columns than this, and no more rows, is turned where it is too wide. */
enum { TURN_CELLS = 12, TURN_WIDTH = 200 };

struct grid_column {
	size_t col; /* in the table */
	const struct column *of;
	struct unit_scale scale;
	size_t natural; /* widest of heading and cells */
	size_t width;   /* what it gets */
	bool is_left_out;
};

struct grid {
	const struct table *t;
	const struct render *how;
	struct grid_column *column; /* in the order of printing */
	size_t n;
	struct str text, line; /* scratch: one cell, one line */
};

static bool is_elastic(const struct grid_column *c)
{
	return c->of->flags & COLUMN_ELASTIC;
}

/* The cell as harmless text in g->text; valid until the next call. */
static struct span cell_text(struct grid *g, size_t row, const struct grid_column *c)
{
	const union cell *v = table_cell(g->t, row, c->col);

	str_reset(&g->text);
	if (v && c->of->type == CELL_TEXT)
		escape_terminal(&g->text, v->s, g->how->utf8);
	else if (v || row < g->t->nrow - g->t->nfoot)
		cells_put(&g->text, g->t, row, c->col, c->scale);
	return (struct span){ g->text.s, g->text.n };
}

static struct span heading_text(struct grid *g, const struct grid_column *c)
{
	str_reset(&g->text);
	escape_terminal(&g->text, span_of(cells_title(c->of)), g->how->utf8);
	return (struct span){ g->text.s, g->text.n };
}

/* A foot row that is one text and nothing else takes the whole line: the column of it, or NULL. */
static const struct grid_column *lone_text(const struct grid *g, size_t row)
{
	const struct grid_column *found = NULL;
	size_t i;

	if (row < g->t->nrow - g->t->nfoot)
		return NULL;
	for (i = 0; i < g->n; i++) {
		if (!table_cell(g->t, row, g->column[i].col))
			continue;
		if (found || g->column[i].of->type != CELL_TEXT)
			return NULL;
		found = &g->column[i];
	}
	return found;
}

static void measure(struct grid *g, struct grid_column *c)
{
	size_t row;

	c->natural = width_of(heading_text(g, c));
	for (row = 0; row < g->t->nrow; row++) {
		size_t w;

		if (lone_text(g, row))
			continue;
		w = width_of(cell_text(g, row, c));
		if (w > c->natural)
			c->natural = w;
	}
}

/* Adds the columns that are elastic, or those that are not. */
static void add_columns(struct grid *g, bool elastic)
{
	size_t i;

	for (i = 0; i < g->t->ncol; i++) {
		struct grid_column *c = &g->column[g->n];

		*c = (struct grid_column){ .col = i, .of = &g->t->col[i] };
		if (c->of->flags & COLUMN_HIDDEN || is_elastic(c) != elastic)
			continue;
		c->scale = cells_scale_column(g->t, i, g->how->unit);
		g->n++;
	}
}

static size_t total_width(const struct grid *g)
{
	size_t i, w = 0;

	for (i = 0; i < g->n; i++)
		if (!g->column[i].is_left_out)
			w += g->column[i].width + GAP;
	return w ? w - GAP : 0;
}

/* Takes `excess` away from the widest texts, elastic or others, above `least`; returns what is
 * left. */
static size_t shrink(struct grid *g, size_t excess, bool elastic, size_t least)
{
	while (excess > 0) {
		struct grid_column *widest = NULL;
		size_t i;

		for (i = 0; i < g->n; i++) {
			struct grid_column *c = &g->column[i];

			if (!c->is_left_out && c->of->type == CELL_TEXT &&
				is_elastic(c) == elastic && c->width > least &&
				(!widest || c->width >= widest->width))
				widest = c;
		}
		if (!widest)
			break;
		widest->width--;
		excess--;
	}
	return excess;
}

/* Whether the shown columns could be made to fit; sets their widths. */
static bool fits(struct grid *g, size_t width)
{
	size_t i, total, excess;

	for (i = 0; i < g->n; i++) {
		struct grid_column *c = &g->column[i];

		/* No text needs more than the line; and shrinking goes one by one. */
		c->width = c->of->type == CELL_TEXT && c->natural > width ? width : c->natural;
	}
	total = total_width(g);
	excess = total > width ? total - width : 0;
	excess = shrink(g, excess, true, ELASTIC_MIN);
	return shrink(g, excess, false, TEXT_MIN) == 0;
}

/*
 * The next column to leave out: spare and cumulative ones, then numbers from the right, but not the
 * first.
 */
static struct grid_column *least_wanted(struct grid *g)
{
	struct grid_column *number = NULL;
	size_t i;

	for (i = g->n; i > 1; i--) {
		struct grid_column *c = &g->column[i - 1];

		if (c->is_left_out)
			continue;
		if (c->of->flags & (COLUMN_CUMULATIVE | COLUMN_SPARE))
			return c;
		if (!cells_is_number(c->of))
			continue;
		if (!number)
			number = c;
	}
	return number;
}

static void fit(struct grid *g)
{
	size_t width = g->how->width, i;

	if (width == 0) {
		for (i = 0; i < g->n; i++)
			g->column[i].width = g->column[i].natural;
		return;
	}
	if (width < WIDTH_MIN)
		width = WIDTH_MIN;
	while (!fits(g, width)) {
		struct grid_column *c = least_wanted(g);

		if (!c)
			break;
		c->is_left_out = true;
	}
}

/* Appends one cell to the line, with the gap that the next one needs. */
static void put_cell(struct grid *g, struct span s, const struct grid_column *c)
{
	struct str cut = { 0 };

	width_cut(&cut, s, c->width, g->how->utf8);
	width_pad(&g->line, (struct span){ cut.s, cut.n }, c->width, cells_is_number(c->of));
	width_pad(&g->line, SPAN(""), GAP, false);
	str_free(&cut);
}

static size_t longest_word(struct span s)
{
	size_t i, start = 0, most = 0;

	for (i = 0; i <= s.n; i++) {
		size_t w;

		if (i < s.n && s.p[i] != ' ')
			continue;
		w = width_of((struct span){ s.p + start, i - start });
		if (w > most)
			most = w;
		start = i + 1;
	}
	return most;
}

/* The last text of a foot row is a sentence: it goes on under itself and keeps its middle. */
static void put_foot_text(struct grid *g, struct span s, const struct grid_column *c)
{
	size_t indent = width_of((struct span){ g->line.s, g->line.n });

	if (longest_word(s) <= c->width)
		width_wrap(&g->line, s, indent + c->width, indent);
	else
		put_cell(g, s, c);
}

/* Writes the line without the spaces at its end, in the given colour if any. */
static void end_line(FILE *out, struct grid *g, const char *sgr)
{
	while (g->line.n > 0 && g->line.s[g->line.n - 1] == ' ')
		g->line.n--;
	if (g->how->color && sgr)
		fputs(sgr, out);
	if (g->line.n > 0)
		(void)fwrite(g->line.s, 1, g->line.n, out);
	fputs(g->how->color && sgr ? SGR_OFF "\n" : "\n", out);
	str_reset(&g->line);
}

static void put_row(FILE *out, struct grid *g, size_t row)
{
	const struct grid_column *lone = lone_text(g, row);
	bool is_foot = row >= g->t->nrow - g->t->nfoot;
	size_t i;

	if (lone) {
		struct span s = cell_text(g, row, lone);

		width_wrap(&g->line, s, g->how->width, 0);
	}
	for (i = 0; i < g->n && !lone; i++) {
		const struct grid_column *c = &g->column[i];

		if (c->is_left_out)
			continue;
		if (is_foot && i + 1 == g->n && c->of->type == CELL_TEXT)
			put_foot_text(g, cell_text(g, row, c), c);
		else
			put_cell(g, cell_text(g, row, c), c);
	}
	end_line(out, g, is_foot ? SGR_DIM : NULL);
}

/* The line that names the columns for which there was no room. */
static void put_left_out(FILE *out, struct grid *g)
{
	const char *before = "no room for: ";
	struct str names = { 0 };
	size_t i;

	for (i = 0; i < g->n; i++) {
		if (!g->column[i].is_left_out)
			continue;
		str_adds(&names, before);
		(void)heading_text(g, &g->column[i]);
		str_add(&names, g->text.s, g->text.n);
		before = ", ";
	}
	if (names.n > 0) {
		str_adds(&names, " (--wide shows all)");
		width_wrap(&g->line, (struct span){ names.s, names.n }, g->how->width, 0);
		end_line(out, g, SGR_DIM);
	}
	str_free(&names);
}

/* ---- turned: a line for each column, figures of a row below each other ---- */

/* The widths that rows take side by side; *label is that of the headings. */
static size_t *turned_widths(struct grid *g, struct arena *mem, size_t *label)
{
	size_t *width = arena_array(mem, g->t->nrow + 1, sizeof(*width)), i, row;

	*label = 0;
	for (i = 0; i < g->n; i++) {
		size_t w = width_of(heading_text(g, &g->column[i]));

		*label = w > *label ? w : *label;
		for (row = 0; row < g->t->nrow; row++) {
			w = width_of(cell_text(g, row, &g->column[i]));
			width[row] = w > width[row] ? w : width[row];
		}
	}
	return width;
}

/* Whether the table, too wide as it is, fits when it is turned. */
static bool fits_turned(const struct grid *g, const size_t *width, size_t label)
{
	size_t most = g->how->width ? g->how->width : TURN_WIDTH, natural = 0, turned = label, i;

	for (i = 0; i < g->n; i++)
		natural += g->column[i].natural + GAP;
	for (i = 0; i < g->t->nrow; i++)
		turned += width[i] + GAP;
	return natural > most + GAP && turned <= most;
}

static bool put_turned(FILE *out, struct grid *g, struct arena *mem)
{
	size_t *width, label, i, row;

	if (g->n <= TURN_CELLS || g->t->nrow > TURN_CELLS || g->t->nrow == 0 || g->t->nfoot > 0)
		return false;
	width = turned_widths(g, mem, &label);
	if (!fits_turned(g, width, label))
		return false;
	for (i = 0; i < g->n; i++) {
		width_pad(&g->line, heading_text(g, &g->column[i]), label, false);
		for (row = 0; row < g->t->nrow; row++) {
			width_pad(&g->line, SPAN(""), GAP, false);
			width_pad(&g->line, cell_text(g, row, &g->column[i]), width[row], true);
		}
		end_line(out, g, i == 0 ? SGR_BOLD : NULL);
	}
	return true;
}

static void put_rows(FILE *out, struct grid *g)
{
	size_t i;

	fit(g);
	for (i = 0; i < g->n; i++)
		if (!g->column[i].is_left_out)
			put_cell(g, heading_text(g, &g->column[i]), &g->column[i]);
	end_line(out, g, SGR_BOLD);
	for (i = 0; i < g->t->nrow; i++)
		put_row(out, g, i);
	if (g->t->nrow == 0) {
		str_adds(&g->line, "(no rows)");
		end_line(out, g, SGR_DIM);
	}
	put_left_out(out, g);
}

void grid_put(FILE *out, const struct table *t, const struct render *how)
{
	struct arena mem;
	struct grid g = { .t = t, .how = how };
	size_t i;

	arena_init(&mem);
	g.column = arena_array(&mem, t->ncol + 1, sizeof(*g.column));
	add_columns(&g, false);
	add_columns(&g, true);
	for (i = 0; i < g.n; i++)
		measure(&g, &g.column[i]);
	if (!put_turned(out, &g, &mem))
		put_rows(out, &g);
	str_free(&g.text);
	str_free(&g.line);
	arena_clear(&mem);
}
