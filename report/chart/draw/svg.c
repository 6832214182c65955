/* SVG around the marks: sizes, axes, names, keys. */
#include "report/chart/draw/svg.h"

#include "base/width.h"
#include "report/escape.h"

enum {
	WIDTH = 560,
	HEIGHT = 300,
	DISCS_HEIGHT = 340, /* of a panel of discs: room for names */
	ROW = 24,
	LETTER = 7, /* a letter's usual width at 12 px */
	TOP = 30,
	FLAME_ROW = 18,
	HEAT_HIGH = 16,
	HEAT_ROW = 16,
	KEY_LETTERS = 44,
	NESTED = 10, /* a name is moved in */
	TICKS_MAX = 8,
	WANTED_TICKS = 5
};

/* Of a name that must not be cut, a letter in the widest of the usual fonts. */
static const double WIDE_LETTER = 7.6;

/* 1, 2 and 5 times a power of ten. */
static size_t ticks_of_decade(const struct gnuplot_axis *d, double *tick)
{
	static const double times[] = { 1, 2, 5 };
	double power = pow(10, floor(log10(d->min)));
	size_t n = 0;

	for (; power <= d->max && n < TICKS_MAX; power *= 10)
		for (size_t i = 0; i < COUNT_OF(times) && n < TICKS_MAX; i++)
			if (power * times[i] >= d->min && power * times[i] <= d->max)
				tick[n++] = power * times[i] * d->scale.divisor;
	return n;
}

/* Powers of ten, every second or third where there are many. */
static size_t log_ticks(const struct gnuplot_axis *d, double *tick)
{
	double low = ceil(log10(d->min)), high = floor(log10(d->max));
	double every = ceil((high - low + 1) / TICKS_MAX);
	size_t n = 0;

	for (double at = low; at <= high && n < TICKS_MAX; at += every)
		tick[n++] = pow(10, at) * d->scale.divisor;
	return n > 1 ? n : ticks_of_decade(d, tick);
}

size_t svg_ticks(const struct gnuplot_axis *d, bool is_log, double *tick)
{
	double span = d->max - d->min;
	size_t n = 0;

	if (is_log)
		return log_ticks(d, tick);
	if (!(span > 0))
		return 0;
	double step = pow(10, floor(log10(span / WANTED_TICKS)));
	if (span / step > 6.25 * WANTED_TICKS)
		step *= 10;
	else if (span / step > 2.5 * WANTED_TICKS)
		step *= 5;
	else if (span / step > 1.25 * WANTED_TICKS)
		step *= 2;
	if (d->is_count && step < 1)
		step = 1;
	for (double at = ceil(d->min / step) * step; at <= d->max && n < TICKS_MAX; at += step)
		tick[n++] = (fabs(at) < step / 1000 ? 0 : at) * d->scale.divisor;
	return n;
}

static void tick_text(struct str *b, double shown)
{
	static const struct {
		double of;
		const char *suffix;
	} big[] = { { 1e9, "G" }, { 1e6, "M" }, { 1e3, "k" } };

	str_reset(b);
	for (size_t i = 0; i < COUNT_OF(big); i++) {
		if (fabs(shown) >= 10 * big[i].of) {
			str_addf(b, "%g%s", shown / big[i].of, big[i].suffix);
			return;
		}
	}
	str_addf(b, "%.6g", shown);
}

/* Grid lines and numbers of the axis of values. */
static void put_value_axis(struct str *out, const struct svg_area *a)
{
	double tick[TICKS_MAX];
	size_t n = svg_ticks(&a->y, a->y_log, tick);
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < n; i++) {
		double at = a->is_lying ? svg_x(a, tick[i]) : svg_y(a, tick[i]);

		tick_text(&b, tick[i] / a->y.scale.divisor);
		if (a->is_lying) {
			str_addf(out, "<path class=\"g\" d=\"M%.1f %.1fV%.1f\"/>\n", at, a->top,
				a->top + a->height);
			svg_text(out, at, a->top + a->height + 16, "middle", b.s);
		} else {
			str_addf(out, "<path class=\"g\" d=\"M%.1f %.1fH%.1f\"/>\n", a->left, at,
				a->left + a->width);
			svg_text(out, a->left - 6, at + 4, "end", b.s);
		}
	}
}

