/* Places for names: of each the one of many around its disc that covers least. */
#include "report/chart/draw/labels.h"

#include "base/name/name.h"
#include "base/width.h"
#include "report/escape.h"

enum { DISCS_MAX = 12, AROUND = 16, RINGS = 3, ALONG = 9, NEAR = 3 };

static const double DISC_LEAST = 2.5, PAD = 4, PI_TWICE = 6.283185307179586;

/* What a place costs: a disc below it, a line through it, and being far from where it belongs. */
static const double COST_DISC = 40, COST_LINE = 14, COST_RING = 9, COST_EARLY = 15, COST_MOST = 95;

struct box {
	double left, right, low, high;
};

/* What is being drawn. */
struct scene {
	struct labels *l;
	const struct chart_panel *p;
	const struct label_area *a;
	double largest;
};

double labels_largest(const struct chart_panel *p)
{
	double most = 0;

	for (size_t j = 0; j < p->nseries; j++)
		for (size_t i = 0; p->series[j].size && i < p->series[j].n; i++)
			most = MAX(p->series[j].size[i], most);
	return most;
}

double labels_radius(const struct chart_series *s, size_t i, double largest, double disc)
{
	double r = s->size[i] > 0 ? disc * sqrt(s->size[i] / largest) : 0;

	return MAX(r, DISC_LEAST);
}

/* Where a value is along an axis, 0 at its low end, 1 at its high one. */
static double part_of(const struct chart_axis *axis, const struct gnuplot_axis *d, double v)
{
	v /= d->scale.divisor;
	if (axis->is_log)
		return log(v / d->min) / log(d->max / d->min);
	return (v - d->min) / (d->max - d->min);
}

static double at_x(const struct scene *c, double v)
{
	return part_of(&c->p->x, c->a->x, v) * c->a->width;
}

static double at_y(const struct scene *c, double v)
{
	return part_of(&c->p->y, c->a->y, v) * c->a->height;
}

/* ---- what is in the way ---- */

static struct box box_of(const struct label *l, const struct label_area *a)
{
	return (struct box){ l->x - PAD, l->x + l->width + PAD, l->y - a->line / 2,
		l->y + a->line / 2 };
}

/* How much of a disc's radius reaches into the box, 0 to 1. */
static double covers(const struct box *b, double x, double y, double r)
{
	double dx = x < b->left ? b->left - x : x > b->right ? x - b->right : 0;
	double dy = y < b->low ? b->low - y : y > b->high ? y - b->high : 0;
	double in = r - hypot(dx, dy);

	return in > 0 ? in / r : 0;
}

/* A stretch from one point to another passes the box. */
static bool passes(const struct box *b, double x0, double y0, double x1, double y1)
{
	enum { STEPS = 64 };

	for (int i = 0; i <= STEPS; i++) {
		double x = x0 + (x1 - x0) * i / STEPS, y = y0 + (y1 - y0) * i / STEPS;

		if (x > b->left && x < b->right && y > b->low && y < b->high)
			return true;
	}
	return false;
}

static double cost_of_line(const struct scene *c, const struct chart_series *s, const struct box *b)
{
	double cost = 0;

	for (size_t i = 1; i < s->n; i++)
		if (passes(b, at_x(c, s->x[i - 1]), at_y(c, s->y[i - 1]), at_x(c, s->x[i]),
			    at_y(c, s->y[i])))
			cost = COST_LINE;
	return cost;
}

static double cost_of_discs(
	const struct scene *c, const struct chart_series *s, const struct box *b)
{
	double cost = 0;

	for (size_t i = 0; i < s->n; i++) {
		double r = labels_radius(s, i, c->largest, c->a->disc);

		cost += COST_DISC * covers(b, at_x(c, s->x[i]), at_y(c, s->y[i]), r) *
			sqrt(r / c->a->disc);
	}
	return cost;
}

/* The line that leads from a name to its disc passes another's letters. */
static double leads_over(const struct label *l, const struct box *b)
{
	return l->is_away && passes(b, l->x + l->width / 2, l->y, l->to_x, l->to_y) ? COST_LINE : 0;
}

