/* Axes as they are drawn: range, unit, title; and the names at the ends of lines. */
#include "report/chart/draw/gnuplot_panel.h"
#include "base/width.h"

static const double HEADROOM = 0.06, ROWS_ROOM = 0.16, TEXT_SPACING = 0.062, VALUE_MAX = 1e300,
		    LOG_ROOM = 1.3, NAMES_ROOM = 0.16;

enum { NAMED_MAX = 12 };

static struct unit_scale scale_of(const struct chart_axis *a, double min, double max)
{
	struct unit_range g = { 0 };

	unit_range_add(&g, max);
	if (a->is_log)
		unit_range_add(&g, min);
	switch (a->unit) {
	case UNIT_NS:
	case UNIT_TIMESTAMP: return unit_scale_time(g, NULL);
	case UNIT_BYTES: return unit_scale_bytes(g);
	case UNIT_BYTES_PER_S: return unit_scale_rate(g);
	case UNIT_FLOPS: return unit_scale_flops(g);
	case UNIT_NJ: return unit_scale_energy(g);
	case UNIT_RATIO: return (struct unit_scale){ 0.01, 0, "%" };
	case UNIT_NONE:
	case UNIT_COUNT:
	case UNIT_OF_ROW: break;
	}
	return (struct unit_scale){ 1, -1, "" };
}

static struct gnuplot_axis axis(const struct chart_axis *a, double min, double max, double room)
{
	struct gnuplot_axis d = { .is_known = true, .is_count = a->unit == UNIT_COUNT };

	if (a->from_zero && !a->is_log)
		min = MIN(min, 0);
	if (a->at_least > max)
		max = a->at_least;
	d.scale = scale_of(a, min, fabs(min) > fabs(max) ? -min : max);
	if (a->is_log) {
		d.min = min / d.scale.divisor / LOG_ROOM;
		d.max = max / d.scale.divisor * LOG_ROOM;
		return d;
	}
	double span = max > min ? max - min : fabs(max) > 0 ? fabs(max) : d.scale.divisor;
	if (a->from_zero && max <= 0 && min >= 0)
		max = span; /* nothing but zeros: not a hundredth of a byte above them */
	/* An axis that ends where its meaning ends (100%) gets no room behind. */
	if (max > a->at_least || a->at_least <= 0)
		max += span * room;
	if (min < 0 || !a->from_zero)
		min -= span * HEADROOM;
	d.min = min / d.scale.divisor;
	d.max = max / d.scale.divisor;
	return d;
}

/* No axis reaches where the space between its ends is no number any more. */
static void bound(double *min, double *max)
{
	*min = fmin(fmax(*min, -VALUE_MAX), VALUE_MAX);
	*max = fmin(fmax(*max, -VALUE_MAX), VALUE_MAX);
}

/* Of panels that share the axis, the values of all of them. */
static void share(const struct chart_range *all, bool *is_known, double *min, double *max)
{
	if (!all->is_set)
		return;
	*is_known = true;
	*min = all->min;
	*max = all->max;
}

struct gnuplot_axis gnuplot_axis_y(const struct chart_panel *p)
{
	double min = 0, max = 1;
	bool is_known = chart_range_y(p, &min, &max);

	share(&p->y_all, &is_known, &min, &max);
	if (!is_known)
		min = max = 0;
	bound(&min, &max);
	bool is_named = p->kind == PANEL_XY && ANY(i, p->nline, p->line[i].is_upright);
	double room = p->kind == PANEL_ROWS && p->has_values ? ROWS_ROOM
		: is_named                                   ? NAMES_ROOM
							     : HEADROOM;
	struct gnuplot_axis d = axis(&p->y, min, max, room);
	d.is_known = is_known;
	return d;
}

struct gnuplot_axis gnuplot_axis_z(const struct chart_panel *p)
{
	struct chart_range all = { false, 0, 0 };
	struct chart_axis z = p->z;

	if (!z.title)
		return (struct gnuplot_axis){
			.min = 0, .max = 1, .scale = { 1, -1, "" }, .is_known = true
		};
	for (size_t i = 0; i < p->nrow * p->nname; i++)
		if (p->cell[i] > all.max)
			all.max = p->cell[i];
	bound(&all.min, &all.max);
	z.from_zero = true;
	return axis(&z, 0, all.max, 0);
}

size_t gnuplot_every_row(size_t n)
{
	return n > CHART_ROWS_MAX ? (n + CHART_ROWS_MAX - 1) / CHART_ROWS_MAX : 1;
}

