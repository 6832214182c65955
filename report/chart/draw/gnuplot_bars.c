/*
 * Panels of bars, standing and lying: boxes from a low to a high end, stacked or beside each other.
 */
#include "report/chart/draw/gnuplot_panel.h"
#include "base/width.h"

enum {
	KEY_LETTERS = 8,      /* what an entry of the key takes beside its name */
	MARGINS = 4,          /* left of the names and right of the panel */
	KEY_LINES = 6,        /* below the axis, with a key of one line */
	VALUES_MAX = 24,      /* standing bars that have room for their value */
	TIC_LETTERS_MAX = 14, /* longer names are written aslant */
	DECIMALS_MAX = 5,
	NESTED = 2 /* letters that a name is moved in */
};

/* Of a category: where the whisker of a lying bar is, and the number above it. */
static const double WHISKER_DOWN = 0.22, NUMBER_UP = 0.14;

/* Width of one bar and the middle of that of series j, in categories. */
static double bar_width(const struct chart_panel *p)
{
	return p->is_stacked || p->nseries < 2 ? 0.74 : 0.82 / (double)p->nseries;
}

static double bar_middle(const struct chart_panel *p, size_t j)
{
	if (p->is_stacked || p->nseries < 2)
		return 0;
	return ((double)j + 0.5 - (double)p->nseries / 2) * bar_width(p);
}

/* Columns of series j in the data: after the index come y, lo and hi, and a box where there are. */
static size_t column_of(const struct chart_panel *p, size_t j)
{
	size_t column = 2;

	for (EACH(const struct chart_series, series, p->series, j))
		column +=
			1u + (series->lo != NULL) + (series->hi != NULL) + (series->box_lo ? 2 : 0);
	return column;
}

/* "((known(2)+known(3))/1e6)": the sum of the first n series. */
static void put_sum(struct str *b, const struct chart_panel *p, size_t n, double divisor)
{
	str_adds(b, "((0");
	for (size_t i = 0; i < n; i++)
		str_addf(b, "+known(%zu)", column_of(p, i));
	panel_put(b, ")/%n)", divisor);
}

static void put_extent(struct str *b, const struct chart_panel *p, size_t j, double divisor)
{
	if (p->series[j].mark == MARK_FLOAT || p->series[j].mark == MARK_BOX) {
		size_t first = column_of(p, j) + (p->series[j].mark == MARK_BOX ? 3 : 1);

		panel_put(b, "($%zu/%n):($%zu/%n)", first, divisor, first + 1, divisor);
	} else if (p->is_stacked) {
		put_sum(b, p, j, divisor);
		str_addc(b, ':');
		put_sum(b, p, j + 1, divisor);
	} else {
		panel_put(b, "(0):($%zu/%n)", column_of(p, j), divisor);
	}
}

/* boxxyerror: x : y : xlow : xhigh : ylow : yhigh. */
static void put_bars_using(
	struct str *b, const struct chart_panel *p, size_t j, const struct gnuplot_axis *y)
{
	double middle = bar_middle(p, j), half = bar_width(p) / 2;
	SCOPED_STR across = { 0 };

	str_addf(&across, "($1%+.4f):($1%+.4f)", middle - half, middle + half);
	if (p->kind == PANEL_ROWS) {
		str_addf(b, " using (0):($1):");
		put_extent(b, p, j, y->scale.divisor);
		str_addf(b, ":%s", across.s);
	} else {
		str_addf(b, " using ($1):(0):%s:", across.s);
		put_extent(b, p, j, y->scale.divisor);
	}
	str_addf(b, " with boxxyerror lc rgb c_%s", theme_word(p->series[j].color));
}

/* A dot's or bar's number stands at its end, above the whisker, which is moved down in lying bars
 * of one series; where there are more there is no room for that. */
bool gnuplot_is_above_whisker(const struct chart_panel *p, size_t j)
{
	return p->kind == PANEL_ROWS && p->nseries == 1 && p->series[j].mark == MARK_RANGE;
}

/* Bars from lo to hi over those of y. */
static void put_whiskers(struct str *b, const struct chart_panel *p, size_t j, size_t index,
	const struct gnuplot_axis *y)
{
	double middle = bar_middle(p, j);
	int column = (int)column_of(p, j);

	if (gnuplot_is_above_whisker(p, j))
		middle += WHISKER_DOWN;
	panel_put(b, ", \\\n     data index %zu using ", index);
	if (p->kind == PANEL_ROWS)
		panel_put(b, "%k:($1%+.4f)", column, y, middle);
	else
		panel_put(b, "($1%+.4f):%k", middle, column, y);
	panel_put(b, ":%k:%k with %s pt -1 lw 1.5 lc rgb c_%s notitle", column + 1, y, column + 2,
		y, p->kind == PANEL_ROWS ? "xerrorbars" : "yerrorbars", theme_word(COLOR_BLACK));
}

