/* The grid's widths: every column is measured over all rows, then names give way, then texts, then
 * whole columns.  Cells are made twice (once to be measured) instead of being kept; names are kept,
 * as each depends on the others. */
#include "report/format/grid.h"

#include "base/name/name.h"
#include "base/width.h"
#include "report/cells.h"
#include "report/escape.h"

enum { ELASTIC_MIN = 28, ELASTIC_LEAST = 12, TEXT_MIN = 12, WORD_MAX = 32, UNCUT = 1 << 20 };
enum { ELASTIC_ENOUGH = 60 }; /* names and texts need no more, for others to be shown, too */

static bool is_elastic(const struct grid_column *c)
{
	return c->of->flags & COLUMN_ELASTIC;
}

static bool is_name(const struct grid_column *c)
{
	return (c->of->flags & COLUMN_NAME) == COLUMN_NAME;
}

static size_t data_rows(const struct grid *g)
{
	return g->t->nrow - g->t->nfoot;
}

static struct span raw_cell(struct grid *g, size_t row, const struct grid_column *c)
{
	const union cell *v = table_cell(g->t, row, c->col);

	str_reset(&g->text);
	if (v && c->of->type == CELL_TEXT)
		escape_terminal(&g->text, v->s, g->how->utf8);
	else if (v || row < data_rows(g))
		cells_put(&g->text, g->t, row, c->col, c->scale);
	return (struct span){ g->text.s, g->text.n };
}

struct span grid_cell(struct grid *g, size_t row, const struct grid_column *c)
{
	return c->name && row < data_rows(g) ? c->name[row] : raw_cell(g, row, c);
}

struct span grid_heading(struct grid *g, const struct grid_column *c)
{
	str_reset(&g->text);
	escape_terminal(&g->text, span_of(cells_title(c->of)), g->how->utf8);
	return (struct span){ g->text.s, g->text.n };
}

const struct grid_column *grid_lone_text(const struct grid *g, size_t row)
{
	const struct grid_column *found = NULL;

	if (row < data_rows(g))
		return NULL;
	for (EACH(const struct grid_column, column, g->column, g->n)) {
		if (!table_cell(g->t, row, column->col))
			continue;
		if (found || column->of->type != CELL_TEXT)
			return NULL;
		found = column;
	}
	return found;
}

/* The column's names as they are in that width. */
static void shorten(struct grid *g, struct grid_column *c, size_t width)
{
	size_t n = data_rows(g);
	struct span *name = arena_array(&g->mem, n + 1, sizeof(*name));

	c->name = NULL;
	for (size_t row = 0; row < n; row++) {
		name[row] = raw_cell(g, row, c);
		name[row].p = arena_copy(&g->mem, name[row].n ? name[row].p : "", name[row].n);
	}
	c->name = names_shorten(&g->mem, name, n, width, g->how->utf8);
}

/* Whether the text is a figure, with its unit or against another one: "12 -> 14", "+3.1%". */
static bool is_figure(struct span s)
{
	size_t letters = 0;

	if (s.n == 0 ||
		!(is_digit(s.p[0]) || strchr("+-<>~(.=", s.p[0]) || (unsigned char)s.p[0] >= 0x80))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		letters = is_letter(s.p[i]) ? letters + 1 : 0;
		if (letters > 4)
			return false;
	}
	return ANY(i, s.n, is_digit(s.p[i]));
}

/* Whether the text is a bar or another picture of marks: part of it says nothing. */
static bool is_picture(struct span s)
{
	return !ANY(i, s.n, is_letter(s.p[i]) || is_digit(s.p[i])) && s.n > 2;
}

static size_t longest_word(struct span s)
{
	size_t end, most = 0;

	for (size_t i = 0; i < s.n; i = end + 1) {
		end = width_word(s, i);
		size_t w = width_of((struct span){ s.p + i, end - i });

		most = MAX(w, most);
	}
	return most;
}

/* Adds the columns that are elastic, or those that are not. */
static void add_columns(struct grid *g, bool elastic)
{
	for (size_t i = 0; i < g->t->ncol; i++) {
		struct grid_column *c = &g->column[g->n];

		*c = (struct grid_column){ .col = i, .of = &g->t->col[i] };
		if (c->of->flags & COLUMN_HIDDEN || is_elastic(c) != elastic)
			continue;
		c->scale = cells_scale_column(g->t, i, g->how->unit);
		g->n++;
	}
}

