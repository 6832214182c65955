/*
 * The script around the panels: terminal, size, layout, what holds for all of them.
 */
#include "report/chart/draw/gnuplot.h"

#include <string.h>

#include "report/chart/theme.h"

enum {
	MARGIN_PX = 170,
	ROW_NARROW_PX = 24,
	ROWS_MANY = 24,
	TITLE_PX = 50,
	NOTE_PX = 22,
	HEAT_HIGH_MAX = 16
};

static const char *const suffixes[PICTURES] = { "svg", "png", "pdf" };

const char *gnuplot_suffix(enum picture kind)
{
	return suffixes[kind];
}

enum picture gnuplot_picture(const char *path)
{
	size_t i, n = strlen(path);

	for (i = 0; i < PICTURES; i++)
		if (n > 4 && path[n - 4] == '.' && strcmp(path + n - 3, suffixes[i]) == 0)
			return (enum picture)i;
	return PICTURES;
}

/* Height of one panel in pixels. */
static unsigned panel_height(const struct chart_panel *p, bool is_alone)
{
	bool has_rows = p->kind == PANEL_HEAT || p->kind == PANEL_FLAME || p->kind == PANEL_LANES;
	size_t n = has_rows ? p->nrow : p->nname;
	unsigned plain = is_alone ? THEME_HEIGHT_PX : THEME_CELL_HEIGHT_PX, rows;

	if (p->kind != PANEL_ROWS && !has_rows)
		return plain;
	if (p->kind == PANEL_HEAT) {
		n *= p->is_plain || n > HEAT_HIGH_MAX ? 1 : 2;
		n = n > CHART_ROWS_MAX ? CHART_ROWS_MAX : n;
	}
	if (p->kind == PANEL_ROWS && !p->is_stacked && p->nseries > 1)
		n = n * p->nseries * 3 / 4;
	rows = MARGIN_PX + (unsigned)n * (n > ROWS_MANY ? ROW_NARROW_PX : THEME_ROW_PX);
	return rows > MARGIN_PX + 4 * THEME_ROW_PX ? rows : MARGIN_PX + 4 * THEME_ROW_PX;
}

/* Size of the picture in pixels. */
static void size_of(const struct chart *c, unsigned *width, unsigned *height)
{
	size_t ncol = c->ncol < c->npanel ? c->ncol : c->npanel, i;
	size_t nrow = ncol ? (c->npanel + ncol - 1) / ncol : 1;
	unsigned most = 0;

	for (i = 0; i < c->npanel; i++) {
		unsigned h = panel_height(&c->panel[i], c->npanel == 1);

		most = h > most ? h : most;
	}
	*width = ncol > 1 ? (unsigned)ncol * THEME_CELL_WIDTH_PX : THEME_WIDTH_PX;
	*height = most * (unsigned)nrow + (c->npanel > 1 ? TITLE_PX : 0);
	*height += NOTE_PX * gnuplot_note_lines(c->note);
}

static void put_terminal(struct str *b, const struct chart *c, enum picture kind)
{
	unsigned width, height;

	size_of(c, &width, &height);
	str_adds(b, "set terminal ");
	if (kind == PICTURE_SVG)
		str_addf(b, "svg size %u,%u dynamic font '%s,%d'", width, height, theme_font,
			THEME_FONT_PX);
	else if (kind == PICTURE_PNG)
		str_addf(b, "pngcairo size %u,%u font '%s,%d'", width, height, theme_font,
			THEME_FONT_PX * 3 / 4);
	else
		str_addf(b, "pdfcairo size %.2fin,%.2fin font '%s,%d'", width / 96.0, height / 96.0,
			theme_font, THEME_FONT_PX * 3 / 4);
	str_addf(b, " noenhanced background rgb '%s'\n", theme_background);
}

static void put_heading(struct str *b, const struct chart *c, const char *const *asks)
{
	size_t i;

	str_addf(b, "# %s, drawn by gnuplot from the file of data beside this one.\n", c->id);
	for (i = 0; asks[i]; i++)
		str_addf(b, "# The data are those of: traceq %s --json\n", asks[i]);
	str_adds(b,
		"# Run it in its own folder: gnuplot THIS-FILE\n"
		"# All texts stand here, a line each; the commands name them by their number.\n");
}

/* Which files, unless who runs the script says others; no name of a picture: to stdout. */
static void put_files(struct str *b, const char *data, const char *picture)
{
	str_adds(b, "if (!exists(\"data\")) data = ");
	gnuplot_quote_file(b, data);
	str_adds(b, "\nif (!exists(\"picture\")) picture = ");
	gnuplot_quote_file(b, picture);
	str_adds(b, "\nset encoding utf8\n");
}

static void put_panels(struct str *b, const struct chart *c, enum picture kind)
{
	size_t ncol = c->ncol < c->npanel ? c->ncol : c->npanel, index = 0, i;

	if (c->npanel > 1) {
		str_addf(b, "set multiplot layout %zu,%zu title ", (c->npanel + ncol - 1) / ncol,
			ncol);
		gnuplot_quote(b, c->title);
		gnuplot_note(b, c->note);
		str_addf(b, " font '%s,%d'\n", theme_font,
			kind == PICTURE_SVG ? THEME_FONT_PX * 5 / 4 : THEME_FONT_PX);
	}
	for (i = 0; i < c->npanel; i++) {
		struct chart_panel p = c->panel[i];
		struct str title = { 0 };

		if (c->npanel == 1) {
			p.title = c->title;
			p.note = c->note;
		}
		gnuplot_shorten(&title, p.title ? p.title : "",
			ncol > 1 ? THEME_CELL_TITLE_LETTERS : THEME_TITLE_LETTERS);
		p.title = title.s;
		str_addc(b, '\n');
		gnuplot_panel(b, &p, &index);
		str_free(&title);
	}
	if (c->npanel > 1)
		str_adds(b, "\nunset multiplot\n");
}

void gnuplot_script(struct str *b, const struct chart *c, const char *data, const char *picture,
	enum picture kind, const char *const *asks)
{
	struct str draft = { 0 };

	put_heading(b, c, asks);
	put_files(&draft, data, picture);
	put_terminal(&draft, c, kind);
	str_adds(&draft, "if (strlen(picture)) set output picture\n");
	str_adds(&draft, "known(i) = valid(i) ? column(i) : 0\n");
	if (c->npanel > 0 && chart_has_bubbles(&c->panel[0]))
		gnuplot_disc(&draft, kind);
	put_panels(&draft, c, kind);
	gnuplot_finish(b, draft.s, kind);
	str_free(&draft);
}
