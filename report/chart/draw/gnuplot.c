/* The script around the panels: terminal, size, layout, what holds for all of them. */
#include "report/chart/draw/gnuplot.h"

enum {
	MARGIN_PX = 130, /* above and below bars */
	ROW_NARROW_PX = 24,
	ROWS_MANY = 24,
	HEAT_HIGH_MAX = 16
};

/* Letters are so wide, as a part of their size; a pixel in points as cairo draws them. */
static const double LETTER = 0.6, POINT = 0.75;

static const char *const suffixes[PICTURES] = { "svg", "png", "pdf", "html" };

const char *gnuplot_suffix(enum picture kind)
{
	return suffixes[kind];
}

enum picture gnuplot_picture(const char *path)
{
	const char *dot = strrchr(path, '.');

	return FIND_VALUE(i, PICTURES, dot && dot > path && strcmp(dot + 1, suffixes[i]) == 0,
		(enum picture)i, PICTURES);
}

/* Height of one panel in pixels. */
static unsigned panel_height(const struct chart_panel *p, bool is_alone)
{
	bool has_rows = p->kind == PANEL_HEAT || p->kind == PANEL_FLAME || p->kind == PANEL_LANES;
	size_t n = has_rows ? p->nrow : p->nname;
	unsigned plain = is_alone ? THEME_HEIGHT_PX : THEME_CELL_HEIGHT_PX;

	if (p->kind != PANEL_ROWS && !has_rows)
		return plain;
	if (p->kind == PANEL_HEAT) {
		n *= p->is_plain || n > HEAT_HIGH_MAX ? 1 : 2;
		n = MIN(CHART_ROWS_MAX, n);
	}
	if (p->kind == PANEL_ROWS && !p->is_stacked && p->nseries > 1)
		n = n * p->nseries * 3 / 4;
	unsigned rows = MARGIN_PX + (unsigned)n * (n > ROWS_MANY ? ROW_NARROW_PX : THEME_ROW_PX);
	return MAX(rows, MARGIN_PX + 4 * THEME_ROW_PX);
}

static size_t columns_of(const struct chart *c)
{
	return MIN(c->ncol, c->npanel);
}

static unsigned rows_of(const struct chart *c)
{
	size_t ncol = columns_of(c);

	return ncol ? (unsigned)((c->npanel + ncol - 1) / ncol) : 1;
}

/* Letters of the usual size that stand side by side in one panel. */
static size_t letters_across(const struct chart *c, const struct chart_room *whole)
{
	return saturate_size(whole->width / (double)MAX(columns_of(c), 1) / (LETTER * whole->font));
}

/* Whether all panels have the same series: one key below them says so once. */
static bool shares_key(const struct chart *c)
{
	const struct chart_panel *one = &c->panel[0];

	for (size_t i = 0; i < c->npanel; i++) {
		const struct chart_panel *p = &c->panel[i];

		if ((p->kind != PANEL_BARS && p->kind != PANEL_ROWS) || p->nseries < 2 ||
			p->nseries != one->nseries ||
			ANY(k, p->nseries,
				!p->series[k].title || !one->series[k].title ||
					strcmp(p->series[k].title, one->series[k].title) != 0))
			return false;
	}
	return c->npanel > 1;
}

/* The height of that key, px; 0: each panel has its own. */
static unsigned shared_key(const struct chart *c, const struct chart_room *whole)
{
	static const double line = 1.4;

	if (!shares_key(c))
		return 0;
	struct chart_panel one = c->panel[0];
	one.room.letters = letters_across(c, whole);
	return (unsigned)saturate_size((double)(1 + panel_key_lines(&one)) * line * whole->font);
}

/* The whole picture; top: its heading. */
static struct chart_room picture_room(const struct chart *c)
{
	struct chart_room r = { .font = THEME_FONT_PX, .width = THEME_WIDTH_PX };
	unsigned most = MOST(unsigned, i, c->npanel, panel_height(&c->panel[i], c->npanel == 1));

	if (columns_of(c) > 1)
		r.width = (unsigned)columns_of(c) * THEME_CELL_WIDTH_PX;
	r.height = most * rows_of(c) + gnuplot_heading(NULL, c, &r) + shared_key(c, &r);
	if (c->look.width) {
		r.width = c->look.width;
		r.height = c->look.height;
		r.font = theme_font_px(r.width, r.height, columns_of(c), rows_of(c));
	}
	r.top = gnuplot_heading(NULL, c, &r);
	return r;
}

/* What one panel has of it. */
static struct chart_room panel_room(const struct chart *c, const struct chart_room *whole)
{
	struct chart_room r = *whole;

	if (c->npanel > 1) {
		r.width /= (unsigned)columns_of(c);
		r.height = (whole->height - whole->top) / rows_of(c);
		r.top = 5 * whole->font / 2;
	}
	r.letters = letters_across(c, whole);
	return r;
}

/* The colours, by what they stand for: c_ of marks, l_ of letters, d_ of discs, half of which shows
 * through, i_ of letters on them. */
