/* The commands that draw one panel. */
#include "report/chart/draw/gnuplot_panel.h"

#include "report/chart/draw/labels.h"

/* ---- discs ---- */

enum {
	DISC_PX = 30,      /* radius of the largest */
	LEFT_LETTERS = 11, /* margins, so that it is known where the panel is */
	RIGHT_LETTERS = 3,
	LETTERS = 34, /* of a name */
	KEY_LINES = 9 /* below the panel: numbers, title and key */
};

/* Of the largest disc, of which the smallest that can be seen is that part. */
static const double LEAST_PART = 2.5 / DISC_PX;

/* A letter is so wide, and a line so high, as parts of the size of the letters. */
static const double LETTER = 0.6, LINE = 1.25;

/* Radius of a point of size 1, in the pixels of a picture. */
static const double POINT_PX[PICTURES] = {
	[PICTURE_SVG] = 6.375,
	[PICTURE_PNG] = 3,
	[PICTURE_PDF] = 4,
};

/* As the letters, so that they cover no more of a small picture. */
static double disc_px(unsigned font)
{
	return (double)DISC_PX * font / THEME_FONT_PX;
}

void gnuplot_disc(struct str *b, unsigned font, enum picture kind)
{
	panel_put(b, "disc = %n\n", disc_px(font) / POINT_PX[kind]);
}

static void put_disc_using(struct str *b, const struct chart_series *s,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y, double largest)
{
	panel_put(b, " using %k:%k", 1, x, 2, y);
	if (s->size)
		panel_put(b, ":(disc*($3>%n?sqrt($3/%n):%n))", LEAST_PART * LEAST_PART * largest,
			largest, LEAST_PART);
}

/* Lines, which are named where they are, and discs, each filled. */
static void put_series(struct str *b, const struct chart_series *s)
{
	const char *color = theme_word(s->color);

	if (!s->size) {
		str_addf(b, " with lines lw 2%s lc rgb c_%s notitle", s->is_dashed ? " dt 2" : "",
			color);
		return;
	}
	str_addf(b, " with points pt 7 ps variable lc rgb d_%s notitle", color);
}

static void put_discs(struct str *b, const struct chart_panel *p, size_t *index,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y)
{
	double largest = labels_largest(p);

	for (size_t i = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		str_addf(b, "%sdata index %zu", i ? ", \\\n     " : "plot ", *index);
		put_disc_using(b, s, x, y, largest);
		put_series(b, s);
		if (s->size) {
			str_addf(b, ", \\\n     data index %zu", *index);
			put_disc_using(b, s, x, y, largest);
			str_addf(b, " with points pt 6 ps variable lw 1 lc rgb c_%s notitle",
				theme_word(s->color));
		}
		if (s->size && s->title)
			/* The key is of sorts of discs, of which each is as large. */
			panel_put(b,
				", \\\n     NaN with points pt 7 ps disc/5 lc rgb c_%s title %q",
				theme_word(s->color), s->title);
		++*index;
	}
	str_addc(b, '\n');
}

/* From the name to the edge of its disc. */
static void put_leader(struct str *b, const struct label *l, const struct label_area *a)
{
	double x = fmin(fmax(l->to_x, l->x), l->x + l->width);
	double y = l->y + (l->to_y > l->y ? a->line / 2.0 : -a->line / 2.0);
	double far = hypot(l->to_x - x, l->to_y - y), part = far > 0 ? l->radius / far : 1;

	if (part >= 1)
		return;
	str_addf(b, "set arrow from graph %.4f,%.4f to graph %.4f,%.4f nohead lw 1 lc rgb l_%s\n",
		x / a->width, y / a->height, (l->to_x + (x - l->to_x) * part) / a->width,
		(l->to_y + (y - l->to_y) * part) / a->height, theme_word(l->color));
}

/* ---- panels ---- */

/* ---- numbers over numbers ---- */

/* "data index 3 using ...": columns: y, or lo and hi too. */
static void put_using(struct str *b, const struct chart_series *s, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y)
{
	if (s->mark == MARK_BOXES) {
		panel_put(b, " using (($1+$3)/2/%n):%k:(($3-$1)*0.94/%n)", x->scale.divisor, 2, y,
			x->scale.divisor);
		return;
	}
	panel_put(b, " using %k", 1, x);
	if (s->mark != MARK_BAND)
		panel_put(b, ":%k", 2, y);
	if (s->mark == MARK_BAND || s->mark == MARK_RANGE)
		panel_put(b, ":%k:%k", 3, y, 4, y);
}

