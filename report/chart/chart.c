/* Building charts, thinning their lines, and the ranges of their axes. */
#include "report/chart/chart.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/name/name.h"
#include "report/escape.h"

enum { KEPT_MAX = 5 };

void chart_init(struct chart *c, const char *id, const char *title)
{
	*c = (struct chart){ .id = id, .title = title, .ncol = 1 };
}

void chart_clear(struct chart *c)
{
	arena_clear(&c->mem);
	*c = (struct chart){ 0 };
}

struct chart_panel *chart_panel(struct chart *c, enum panel_kind kind, const char *title)
{
	return ARENA_PUSH(&c->mem, c->panel, c->npanel, c->cap,
		(struct chart_panel){ .kind = kind, .title = title });
}

void chart_names(struct chart *c, struct chart_panel *p, size_t n)
{
	p->nname = n;
	p->whole = arena_array(&c->mem, n, sizeof(*p->whole));
	FILL(p->whole, n, "");
	p->name = p->brief = p->whole;
}

void chart_name(struct chart *c, struct chart_panel *p, size_t i, struct span name)
{
	p->whole[i] = chart_text(c, name);
}

static double *unknowns(struct chart *c, size_t n)
{
	double *v = arena_array(&c->mem, n, sizeof(*v));

	FILL(v, n, NAN);
	return v;
}

struct chart_series *chart_series(struct chart *c, struct chart_panel *p, enum mark mark,
	const char *title, enum theme_color color, size_t n)
{
	struct chart_series *s = ARENA_PUSH(&c->mem, p->series, p->nseries, p->cap,
		(struct chart_series){ .title = title, .mark = mark, .color = color, .n = n });

	s->y = unknowns(c, n);
	if (p->kind == PANEL_XY || p->kind == PANEL_FLAME || p->kind == PANEL_LANES ||
		p->kind == PANEL_BLOCKS)
		s->x = unknowns(c, n);
	if (p->kind == PANEL_LANES || p->kind == PANEL_BLOCKS || mark == MARK_BAND ||
		mark == MARK_RANGE || mark == MARK_FLOAT || mark == MARK_BOX)
		s->hi = unknowns(c, n);
	if (s->hi || mark == MARK_BOXES || mark == MARK_TILE)
		s->lo = unknowns(c, n);
	if (mark == MARK_BUBBLE)
		s->size = unknowns(c, n);
	if (mark == MARK_TILE || mark == MARK_BUBBLE)
		s->label = arena_array(&c->mem, n, sizeof(*s->label));
	if (p->kind == PANEL_LANES || p->kind == PANEL_FLAME)
		s->inside = arena_array(&c->mem, n, sizeof(*s->inside));
	if (mark != MARK_BOX)
		return s;
	s->box_lo = unknowns(c, n);
	s->box_hi = unknowns(c, n);
	return s;
}

void chart_line(
	struct chart *c, struct chart_panel *p, const char *title, double at, bool is_upright)
{
	ARENA_PUSH(&c->mem, p->line, p->nline, p->line_cap,
		(struct chart_line){ .title = title, .at = at, .is_upright = is_upright });
}

bool chart_refuse(struct chart *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	c->why = arena_vprintf(&c->mem, fmt, ap);
	va_end(ap);
	return false;
}

const char *chart_text(struct chart *c, struct span s)
{
	SCOPED_STR plain = { 0 };

	escape_terminal(&plain, s, true);
	return arena_copy(&c->mem, plain.s ? plain.s : "", plain.n);
}

/* ---- thinning ---- */

static bool rises(const struct chart_series *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (!(s->x[i] >= s->x[i - 1]))
			return false;
	return true;
}

/* Puts row i behind the n kept ones, in order, if it is not among them; returns how many. */
static size_t keep_row(size_t *keep, size_t n, size_t i)
{
	size_t at = n;

	while (at > 0 && keep[at - 1] > i)
		at--;
	if (at > 0 && keep[at - 1] == i)
		return n;
	for (size_t k = n; k > at; k--)
		keep[k] = keep[k - 1];
	keep[at] = i;
	return n + 1;
}

/* The rows of one column, [from, to), that must stay, in order: at most KEPT_MAX. */
static size_t keep_column(const struct chart_series *s, size_t from, size_t to, size_t *keep)
{
	size_t low = from, high = from, gap = from, n = 0;

	for (size_t i = from; i < to; i++) {
		if (isnan(s->y[low]) || s->y[i] < s->y[low])
			low = i;
		if (isnan(s->y[high]) || s->y[i] > s->y[high])
			high = i;
		if (isnan(s->y[i]) && !isnan(s->y[gap]))
			gap = i;
	}
	n = keep_row(keep, n, from);
	n = keep_row(keep, n, low);
	n = keep_row(keep, n, high);
	n = keep_row(keep, n, gap);
	return keep_row(keep, n, to - 1);
}

