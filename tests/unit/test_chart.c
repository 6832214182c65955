/*
 * Charts as data: thinning keeps extremes and order, ranges, names; and the script gnuplot gets.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/charts.h"
#include "report/gnuplot.h"
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

static void test_data(void **state)
{
	struct chart c;
	struct chart_panel *p;
	struct chart_series *s;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 2);
	s->x[0] = 1;
	s->y[0] = 0.5;
	s->x[1] = 2;
	p = chart_panel(&c, PANEL_ROWS, NULL);
	chart_names(&c, p, 1);
	chart_name(&c, p, 0, SPAN("x\n# 1 2"));
	s = chart_series(&c, p, MARK_RANGE, "mean\n", COLOR_COPY, 1);
	s->y[0] = 3;
	s->lo[0] = 1;
	s->hi[0] = 9;
	gnuplot_data(&b, &c);
	assert_string_equal(b.s,
		"# t: base units (ns, bytes, ratios); NaN: not known\n"
		"# x, a\n 1 0.5\n 2 NaN\n\n\n"
		"# index, mean\\n, # name\n 0 3 1 9 # x\\n# 1 2\n\n\n");
	str_free(&b);
	chart_clear(&c);
}

/* Outside of a string nothing of the text is left, whatever it is: quotes are even. */
static void check_quoted(struct span text)
{
	char *s = malloc(text.n + 1);
	struct str b = { 0 };
	size_t i, from = 0, quotes = 0;

	memcpy(s, text.p, text.n);
	s[text.n] = '\0';
	gnuplot_quote_tic(&b, s);
	assert_true(is_harmless(b.s, ""));
	/* Quotes that begin the text stand by themselves, as "'". */
	while (from + 4 < b.n && memcmp(b.s + from, "\"'\".", 4) == 0)
		from += 4;
	assert_int_equal(from / 4, strspn(s, "'"));
	assert_int_equal(b.s[from], '\'');
	assert_true(b.s[from + 1] != '\'' || from + 2 == b.n);
	assert_int_equal(b.s[b.n - 1], '\'');
	for (i = from + 1; i + 1 < b.n; i++) {
		quotes += b.s[i] == '\'';
		if (b.s[i] != '\'')
			assert_int_equal(quotes % 2, 0);
		if (b.s[i] == '%') {
			assert_int_equal(b.s[i + 1], '%');
			i++;
		}
	}
	assert_int_equal(quotes % 2, 0);
	str_free(&b);
	free(s);
}

static void test_quote(void **state)
{
	static const struct span own[] = { SPAN("it's"), SPAN("'"), SPAN("''; !rm '"),
		SPAN("50% %s"), SPAN("`ls`"), SPAN("a\\"), SPAN("\"\n!ls") };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		check_quoted(own[i]);
	for (i = 0; i < HOSTILE_COUNT; i++)
		check_quoted(HOSTILE[i]);
}

static void test_picture_by_suffix(void **state)
{
	(void)state;
	assert_int_equal(gnuplot_picture("a.svg"), PICTURE_SVG);
	assert_int_equal(gnuplot_picture("b.c.png"), PICTURE_PNG);
	assert_int_equal(gnuplot_picture("x/a.pdf"), PICTURE_PDF);
	assert_int_equal(gnuplot_picture("svg"), PICTURES);
	assert_int_equal(gnuplot_picture(".svg"), PICTURES);
	assert_int_equal(gnuplot_picture("a.gif"), PICTURES);
}

/* Names at the ends of lines keep apart, however close the lines end. */
static void test_direct_names_keep_apart(void **state)
{
	struct chart c;
	struct chart_panel *p;
	struct gnuplot_axis y;
	struct str b = { 0 };
	double last = 2, at;
	const char *place;
	size_t i, n = 0;

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_XY, NULL);
	for (i = 0; i < 6; i++) {
		struct chart_series *s = chart_series(&c, p, MARK_LINE, "line", theme_series(i), 1);

		s->x[0] = 1;
		s->y[0] = 100 + (double)i / 1000;
	}
	p->y.from_zero = true;
	assert_true(gnuplot_is_named_directly(p));
	y = gnuplot_axis_y(p);
	assert_int_equal(gnuplot_direct_names(&b, p, &y), 4);
	for (place = b.s; (place = strstr(place, "1.012,")); n++) {
		at = strtod(place += 6, NULL);
		assert_true(at >= 0 && at <= 1.1 && at < last - 0.05);
		last = at;
	}
	assert_int_equal(n, 6);
	str_free(&b);
	chart_clear(&c);
}

/* Each chart has an id of its own, words for people, and something to ask. */
static void test_catalogue(void **state)
{
	const struct answers none = { NULL, 0 };
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
		assert_false(chart_draw(all[i], &none, &c));
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
		cmocka_unit_test(test_thin_leaves_what_falls),
		cmocka_unit_test(test_range_of_stacks),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_picture_by_suffix),
		cmocka_unit_test(test_direct_names_keep_apart),
		cmocka_unit_test(test_catalogue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
