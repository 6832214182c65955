/*
 * How much of a chart is shown, where who asks for it or the height of the picture says so.
 */
#include "report/chart/chart.h"
#include "base/minmax.h"
#include "base/saturate.h"

/* Above and below the rows of a picture, in lines of its letters; and the height of a row. */
static const double AROUND = 9, ROW = 1.2;

enum { ROWS_MIN = 3 };

/* Rows that the height of the picture has room for; 0: it is as high as they want. */
static size_t rows_of_height(const struct chart *c)
{
	const struct chart_look *look = &c->look;
	size_t down = c->ncol ? (c->npanel + c->ncol - 1) / c->ncol : 1;
	double lines;

	if (look->height == 0)
		return 0;
	lines = look->height /
		(double)theme_font_px(look->width, look->height, MIN(c->npanel, c->ncol), down);
	lines = lines / (double)down - AROUND;
	return lines / ROW > ROWS_MIN ? saturate_size(lines / ROW) : ROWS_MIN;
}

/* What follows the first `most` of n, as a note. */
static void say_more(struct chart *c, size_t n, size_t most, const char *things)
{
	chart_note(c, arena_printf(&c->mem, "%zu more %s not shown", n - most, things));
}

static void cut_rows(struct chart *c, struct chart_panel *p, size_t most)
{
	size_t i;

	if (p->nname <= most)
		return;
	say_more(c, p->nname, most, "bars");
	p->nname = most;
	for (i = 0; i < p->nseries; i++)
		p->series[i].n = most;
}

static void cut_lines(struct chart *c, struct chart_panel *p, size_t most)
{
	if (p->nseries <= most)
		return;
	say_more(c, p->nseries, most, "lines");
	p->nseries = most;
}

static void cut_heat(struct chart *c, struct chart_panel *p, size_t most)
{
	if (p->nrow <= most)
		return;
	say_more(c, p->nrow, most, "rows");
	p->nrow = most;
}

void chart_limit(struct chart *c)
{
	size_t room = rows_of_height(c), wanted = c->look.limit, i;

	for (i = 0; i < c->npanel; i++) {
		struct chart_panel *p = &c->panel[i];
		size_t most = wanted && (room == 0 || wanted < room) ? wanted : room;

		if (p->kind == PANEL_ROWS && !p->is_stacked && p->nseries > 1 && room)
			most = MAX(most * 2 / (p->nseries + 1), 1);
		if (most && p->kind == PANEL_ROWS && p->things)
			p->most = MAX(most, ROWS_MIN);
		else if (most && p->kind == PANEL_ROWS)
			cut_rows(c, p, most);
		else if (wanted && p->kind == PANEL_XY && !p->alike && !chart_has_bubbles(p))
			cut_lines(c, p, wanted);
		else if (most && p->kind == PANEL_HEAT && p->is_plain)
			cut_heat(c, p, most);
	}
}

/* Of a panel: the least that shows something, and how wide it is for its height. */
enum { PANEL_WIDTH_MIN = 190, PANEL_HEIGHT_MIN = 100, HEADING = 48 };
static const double SHAPE = 1.6;

/* The smaller side of panels in so many columns, as part of the shape that is best. */
static double fit_of(const struct chart *c, size_t across, double *width, double *height)
{
	size_t down = (c->npanel + across - 1) / across;

	*width = c->look.width / (double)across;
	*height = ((double)c->look.height - HEADING) / (double)down;
	return MIN(*width / SHAPE, *height);
}

bool chart_arrange(struct chart *c)
{
	double width, height, best = 0, fit;
	size_t across;

	if (c->look.height == 0 || c->npanel < 2)
		return true;
	for (across = 1; across <= c->npanel; across++) {
		fit = fit_of(c, across, &width, &height);
		if (fit <= best)
			continue;
		best = fit;
		c->ncol = across;
	}
	(void)fit_of(c, c->ncol, &width, &height);
	if (width >= PANEL_WIDTH_MIN && height >= PANEL_HEIGHT_MIN)
		return true;
	return chart_refuse(c,
		"a picture of %ux%u has no room for its %zu panels; a larger --size, "
		"or fewer inputs",
		c->look.width, c->look.height, c->npanel);
}
