/* Charts as data: thinning keeps extremes and order, ranges, names, values by themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/chart/charts.h"
#include "report/chart/draw/gnuplot.h"
#include "tests/unit/report_text.h"

enum { MANY = 10 * 1000 * 1000, ROUNDS = 200 };

static struct chart_series *line(struct chart *c, size_t n)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);

	return chart_series(c, p, MARK_LINE, "a", COLOR_COMPUTE, n);
}

/* Ten million points with one spike up and one down: both are there afterwards, and few others. */
static void test_thin_keeps_extremes(void **state)
{
	struct chart c;
	struct chart_series *s;
	bool saw_up = false, saw_down = false;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, MANY);
	for (i = 0; i < MANY; i++) {
		s->x[i] = (double)i;
		s->y[i] = (double)(i % 7);
	}
	s->y[1234567] = 1000;
	s->y[7654321] = -1000;
	chart_thin(&c);
	assert_in_range(s->n, CHART_COLUMNS_MAX, 4 * (CHART_COLUMNS_MAX + 1));
	for (i = 0; i < s->n; i++) {
		saw_up |= s->x[i] == 1234567 && s->y[i] == 1000;
		saw_down |= s->x[i] == 7654321 && s->y[i] == -1000;
		assert_true(i == 0 || s->x[i] >= s->x[i - 1]);
	}
	assert_true(saw_up && saw_down);
	assert_true(s->x[0] == 0 && s->x[s->n - 1] == MANY - 1);
	chart_clear(&c);
}

/* Whatever the points, the range of what is left is the range of all of them. */
static void test_thin_keeps_range(void **state)
{
	unsigned seed = 7;
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		size_t n = 4001 + random_next(&seed) % 3000, i;
		double min, max, after_min, after_max;
		struct chart c;
		struct chart_series *s;

		chart_init(&c, "t", "t");
		s = line(&c, n);
		for (i = 0; i < n; i++) {
			size_t third = i / 3;

			s->x[i] = (double)third;
			s->y[i] = random_next(&seed) % 5 ? (double)random_next(&seed) : NAN;
		}
		assert_true(chart_range_y(&c.panel[0], &min, &max));
		chart_thin(&c);
		assert_true(chart_range_y(&c.panel[0], &after_min, &after_max));
		assert_true(min == after_min && max == after_max);
		chart_clear(&c);
	}
}

/* Where values are missing, the line stays broken: at the gap's place, whatever surrounds it. */
static void test_thin_keeps_gaps(void **state)
{
	struct chart c;
	struct chart_series *s;
	size_t i, gaps = 0;

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 100000);
	for (i = 0; i < s->n; i++) {
		s->x[i] = (double)i;
		s->y[i] = i == 50 || i == 77777 ? NAN : (double)(i % 7);
	}
	chart_thin(&c);
	assert_in_range(s->n, CHART_COLUMNS_MAX, 4 * (CHART_COLUMNS_MAX + 1));
	for (i = 0; i < s->n; i++) {
		assert_true(i == 0 || s->x[i] > s->x[i - 1]);
		if (!isnan(s->y[i]))
			continue;
		assert_true(s->x[i] == (gaps++ == 0 ? 50 : 77777));
	}
	assert_int_equal(gaps, 2);
	chart_clear(&c);
}

/* Names that are the same at both ends show their middles; others stay as they are. */
static void test_names_are_told_apart(void **state)
{
	static const char *const name[] = {
		"void at::native::elementwise_kernel<128, 2, direct_copy>(int, lambda(int)#1)",
		"void at::native::elementwise_kernel<128, 2, gelu_and_mul>(int, lambda(int)#1)",
		"void at::native::elementwise_kernel<128, 4, gelu_and_mul>(int, lambda(int)#1)",
		"Cijk_Alik_Bljk_B_BS_BH_Bias_HA_MT128x192_SN_LDSB0_AFC1_GRVW8_GSU0",
		"Cijk_Alik_Bljk_B_BS_BH_Bias_HA_MT256x192_SN_LDSB0_AFC1_GRVW8_GSU0", "short",
		"short"
	};
	struct chart c;
	struct chart_panel *p;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_ROWS, NULL);
	chart_names(&c, p, COUNT_OF(name));
	for (i = 0; i < COUNT_OF(name); i++)
		chart_name(&c, p, i, span_of(name[i]));
	chart_shorten_names(&c);
	assert_string_equal(p->name[0], "elementwise_kernel<128, 2, direct_copy>");
	assert_string_equal(p->name[1], "elementwise_kernel<128, 2, gelu_and_mul>");
	assert_string_equal(p->name[2], "elementwise_kernel<128, 4, gelu_and_mul>");
	assert_string_equal(p->brief[0], "elementwise_ke\u2026<direct_copy>");
	assert_string_equal(p->brief[1], "elementwise\u2026<gelu_and_mul\u20262>");
	assert_string_equal(p->brief[2], "elementwise\u2026<gelu_and_mul\u20264>");
	assert_string_equal(p->brief[3], "Cijk_Alik_Bljk_B_B\u2026MT128x192");
	assert_string_equal(p->brief[4], "Cijk_Alik_Bljk_B_B\u2026MT256x192");
	assert_string_equal(p->name[5], "short");
	assert_string_equal(p->name[6], "short");
	chart_clear(&c);
}

