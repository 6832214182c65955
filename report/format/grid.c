/* The grid: print what was measured and made to fit (grid.h). */
#include "report/format/grid.h"

#include "base/name/name.h"
#include "base/width.h"
#include "report/cells.h"

/* ---- which words are a verdict ---- */

#define RED    "\033[31m"
#define YELLOW "\033[33m"
#define GREEN  "\033[32m"

const char *tone_of(struct span text)
{
	return span_in(text, "CRIT|FAIL|fail|regression|NOT MET")            ? RED
		: span_in(text, "WARN|warn|NOISY|changed|noisy|cannot tell") ? YELLOW
		: span_in(text, "ok|OK|PASS|pass|met|IMPROVED|improved|improvement|healthy") ? GREEN
											     : NULL;
}

/* ---- grids ---- */

/* A text that has no room goes on in so many lines at most; else it is cut in its middle. */
enum { LINES_MAX = 12 };

/* A table with more columns than this, and no more rows, is turned where it is too wide. */
enum { TURN_CELLS = 12, TURN_WIDTH = 200 };

/* What is printed, a row at a time. */
struct print {
	FILE *out;
	struct grid *g;
	struct str line;
	struct str *cell; /* by column: its text, the lines parted by '\n' */
};

static size_t count_lines(const struct str *b)
{
	return 1 + SUM(size_t, i, b->n, b->s[i] == '\n');
}

/* Whether each line of the text is at most that wide. */
static bool has_room(const struct str *b, size_t width)
{
	struct span text = { b->s, b->n }, line;

	while (span_line(&text, &line))
		if (width_of(line) > width)
			return false;
	return true;
}

/* Frames, joined by ';': in one line they still say where it begins and where it is. */
static bool is_stack(struct span s)
{
	const char *p = s.n ? memchr(s.p, ';', s.n) : NULL;

	return p && p + 1 < s.p + s.n && p[1] != ' ';
}

/* The text in lines of the column's width: sentences go on, what has no spaces is cut. */
static void set_lines(const struct print *p, struct str *b, struct span s,
	const struct grid_column *c, bool is_sentence)
{
	str_reset(b);
	str_adds(b, "");
	if (width_of(s) > c->width &&
		(is_sentence || !((c->of->flags & COLUMN_NAME) == COLUMN_NAME || is_stack(s)))) {
		width_wrap(b, s, c->width, 0);
		if (width_names_command(s) ||
			(has_room(b, c->width) && (is_sentence || count_lines(b) <= LINES_MAX)))
			return;
		str_reset(b);
	}
	if (width_of(s) > c->width)
		name_shorten(b, s, c->width, p->g->how->utf8);
	else
		str_add(b, s.p, s.n);
}

/* Line i of a cell; empty behind its last. */
static struct span line_of(const struct str *b, size_t i)
{
	struct span text = { b->s, b->n }, line;

	while (span_line(&text, &line))
		if (i-- == 0)
			return line;
	return SPAN("");
}

/* Writes the line without the spaces at its end, in the given colour if any. */
static void end_line(struct print *p, const char *sgr)
{
	bool color = p->g->how->color && sgr;

	while (p->line.n > 0 && p->line.s[p->line.n - 1] == ' ')
		p->line.n--;
	if (color)
		fputs(sgr, p->out);
	if (p->line.n > 0)
		(void)fwrite(p->line.s, 1, p->line.n, p->out);
	fputs(color ? SGR_OFF "\n" : "\n", p->out);
	str_reset(&p->line);
}

/* Appends a line of a cell, with the gap that the next one needs; a verdict in its colour. */
static void put_line_of_cell(
	struct print *p, struct span s, const struct grid_column *c, bool has_tone)
{
	const char *sgr = has_tone && p->g->how->color ? tone_of(s) : NULL;
	bool right = cells_is_number(c->of);
	size_t wide = width_of(s), gap = wide < c->width ? c->width - wide : 0;

	width_pad(&p->line, SPAN(""), right ? gap : 0, false);
	str_adds(&p->line, sgr ? sgr : "");
	str_add(&p->line, s.p, s.n);
	str_adds(&p->line, sgr ? SGR_OFF : "");
	width_pad(&p->line, SPAN(""), (right ? 0 : gap) + GRID_GAP, false);
}

/* Prints what the cells are set to. */
static void put_lines(struct print *p, const char *sgr)
{
	size_t lines = MOST(
		size_t, i, p->g->n, p->g->column[i].is_left_out ? 1 : count_lines(&p->cell[i]));

	for (size_t k = 0; k < MAX(lines, 1); k++) {
		for (size_t i = 0; i < p->g->n; i++)
			if (!p->g->column[i].is_left_out)
				put_line_of_cell(
					p, line_of(&p->cell[i], k), &p->g->column[i], !sgr);
		end_line(p, sgr);
	}
}

