/*
 * A chart of lanes or flames as a file: its colours stand in it, for light and for dark.
 */
#include <math.h>

#include "report/chart/draw/svg.h"
#include "report/chart/theme.h"
#include "report/escape.h"

enum { WIDTH = 1280, TITLE = 26, NOTE = 18, SIDE = 8, NOTE_LETTERS = 190 };

static void put_style(struct str *out)
{
	size_t i;

	str_adds(out, "<style>\n");
	for (i = 0; i < THEME_COLORS; i++)
		str_addf(out, ".f%zu{fill:%s}\n", i, theme_color(i));
	str_addf(out,
		"svg{font:12px '%s',system-ui,sans-serif}\n"
		".page{fill:%s}text{fill:%s}.g{stroke:%s;fill:none}.h{font-size:16px}\n"
		"text{pointer-events:none}.d{stroke-dasharray:6 4}.q{fill-opacity:.3}"
		".i,.k{pointer-events:none}.i text{fill:#fff}.k text{fill:#000}"
		".b,.n{fill-opacity:.55}.b{stroke:%s;stroke-width:.5}\n"
		"@media(prefers-color-scheme:dark){.page{fill:#16181c}text{fill:#e4e4e4}"
		".g{stroke:#3a3d42}.b,.n{fill-opacity:.45}.b{stroke:#16181c}}\n</style>\n",
		theme_font, theme_background, theme_text, theme_grid, theme_background);
}

/* The rows of a note that are not wider than the picture. */
static double put_heading(struct str *out, const struct chart *c)
{
	double y = TITLE - 6;
	struct str note = { 0 };

	str_adds(out, "<g class=\"h\">");
	svg_text(out, SIDE, y, "start", c->title);
	str_adds(out, "</g>\n");
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
	struct svg_area a = svg_place(p, WIDTH);
	size_t rows = svg_key(NULL, p, 0, WIDTH);
	double head = TITLE + (c->note ? NOTE : 0), high;

	high = head + a.top + a.height + SVG_BOTTOM + (double)(rows * SVG_KEY);
	str_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
		"viewBox=\"0 0 %d %.0f\" role=\"img\">\n<title>",
		WIDTH, high, WIDTH, high);
	escape_html(out, span_of(c->title));
	str_adds(out, "</title>\n");
	put_style(out);
	str_addf(out, "<rect class=\"page\" width=\"%d\" height=\"%.0f\"/>\n", WIDTH, high);
	a.top += put_heading(out, c);
	svg_inside(out, p, &a);
	(void)svg_key(out, p, a.top + a.height + SVG_BOTTOM - 4, WIDTH);
	str_adds(out, "</svg>\n");
}