static void thin_series(struct chart_series *s)
{
	double first = s->x[0], span = s->x[s->n - 1] - first;
	size_t from = 0, to, out = 0;

	while (from < s->n) {
		size_t keep[KEPT_MAX];
		size_t column = saturate_size((s->x[from] - first) / span * CHART_COLUMNS_MAX);

		for (to = from + 1; to < s->n; to++)
			if (saturate_size((s->x[to] - first) / span * CHART_COLUMNS_MAX) != column)
				break;
		size_t n = keep_column(s, from, to, keep);
		for (size_t i = 0; i < n; i++, out++) {
			s->x[out] = s->x[keep[i]];
			s->y[out] = s->y[keep[i]];
		}
		from = to;
	}
	s->n = out;
}

void chart_thin(struct chart *c)
{
	for (EACH(const struct chart_panel, panel, c->panel, c->npanel)) {
		for (EACH(struct chart_series, s, panel->series, panel->nseries)) {
			bool is_line = s->mark == MARK_LINE || s->mark == MARK_STEP ||
				s->mark == MARK_POINTS || s->mark == MARK_DOTTED;

			if (s->x && is_line && s->n > 4 * CHART_COLUMNS_MAX && rises(s) &&
				s->x[s->n - 1] > s->x[0])
				thin_series(s);
		}
	}
}

/* ---- titles ---- */

void chart_say(struct chart *c, const char *what)
{
	if (!strstr(c->title, what))
		c->title = arena_printf(
			&c->mem, "%s%s%s", c->title, strstr(c->title, ": ") ? ", " : ": ", what);
}

void chart_note(struct chart *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const char *what = arena_vprintf(&c->mem, fmt, ap);
	va_end(ap);
	if (!c->note)
		c->note = what;
	else if (!strstr(c->note, what))
		c->note = arena_printf(&c->mem, "%s; %s", c->note, what);
}

void chart_title_alone(struct chart *c)
{
	if (c->npanel == 1 && c->panel[0].title)
		chart_say(c, c->panel[0].title);
}

/* ---- values by themselves ---- */

static bool is_lone(const struct chart_series *s, size_t i)
{
	return !isnan(s->y[i]) && (i == 0 || isnan(s->y[i - 1])) &&
		(i + 1 == s->n || isnan(s->y[i + 1]));
}

static void dot_series(struct chart *c, struct chart_panel *p, size_t which)
{
	const struct chart_series *s = &p->series[which];
	size_t n = 0, i;

	for (i = 0; i < s->n; i++)
		n += is_lone(s, i);
	if (n == 0)
		return;
	struct chart_series *dots = chart_series(c, p, MARK_POINTS, NULL, s->color, n);
	s = &p->series[which];
	for (n = i = 0; i < s->n; i++) {
		if (!is_lone(s, i))
			continue;
		dots->x[n] = s->x[i];
		dots->y[n++] = s->y[i];
	}
}

void chart_dot(struct chart *c)
{
	for (EACH(struct chart_panel, p, c->panel, c->npanel)) {
		size_t n = p->nseries;

		for (size_t j = 0; j < n && p->kind == PANEL_XY; j++)
			if (p->series[j].mark == MARK_LINE)
				dot_series(c, p, j);
	}
}

bool chart_has_bubbles(const struct chart_panel *p)
{
	return p->kind == PANEL_XY && ANY(i, p->nseries, p->series[i].mark == MARK_BUBBLE);
}

static bool has_known(const double *v, size_t n)
{
	return v && ANY(i, n, !isnan(v[i]));
}

bool chart_has_values(const struct chart *c)
{
	for (EACH(const struct chart_panel, p, c->panel, c->npanel)) {
		if (p->kind == PANEL_TEXT || has_known(p->cell, p->nrow * p->nname))
			return true;
		for (size_t j = 0; j < p->nseries; j++)
			if (has_known(p->series[j].y, p->series[j].n) ||
				has_known(p->series[j].lo, p->series[j].n))
				return true;
	}
	return false;
}

/* ---- ranges ---- */

struct range {
	double min, max;
};

static void widen(struct range *r, double v)
{
	if (!isfinite(v))
		return;
	r->min = MIN(v, r->min);
	r->max = MAX(v, r->max);
}

static void widen_all(struct range *r, const double *v, size_t n)
{
	for (size_t i = 0; v && i < n; i++)
		widen(r, v[i]);
}

static bool finish(const struct range *r, double *min, double *max)
{
	*min = r->min;
	*max = r->max;
	return r->min <= r->max;
}

static void widen_lines(struct range *r, const struct chart_panel *p, bool is_upright)
{
	for (EACH(const struct chart_line, line, p->line, p->nline))
		if (line->is_upright == is_upright)
			widen(r, line->at);
}