static void put_row(struct print *p, size_t row)
{
	struct grid *g = p->g;
	const struct grid_column *lone = grid_lone_text(g, row);
	const char *sgr = row >= g->t->nrow - g->t->nfoot ? SGR_DIM : NULL;

	if (lone) {
		width_wrap(&p->line, grid_cell(g, row, lone), g->how->width, 0);
		end_line(p, sgr);
		return;
	}
	for (size_t i = 0; i < g->n; i++) {
		const struct grid_column *c = &g->column[i];

		/* The last text of a foot row is a sentence. */
		if (!c->is_left_out)
			set_lines(p, &p->cell[i], grid_cell(g, row, c), c, sgr && i + 1 == g->n);
	}
	put_lines(p, sgr);
}

/* What is shown where there is room only, and is not missed. */
static bool is_extra(const struct grid_column *c)
{
	return c->of->flags & COLUMN_ROOM;
}

/* ---- turned: a line for each column, figures of a row below each other ---- */

/* The widths that rows take side by side; *label is that of the headings. */
static size_t *turned_widths(struct grid *g, size_t *label)
{
	size_t *width = arena_array(&g->mem, g->t->nrow + 1, sizeof(*width));

	*label = 0;
	for (size_t i = 0; i < g->n; i++) {
		size_t w = width_of(grid_heading(g, &g->column[i]));

		if (is_extra(&g->column[i]))
			continue;
		*label = MAX(w, *label);
		for (size_t row = 0; row < g->t->nrow; row++) {
			w = width_of(grid_cell(g, row, &g->column[i]));
			width[row] = MAX(w, width[row]);
		}
	}
	return width;
}

static bool put_turned(struct print *p)
{
	struct grid *g = p->g;
	size_t label;

	if (g->n <= TURN_CELLS || g->t->nrow > TURN_CELLS || g->t->nrow == 0 || g->t->nfoot > 0)
		return false;
	size_t *width = turned_widths(g, &label);
	/* Whether the table, too wide as it is, fits when it is turned. */
	size_t most = g->how->width ? g->how->width : TURN_WIDTH, natural = 0, turned = label;
	for (EACH(const struct grid_column, column, g->column, g->n))
		natural += is_extra(column) ? 0 : column->natural + GRID_GAP;
	for (size_t i = 0; i < g->t->nrow; i++)
		turned += width[i] + GRID_GAP;
	if (!(natural > most + GRID_GAP && turned <= most))
		return false;
	for (size_t i = 0; i < g->n; i++) {
		if (is_extra(&g->column[i]))
			continue;
		width_pad(&p->line, grid_heading(g, &g->column[i]), label, false);
		for (size_t row = 0; row < g->t->nrow; row++) {
			width_pad(&p->line, SPAN(""), GRID_GAP, false);
			width_pad(&p->line, grid_cell(g, row, &g->column[i]), width[row], true);
		}
		end_line(p, i == 0 ? SGR_BOLD : NULL);
	}
	return true;
}

static void put_rows(struct print *p)
{
	struct grid *g = p->g;

	grid_fit(g);
	for (size_t i = 0; i < g->n; i++)
		set_lines(p, &p->cell[i], grid_heading(g, &g->column[i]), &g->column[i], true);
	put_lines(p, SGR_BOLD);
	for (size_t i = 0; i < g->t->nrow; i++)
		put_row(p, i);
	if (g->t->nrow == 0) {
		str_adds(&p->line, "(no rows)");
		end_line(p, SGR_DIM);
	}
	/* The line that names the columns for which there was no room, if any of them is missed. */
	const char *before = "hidden columns: ";
	SCOPED_STR names = { 0 };
	bool is_missed = false;
	for (size_t i = 0; i < g->n; i++) {
		if (!g->column[i].is_left_out || grid_heading(g, &g->column[i]).n < 2 ||
			!cells_is_there(g->t, g->column[i].col))
			continue; /* a bar has no name */
		str_adds(&names, before);
		(void)grid_heading(g, &g->column[i]);
		str_add(&names, g->text.s, g->text.n);
		before = ", ";
		is_missed |= !is_extra(&g->column[i]);
	}
	if (is_missed) {
		str_adds(&names, " (--wide)");
		width_wrap(&p->line, (struct span){ names.s, names.n }, g->how->width, 0);
		end_line(p, SGR_DIM);
	}
}

void grid_put(FILE *out, const struct table *t, const struct render *how)
{
	struct grid g;
	struct print p = { .out = out, .g = &g };

	grid_init(&g, t, how);
	p.cell = arena_array(&g.mem, g.n + 1, sizeof(*p.cell));
	if (!put_turned(&p))
		put_rows(&p);
	for (size_t i = 0; i < g.n; i++)
		str_free(&p.cell[i]);
	str_free(&p.line);
	grid_clear(&g);
}