/* Times are read off in full, so x has no room at its sides but for dots. */
struct gnuplot_axis gnuplot_axis_x(const struct chart_panel *p)
{
	double min = 0, max = 1;
	bool is_known = chart_range_x(p, &min, &max);

	share(&p->x_all, &is_known, &min, &max);
	if (!is_known)
		min = max = 0;
	bound(&min, &max);
	struct gnuplot_axis d = axis(&p->x, min, max, 0.02);
	d.is_known = is_known;
	if (is_known && min == max && !p->x.is_log && d.scale.divisor == 1) {
		/* one step, one run: not a hundredth of one beside it; but seen beside 1e18 */
		double beside = fmax(1, fabs(max) / 1e9);

		d.min = min - beside;
		d.max = max + beside;
	} else if (!p->x.is_log && !p->x.from_zero) {
		double span = max > min       ? max - min
			: p->x.at_least > max ? p->x.at_least - max
			: fabs(max) > 0       ? fabs(max)
					      : 1;

		d.min = (min - span * 0.02) / d.scale.divisor;
	}
	return d;
}

void gnuplot_axis_title(struct str *b, const struct chart_axis *a, const struct gnuplot_axis *d)
{
	const char *unit = a->word ? a->word : d->scale.suffix;

	while (*unit == ' ')
		unit++;
	str_adds(b, a->title ? a->title : "");
	if (*unit)
		str_addf(b, a->title ? " (%s)" : "%s", unit);
}

bool gnuplot_is_named_directly(const struct chart_panel *p)
{
	size_t n = 0;

	if (p->kind != PANEL_XY)
		return false;
	for (EACH(const struct chart_series, series, p->series, p->nseries)) {
		const struct chart_series *s = series;

		if (s->mark == MARK_BOXES || s->mark == MARK_RANGE ||
			(s->mark == MARK_POINTS && s->title))
			return false;
		n += series->title != NULL;
	}
	for (size_t i = 0; i < p->nline; i++)
		n += !p->line[i].is_upright;
	return n > 0 && n <= NAMED_MAX;
}

struct end {
	const char *text;
	enum theme_color color;
	double at; /* 0 at the bottom of the panel, 1 at its top */
};

static double height_at(const struct chart_panel *p, const struct gnuplot_axis *y, double v)
{
	v /= y->scale.divisor;
	return p->y.is_log ? log(v / y->min) / log(y->max / y->min)
			   : (v - y->min) / (y->max - y->min);
}

static size_t collect(const struct chart_panel *p, const struct gnuplot_axis *y, struct end *end)
{
	size_t n = 0, j;

	for (EACH(const struct chart_series, s, p->series, p->nseries)) {
		for (j = s->n; j > 0 && isnan(s->y[j - 1]); j--)
			continue;
		if (s->title && j > 0 && n < NAMED_MAX)
			end[n++] = (struct end){ s->title, s->color, height_at(p, y, s->y[j - 1]) };
	}
	for (EACH(const struct chart_line, line, p->line, p->nline))
		if (!line->is_upright && n < NAMED_MAX)
			end[n++] =
				(struct end){ line->title, COLOR_BLACK, height_at(p, y, line->at) };
	return n;
}

size_t gnuplot_direct_names(
	struct str *b, const struct chart_panel *p, const struct gnuplot_axis *y)
{
	struct end end[NAMED_MAX];
	size_t n = collect(p, y, end), longest = 0;

	/* From the top down, each at least a line of text below the one before; then back up. */
	size_t j;
	for (size_t i = 1; i < n; i++) {
		struct end moving = end[i];

		for (j = i; j > 0 && end[j - 1].at < moving.at; j--)
			end[j] = end[j - 1];
		end[j] = moving;
	}
	for (size_t i = 1; i < n; i++)
		if (end[i].at > end[i - 1].at - TEXT_SPACING)
			end[i].at = end[i - 1].at - TEXT_SPACING;
	if (n > 0 && end[n - 1].at < 0.02)
		end[n - 1].at = 0.02;
	for (size_t i = n; i-- > 1;)
		if (end[i - 1].at < end[i].at + TEXT_SPACING)
			end[i - 1].at = end[i].at + TEXT_SPACING;
	for (EACH(const struct end, e, end, n)) {
		SCOPED_STR name = { 0 };

		gnuplot_shorten(&name, e->text, THEME_LINE_LETTERS);
		size_t len = width_of((struct span){ name.s, name.n });
		longest = MAX(len, longest);
		panel_put(b, "set label %q at graph 1.012,%.4f left textcolor rgb l_%s\n", name.s,
			e->at, theme_word(e->color));
	}
	return longest;
}