/* Names at x = 0, 1, 2 ...: as many as do not touch. */
static void put_names_of_x(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	double free_from = 0;

	for (size_t i = 0; i < p->nname; i++) {
		double at = svg_x(a, (double)i);
		double half = (double)(width_of(span_of(p->name[i])) * LETTER) / 2;

		if (at < a->left || at > a->left + a->width || at - half < free_from)
			continue;
		svg_text(out, at, a->top + a->height + 16, "middle", p->name[i]);
		free_from = at + half + 2 * LETTER;
	}
}

static void put_x_axis(struct str *out, const struct svg_area *a)
{
	double tick[TICKS_MAX];
	size_t n = svg_ticks(&a->x, a->x_log, tick);
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < n; i++) {
		tick_text(&b, tick[i] / a->x.scale.divisor);
		svg_text(out, svg_x(a, tick[i]), a->top + a->height + 16, "middle", b.s);
	}
}

/* Letters of the longest number at an axis of values. */
static size_t longest_tick(const struct gnuplot_axis *d, bool is_log)
{
	double tick[TICKS_MAX];
	size_t n = svg_ticks(d, is_log, tick), longest = 0;
	SCOPED_STR b = { 0 };

	for (size_t i = 0; i < n; i++) {
		tick_text(&b, tick[i] / d->scale.divisor);
		longest = MAX(b.n, longest);
	}
	return longest;
}

static void put_axis_title(struct str *out, const struct svg_area *a, const struct chart_axis *axis,
	const struct gnuplot_axis *d, bool is_upright)
{
	SCOPED_STR b = { 0 };

	gnuplot_axis_title(&b, axis, d);
	if (b.n && is_upright)
		svg_text(out, a->left - 40 > 0 ? 4 : 0, a->top - 10, "start", b.s);
	else if (b.n)
		svg_text(out, a->left + a->width / 2, a->top + a->height + 34, "middle", b.s);
}

/* Names of categories: below standing bars, left of lying ones. */
static void put_names(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	size_t wide = saturate_size(a->width);
	size_t letters = SUM(size_t, i, p->nname, width_of(span_of(p->brief[i])) + 2);

	size_t every =
		wide > 0 && letters * LETTER > wide ? (letters * LETTER + wide - 1) / wide : 1;
	for (size_t i = 0; i < p->nname; i += a->is_lying ? 1 : every) {
		double middle = ((double)i + 0.5) / (double)p->nname;

		if (a->is_lying && p->depth)
			svg_text(out, 6 + (double)(NESTED * p->depth[i]),
				a->top + middle * a->height + 4, "start", p->brief[i]);
		else if (a->is_lying)
			svg_text(out, a->left - 6, a->top + middle * a->height + 4, "end",
				p->brief[i]);
		else
			svg_text(out, a->left + middle * a->width, a->top + a->height + 16,
				"middle", p->brief[i]);
	}
}

static size_t longest_name(const char *const *name, size_t n, size_t most)
{
	size_t longest = MOST(size_t, i, n, name[i] ? width_of(span_of(name[i])) : 0);

	return MIN(longest, most);
}

/* Lines beside discs have their names on them. */
static bool is_in_key(const struct chart_panel *p, size_t i)
{
	return p->series[i].title && (p->series[i].size || !chart_has_bubbles(p));
}

