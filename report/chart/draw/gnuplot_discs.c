/*
 * Panels of discs: as large as what they stand for, the largest with their names beside them.
 */
#include <math.h>

#include "report/chart/draw/gnuplot_panel.h"
#include "report/chart/draw/labels.h"

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

static void put_using(struct str *b, const struct chart_series *s, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y, double largest)
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

/* The key is of sorts of discs, of which each is as large. */
static void put_key_entry(struct str *b, const struct chart_series *s)
{
	panel_put(b, ", \\\n     NaN with points pt 7 ps disc/5 lc rgb c_%s title %q",
		theme_word(s->color), s->title);
}

static void put_plots(struct str *b, const struct chart_panel *p, size_t *index,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y)
{
	double largest = labels_largest(p);
	size_t i;

	for (i = 0; i < p->nseries; i++) {
		const struct chart_series *s = &p->series[i];

		str_addf(b, "%sdata index %zu", i ? ", \\\n     " : "plot ", *index);
		put_using(b, s, x, y, largest);
		put_series(b, s);
		if (s->size) {
			str_addf(b, ", \\\n     data index %zu", *index);
			put_using(b, s, x, y, largest);
			str_addf(b, " with points pt 6 ps variable lw 1 lc rgb c_%s notitle",
				theme_word(s->color));
		}
		if (s->size && s->title)
			put_key_entry(b, s);
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

static void put_labels(struct str *b, const struct labels *l, const struct label_area *a)
{
	size_t i;

	for (i = 0; i < l->n; i++) {
		const struct label *at = &l->v[i];

		if (at->is_away)
			put_leader(b, at, a);
		panel_put(b, "set label %q at graph %.4f,%.4f center front textcolor rgb l_%s\n",
			at->text.s, (at->x + at->width / 2) / a->width, at->y / a->height,
			theme_word(at->color));
	}
}

void panel_discs(struct str *b, const struct chart_panel *p, size_t *index,
	const struct gnuplot_axis *x, const struct gnuplot_axis *y)
{
	const struct chart_room *r = &p->room;
	struct label_area a = { x, y, .letters = LETTERS, .letter = LETTER * r->font,
		.line = LINE * r->font, .disc = disc_px(r->font) };
	struct labels l;

	a.width = r->width - (LEFT_LETTERS + RIGHT_LETTERS) * a.letter;
	a.height = r->height - r->top - KEY_LINES * r->font;
	str_addf(b, "set lmargin %d\nset rmargin %d\n", LEFT_LETTERS, RIGHT_LETTERS);
	panel_key_room(b, p);
	labels_place(&l, p, &a);
	put_labels(b, &l, &a);
	labels_clear(&l);
	put_plots(b, p, index, x, y);
}