void grid_init(struct grid *g, const struct table *t, const struct render *how)
{
	*g = (struct grid){ .t = t, .how = how };
	g->column = arena_array(&g->mem, t->ncol + 1, sizeof(*g->column));
	add_columns(g, false);
	add_columns(g, true);
	for (size_t i = 0; i < g->n; i++) {
		if (how->width > 0 && is_name(&g->column[i]))
			shorten(g, &g->column[i], UNCUT);
		bool is_number = g->column[i].of->type != CELL_TEXT;
		size_t least = is_elastic(&g->column[i]) ? 0 : TEXT_MIN;
		g->column[i].natural = width_of(grid_heading(g, &g->column[i]));
		for (size_t row = 0; row < g->t->nrow; row++) {
			if (grid_lone_text(g, row))
				continue;
			struct span s = grid_cell(g, row, &g->column[i]);
			size_t w = width_of(s);
			g->column[i].natural = MAX(w, g->column[i].natural);
			is_number |= !is_elastic(&g->column[i]) && is_figure(s);
			g->column[i].has_spaces |= s.n > 0 && memchr(s.p, ' ', s.n);
			g->column[i].is_picture |=
				g->column[i].of->type == CELL_TEXT && is_picture(s);
			w = longest_word(s);
			if (!is_name(&g->column[i]) && w <= WORD_MAX && w > least)
				least = w;
		}
		g->column[i].is_whole = is_number || g->column[i].is_picture;
		g->column[i].least = g->column[i].is_whole ? g->column[i].natural : least;
	}
}

void grid_clear(struct grid *g)
{
	str_free(&g->text);
	arena_clear(&g->mem);
}

static size_t total_width(const struct grid *g)
{
	size_t w = 0;

	for (EACH(const struct grid_column, column, g->column, g->n))
		if (!column->is_left_out)
			w += column->width + GRID_GAP;
	return w ? w - GRID_GAP : 0;
}

/* Takes `excess` away from the widest texts, elastic or others, above `least`; returns what is
 * left. */
static size_t shrink(struct grid *g, size_t excess, bool elastic, size_t least)
{
	while (excess > 0) {
		struct grid_column *widest = NULL;

		for (EACH(struct grid_column, c, g->column, g->n)) {
			if (!c->is_left_out && is_elastic(c) == elastic && c->width > least &&
				c->width > c->least && (!widest || c->width >= widest->width))
				widest = c;
		}
		if (!widest)
			break;
		widest->width--;
		excess--;
	}
	return excess;
}

/* Leaves out what others would have to give way for. */
static void leave_roomless(struct grid *g, size_t width)
{
	size_t used = 0;

	for (EACH(const struct grid_column, c, g->column, g->n)) {
		bool is_long = is_elastic(c) && c->natural > ELASTIC_ENOUGH;

		if (!(c->of->flags & COLUMN_ROOM))
			used += (is_long ? ELASTIC_ENOUGH : c->natural) + GRID_GAP;
	}
	for (EACH(struct grid_column, c, g->column, g->n)) {
		if (!(c->of->flags & COLUMN_ROOM))
			continue;
		c->is_left_out = !cells_is_there(g->t, c->col) || used + c->natural > width;
		used += c->is_left_out ? 0 : c->natural + GRID_GAP;
	}
}

/* Whether the shown columns could be made to fit; sets their widths. */
static bool fits(struct grid *g, size_t width, size_t elastic_least)
{
	for (EACH(struct grid_column, c, g->column, g->n)) {
		/* No text needs more than the line; and shrinking goes one by one. */
		c->width = c->of->type == CELL_TEXT && c->natural > width ? width : c->natural;
	}
	size_t total = total_width(g);
	size_t excess = total > width ? total - width : 0;
	excess = shrink(g, excess, true, elastic_least);
	return shrink(g, excess, false, 0) == 0;
}

/* The next column to leave out: spare and cumulative ones and pictures, then numbers from the
 * right, then texts, but not the first, and of elastic ones not the first. */
static struct grid_column *least_wanted(struct grid *g)
{
	struct grid_column *number = NULL, *text = NULL;

	for (size_t i = g->n; i > 1; i--) {
		struct grid_column *c = &g->column[i - 1];
		bool is_needed = is_elastic(c) && !is_elastic(c - 1);

		if (c->is_left_out || is_needed)
			continue;
		if (c->is_picture || c->of->flags & (COLUMN_CUMULATIVE | COLUMN_SPARE))
			return c;
		if (cells_is_number(c->of) && !number)
			number = c;
		if (!cells_is_number(c->of) && !text)
			text = c;
	}
	return number ? number : text;
}

/* Where nothing else helps, words are cut; false: they are already. */
static bool may_cut_words(struct grid *g)
{
	bool any = false;

	for (EACH(struct grid_column, c, g->column, g->n)) {
		if (!c->is_whole && c->least > TEXT_MIN) {
			c->least = TEXT_MIN;
			any = true;
		}
	}
	return any;
}

void grid_fit(struct grid *g)
{
	size_t width = g->how->width;

	for (EACH(struct grid_column, column, g->column, g->n))
		column->width = column->natural;
	leave_roomless(g, width ? width : SIZE_MAX);
	if (width == 0)
		return;
	size_t least = MIN(width / 2, ELASTIC_MIN);
	while (!fits(g, width, least)) { /* lint: allow loops: least ends it */
		struct grid_column *c = least_wanted(g);

		if (c)
			c->is_left_out = true;
		else if (!may_cut_words(g) && least-- <= ELASTIC_LEAST)
			break;
	}
	for (size_t i = 0; i < g->n; i++)
		if (!g->column[i].is_left_out && g->column[i].width < g->column[i].natural &&
			(g->column[i].name || !g->column[i].has_spaces))
			shorten(g, &g->column[i], g->column[i].width);
}