/* Lines of the key when it is set in that width; appended when out is not NULL. */
static size_t put_key(struct str *out, const struct chart_panel *p, double top, double width)
{
	size_t rows = 1;
	double x = 8;

	if (p->kind == PANEL_HEAT || !ANY(i, p->nseries, is_in_key(p, i)))
		return 0;
	for (size_t i = 0; i < p->nseries; i++) {
		SCOPED_STR title = { 0 };

		if (!is_in_key(p, i))
			continue;
		gnuplot_shorten(&title, p->series[i].title, KEY_LETTERS);
		double wide = 30 + (double)(width_of((struct span){ title.s, title.n }) * LETTER);
		if (x + wide > width && x > 8) {
			x = 8;
			rows++;
		}
		if (out) {
			double y = top + (double)(rows * SVG_KEY) - 6;

			str_addf(out,
				"<rect class=\"f%d%s\" x=\"%.1f\" y=\"%.1f\" width=\"14\" "
				"height=\"10\"/>\n",
				(int)p->series[i].color,
				p->series[i].is_faint            ? " q"
					: p->kind == PANEL_FLAME ? " b"
								 : "",
				x, y - 9);
			svg_text(out, x + 19, y, "start", title.s);
		}
		x += wide + 10;
	}
	return rows;
}

/* Below a heat map: what its columns are, and how dark what value is. */
static void put_scale(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	struct gnuplot_axis z = gnuplot_axis_z(p);
	SCOPED_STR text = { 0 };

	if (p->x.title)
		str_addf(&text, "%s; ", p->x.title);
	str_adds(&text, "faint to strong: ");
	gnuplot_axis_title(&text, p->z.title ? &p->z : &p->y, &z);
	str_adds(&text, ", 0 to ");
	str_addf(&text, "%.4g", z.max);
	svg_text(out, a->left + a->width / 2, a->top + a->height + 34, "middle", text.s);
}

/* Axes and marks. */
static void put_inside(struct str *out, const struct chart_panel *p, const struct svg_area *a)
{
	if (p->kind == PANEL_HEAT) {
		put_names(out, p, a);
		put_scale(out, p, a);
		svg_cells(out, p, a);
		return;
	}
	if (p->kind == PANEL_FLAME) {
		put_x_axis(out, a);
		put_axis_title(out, a, &p->x, &a->x, false);
		svg_flame(out, p, a);
		return;
	}
	if (p->kind == PANEL_LANES) {
		put_x_axis(out, a);
		put_axis_title(out, a, &p->x, &a->x, false);
		svg_lanes(out, p, a);
		return;
	}
	put_value_axis(out, a);
	if (p->kind == PANEL_XY) {
		if (p->nname)
			put_names_of_x(out, p, a);
		else
			put_x_axis(out, a);
		put_axis_title(out, a, &p->x, &a->x, false);
		put_axis_title(out, a, &p->y, &a->y, true);
		svg_lines(out, p, a);
		return;
	}
	put_names(out, p, a);
	put_axis_title(out, a, &p->y, &a->y, !a->is_lying);
	if (!a->is_lying && p->x.title)
		svg_text(
			out, a->left + a->width / 2, a->top + a->height + 34, "middle", p->x.title);
	svg_bars(out, p, a);
}

/* Of few rows high ones; of many, rows of one line of text, and of more no higher picture. */
static double heat_height(size_t n)
{
	if (n <= HEAT_HIGH)
		return (double)(n * ROW) * 1.4;
	return (double)(MIN(n, CHART_ROWS_MAX) * HEAT_ROW);
}

/* Where the data of a panel stand in a picture of that width. */
static struct svg_area area_of(const struct chart_panel *p, double width)
{
	struct svg_area a = { .left = 56, .top = TOP, .height = HEIGHT - TOP - SVG_BOTTOM };
	const char *const *rows = p->kind == PANEL_HEAT ? p->row : p->brief;
	size_t n = p->kind == PANEL_HEAT ? p->nrow : p->nname;