/* The line across a box of a lying panel: of no length along the axis. */
static void put_middle(struct str *b, const struct chart_panel *p, size_t j, size_t index,
	const struct gnuplot_axis *y)
{
	double half = bar_width(p) / 2;

	panel_put(b,
		", \\\n     data index %zu using %k:($1%+.4f):(0):(%.4f) with vectors nohead lw 3 lc "
		"rgb c_%s notitle",
		index, (int)column_of(p, j), y, bar_middle(p, j) - half, 2 * half,
		theme_word(COLOR_BLACK));
}

/* Decimals with which a value shows three digits that count, as few as two for large numbers and at
 * most DECIMALS_MAX, so that bars of one picture that differ have numbers that do. */
static int value_decimals(double shown)
{
	struct unit_range g = { 0 };

	unit_range_add(&g, shown);
	int most = unit_scale_plain(g).decimals;
	most = MIN(most, 2);
	if (shown == 0 || fabs(shown) >= 1)
		return most;
	int need = 2 - (int)saturate_whole(floor(log10(fabs(shown))));
	return MIN(need, DECIMALS_MAX);
}

void gnuplot_value(struct str *text, const struct chart_panel *p, size_t i, double v,
	const struct gnuplot_axis *y)
{
	static const double least = 1e-5; /* of which DECIMALS_MAX show one digit */
	struct unit_scale s = y->scale;
	double shown = v / s.divisor;

	s.suffix = "";
	s.decimals = value_decimals(shown);
	if (p->y.unit == UNIT_RATIO && fabs(shown) >= 0.1)
		s.decimals = 1;
	if (v != 0 && fabs(shown) < least) {
		str_adds(text, v > 0 ? "< 0.00001" : "> -0.00001");
		return;
	}
	if (v > 0 && ANY(k, p->nseries, p->series[k].mark == MARK_FLOAT && p->series[k].lo[i] > 0))
		str_addc(text, '+');
	unit_put(text, v, s);
}

static double bar_end(const struct chart_panel *p, size_t i, size_t j)
{
	if (!p->is_stacked)
		return p->series[j].y[i];
	double sum = SUM(double, k, p->nseries, isnan(p->series[k].y[i]) ? 0 : p->series[k].y[i]);
	return sum;
}

/* Where the number of a bar stands: behind whiskers, and behind floating bars of any series. */
static double highest(const struct chart_panel *p, size_t i, size_t j, double top)
{
	for (size_t k = 0; k < p->nseries; k++) {
		const struct chart_series *s = &p->series[k];

		if (!s->hi || (k != j && s->mark != MARK_FLOAT) || isnan(s->hi[i]))
			continue;
		if (s->mark == MARK_FLOAT)
			top = MAX(s->hi[i], s->lo[i]);
		else if (s->hi[i] > top)
			top = s->hi[i];
	}
	return top;
}

/* The number at the end of each bar; of a whole stack once. */
static void put_values(struct str *b, const struct chart_panel *p, const struct gnuplot_axis *y)
{
	size_t n = p->is_stacked ? 1 : p->nseries;

	for (size_t i = 0; i < p->nname; i++) {
		for (size_t j = 0; j < n; j++) {
			double v = bar_end(p, i, j), at = (double)i + bar_middle(p, j);
			SCOPED_STR text = { 0 };
			double top = v;

			if (isnan(v))
				continue;
			if (gnuplot_is_above_whisker(p, j))
				at -= NUMBER_UP;
			else
				top = highest(p, i, j, top);
			top = MAX(top, 0) / y->scale.divisor;
			gnuplot_value(&text, p, i, v, y);
			if (p->kind == PANEL_ROWS)
				panel_put(b,
					"set label %q at first %.9g, first %.4f left offset 0.6,0 front "
					"textcolor rgb c_text\n",
					text.s, top, at);
			else
				panel_put(b,
					"set label %q at first %.4f, first %.9g center offset 0,0.6 front "
					"textcolor rgb c_text\n",
					text.s, at, top);
		}
	}
}

size_t panel_every(const struct chart_panel *p, const char *const *name, size_t n)
{
	size_t letters = 0, most = p->room.letters * 3 / 4;

	for (size_t i = 0; i < n; i++)
		if (name[i] && name[i][0])
			letters += width_of(span_of(name[i])) + 2;
	return letters > most && most ? (letters + most - 1) / most : 1;
}

/* Names below standing bars: every k-th where there are too many. */
static void put_bar_names(struct str *b, const struct chart_panel *p)
{
	size_t longest = MOST(size_t, i, p->nname, width_of(span_of(p->name[i])) + 2);
	size_t every = panel_every(p, p->name, p->nname);

	if (longest > TIC_LETTERS_MAX && p->nname <= VALUES_MAX) {
		every = 1;
		str_adds(b, "set xtics rotate by -25 left\n");
		str_addf(b, "set bmargin %zu\n", 4 + longest / 3);
	}
	str_adds(b, "set xtics (");
	for (size_t i = 0; i < p->nname; i += every)
		panel_put(b, "%s%t %zu", i ? ", " : "", p->name[i], i);
	str_adds(b, ") scale 0\n");
}

