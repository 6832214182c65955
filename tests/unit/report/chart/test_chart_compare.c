/* Panels and bars of many ranks: the same axes, who stays, what is said of the rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "report/chart/figures.h"

/* A panel of two points: from 0 to `wide` at height y, as a step. */
static void put_panel(struct chart *c, const char *alike, const char *title, double wide, double y)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, title);
	struct chart_series *s = chart_series(c, p, MARK_STEP, "busy", COLOR_COMPUTE, 2);

	p->alike = alike;
	p->y = (struct chart_axis){ "share", UNIT_NS, NULL, true, false, 0 };
	s->x[0] = 0;
	s->x[1] = wide;
	s->y[0] = s->y[1] = y;
}

static const char *name(struct chart *c, size_t i)
{
	return arena_printf(&c->mem, "rank%zu", i);
}

/* Two that are alike reach as far as the wider and the higher of them; a third is by itself. */
static void test_axes_are_shared(void **state)
{
	struct chart c;

	(void)state;
	chart_init(&c, "t", "t");
	put_panel(&c, "a", "one", 10, 3);
	put_panel(&c, "a", "two", 7, 5);
	put_panel(&c, "b", "three", 99, 1);
	chart_compare(&c);
	assert_int_equal(c.npanel, 3);
	assert_true(c.panel[0].x_all.is_set && c.panel[0].x_all.max == 10);
	assert_true(c.panel[1].x_all.max == 10 && c.panel[1].y_all.max == 5);
	assert_true(c.panel[0].y_all.min == 3);
	assert_false(c.panel[2].x_all.is_set);
	assert_null(c.note); /* nobody asked who differs */
	chart_clear(&c);
}

/* Of ten one is at 20, the others at 10, 11 ... 12: it, the median and the lowest stay. */
static void test_many_panels(void **state)
{
	static const double y[] = { 10, 10, 11, 11, 20, 11, 11, 12, 12, 12 };
	const struct chart_series *band;
	struct chart c;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	c.things = "devices";
	for (i = 0; i < COUNT_OF(y); i++)
		put_panel(&c, "a", name(&c, i), 10, y[i]);
	chart_compare(&c);
	assert_int_equal(c.npanel, 3);
	assert_string_equal(c.panel[0].title, "rank0: the lowest");
	assert_string_equal(c.panel[1].title, "rank4: stands out");
	assert_string_equal(c.panel[2].title, "rank5: the median");
	assert_string_equal(c.note,
		"rank4 (20 ns) stands out in busy: median 11 ns; "
		"3 of 10 devices, a band of the others");
	/* The others are at 10 to 12, wherever one looks. */
	for (i = 0; i < 3; i++) {
		band = &c.panel[i].series[1];
		assert_int_equal(band->mark, MARK_BAND);
		assert_true(band->lo[0] == 10 && band->hi[0] == 12);
		assert_true(band->lo[band->n - 1] == 10 && band->hi[band->n - 1] == 12);
	}
	chart_clear(&c);
}

/* Bars of two steps on nine ranks: what differs is a part, though the sums are the same. */
static void test_many_panels_of_bars(void **state)
{
	const struct chart_panel *last;
	struct chart c;
	size_t i, k;

	(void)state;
	chart_init(&c, "t", "t");
	c.things = "devices";
	for (i = 0; i < 9; i++) {
		struct chart_panel *p = chart_panel(&c, PANEL_BARS, name(&c, i));

		p->alike = "step";
		p->is_stacked = true;
		p->y.unit = UNIT_NS;
		chart_names(&c, p, 2);
		chart_name(&c, p, 0, SPAN("3"));
		chart_name(&c, p, 1, SPAN("4"));
		(void)chart_series(&c, p, MARK_LINE, "compute", COLOR_COMPUTE, 2);
		(void)chart_series(&c, p, MARK_LINE, "waiting", COLOR_IDLE, 2);
		for (k = 0; k < 2; k++) {
			p->series[0].y[k] = i == 7 ? 90 : 60 + 10 * (double)k;
			p->series[1].y[k] = 100 - p->series[0].y[k];
		}
	}
	chart_compare(&c);
	last = &c.panel[c.npanel - 1];
	assert_string_equal(c.panel[c.npanel - 2].title, "rank7: stands out");
	assert_non_null(strstr(c.note, "rank7 (90 ns) stands out in compute: median 65 ns"));
	assert_string_equal(last->title, "mean of the other 6");
	assert_true(last->series[0].y[0] == 60 && last->series[0].y[1] == 70);
	assert_true(last->series[1].y[0] == 40 && last->series[1].y[1] == 30);
	assert_true(last->y_all.is_set && last->y_all.max == 100);
	chart_clear(&c);
}