	a.x_log = p->x.is_log;
	a.y_log = p->y.is_log;
	a.is_lying = p->kind == PANEL_ROWS;
	if (a.is_lying || p->kind == PANEL_HEAT) {
		size_t bars = p->is_stacked || p->nseries < 2 ? 1 : p->nseries;

		a.left = 14 + (double)longest_name(rows, n, THEME_BRIEF_LETTERS) * WIDE_LETTER;
		if (a.is_lying && p->depth)
			a.left += NESTED * MOST(unsigned, i, n, p->depth[i]);
		a.height = (double)(n * (bars > 1 ? bars * ROW * 3 / 4 : ROW));
		if (p->kind == PANEL_HEAT)
			a.height = heat_height(n);
		a.top = TOP - 8;
	}
	if (chart_has_bubbles(p))
		a.height = DISCS_HEIGHT;
	if (p->kind == PANEL_FLAME) {
		a.left = 16;
		a.height = (double)(p->nrow * FLAME_ROW);
	}
	if (p->kind == PANEL_LANES) {
		a.left = 14 +
			(double)longest_name(p->row, p->nrow, THEME_BRIEF_LETTERS) * WIDE_LETTER;
		a.height = (double)(p->nrow * ROW);
	}
	if (p->kind == PANEL_XY || !a.is_lying)
		a.x = gnuplot_axis_x(p);
	a.y = gnuplot_axis_y(p);
	if (p->kind == PANEL_XY || p->kind == PANEL_BARS)
		a.left = fmax(a.left, 12 + (double)longest_tick(&a.y, a.y_log) * WIDE_LETTER);
	a.width = width - a.left - 16;
	return a;
}

/* The name that is read out; a <title> of the whole picture would show over every mark without one.
 */
static void put_label(struct str *out, const struct chart *c, const struct chart_panel *p)
{
	SCOPED_STR b = { 0 };

	svg_say_panel(&b, c, p);
	str_adds(out, "aria-label=\"");
	escape_html(out, (struct span){ b.s ? b.s : "", b.n });
	str_adds(out, "\"");
}

static void put_panel(struct str *out, const struct chart *c, const struct chart_panel *p)
{
	struct svg_area a = area_of(p, WIDTH);
	double below = a.top + a.height + SVG_BOTTOM;
	size_t rows = put_key(NULL, p, 0, WIDTH);

	if (p->kind == PANEL_TEXT) {
		str_adds(out, "<p>");
		escape_html(out, span_of(p->text));
		str_adds(out, "</p>\n");
		return;
	}
	str_addf(out, "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" ", WIDTH,
		below + (double)(rows * SVG_KEY));
	put_label(out, c, p);
	str_adds(out, ">\n");
	put_inside(out, p, &a);
	(void)put_key(out, p, below - 4, WIDTH);
	str_adds(out, "</svg>\n");
}

/* A further line of the caption: what it is of, or what is to be known of it. */
static void put_caption(struct str *out, const char *class, const char *text)
{
	if (!text)
		return;
	str_addf(out, "<br><span class=\"%s\">", class);
	escape_html(out, span_of(text));
	str_adds(out, "</span>");
}

void svg_chart(struct str *out, const struct chart *c)
{
	str_adds(out,
		c->npanel > 1 ? "<figure class=\"wide\">\n<figcaption>" : "<figure>\n<figcaption>");
	escape_html(out, span_of(c->title));
	put_caption(out, "of", c->subtitle);
	put_caption(out, "note", c->note);
	str_adds(out, "</figcaption>\n<div class=\"panels\">\n");
	for (EACH(const struct chart_panel, p, c->panel, c->npanel)) {
		str_adds(out, "<div>");
		if (c->npanel > 1 && p->title) {
			str_adds(out, "<p class=\"panel\">");
			escape_html(out, span_of(p->title));
			str_adds(out, "</p>\n");
		}
		put_panel(out, c, p);
		str_adds(out, "</div>\n");
	}
	str_adds(out, "</div>\n</figure>\n");
}

void svg_colors(struct str *out, enum theme_mode mode)
{
	for (size_t i = 0; i < THEME_COLORS; i++)
		str_addf(out, ";--c%zu:%s;--i%zu:%s", i, theme_color(mode, i), i,
			theme_ink(mode, i));
}

/* Marks, and letters on them, by the variables of svg_colors. */
static void put_classes(struct str *out)
{
	for (size_t i = 0; i < THEME_COLORS; i++)
		str_addf(out,
			".f%zu{fill:var(--c%zu);--m:var(--c%zu)}.s%zu{stroke:var(--c%zu);fill:none;stroke-width:2}"
			".i%zu text{fill:var(--i%zu)}\n",
			i, i, i, i, i, i, i);
	str_addf(out, ".c{fill:%s}.k text{fill:#000}.q{fill-opacity:.3}.d{stroke-dasharray:6 4}\n",
		theme_cell);
}

