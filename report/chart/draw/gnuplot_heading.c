/*
 * The heading of a picture: its title, what it is of, and what is to be known of it, each on as few
 * lines as hold it.  They are labels, which have a size and a colour of their own each.
 */
#include <string.h>

#include "base/compiler.h"
#include "base/minmax.h"
#include "base/saturate.h"
#include "report/chart/draw/gnuplot_panel.h"
#include "base/width.h"

enum { LINES_MAX = 3, EDGE_PX = 8 };

/* A letter is so wide, and a line so high, as parts of the size of the letters. */
static const double LETTER = 0.62, LINE = 1.3, TITLE_SIZE = 1.2, TEXT_SIZE = 0.9;

/* A text of the heading; size: of its letters, px. */
struct heading_text {
	const char *text;
	double size;
	const char *color, *weight;
};

static size_t letters_of(const struct chart_room *r, double size)
{
	size_t n = saturate_size((r->width - 2 * EDGE_PX) / (size * LETTER));

	return MAX(n, 8);
}

/* Lines that hold the text, at most LINES_MAX; words are kept whole, so they are not filled. */
static unsigned lines_of(const struct heading_text *t, const struct chart_room *r)
{
	size_t wide = t->text ? width_of(span_of(t->text)) : 0, most = letters_of(r, t->size);

	if (wide <= most)
		return wide > 0;
	wide = (wide + most - most / 8 - 1) / (most - most / 8);
	return (unsigned)MIN(wide, LINES_MAX);
}

/* The first of n lines of a text: words to its n-th part, one at least. */
static struct span first_line(const char *text, unsigned n)
{
	size_t most = width_of(span_of(text)) / n;
	const char *end = text;

	do
		end += 1 + strcspn(end + 1, " ");
	while (*end && width_of((struct span){ text, (size_t)(end - text) }) < most);
	return (struct span){ text, (size_t)(end - text) };
}

static void put_line(struct str *b, const struct heading_text *t, struct span line,
	const struct chart_room *r, double at)
{
	struct str whole = { 0 }, text = { 0 };

	str_add(&whole, line.p, line.n);
	gnuplot_shorten(&text, whole.s, letters_of(r, t->size));
	str_adds(b, "set label ");
	gnuplot_quote(b, text.s);
	str_addf(b, " at screen 0.5,%.4f center font font_%s textcolor rgb %s\n",
		1 - at / r->height, t->weight, t->color);
	str_free(&whole);
	str_free(&text);
}

static double put_text(
	struct str *b, const struct heading_text *t, const struct chart_room *r, double top)
{
	unsigned n = lines_of(t, r), i;
	const char *rest = t->text;

	for (i = 0; i < n; i++, top += t->size * LINE) {
		struct span line;

		if (!b || !*rest)
			continue;
		line = n - i > 1 ? first_line(rest, n - i) : span_of(rest);
		put_line(b, t, line, r, top + t->size * LINE / 2);
		rest += line.n;
		rest += *rest == ' ';
	}
	return top;
}

unsigned gnuplot_heading(struct str *b, const struct chart *c, const struct chart_room *r)
{
	const struct heading_text text[] = {
		{ c->title, TITLE_SIZE * r->font, "c_text", "title" },
		{ c->subtitle, TEXT_SIZE * r->font, "c_faint", "text" },
		{ c->note, TEXT_SIZE * r->font, "c_text", "text" },
	};
	double top = EDGE_PX;
	size_t i;

	for (i = 0; i < COUNT_OF(text); i++)
		top = put_text(b, &text[i], r, top);
	return (unsigned)saturate_size(top + EDGE_PX);
}

void gnuplot_heading_fonts(struct str *b, const struct chart_room *r, double px)
{
	str_addf(b, "font_title = '%s:Bold,%.4g'\nfont_text = '%s,%.4g'\n", theme_font,
		TITLE_SIZE * r->font * px, theme_font, TEXT_SIZE * r->font * px);
}
