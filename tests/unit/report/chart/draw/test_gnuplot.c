/* Charts for gnuplot: data, script, quoting; texts and keys that leave room for the lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/chart/charts.h"
#include "report/chart/draw/gnuplot.h"
#include "report/escape.h"
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

/* Values whose distance is not a number have an axis all the same. */
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
	s = chart_series(&c, p, MARK_BOX, "ms", COLOR_SHADE, 1);
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
	s = strstr(b.s, "\nAnn");
	assert_non_null(s);
	assert_in_range(strcspn(s + 1, "\n"), 50, 70);
	s = strstr(s + 1, "\nAnn");
	assert_non_null(s);
	assert_in_range(strcspn(s + 1, "\n"), 15, 30);
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

/* Numbers at bars: three digits that count, whatever the unit of the axis; large ones as before. */
static void test_values(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} at[] = { { 12.345e9, "12.35" }, { 113.42e9, "113.4" }, { 93.4e6, "0.0934" },
		{ 94.1e6, "0.0941" }, { 89e6, "0.0890" }, { 123e6, "0.123" }, { 1e9, "1" },
		{ 0, "0" }, { 1e3, "< 0.00001" }, { -1e3, "> -0.00001" }, { -93.4e6, "-0.0934" } };
	struct chart_panel p = { .kind = PANEL_ROWS, .y.unit = UNIT_NS };
	struct gnuplot_axis y = { .scale = { 1e9, -1, " s" } };
	SCOPED_STR b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(at); i++) {
		str_reset(&b);
		gnuplot_value(&b, &p, 0, at[i].ns, &y);
		assert_string_equal(b.s, at[i].text);
	}
}

/* The mean of a lying bar with a whisker stands at the mean; the whisker is below it. */
static void test_number_above_whisker(void **state)
{
	static const char *const asks[] = { NULL };
	struct chart_series *s;
	struct chart_panel *p;
	struct chart c;
	struct str b = { 0 };

	(void)state;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_ROWS, NULL);
	p->has_values = true;
	chart_names(&c, p, 1);
	chart_name(&c, p, 0, SPAN("gemm"));
	s = chart_series(&c, p, MARK_RANGE, NULL, COLOR_SHADE, 1);
	s->y[0] = 30;
	s->lo[0] = 10;
	s->hi[0] = 90;
	gnuplot_script(&b, &c, "d", "p", PICTURE_SVG, asks);
	assert_non_null(strstr(b.s, "at first 30, first -0.1400 left"));
	assert_non_null(strstr(b.s, "($1+0.2200):($3/1):($4/1) with xerrorbars"));
	str_free(&b);
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
		"# traceq: t, base units (ns, bytes, ratios); NaN: not known\n"
		"# x, a\n 1 0.5\n 2 NaN\n\n\n"
		"# index, mean\\n, # name\n 0 3 1 9 # x\\n# 1 2\n\n\n");
	str_free(&b);
	chart_clear(&c);
}

/* The line of the block of texts that a draft of one text becomes, without its end. */
static void line_of(struct str *out, const struct str *draft, enum picture kind)
{
	static const char head[] = "$text << END_OF_TEXTS", tail[] = "END_OF_TEXTS";
	SCOPED_STR b = { 0 };
	const char *line, *end;

	gnuplot_finish(&b, draft->s, kind);
	assert_memory_equal(b.s, head, sizeof(head) - 1);
	line = strchr(b.s, '\n') + 1;
	end = strchr(line, '\n');
	assert_memory_equal(end + 1, tail, sizeof(tail) - 1);
	assert_non_null(strstr(end, "$text[1]"));
	assert_null(strstr(end, "$text[2]"));
	str_adds(out, "");
	str_add(out, line, (size_t)(end - line));
}

/* A text as the block for SVG has it. */
static void want(struct str *b, const char *text, bool is_tic)
{
	const char *at;

	str_adds(b, "");
	for (at = text; *at; at++) {
		if (*at == '>' && at >= text + 2 && memcmp(at - 2, "]]", 2) == 0)
			str_addc(b, ' ');
		str_addc(b, *at);
		if (is_tic && *at == '%')
			str_addc(b, '%');
	}
}

static void check_quoted(struct span text)
{
	char *s = malloc(text.n + 1);
	struct str b = { 0 }, plain = { 0 }, is = { 0 }, wanted = { 0 };

	memcpy(s, text.p, text.n);
	s[text.n] = '\0';
	escape_terminal(&plain, span_of(s), true);
	want(&wanted, plain.n ? plain.s : "", false);
	gnuplot_quote(&b, s);
	line_of(&is, &b, PICTURE_SVG);
	assert_true(is_harmless(is.s, ""));
	assert_string_equal(is.s, wanted.s);
	str_reset(&b);
	str_reset(&is);
	str_reset(&wanted);
	gnuplot_quote_tic(&b, s);
	line_of(&is, &b, PICTURE_SVG);
	want(&wanted, plain.n ? plain.s : "", true);
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
		struct str b = { 0 }, is = { 0 }, script = { 0 };

		gnuplot_quote_file(&b, own[i]);
		line_of(&is, &b, PICTURE_PNG);
		assert_string_equal(is.s, own[i]);
		gnuplot_finish(&script, b.s, PICTURE_PNG);
		assert_non_null(strstr(script.s, "\"./\" . $text[1]"));
		str_free(&b);
		str_free(&is);
		str_free(&script);
	}
}

/* The block of texts ends where it should, whatever they are. */
static void test_end_of_texts(void **state)
{
	struct str draft = { 0 }, script = { 0 };

	(void)state;
	gnuplot_quote(&draft, "END_OF_TEXTS");
	gnuplot_quote(&draft, " END_OF_TEXTS_");
	gnuplot_quote(&draft, "");
	gnuplot_finish(&script, draft.s, PICTURE_SVG);
	assert_string_equal(script.s,
		"$text << END_OF_TEXTS__\nEND_OF_TEXTS\n END_OF_TEXTS_\n\nEND_OF_TEXTS__\n"
		"$text[1]$text[2]$text[3]");
	str_free(&draft);
	str_free(&script);
}

/* Nothing of an input is in a script but in the block of texts. */
static void test_no_text_of_an_input(void **state)
{
	static const char *const asks[] = { "top", NULL };
	static const char text[] = "'lead @A `touch X`\\";
	const char *commands;
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
	commands = strstr(b.s, "\nEND_OF_TEXTS\n");
	assert_non_null(commands);
	assert_null(strpbrk(commands, "@`"));
	assert_null(strstr(commands, "lead"));
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
			struct str b = { 0 }, is = { 0 };

			gnuplot_quote(&b, own[i].text);
			line_of(&is, &b, (enum picture)kind);
			assert_string_equal(is.s, kind == PICTURE_SVG ? own[i].svg : own[i].png);
			str_free(&b);
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
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_number_above_whisker),
		cmocka_unit_test(test_data),
		cmocka_unit_test(test_quote),
		cmocka_unit_test(test_quote_file),
		cmocka_unit_test(test_end_of_texts),
		cmocka_unit_test(test_no_text_of_an_input),
		cmocka_unit_test(test_fit),
		cmocka_unit_test(test_picture_by_suffix),
		cmocka_unit_test(test_direct_names_keep_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
