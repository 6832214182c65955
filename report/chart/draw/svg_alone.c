/*
 * A chart of lanes or flames as a file: its colours stand in it, for light and for dark.
 */
#include <math.h>

#include "report/chart/draw/svg.h"
#include "report/chart/theme.h"
#include "report/escape.h"

enum { WIDTH = 1280, TITLE = 26, NOTE = 18, SIDE = 8, NOTE_LETTERS = 190 };

/* Paper and letters of a mode, in a rule of its own or alone. */
static void put_mode(struct str *out, enum theme_mode mode)
{
	const struct theme_paper *paper = theme_paper(mode);
	const char *ink = paper->text;

	str_addf(out,
		".page{fill:%s}text{fill:%s}.of text{fill:%s}.g{stroke:%s;fill:none}"
		".b{stroke:%s;stroke-width:.5}",
		paper->background, ink, paper->faint, paper->grid, paper->background);
}

static void put_style(struct str *out, enum theme_mode mode)
{
	size_t i;

	str_adds(out, "<style>\n");
	for (i = 0; i < THEME_COLORS; i++)
		str_addf(out, ".f%zu{fill:%s}\n", i, theme_color(mode, i));
	str_addf(out,
		"svg{font:12px '%s',system-ui,sans-serif}.h{font-size:16px}\n"
		"text{pointer-events:none}.d{stroke-dasharray:6 4}.q{fill-opacity:.3}"
		".i,.k{pointer-events:none}.b,.n{fill-opacity:%s}\n",
		theme_font, mode == THEME_DARK ? ".45" : ".55");
	put_mode(out, mode);
	if (mode == THEME_LIGHT) { /* what nobody chose follows its reader's system */
		str_adds(out, "\n@media(prefers-color-scheme:dark){.b,.n{fill-opacity:.45}");
		put_mode(out, THEME_DARK);
		str_addc(out, '}');
	}
	str_adds(out, "\n.i text{fill:#fff}.k text{fill:#000}\n</style>\n");
}

/* The rows of a note that are not wider than the picture. */
static double put_heading(struct str *out, const struct chart *c)
{
	double y = TITLE - 6;
	struct str note = { 0 };

	str_adds(out, "<g class=\"h\">");
	svg_text(out, SIDE, y, "start", c->title);
	str_adds(out, "</g>\n");
	if (c->subtitle) {
		gnuplot_shorten(&note, c->subtitle, NOTE_LETTERS);
		y += NOTE;
		str_adds(out, "<g class=\"of\">");
		svg_text(out, SIDE, y, "start", note.s);
		str_adds(out, "</g>\n");
		str_reset(&note);
	}
	if (c->note) {
		gnuplot_shorten(&note, c->note, NOTE_LETTERS);
		y += NOTE;
		svg_text(out, SIDE, y, "start", note.s);
	}
	str_free(&note);
	return y + 4;
}

void svg_alone(struct str *out, const struct chart *c)
{
	const struct chart_panel *p = &c->panel[0];
	unsigned width = c->look.width ? c->look.width : WIDTH;
	struct svg_area a = svg_place(p, width);
	size_t rows = svg_key(NULL, p, 0, width);
	double head = TITLE + (c->note ? NOTE : 0) + (c->subtitle ? NOTE : 0), high;

	high = head + a.top + a.height + SVG_BOTTOM + (double)(rows * SVG_KEY);
	str_addf(out, SVG_MARK "%s -->\n", c->id);
	str_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%.0f\" "
		"viewBox=\"0 0 %u %.0f\" role=\"img\">\n<title>",
		width, high, width, high);
	escape_html(out, span_of(c->title));
	str_adds(out, "</title>\n");
	put_style(out, c->look.mode);
	str_addf(out, "<rect class=\"page\" width=\"%u\" height=\"%.0f\"/>\n", WIDTH, high);
	a.top += put_heading(out, c);
	svg_inside(out, p, &a);
	(void)svg_key(out, p, a.top + a.height + SVG_BOTTOM - 4, width);
	str_adds(out, "</svg>\n");
}