/* A value alone between gaps is a dot of its line's colour; lines without one have none. */
static void test_lone_values_are_dots(void **state)
{
	struct chart c;
	struct chart_series *s;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 5);
	for (i = 0; i < s->n; i++)
		s->x[i] = s->y[i] = (double)i;
	chart_dot(&c);
	assert_int_equal(c.panel[0].nseries, 1);
	s->y[1] = s->y[3] = NAN;
	chart_dot(&c);
	assert_int_equal(c.panel[0].nseries, 2);
	s = &c.panel[0].series[1];
	assert_int_equal(s->mark, MARK_POINTS);
	assert_int_equal(s->color, COLOR_COMPUTE);
	assert_int_equal(s->n, 3);
	assert_true(s->x[0] == 0 && s->x[1] == 2 && s->y[1] == 2 && s->x[2] == 4);
	assert_true(gnuplot_is_named_directly(&c.panel[0]));
	chart_clear(&c);
}

static void test_thin_leaves_what_falls(void **state)
{
	struct chart c;
	struct chart_series *s;
	size_t i;

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 5000);
	for (i = 0; i < 5000; i++)
		s->x[i] = s->y[i] = (double)(5000 - i);
	chart_thin(&c);
	assert_int_equal(s->n, 5000);
	chart_clear(&c);
}

/*
 *   first  ###=====      3 + 5 up
 *   second ##            2, and nothing known
 */
static void test_range_of_stacks(void **state)
{
	struct chart c;
	struct chart_panel *p;
	double min, max;

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_ROWS, NULL);
	p->is_stacked = true;
	chart_names(&c, p, 2);
	(void)chart_series(&c, p, MARK_LINE, "a", COLOR_COMPUTE, 2);
	(void)chart_series(&c, p, MARK_LINE, "b", COLOR_COPY, 2);
	p->series[0].y[0] = 3;
	p->series[1].y[0] = 5;
	p->series[0].y[1] = 2;
	assert_true(chart_range_y(p, &min, &max));
	assert_true(min == 0 && max == 8);
	p->is_stacked = false;
	assert_true(chart_range_y(p, &min, &max));
	assert_true(min == 0 && max == 5);
	chart_clear(&c);
}

/* Each chart has an id of its own, words for people, and something to ask. */
static void test_catalogue(void **state)
{
	const struct answers none = { .n = 0 };
	size_t n, i, j;
	const struct chart_kind *const *all = chart_all(&n);

	(void)state;
	assert_true(n > 10);
	for (i = 0; i < n; i++) {
		struct chart c;

		assert_true(all[i]->title[0] && all[i]->doc[0] && all[i]->source[0]);
		assert_non_null(all[i]->ask[0]);
		assert_ptr_equal(chart_find(all[i]->id), all[i]);
		for (j = 0; j < i; j++)
			assert_string_not_equal(all[i]->id, all[j]->id);
		assert_false(chart_draw(all[i], &none, NULL, &c));
		assert_non_null(c.why);
		chart_clear(&c);
	}
	assert_null(chart_find("no such"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thin_keeps_extremes),
		cmocka_unit_test(test_thin_keeps_range),
		cmocka_unit_test(test_names_are_told_apart),
		cmocka_unit_test(test_thin_keeps_gaps),
		cmocka_unit_test(test_lone_values_are_dots),
		cmocka_unit_test(test_thin_leaves_what_falls),
		cmocka_unit_test(test_range_of_stacks),
		cmocka_unit_test(test_catalogue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
