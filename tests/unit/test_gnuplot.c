/*
 * Charts for gnuplot: data, script, quoting; texts and keys that leave room for the lines.
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/charts.h"
#include "report/escape.h"
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
	s = strstr(b.s, "set title \"Ann");
	assert_non_null(s);
	assert_in_range(strcspn(s + 11, "\""), 50, 70);
	s = strstr(b.s, "set label \"Ann");
	assert_non_null(s);
	assert_in_range(strcspn(s + 11, "\""), 15, 30);
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

/*
 * What gnuplot makes of a string of its language in double quotes: numbers of three digits, of four
 * where the first is 0.  Nothing else is in it but letters, digits and marks that mean nothing.
 */
static void decode(struct str *out, const char *s)
{
	size_t n = strlen(s), i;

	assert_true(n >= 2 && s[0] == '"' && s[n - 1] == '"');
	str_adds(out, "");
	for (i = 1; i + 1 < n; i++) {
		if (s[i] == '\\') {
			size_t most = s[i + 1] == '0' ? 4 : 3,
			       digits = strspn(s + i + 1, "01234567");

			digits = digits < most ? digits : most;
			assert_int_equal(digits, 3);
			str_addc(out,
				(char)strtol((char[]){ s[i + 1], s[i + 2], s[i + 3], 0 }, NULL, 8));
			i += 3;
			continue;
		}
		assert_true((unsigned char)s[i] >= 0x80 || isalnum((unsigned char)s[i]) ||
			strchr(" _-+.,:=/()%", s[i]));
		str_addc(out, s[i]);
	}
}

static void check_quoted(struct span text)
{
	char *s = malloc(text.n + 1);
	struct str b = { 0 }, plain = { 0 }, is = { 0 }, wanted = { 0 };
	size_t i;

	memcpy(s, text.p, text.n);
	s[text.n] = '\0';
	escape_terminal(&plain, span_of(s), true);
	str_adds(&wanted, plain.n ? plain.s : "");
	gnuplot_quote(&b, s);
	assert_true(is_harmless(b.s, ""));
	decode(&is, b.s);
	assert_string_equal(is.s, wanted.s);
	str_reset(&b);
	str_reset(&is);
	str_reset(&wanted);
	gnuplot_quote_tic(&b, s);
	decode(&is, b.s);
	str_adds(&wanted, "");
	for (i = 0; i < plain.n; i++) {
		if (plain.s[i] == '%')
			str_addc(&wanted, '%');
		str_addc(&wanted, plain.s[i]);
	}
	assert_string_equal(is.s, wanted.s);
	str_free(&b);
	str_free(&plain);
	str_free(&is);
	str_free(&wanted);
	free(s);
}

static void test_quote(void **state)
{
	static const struct span own[] = { SPAN("it's"), SPAN("'"), SPAN("''; !rm '"), SPAN(""),
		SPAN("50% %s"), SPAN("`ls`"), SPAN("a\\"), SPAN("\"\n!ls"), SPAN("@GPVAL_PWD"),
		SPAN("Array<256, '08>"), SPAN("x''y"), SPAN("\\0471"), SPAN("\xe4\xb8\xad<1") };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		check_quoted(own[i]);
	for (i = 0; i < HOSTILE_COUNT; i++)
		check_quoted(HOSTILE[i]);
}

/* A name of a file is kept byte by byte and is no pipe, no stdin, no folder of somebody's. */
static void test_quote_file(void **state)
{
	static const char *const own[] = { "<touch X;.dat", "|touch X;.svg", "-.dat", "~root.dat",
		"$data.dat", "it's \"@a\" `b`\\.dat", "\xff\xc3\xa4 7.dat", "+" };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(own); i++) {
		struct str b = { 0 }, is = { 0 };
		size_t j;

		gnuplot_quote_file(&b, own[i]);
		for (j = 0; j < b.n; j++)
			assert_true((unsigned char)b.s[j] < 0x80);
		decode(&is, b.s);
		assert_memory_equal(is.s, "./", 2);
		assert_string_equal(is.s + 2, own[i]);
		str_free(&b);
		str_free(&is);
	}
}

/* Nothing of an input but its texts is in a script, and those only as strings. */
static void test_no_text_of_an_input(void **state)
{
	static const char *const asks[] = { "top", NULL };
	static const char text[] = "'lead @A `touch X`\\";
	struct chart c;
	struct chart_panel *p;
	struct chart_series *s;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", text);
	p = chart_panel(&c, PANEL_ROWS, text);
	p->x.title = p->y.title = p->y.word = text;
	chart_names(&c, p, 1);
	chart_name(&c, p, 0, span_of(text));
	s = chart_series(&c, p, MARK_LINE, text, COLOR_COPY, 1);
	s->y[0] = 1;
	chart_line(&c, p, text, 1, true);
	p = chart_panel(&c, PANEL_TEXT, text);
	p->text = text;
	gnuplot_script(&b, &c, text, text, PICTURE_SVG, asks);
	assert_null(strpbrk(b.s, "@`"));
	assert_null(strstr(b.s, "'lead"));
	str_free(&b);
	chart_clear(&c);
}

/* What XML cannot hold, and letters the font of PNG and PDF does not have. */
static void test_fit(void **state)
{
	static const struct {
		const char *text, *svg, *png;
	} own[] = {
		{ "a]]>b", "a]] >b", "a]]>b" },
		{ "]]>]]>>]]]>", "]] >]] >>]]] >", "]]>]]>>]]]>" },
		{ "\xe4\xb8\xad \xf0\x9f\x94\xa5 \xc3\xa4\xce\xb1\xe2\x80\xa6",
			"\xe4\xb8\xad \xf0\x9f\x94\xa5 \xc3\xa4\xce\xb1\xe2\x80\xa6",
			"\xef\xbf\xbd \xef\xbf\xbd \xc3\xa4\xce\xb1\xe2\x80\xa6" },
	};
	size_t i;
	int kind;

	(void)state;
	for (i = 0; i < COUNT_OF(own); i++) {
		for (kind = 0; kind < PICTURES; kind++) {
			struct str b = { 0 }, fit = { 0 }, is = { 0 };

			gnuplot_quote(&b, own[i].text);
			gnuplot_fit(&fit, b.s, (enum picture)kind);
			decode(&is, fit.s);
			assert_string_equal(is.s, kind == PICTURE_SVG ? own[i].svg : own[i].png);
			str_free(&b);
			str_free(&fit);
			str_free(&is);
		}
	}
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
		cmocka_unit_test(test_quote_file),
		cmocka_unit_test(test_no_text_of_an_input),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_picture_by_suffix),
		cmocka_unit_test(test_direct_names_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
