/* What panels of all kinds have: ranges, labels, tics, lines across. */
#include "base/width.h"
#include "report/chart/draw/gnuplot_panel.h"

enum { COUNTS_MAX = 8 };
static const double RIGHT = 0.75; /* of a panel: from here on names stand left of their rule */

void panel_range(struct str *b, char axis, double min, double max)
{
	panel_put(b, "set %crange [%n:%n]\n", axis, min, max);
}

void panel_label(struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d)
{
	SCOPED_STR title = { 0 };

	gnuplot_axis_title(&title, a, d);
	if (title.n)
		panel_put(b, "set %clabel %q textcolor rgb c_text\n", axis, title.s);
}

/* Decimals that tell tics apart when large numbers are written as 142k or 1.25M. */
static int decimals_of(const struct gnuplot_axis *d)
{
	static const double tenth = 0.1, hundredth = 0.01;
	double most = MAX(fabs(d->max), fabs(d->min));
	double thousands = pow(1000, floor(log10(most) / 3));
	double step = (d->max - d->min) / 10 / thousands;

	if (!(step > 0) || step >= 1) /* one value alone has no steps */
		return 0;
	if (step >= tenth)
		return 1;
	return step >= hundredth ? 2 : 3;
}

void panel_format(
	struct str *b, char axis, const struct chart_axis *a, const struct gnuplot_axis *d)
{
	if (d->scale.divisor == 1 && (fabs(d->max) >= 1e5 || fabs(d->min) >= 1e5))
		str_addf(b, "set format %c '%%.%ds%%c'\n", axis, decimals_of(d));
	else
		str_addf(b, "set format %c '%%g'\n", axis);
	if (d->is_count && !a->is_log && d->max - d->min < COUNTS_MAX)
		str_addf(b, "set %ctics 1\n", axis); /* there is no half of a step */
	if (!a->is_log)
		return;
	str_addf(b, "set logscale %c\n", axis);
	/* Where one power of ten, or two, are in sight: tics at 1, 2 and 5 times each of them;
	 * within less than one, at all its multiples. */
	static const double times[] = { 1, 2, 5, 3, 4, 6, 7, 8, 9 };
	size_t n = d->max / d->min < 10 ? COUNT_OF(times) : 3;
	const char *comma = "";
	if (!(d->min > 0) || d->max / d->min > 200)
		return;
	str_addf(b, "set %ctics (", axis);
	for (double power = pow(10, floor(log10(d->min))); power <= d->max; power *= 10) {
		for (size_t i = 0; i < n; i++, comma = ", ")
			panel_put(b, "%s%n", comma, power * times[i]);
	}
	str_adds(b, ")\n");
}

void panel_lines(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *x,
	const struct gnuplot_axis *y)
{
	size_t upright = 0;

	for (EACH(const struct chart_line, l, p->line, p->nline)) {
		double at = l->at / (l->is_upright ? x : y)->scale.divisor;

		panel_put(b,
			l->is_upright ? "set arrow from first %n, graph 0 to first %n, graph 1"
				      : "set arrow from graph 0, first %n to graph 1, first %n",
			at, at);
		panel_put(b, " nohead dt 2 lw 1.5 lc rgb c_%s front\n", theme_word(COLOR_BLACK));
		if (!l->is_upright)
			continue;
		/* one below the other, so that neighbours can be read */
		panel_put(b,
			"set label %q at first %n, graph 0.%d %s,0 front textcolor rgb c_text\n",
			l->title, at, 96 - 7 * (int)(upright++ % 4),
			at > x->min + RIGHT * (x->max - x->min) ? "right offset -0.5"
								: "left offset 0.5");
	}
}

/* ---- the heading ---- */

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
	SCOPED_STR whole = { 0 }, text = { 0 };

	str_add(&whole, line.p, line.n);
	gnuplot_shorten(&text, whole.s, letters_of(r, t->size));
	panel_put(b, "set label %q at screen 0.5,%.4f center font font_%s textcolor rgb %s\n",
		text.s, 1 - at / r->height, t->weight, t->color);
}

static double put_text(
	struct str *b, const struct heading_text *t, const struct chart_room *r, double top)
{
	unsigned n = lines_of(t, r);
	const char *rest = t->text;

	for (unsigned i = 0; i < n; i++, top += t->size * LINE) {
		if (!b || !*rest)
			continue;
		struct span line = n - i > 1 ? first_line(rest, n - i) : span_of(rest);
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

	for (size_t i = 0; i < COUNT_OF(text); i++)
		top = put_text(b, &text[i], r, top);
	/* Above lanes stand the names of steps. */
	if (c->npanel == 1 && c->panel[0].kind == PANEL_LANES && c->panel[0].nline > 0)
		top += TEXT_SIZE * r->font * LINE;
	return (unsigned)saturate_size(top + EDGE_PX);
}

/* gnuplot knows no weight in SVG: it writes what stands before the comma as the family, and so the
 * attribute behind it. */
void gnuplot_heading_fonts(struct str *b, const struct chart_room *r, double px, bool is_svg)
{
	const char *font = is_svg ? theme_browser_font : theme_font;

	str_addf(b, "font_title = '%s%s,%.4g'\nfont_text = '%s,%.4g'\n", font,
		is_svg ? "\" font-weight=\"bold" : ":Bold", TITLE_SIZE * r->font * px, font,
		TEXT_SIZE * r->font * px);
}