/* Names of rows take less than half of a narrow picture. */
static const char **row_names(const struct chart_panel *p)
{
	return p->room.letters < 2 * THEME_NAME_LETTERS ? p->brief : p->name;
}

/* Letters that the name of row i takes; nested ones are moved in. */
static size_t row_letters(const struct chart_panel *p, size_t i)
{
	return width_of(span_of(row_names(p)[i])) + (p->depth ? NESTED * p->depth[i] : 0);
}

static size_t longest_row(const struct chart_panel *p)
{
	size_t most = MOST(size_t, i, p->nname, row_letters(p, i));

	return MAX(most, 4);
}

/* Names end at the axis; where some are nested they begin at the left, each below its parent. */
static void put_row_names(struct str *b, const struct chart_panel *p)
{
	const char **name = row_names(p);
	size_t longest = longest_row(p);

	str_addf(b, "set lmargin %zu\n", longest + 3);
	for (size_t i = 0; p->depth && i < p->nname; i++)
		panel_put(b,
			"set label %q at graph 0, first %zu left offset %.1f,0 textcolor rgb c_text\n",
			name[i], i, (double)(NESTED * p->depth[i]) - (double)longest - 1);
	if (p->depth) {
		str_adds(b, "unset ytics\n");
		return;
	}
	str_adds(b, "set ytics (");
	for (size_t i = 0; i < p->nname; i++)
		panel_put(b, "%s%t %zu", i ? ", " : "", name[i], i);
	str_adds(b, ") scale 0\n");
}

size_t panel_key_lines(const struct chart_panel *p)
{
	bool has_bubbles = chart_has_bubbles(p);
	size_t longest = 0, n = 0, names = (p->kind == PANEL_ROWS ? longest_row(p) : 4) + MARGINS;
	size_t wide = p->room.letters > names ? p->room.letters - names : 0;

	for (EACH(const struct chart_series, series, p->series, p->nseries)) {
		const char *title = series->title;
		size_t w = title ? width_of(span_of(title)) : 0;

		if (has_bubbles && !series->size)
			continue; /* a line that has its name on it */
		longest = MAX(w, longest);
		n += title != NULL;
	}
	size_t across = MAX(wide / (longest + KEY_LETTERS), 1);
	return (n + across - 1) / across;
}

void panel_key_room(struct str *b, const struct chart_panel *p)
{
	size_t lines = panel_key_lines(p);

	if (p->room.key > 0)
		str_addf(b, "set key at screen 0.5,%.4f center\n", p->room.key);
	else if (p->room.key < 0)
		str_adds(b, "unset key\n");
	else if (lines)
		str_addf(b, "set bmargin %zu\n", KEY_LINES - 1 + lines + lines / 4);
}

void panel_bars(struct str *b, const struct chart_panel *p, size_t *index)
{
	struct gnuplot_axis y = gnuplot_axis_y(p);
	bool is_lying = p->kind == PANEL_ROWS;

	panel_label(b, is_lying ? 'x' : 'y', &p->y, &y);
	panel_label(b, is_lying ? 'y' : 'x', &p->x, &(struct gnuplot_axis){ .scale.suffix = "" });
	panel_range(b, is_lying ? 'x' : 'y', y.min, y.max);
	panel_format(b, is_lying ? 'x' : 'y', &p->y, &y);
	if (is_lying) {
		panel_range(b, 'y', (double)p->nname - 0.4, -0.6);
		str_adds(b, "set grid noytics xtics\n");
		put_row_names(b, p);
	} else {
		panel_range(b, 'x', -0.6, (double)p->nname - 0.4);
		put_bar_names(b, p);
	}
	if (p->has_values && (is_lying || p->nname * p->nseries <= VALUES_MAX))
		put_values(b, p, &y);
	panel_lines(b, p, &y, &y);
	panel_key_room(b, p);
	str_adds(b, p->nseries ? "plot " : "plot NaN notitle");
	for (size_t j = 0; j < p->nseries; j++) {
		str_addf(b, "%sdata index %zu", j ? ", \\\n     " : "", *index);
		put_bars_using(b, p, j, &y);
		panel_put(b, p->series[j].title ? " title %q" : " notitle", p->series[j].title);
		if (p->series[j].hi && p->series[j].mark != MARK_FLOAT)
			put_whiskers(b, p, j, *index, &y);
		if (p->series[j].mark == MARK_BOX && is_lying)
			put_middle(b, p, j, *index, &y);
	}
	str_addc(b, '\n');
	(*index)++;
}