static void put_colors(struct str *b, enum theme_mode mode)
{
	const struct theme_paper *paper = theme_paper(mode);
	const char *const *heat;
	size_t n;

	str_addf(b,
		"c_paper = '%s'\nc_text = '%s'\nc_faint = '%s'\nc_border = '%s'\nc_grid = '%s'\n",
		paper->background, paper->text, paper->faint, paper->border, paper->grid);
	for (size_t i = 0; i < THEME_COLORS; i++)
		str_addf(b, "c_%s = '%s'; l_%s = '%s'; d_%s = '#70%s'; i_%s = '%s'\n",
			theme_word(i), theme_color(mode, i), theme_word(i), theme_letters(mode, i),
			theme_word(i), theme_color(mode, i) + 1, theme_word(i), theme_ink(mode, i));
	heat = theme_heat(mode, &n);
	for (size_t i = 0; i < n; i++)
		str_addf(b, "c_heat%zu = '%s'\n", i, heat[i]);
	/* letters on the lower and on the higher part of that scale, and where that begins */
	str_adds(b,
		mode == THEME_LIGHT ? "l_low = '#000000'; l_high = '#ffffff'; turn = 0.71\n"
				    : "l_low = '#ffffff'; l_high = '#000000'; turn = 0.49\n");
}

static void put_panels(struct str *b, const struct chart *c, const struct chart_room *whole)
{
	struct chart_room room = panel_room(c, whole);
	bool is_alone = c->npanel == 1;
	double key = (double)shared_key(c, whole) / whole->height;
	size_t index = 0;

	str_adds(b, is_alone ? "" : "set multiplot\n");
	for (size_t i = 0; i < c->npanel; i++) {
		SCOPED_STR title = { 0 }, start = { 0 };
		struct chart_panel p = c->panel[i];

		/* Where panel i stands: rows from the top, below the heading. */
		if (!is_alone) {
			double wide = 1.0 / (double)columns_of(c);
			size_t row = i / columns_of(c);
			double high = (1 - key - (double)whole->top / whole->height) / rows_of(c);
			str_addf(&start, "set size %.4f,%.4f\nset origin %.4f,%.4f\n", wide, high,
				(double)(i % columns_of(c)) * wide,
				key + (double)(rows_of(c) - 1 - row) * high);
		}
		if (i == 0)
			(void)gnuplot_heading(&start, c, whole);
		gnuplot_shorten(&title, p.title ? p.title : "", room.letters * 9 / 10);
		p.room = room;
		p.room.start = start.s;
		p.room.key = i ? -key : key / 2;
		p.title = is_alone ? NULL : title.s;
		str_addc(b, '\n');
		gnuplot_panel(b, &p, &index);
	}
	str_adds(b, is_alone ? "" : "\nunset multiplot\n");
}

void gnuplot_script(struct str *b, const struct chart *c, const char *data, const char *picture,
	enum picture kind, const char *const *asks)
{
	const struct chart_room room = picture_room(c);
	SCOPED_STR draft = { 0 };

	str_addf(b, GNUPLOT_MARK "%s, drawn by gnuplot from the file of data beside this one.\n",
		c->id);
	for (size_t i = 0; asks[i]; i++)
		str_addf(b, "# The data are those of: traceq %s --json\n", asks[i]);
	str_adds(b,
		"# Run it in its own folder: gnuplot THIS-FILE\n"
		"# All texts stand here, a line each; the commands name them by their number.\n");
	/* Which files, unless who runs the script says others; no name of a picture: to stdout. */
	str_adds(&draft, "if (!exists(\"data\")) data = ");
	gnuplot_quote_file(&draft, data);
	str_adds(&draft, "\nif (!exists(\"picture\")) picture = ");
	gnuplot_quote_file(&draft, picture);
	str_adds(&draft, "\nset encoding utf8\n");
	put_colors(&draft, c->look.mode);
	str_adds(&draft, "set terminal ");
	if (kind == PICTURE_SVG)
		str_addf(&draft, "svg size %u,%u dynamic name '" GNUPLOT_NAME "' font '%s,%u'",
			room.width, room.height, theme_browser_font, room.font);
	else if (kind == PICTURE_PNG)
		str_addf(&draft, "pngcairo size %u,%u font '%s,%.4g'", room.width, room.height,
			theme_font, room.font * POINT);
	else
		str_addf(&draft, "pdfcairo size %.2fin,%.2fin font '%s,%.4g'", room.width / 96.0,
			room.height / 96.0, theme_font, room.font * POINT);
	str_adds(&draft, " noenhanced background rgb c_paper\n");
	gnuplot_heading_fonts(&draft, &room, kind == PICTURE_SVG ? 1 : POINT, kind == PICTURE_SVG);
	str_adds(&draft, "if (strlen(picture)) set output picture\n");
	str_adds(&draft, "known(i) = valid(i) ? column(i) : 0\n");
	if (c->npanel > 0 && chart_has_bubbles(&c->panel[0]))
		gnuplot_disc(&draft, room.font, kind);
	put_panels(&draft, c, &room);
	gnuplot_finish(b, draft.s, kind);
}