/* What it costs to stand there; INFINITY: it does not go. */
static double cost_at(const struct scene *c, const struct label *at)
{
	struct box b = box_of(at, c->a), all = { 0, c->a->width, 0, c->a->height };
	const struct chart_panel *p = c->p;
	double cost = 0;

	if (b.left < all.left || b.right > all.right || b.low < all.low || b.high > all.high)
		return INFINITY;
	for (size_t i = 0; i < c->l->n; i++) {
		struct box other = box_of(&c->l->v[i], c->a);

		if (b.left < other.right && other.left < b.right && b.low < other.high &&
			other.low < b.high)
			return INFINITY;
		cost += leads_over(&c->l->v[i], &b) + leads_over(at, &other);
	}
	for (EACH(const struct chart_series, series, p->series, p->nseries))
		cost += series->size ? cost_of_discs(c, series, &b) : cost_of_line(c, series, &b);
	return cost;
}

/* ---- places ---- */

static void take(const struct scene *c, const struct label *at, double extra, struct label *best,
	double *least)
{
	double cost = extra + cost_at(c, at);

	if (cost >= *least)
		return;
	*least = cost;
	*best = *at;
}

/* Around the disc, and farther away with a line that leads there. */
static void place_beside(const struct scene *c, struct label at)
{
	double least = COST_MOST;
	struct label best = at;

	for (int ring = 0; ring < RINGS; ring++) {
		double off = at.radius + PAD + ring * 1.3 * c->a->line;

		for (int k = 0; k < AROUND; k++) {
			double dx = cos(PI_TWICE * k / AROUND), dy = sin(PI_TWICE * k / AROUND);

			at.x = at.to_x + off * dx - at.width * (1 - dx) / 2;
			at.y = at.to_y + (off + c->a->line / 2) * dy;
			at.is_away = ring > 0;
			take(c, &at, COST_RING * ring, &best, &least);
		}
	}
	if (least < COST_MOST)
		c->l->v[c->l->n++] = best;
	else
		str_free(&at.text);
}

static struct label label_of(
	const struct scene *c, const char *text, size_t letters, enum theme_color color)
{
	struct label at = { .color = color };

	name_shorten(&at.text, span_of(text), letters, true);
	at.width = (double)width_of((struct span){ at.text.s, at.text.n }) * c->a->letter;
	return at;
}

static void name_lines(const struct scene *c)
{
	const struct chart_panel *p = c->p;

	for (size_t i = 0; i < p->nseries && c->l->n < LABELS_MAX - DISCS_MAX; i++) {
		const struct chart_series *s = &p->series[i];

		if (s->size || !s->title || s->n < 2)
			continue;
		struct label at = label_of(c, s->title, THEME_NAME_LETTERS, s->color);
		at.is_line = true;
		/*
		 * Along a line, from its right end: above it, left of it where it rises, below it.
		 */
		double x0 = at_x(c, s->x[0]), y0 = at_y(c, s->y[0]), least = INFINITY;
		double x1 = at_x(c, s->x[s->n - 1]), y1 = at_y(c, s->y[s->n - 1]);
		double high = c->a->line / 2 + 2, early;
		struct label best = at;
		for (int k = 0; k < ALONG; k++) {
			double x = x1 + (x0 - x1) * k / ALONG, y = y1 + (y0 - y1) * k / ALONG;

			at.x = x - at.width - (y1 > y0 + c->a->line ? 2 * PAD : PAD);
			at.y = y1 > y0 + c->a->line ? y : y + high;
			early = at.x < x0 && y1 <= y0 + c->a->line ? COST_EARLY : 0;
			take(c, &at, k + early, &best, &least);
			at.x = y1 > y0 + c->a->line ? x + 2 * PAD : at.x;
			at.y = y - high;
			take(c, &at, k + 2.0 + early, &best, &least);
		}
		if (isfinite(least))
			c->l->v[c->l->n++] = best;
		else
			str_free(&at.text);
	}
}

/* The largest disc that comes behind one of that size, and place: 0 where there is none. */
static double next_disc(const struct chart_panel *p, double before, size_t *series, size_t *disc)
{
	size_t from_j = *series, from_i = *disc;
	double most = 0;

	for (size_t j = 0; j < p->nseries; j++) {
		const struct chart_series *s = &p->series[j];

		for (size_t i = 0; s->size && i < s->n; i++) {
			bool is_behind = s->size[i] < before ||
				(s->size[i] == before &&
					(j > from_j || (j == from_j && i > from_i)));

			if (!is_behind || !(s->size[i] > most))
				continue;
			most = s->size[i];
			*series = j;
			*disc = i;
		}
	}
	return most;
}