void svg_style(struct str *out)
{
	static const char *const where[] = { ":root{x:0",
		"@media(prefers-color-scheme:dark){:root{x:0", "@media print{:root{x:0" };

	for (size_t i = 0; i < COUNT_OF(where); i++) {
		str_adds(out, where[i]);
		svg_colors(out, i == 1 ? THEME_DARK : THEME_LIGHT);
		str_adds(out, i ? "}}\n" : "}\n");
	}
	str_adds(out,
		"svg{width:100%;height:auto;font:12px system-ui,sans-serif}\n"
		"svg text{fill:var(--fg);pointer-events:none}\n"
		".g{stroke:var(--line);fill:none}\n"
		".h text{paint-order:stroke;stroke:var(--bg);stroke-width:4px}\n"
		".o{fill-opacity:.55;stroke:var(--m)}.b{stroke:var(--bg);stroke-width:.5}\n"
		".w{stroke:var(--fg);fill:none;stroke-width:1.5;pointer-events:none}\n"
		".k{pointer-events:none}\nfigcaption .of{font-size:.9em}\n");
	put_classes(out);
}

/* ---- as a file ---- */

enum { FILE_WIDTH = 1280, TITLE = 26, NOTE = 18, SIDE = 8, NOTE_LETTERS = 190 };

/* Paper, letters and marks of a mode. */
static void put_mode(struct str *out, enum theme_mode mode)
{
	const struct theme_paper *paper = theme_paper(mode);
	const char *ink = paper->text;

	str_addf(out, "svg{--bg:%s;--fg:%s;--soft:%s;--line:%s", paper->background, ink,
		paper->faint, paper->grid);
	svg_colors(out, mode);
	str_addc(out, '}');
}

static void put_style(struct str *out, enum theme_mode mode)
{
	str_adds(out, "<style>\n");
	put_mode(out, mode);
	if (mode == THEME_LIGHT) { /* what nobody chose follows its reader's system */
		str_adds(out, "\n@media(prefers-color-scheme:dark){");
		put_mode(out, THEME_DARK);
		str_addc(out, '}');
	}
	str_addf(out,
		"\nsvg{font:12px %s}.h{font-size:16px;font-weight:bold}.page{fill:var(--bg)}"
		"text{fill:var(--fg);pointer-events:none}.of text{fill:var(--soft)}"
		".g{stroke:var(--line);fill:none}.b{stroke:var(--bg);stroke-width:.5}\n",
		theme_browser_font);
	put_classes(out);
	str_adds(out, "</style>\n");
}

/* The rows of a note that are not wider than the picture. */
static double put_heading(struct str *out, const struct chart *c)
{
	double y = TITLE - 6;
	SCOPED_STR note = { 0 };

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
	return y + 4;
}

void svg_alone(struct str *out, const struct chart *c)
{
	const struct chart_panel *p = &c->panel[0];
	unsigned width = c->look.width ? c->look.width : FILE_WIDTH;
	struct svg_area a = area_of(p, width);
	size_t rows = put_key(NULL, p, 0, width);
	double head = TITLE + (c->note ? NOTE : 0) + (c->subtitle ? NOTE : 0);
	double high = head + a.top + a.height + SVG_BOTTOM + (double)(rows * SVG_KEY);

	str_addf(out, SVG_MARK "%s -->\n", c->id);
	str_addf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%.0f\" "
		"viewBox=\"0 0 %u %.0f\" role=\"img\">\n<title>",
		width, high, width, high);
	escape_html(out, span_of(c->title));
	str_adds(out, "</title>\n");
	put_style(out, c->look.mode);
	str_addf(out, "<rect class=\"page\" width=\"%u\" height=\"%.0f\"/>\n", FILE_WIDTH, high);
	a.top += put_heading(out, c);
	put_inside(out, p, &a);
	(void)put_key(out, p, a.top + a.height + SVG_BOTTOM - 4, width);
	str_adds(out, "</svg>\n");
}