static struct chart_panel *put_rows(struct chart *c, size_t n)
{
	struct chart_panel *p = chart_panel(c, PANEL_ROWS, NULL);
	size_t i;

	p->things = "streams";
	p->y.unit = UNIT_NS;
	chart_names(c, p, n);
	for (i = 0; i < n; i++)
		chart_name(c, p, i, span_of(name(c, i)));
	(void)chart_series(c, p, MARK_LINE, NULL, COLOR_COMPUTE, n);
	return p;
}

/* 100 bars, two of each rank, of two sorts: 4 of the first, 100 of the second; one is 300. */
static void test_many_bars(void **state)
{
	enum { N = 100 };
	double sort[N];
	struct chart c;
	struct chart_panel *p;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	p = put_rows(&c, N);
	for (i = 0; i < N; i++) {
		sort[i] = (double)(i % 2);
		p->series[0].y[i] = i == 41 ? 300 : i % 2 ? 100 : 4;
	}
	p->sort = sort;
	chart_compare(&c);
	p = &c.panel[0];
	/* Of each sort the lowest, the median, the highest, and one bar for the rest. */
	assert_int_equal(p->nname, 8);
	assert_string_equal(p->whole[0], "rank0: the lowest");
	assert_string_equal(p->whole[1], "rank48: the median");
	assert_string_equal(p->whole[2], "rank98: the highest");
	assert_string_equal(p->whole[3], "mean of the other 47");
	assert_true(p->series[0].y[3] == 4);
	assert_string_equal(p->whole[5], "rank41: stands out");
	assert_true(p->series[0].y[5] == 300 && p->series[0].y[7] == 100);
	assert_int_equal(p->series[0].n, 8);
	assert_string_equal(c.note, "rank41 (300 ns) stands out: median 100 ns; 6 of 100 streams");
	chart_clear(&c);
}

/* As many as there is room for stay as they are; what the chart says itself is enough. */
static void test_few_bars(void **state)
{
	struct chart c;
	struct chart_panel *p;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	p = put_rows(&c, CHART_ROWS_MAX);
	for (i = 0; i < CHART_ROWS_MAX; i++)
		p->series[0].y[i] = i == 3 ? 2 : 1;
	chart_note(&c, "rank3 is late");
	chart_compare(&c);
	assert_int_equal(c.panel[0].nname, CHART_ROWS_MAX);
	assert_string_equal(c.note, "rank3 is late");
	chart_clear(&c);
}

/*
 * Nine lines in one panel: eight at 1, 2 ... 8 from 0 to 10, of which one ends at 5, and one at 99.
 */
static void test_many_lines(void **state)
{
	const struct chart_series *s;
	struct chart_panel *p;
	struct chart c;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_XY, "Load");
	p->things = "GPUs";
	p->y.unit = UNIT_COUNT;
	for (i = 0; i < 9; i++) {
		struct chart_series *line =
			chart_series(&c, p, MARK_LINE, name(&c, i), COLOR_COMPUTE, 2);

		line->x[0] = 0;
		line->x[1] = i == 7 ? 5 : 10;
		line->y[0] = line->y[1] = i == 8 ? 99 : (double)i + 1;
	}
	chart_compare(&c);
	assert_int_equal(p->nseries, 4);
	s = p->series;
	assert_string_equal(s[1].title, "rank0: the lowest");
	assert_string_equal(s[2].title, "rank4: the median");
	assert_string_equal(s[3].title, "rank8: stands out");
	assert_string_equal(c.note,
		"rank8 (99) stands out in Load: median 5; 3 of 9 GPUs, a band of the others");
	assert_int_equal(s[0].mark, MARK_BAND);
	assert_true(s[0].lo[0] == 2 && s[0].hi[0] == 8);
	assert_true(s[0].lo[1] == 2 && s[0].hi[1] == 7); /* who is at 8 ends before */
	assert_true(s[1].color != s[2].color && s[2].color != s[3].color);
	chart_clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_axes_are_shared),
		cmocka_unit_test(test_many_panels),
		cmocka_unit_test(test_many_panels_of_bars),
		cmocka_unit_test(test_many_bars),
		cmocka_unit_test(test_few_bars),
		cmocka_unit_test(test_many_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