bool chart_range_x(const struct chart_panel *p, double *min, double *max)
{
	struct range r = { INFINITY, -INFINITY };

	for (EACH(const struct chart_series, series, p->series, p->nseries)) {
		widen_all(&r, series->x, series->n);
		if (series->mark == MARK_BOXES || series->mark == MARK_TILE)
			widen_all(&r, series->lo, series->n);
	}
	widen_lines(&r, p, true);
	return finish(&r, min, max);
}

/* Parts of a waterfall reach from lo to hi, whatever they are worth. */
static bool is_floating(const struct chart_panel *p)
{
	return p->nseries > 0 && p->series[0].mark == MARK_FLOAT;
}

bool chart_range_y(const struct chart_panel *p, double *min, double *max)
{
	struct range r = { INFINITY, -INFINITY };

	if (p->is_stacked && !is_floating(p))
		for (size_t i = 0; i < p->nname; i++) {
			double up = 0, down = 0;
			for (size_t j = 0; j < p->nseries; j++) {
				double v = p->series[j].y[i];

				up += MAX(v, 0);
				down += MIN(v, 0);
			}
			widen(&r, up);
			widen(&r, down);
		}
	for (size_t i = 0; i < p->nseries && (!p->is_stacked || is_floating(p)); i++) {
		const struct chart_series *s = &p->series[i];

		if (s->mark != MARK_FLOAT)
			widen_all(&r, s->y, s->n);
		if (s->mark != MARK_BOXES && s->mark != MARK_TILE)
			widen_all(&r, s->lo, s->n);
		widen_all(&r, s->hi, s->n);
	}
	if (p->kind == PANEL_BARS || p->kind == PANEL_ROWS)
		widen(&r, 0);
	widen_lines(&r, p, false);
	return finish(&r, min, max);
}

/* ---- names as pictures have room for them ---- */

static const char **shortened(
	struct arena *mem, const struct chart_panel *p, const struct span *whole, size_t letters)
{
	const struct span *text = names_shorten(mem, whole, p->nname, letters, true);
	const char **name = arena_array(mem, p->nname + 1, sizeof(*name));

	for (size_t i = 0; i < p->nname; i++)
		name[i] = text[i].p;
	return name;
}

void chart_shorten_names(struct chart *c)
{
	for (EACH(struct chart_panel, p, c->panel, c->npanel)) {
		struct span *whole = arena_array(&c->mem, p->nname + 1, sizeof(*whole));

		for (size_t i = 0; i < p->nname; i++)
			whole[i] = span_of(p->whole[i]);
		p->name = shortened(&c->mem, p, whole, THEME_NAME_LETTERS);
		p->brief = shortened(&c->mem, p, whole, THEME_BRIEF_LETTERS);
	}
}

/* ---- how much is shown ---- */

/* Above and below the rows of a picture, in lines of its letters; and the height of a row. */
static const double AROUND = 9, ROW = 1.2;

enum { ROWS_MIN = 3 };

/* Rows that the height of the picture has room for; 0: it is as high as they want. */
static size_t rows_of_height(const struct chart *c)
{
	const struct chart_look *look = &c->look;
	size_t down = c->ncol ? (c->npanel + c->ncol - 1) / c->ncol : 1;

	if (look->height == 0)
		return 0;
	double lines = look->height /
		(double)theme_font_px(look->width, look->height, MIN(c->npanel, c->ncol), down);
	lines = lines / (double)down - AROUND;
	return lines / ROW > ROWS_MIN ? saturate_size(lines / ROW) : ROWS_MIN;
}

/* The first `most` of n things stay; how many follow is a note. */
static void cut(struct chart *c, size_t *n, size_t most, const char *things)
{
	if (*n <= most)
		return;
	chart_note(c, "%zu more %s not shown", *n - most, things);
	*n = most;
}

static void cut_rows(struct chart *c, struct chart_panel *p, size_t most)
{
	cut(c, &p->nname, most, "bars");
	for (size_t i = 0; i < p->nseries; i++)
		p->series[i].n = p->nname;
}

void chart_limit(struct chart *c)
{
	size_t room = rows_of_height(c), wanted = c->look.limit;

	for (EACH(struct chart_panel, p, c->panel, c->npanel)) {
		size_t most = wanted && (room == 0 || wanted < room) ? wanted : room;

		if (p->kind == PANEL_ROWS && !p->is_stacked && p->nseries > 1 && room)
			most = MAX(most * 2 / (p->nseries + 1), 1);
		if (most && p->kind == PANEL_ROWS && p->things)
			p->most = MAX(most, ROWS_MIN);
		else if (most && p->kind == PANEL_ROWS)
			cut_rows(c, p, most);
		else if (wanted && p->kind == PANEL_XY && !p->alike && !chart_has_bubbles(p))
			cut(c, &p->nseries, wanted, "lines");
		else if (most && p->kind == PANEL_HEAT && p->is_plain)
			cut(c, &p->nrow, most, "rows");
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

	if (c->look.height == 0 || c->npanel < 2)
		return true;
	for (size_t across = 1; across <= c->npanel; across++) {
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