static void put_plots(struct str *b, const struct chart_panel *p, size_t *index,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y)
{
	bool is_direct = gnuplot_is_named_directly(p);

	str_adds(b, p->nseries ? "plot " : "plot NaN notitle");
	for (size_t i = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		str_addf(b, "%sdata index %zu", i ? ", \\\n     " : "", (*index)++);
		put_using(b, s, x, y);
		/* Discs have their own (put_discs), and boxes theirs. */
		static const char *const with[] = {
			[MARK_LINE] = " with lines lw 2",
			[MARK_STEP] = " with steps lw 2",
			[MARK_POINTS] = " with points pt 7 ps 0.7",
			[MARK_DOTTED] = " with linespoints pt 7 ps 1 lw 2",
			[MARK_BAND] = " with filledcurves fs transparent solid 0.2",
			[MARK_BOXES] = " with boxes",
			[MARK_RANGE] = " with yerrorbars pt 7 ps 1 lw 2",
		};
		const char *how = s->mark < COUNT_OF(with) ? with[s->mark] : NULL;
		if (s->mark == MARK_BAND && s->is_solid)
			how = " with filledcurves fs solid 1.0 noborder";
		if (how)
			panel_put(b, "%s lc rgb c_%s", how, theme_word(s->color));
		if (s->is_dashed)
			str_adds(b, " dt 2");
		if (is_direct || !s->title)
			str_adds(b, " notitle");
		else
			panel_put(b, " title %q", s->title);
	}
	str_addc(b, '\n');
}

/* Dates of runs in place of their numbers. */
static void put_names_of_x(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x)
{
	size_t every = panel_every(p, p->name, p->nname);
	const char *comma = "";

	if (p->nname == 0)
		return;
	str_adds(b, "set xtics (");
	for (size_t i = 0; i < p->nname; i++) {
		if (i % every || (double)i < x->min || (double)i > x->max)
			continue;
		panel_put(b, "%s%t %zu", comma, p->name[i], i);
		comma = ", ";
	}
	str_adds(b, ")\n");
}

static void put_xy(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis x = gnuplot_axis_x(p), y = gnuplot_axis_y(p);

	panel_label(b, 'x', &p->x, &x);
	panel_label(b, 'y', &p->y, &y);
	panel_range(b, 'x', x.min, x.max);
	panel_range(b, 'y', y.min, y.max);
	panel_format(b, 'x', &p->x, &x);
	put_names_of_x(b, p, &x);
	panel_format(b, 'y', &p->y, &y);
	if (chart_has_bubbles(p)) {
		panel_lines(b, p, &x, &y);
		const struct chart_room *r = &p->room;
		struct label_area a = { &x, &y, .letters = LETTERS, .letter = LETTER * r->font,
			.line = LINE * r->font, .disc = disc_px(r->font) };
		struct labels l;
		a.width = r->width - (LEFT_LETTERS + RIGHT_LETTERS) * a.letter;
		a.height = r->height - r->top - KEY_LINES * r->font;
		str_addf(b, "set lmargin %d\nset rmargin %d\n", LEFT_LETTERS, RIGHT_LETTERS);
		panel_key_room(b, p);
		labels_place(&l, p, &a);
		for (EACH(const struct label, at, l.v, l.n)) {
			if (at->is_away)
				put_leader(b, at, &a);
			panel_put(b,
				"set label %q at graph %.4f,%.4f center front textcolor rgb l_%s\n",
				at->text.s, (at->x + at->width / 2) / a.width, at->y / a.height,
				theme_word(at->color));
		}
		labels_clear(&l);
		put_discs(b, p, index, &x, &y);
		return;
	}
	if (p->title && p->room.width > THEME_CELL_WIDTH_PX) /* those below each other have one left
	                                                        edge */
		str_addf(b, "set lmargin %d\n", LEFT_LETTERS);
	if (gnuplot_is_named_directly(p))
		str_addf(b, "set rmargin %zu\n", gnuplot_direct_names(b, p, &y) + 4);
	else
		panel_key_room(b, p);
	panel_lines(b, p, &x, &y);
	put_plots(b, p, index, &x, &y);
}

static void put_text(struct str *b, const struct chart_panel *p)
{
	panel_put(b,
		"unset border\nunset tics\nunset grid\nset xrange [0:1]\nset yrange [0:1]\n"
		"set label %q at 0.5,0.5 center textcolor rgb c_text\nplot NaN notitle\n",
		p->text);
}

void gnuplot_panel(struct str *b, const struct chart_panel *p, size_t *index)
{
	/* What every panel begins with. */
	str_adds(b,
		"reset\n"
		"set datafile separator whitespace\n"
		"set border 3 lc rgb c_border\n"
		"set tics nomirror out textcolor rgb c_text\n"
		"set grid ytics lt 1 lw 1 lc rgb c_grid\n"
		"set style fill solid 1.0 noborder\n"
		"set key bmargin center horizontal Left reverse samplen 1.2 width 1 "
		"textcolor rgb c_text\n");
	str_adds(b, p->room.start ? p->room.start : "");
	if (p->title)
		panel_put(b, "set title %q font font_text textcolor rgb c_text\n", p->title);
	else
		str_addf(b, "set tmargin at screen %.4f\n",
			1 - (double)p->room.top / p->room.height);
	str_adds(b, "set rmargin 4\n");
	switch (p->kind) {
	case PANEL_XY: put_xy(b, p, index); break;
	case PANEL_BARS:
	case PANEL_ROWS: panel_bars(b, p, index); break;
	case PANEL_HEAT: panel_heat(b, p, index); break;
	case PANEL_FLAME: panel_flame(b, p, index); break;
	case PANEL_LANES: panel_lanes(b, p, index); break;
	case PANEL_BLOCKS: break;
	case PANEL_TEXT: put_text(b, p); break;
	}
}