/* The same name stands at a disc next to that one. */
static bool is_named_near(const struct scene *c, const struct label *at)
{
	for (EACH(const struct label, l, c->l->v, c->l->n)) {
		if (!l->is_line && strcmp(l->text.s, at->text.s) == 0 &&
			hypot(l->to_x - at->to_x, l->to_y - at->to_y) < NEAR * c->a->disc)
			return true;
	}
	return false;
}

void labels_place(struct labels *l, const struct chart_panel *p, const struct label_area *a)
{
	struct scene c = { l, p, a, labels_largest(p) };

	l->n = 0;
	name_lines(&c);
	double size = INFINITY;
	size_t j = 0, i = 0;
	for (size_t k = 0; k < DISCS_MAX && (size = next_disc(c.p, size, &j, &i)) > 0; k++) {
		const struct chart_series *s = &c.p->series[j];

		if (isnan(s->x[i]) || isnan(s->y[i]) || !s->label[i] || !s->label[i][0])
			continue;
		struct label at = label_of(&c, s->label[i], c.a->letters, s->color);
		at.to_x = at_x(&c, s->x[i]);
		at.to_y = at_y(&c, s->y[i]);
		at.radius = labels_radius(s, i, c.largest, c.a->disc);
		if (is_named_near(&c, &at))
			str_free(&at.text);
		else
			place_beside(&c, at);
	}
}

void labels_clear(struct labels *l)
{
	for (size_t i = 0; i < l->n; i++)
		str_free(&l->v[i].text);
	l->n = 0;
}

/* ---- names in boxes ---- */

enum { LETTERS_MIN = 3, NONE = -1 };

/* Where `what` begins in s, or NONE. */
static long find(struct span s, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= s.n; i++)
		if (memcmp(s.p + i, what, n) == 0)
			return (long)i;
	return NONE;
}

/* The last part of a path. */
static struct span without_folders(struct span s)
{
	size_t i = s.n;

	while (i > 0 && s.p[i - 1] != '/')
		i--;
	return (struct span){ s.p + i, s.n - i };
}

/* "file(12): name", "name (file:12)": its two parts. */
static bool split(struct span s, struct span *file, struct span *function)
{
	long at = find(s, "): "), open = find(s, " (");

	if (at != NONE && find((struct span){ s.p, (size_t)at }, "(") != NONE) {
		*file = (struct span){ s.p, (size_t)at + 1 };
		*function = (struct span){ s.p + at + 3, s.n - (size_t)at - 3 };
		return true;
	}
	if (open == NONE || s.p[s.n - 1] != ')' ||
		find((struct span){ s.p + open, s.n - (size_t)open }, ".py") == NONE)
		return false;
	*function = (struct span){ s.p, (size_t)open };
	*file = (struct span){ s.p + open + 2, s.n - (size_t)open - 3 };
	return true;
}

static void put_python(struct str *b, struct span file, struct span function, size_t letters)
{
	SCOPED_STR text = { 0 };

	file = without_folders(file);
	str_add(&text, function.p, function.n);
	str_adds(&text, "  ");
	str_add(&text, file.p, file.n);
	if (width_of((struct span){ text.s, text.n }) > letters)
		text.n = function.n;
	if (width_of((struct span){ text.s, text.n }) <= letters)
		str_add(b, text.s, text.n);
	else
		name_shorten(b, (struct span){ text.s, text.n }, letters, true);
}

void flame_name(struct str *b, const char *name, size_t letters)
{
	SCOPED_STR plain = { 0 };
	struct span file, function;

	escape_terminal(&plain, span_of(name), true);
	struct span s = (struct span){ plain.s ? plain.s : "", plain.n };
	if (width_of(s) <= letters)
		str_add(b, s.p, s.n);
	else if (letters >= LETTERS_MIN && s.n && split(s, &file, &function))
		put_python(b, file, function, letters);
	else if (letters >= LETTERS_MIN)
		name_shorten(b, s, letters, true);
}
