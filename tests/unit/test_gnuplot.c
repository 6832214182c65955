/*
 * Charts for gnuplot: data, script, quoting; texts and keys that leave room for the lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/charts.h"
#include "report/gnuplot.h"
#include "tests/unit/report_text.h"

static struct chart_series *line(struct chart *c, size_t n)
{
	struct chart_panel *p = chart_panel(c, PANEL_XY, NULL);

	return chart_series(c, p, MARK_LINE, "a", COLOR_COMPUTE, n);
}

/* Nothing but zeros: an axis to one, not to a hundredth of a byte; counts have whole tics. */
static void test_axis_of_zeros_and_counts(void **state)
{
	static const char *const asks[] = { NULL };
	struct chart c;
	struct chart_series *s;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 2);
	s->x[0] = s->y[0] = s->y[1] = 0;
	s->x[1] = 3;
	c.panel[0].x = (struct chart_axis){ "step", UNIT_COUNT, NULL, false, false, 0 };
	c.panel[0].y = (struct chart_axis){ "memory", UNIT_BYTES, NULL, true, false, 0 };
	assert_true(gnuplot_axis_y(&c.panel[0]).min == 0);
	assert_in_range(gnuplot_axis_y(&c.panel[0]).max, 1, 2);
	gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
	assert_non_null(strstr(b.s, "set xtics 1\n"));
	assert_null(strstr(b.s, "set ytics 1\n"));
	str_free(&b);
	chart_clear(&c);
}

/* Values whose distance is no number have an axis all the same. */
static void test_axis_of_huge_values(void **state)
{
	static const char *const asks[] = { NULL };
	struct chart c;
	struct chart_series *s;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", "t");
	s = line(&c, 2);
	s->x[0] = s->y[0] = -1e308;
	s->x[1] = s->y[1] = 1e308;
	gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
	assert_null(strstr(b.s, "inf"));
	assert_null(strstr(b.s, "nan"));
	str_free(&b);
	chart_clear(&c);
}

/* A box: its middle, the ends of the whisker, the ends of the box, in this order. */
static void test_boxes(void **state)
{
	static const char *const asks[] = { NULL };
	struct chart c;
	struct chart_panel *p;
	struct chart_series *s;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_ROWS, NULL);
	chart_names(&c, p, 1);
	chart_name(&c, p, 0, SPAN("forward"));
	s = chart_series(&c, p, MARK_BOX, "ms", COLOR_OTHER, 1);
	s->y[0] = 30;
	s->lo[0] = 10;
	s->hi[0] = 90;
	s->box_lo[0] = 20;
	s->box_hi[0] = 40;
	gnuplot_data(&b, &c);
	assert_non_null(strstr(b.s, "\n 0 30 10 90 20 40 # forward\n"));
	str_free(&b);
	gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
	assert_non_null(strstr(b.s, "using (0):($1):($5/1):($6/1):"));
	assert_non_null(strstr(b.s, "using ($2/1):($1+0.0000):($3/1):($4/1) with xerrorbars"));
	str_free(&b);
	chart_clear(&c);
}

/* Titles and names of lines of three hundred letters leave room for the lines. */
static void test_long_texts_are_cut(void **state)
{
	static const char *const asks[] = { NULL };
	char text[301];
	struct chart c;
	struct str b = { 0 };
	const char *s;
	size_t i;

	(void)state;
	memset(text, 'n', 300);
	text[0] = 'A';
	text[299] = 'Z';
	text[300] = '\0';
	chart_init(&c, "t", "t");
	c.ncol = 2;
	for (i = 0; i < 2; i++) {
		struct chart_panel *p = chart_panel(&c, PANEL_XY, text);
		struct chart_series *l = chart_series(&c, p, MARK_LINE, text, COLOR_COPY, 1);

		l->x[0] = l->y[0] = 1;
	}
	gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
	s = strstr(b.s, "set title 'Ann");
	assert_non_null(s);
	assert_in_range(strcspn(s + 11, "'"), 50, 70);
	s = strstr(b.s, "set label 'Ann");
	assert_non_null(s);
	assert_in_range(strcspn(s + 11, "'"), 15, 30);
	assert_non_null(strstr(b.s, "set rmargin 26\n"));
	str_free(&b);
	chart_clear(&c);
}

/* Forty columns of cells: names with room for them; few have all. */
static void test_names_of_cells(void **state)
{
	static const char *const asks[] = { NULL };
	size_t n, i;

	(void)state;
	for (n = 8; n <= 40; n += 32) {
		struct chart c;
		struct chart_panel *p;
		struct str b = { 0 };
		const char *s;
		size_t found = 0;

		chart_init(&c, "t", "t");
		p = chart_panel(&c, PANEL_HEAT, NULL);
		chart_names(&c, p, n);
		p->nrow = 1;
		p->row = arena_array(&c.mem, 1, sizeof(*p->row));
		p->row[0] = "latency";
		p->cell = arena_array(&c.mem, n, sizeof(*p->cell));
		for (i = 0; i < n; i++)
			chart_name(&c, p, i, SPAN("BS=1024"));
		gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
		for (s = b.s; (s = strstr(s, "BS=1024")); s++)
			found++;
		assert_int_equal(found, n == 8 ? 8 : 10);
		str_free(&b);
		chart_clear(&c);
	}
}

/* A key of two lines needs a line more below the axis; so it is where long names take the room. */
static void test_room_for_keys(void **state)
{
	static const char *const asks[] = { NULL },
				 *const title[] = { "host", "data loader", "synchronising",
					 "between kernels", "other" };
	static const char *const name[] = { "GPU 0",
		"a name of forty-four letters and not one more" };
	static const char *const margin[] = { "set bmargin 6\n", "set bmargin 7\n" };
	size_t i, j;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct chart c;
		struct chart_panel *p;
		struct str b = { 0 };

		chart_init(&c, "t", "t");
		p = chart_panel(&c, PANEL_ROWS, NULL);
		p->is_stacked = true;
		chart_names(&c, p, 1);
		chart_name(&c, p, 0, span_of(name[i]));
		for (j = 0; j < COUNT_OF(title); j++)
			chart_series(&c, p, MARK_LINE, title[j], COLOR_COPY, 1)->y[0] = 1;
		gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
		assert_non_null(strstr(b.s, margin[i]));
		str_free(&b);
		chart_clear(&c);
	}
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_axis_of_zeros_and_counts),
		cmocka_unit_test(test_axis_of_huge_values),
		cmocka_unit_test(test_boxes),
		cmocka_unit_test(test_long_texts_are_cut),
		cmocka_unit_test(test_names_of_cells),
		cmocka_unit_test(test_room_for_keys),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_picture_by_suffix),
		cmocka_unit_test(test_direct_names_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
