/*
 * Documents: what each format makes of the same blocks, and that no name is obeyed in any of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/chart/draw/svg.h"
#include "report/page/page.h"
#include "report/page/section/section.h"
#include "tests/unit/report_text.h"

static const struct page_column COLUMNS[] = { { "name", false, true }, { "time", true, false } };

static const struct column RESULT[] = {
	COLUMN("name", "Name", CELL_TEXT, UNIT_NONE, COLUMN_ELASTIC),
	COLUMN("self_ns", "Self", CELL_INT, UNIT_NS, 0),
	COLUMN("share_ratio", "%", CELL_REAL, UNIT_RATIO, 0),
	COLUMN("nothing", "Nothing", CELL_INT, UNIT_COUNT, 0),
};

static void fill(struct page *d)
{
	struct page_block *b;

	page_init(d);
	d->title = "A title";
	d->subtitle = "of a page";
	d->about = "one";
	d->command = "traceq report 'a b'";
	page_origin(d, "recorded", "then");
	page_heading(d, "Heading");
	page_text(d, "Some %s.", "words");
	page_item(d, TONE_BAD, "worst");
	page_item(d, TONE_NONE, "plain");
	page_fact(d, "long title", "1");
	page_fact(d, "short", "2");
	b = page_table(d, "caption", COLUMNS, 2);
	PAGE_ROW(d, b, TONE_WARN, "a<b>", page_printf(d, "%d ms", 12));
	b->footnote = "the end";
	page_lines(d, "  as it\n  is `` so\n");
}

static void expect(const char *format, const char *want)
{
	struct page d;
	struct str out = { 0 };

	fill(&d);
	page_format_find(format)->put(&out, &d);
	assert_string_equal(out.s, want);
	str_free(&out);
	page_clear(&d);
}

#define RULE "=============================================================================="
#define LINE "------------------------------------------------------------------------------"

static void test_txt(void **state)
{
	(void)state;
	expect("txt",
		RULE "\nA TITLE\nof a page\n" RULE "\n\nHEADING\n" LINE "\nSome words.\n\n"
		     "!! worst\n-  plain\n\n"
		     "  long title  1\n  short       2\n\n"
		     "caption\n  name   time\n  a<b>  12 ms\n  the end\n\n"
		     "  as it\n  is `` so\n");
}

static void test_md(void **state)
{
	(void)state;
	expect("md",
		"## A title\n\nof a page\n\n### Heading\n\nSome words.\n\n"
		"- \xe2\x9d\x8c worst\n- plain\n\n"
		"- **long title**: 1\n- **short**: 2\n\n"
		"caption\n\n| name | time |\n| :-- | --: |\n"
		"| \xe2\x9a\xa0\xef\xb8\x8f a&lt;b&gt; | 12 ms |\n\nthe end\n\n"
		"```text\n  as it\n  is `` so\n```\n");
}

static void test_html(void **state)
{
	struct page d;
	struct str out = { 0 };

	(void)state;
	fill(&d);
	page_format_find("html")->put(&out, &d);
	assert_non_null(strstr(out.s, "<title>A title: one</title>"));
	assert_non_null(strstr(out.s, "<h1>A title</h1>"));
	assert_non_null(strstr(out.s, "<dt>recorded</dt><dd>then</dd>"));
	assert_non_null(strstr(out.s, "<code>traceq report &#39;a b&#39;</code>"));
	/* The answer stands above the sections, not in its own. */
	assert_non_null(strstr(out.s,
		"<main id=\"main\">\n<p class=\"answer bad\"><span class=\"tone bad\">bad</span> "
		"worst</p>\n<section aria-labelledby=\"s0\">\n<h2 id=\"s0\">Heading</h2>\n"));
	assert_null(strstr(out.s, "worst</li>"));
	assert_non_null(strstr(out.s, "<ul>\n<li>plain</li>\n</ul>\n<dl>\n"));
	assert_non_null(strstr(out.s, "<div><dt>long title</dt><dd>1</dd></div>"));
	assert_non_null(strstr(out.s, "<th scope=\"col\" class=\"n\">time</th>"));
	assert_non_null(
		strstr(out.s, "a&lt;b&gt;</th><td class=\"n\" data-value=\"12000000\">12 ms</td>"));
	assert_non_null(strstr(out.s, "  as it\n  is `` so\n</pre>"));
	assert_null(strstr(out.s, "http:"));
	assert_null(strstr(out.s, "https:"));
	assert_null(strstr(out.s, "url("));
	str_free(&out);
	page_clear(&d);
}

/* Also a last line that nothing ends. */
static void test_lines(void **state)
{
	struct page d;
	struct str out = { 0 };

	(void)state;
	page_init(&d);
	page_lines(&d, "a<\n\nb");
	page_format_find("html")->put(&out, &d);
	assert_non_null(strstr(out.s, ">a&lt;\n\nb\n</pre>"));
	str_free(&out);
	page_clear(&d);
}

/* Everything that can be named by an input, named like that. */
static void fill_hostile(struct page *d, const char *name)
{
	struct page_block *b;
	struct chart_panel *p;
	struct chart c;

	page_init(d);
	d->title = name;
	d->subtitle = name;
	d->about = name;
	d->command = name;
	page_origin(d, name, "%s", name);
	page_heading(d, name);
	page_text(d, "%s", name);
	page_item(d, TONE_WARN, "%s", name);
	page_fact(d, name, "%s", name);
	b = page_table(d, name, COLUMNS, 2);
	PAGE_ROW(d, b, TONE_NONE, name);
	b->footnote = name;
	chart_init(&c, "t", "t");
	p = chart_panel(&c, PANEL_ROWS, chart_text(&c, span_of(name)));
	chart_names(&c, p, 1);
	chart_name(&c, p, 0, span_of(name));
	chart_series(&c, p, MARK_LINE, name, COLOR_COPY, 1)->y[0] = 1;
	page_chart(d, &c, "a b(c).svg");
}

/* Outside of tags there is no "<" of a name, and inside of them no quote of one. */
static void check_html(const char *s)
{
	const char *p;
	bool in_tag = false;
	size_t scripts = 0;

	for (p = s; *p; p++) {
		if (*p == '<') {
			assert_false(in_tag);
			in_tag = true;
			assert_true(p[1] == '/' || p[1] == '!' || (p[1] >= 'a' && p[1] <= 'z'));
			scripts += strncmp(p, "<script", 7) == 0;
			assert_int_not_equal(strncmp(p, "<img", 4), 0);
		} else if (*p == '>') {
			in_tag = false;
		}
	}
	assert_false(in_tag);
	assert_int_equal(scripts, 1); /* the page's own */
}

/* The one link of the page is its picture. */
static void check_md(const char *s)
{
	const char *p;

	for (p = s; (p = strstr(p, "](")); p++)
		assert_true(p > s && (p[-1] == '\\' || strncmp(p, "](a%20b%28c%29.svg)", 19) == 0));
	for (p = s; *p; p++)
		if (*p == '<')
			assert_true(p > s && p[-1] == '\\');
}

static void test_hostile(void **state)
{
	static const struct span own[] = { SPAN("</title><script>alert(1)</script>"),
		SPAN("\"><img src=x onerror=y>"), SPAN("](javascript:x)"), SPAN("a | b\n# c"),
		SPAN("`````"), SPAN("<!-- "), SPAN("]]>&amp;'") };
	static const char *const formats[] = { "txt", "md", "html" };
	size_t i, k, n = sizeof(own) / sizeof(own[0]);

	(void)state;
	for (i = 0; i < n + HOSTILE_COUNT; i++) {
		struct span from = i < n ? own[i] : HOSTILE[i - n];
		char *name = malloc(from.n + 1);

		memcpy(name, from.p, from.n);
		name[from.n] = '\0';
		for (k = 0; k < 3; k++) {
			struct page d;
			struct str out = { 0 };

			fill_hostile(&d, name);
			page_format_find(formats[k])->put(&out, &d);
			assert_true(is_harmless(out.s, "\n"));
			if (k == 2)
				check_html(out.s);
			if (k == 1)
				check_md(out.s);
			str_free(&out);
			page_clear(&d);
		}
		free(name);
	}
}

/* What a cell shows, in base units: tables are sorted by it. */
static void test_number(void **state)
{
	static const struct {
		const char *text;
		double want;
	} cells[] = { { "2.140 ms", 2140000 }, { "98.72 us", 98720 }, { "1,234,567", 1234567 },
		{ "1.50 KiB", 1536 }, { "12.5%", 0.125 }, { "-0.194 ms", -194000 },
		{ "+3.1%", 0.031 }, { "8.76 +/- 0.45", 8.76 }, { "3.35 TB/s", 3.35e12 },
		{ "-20.1% to -3.5%", -0.201 }, { "< 0.01", 0.01 }, { "at most 1.50 KiB", 1536 },
		{ "about -.5 ms", -5e5 }, { "7", 7 } };
	static const char *const words[] = { "-", "", "n/a", "yes", "." };
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cells) / sizeof(cells[0]); i++)
		assert_true(fabs(page_number(cells[i].text) - cells[i].want) <=
			1e-9 * fabs(cells[i].want));
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		assert_true(isnan(page_number(words[i])));
}

/* Only the columns asked for that have a value; per cent where the heading does not say so. */
static void test_pick(void **state)
{
	static const struct page_picks picks = { NULL, 2,
		.pick = { { "share_ratio", "share" }, { "self_ns", NULL }, { "nothing", NULL },
			{ "no such", NULL } } };
	struct result r;
	struct table *t;
	struct page d;
	size_t i;

	(void)state;
	result_init(&r, "traceq.top/1");
	t = result_table(&r, "ops", NULL, RESULT, 4);
	for (i = 0; i < 3; i++) {
		table_row(t);
		table_int(t, 1, (int64_t)(i + 1) * 1000000);
		table_real(t, 2, 0.25);
	}
	page_init(&d);
	page_pick_table(&d, t, &picks);
	page_pick_table(&d, NULL, &picks);
	assert_int_equal(d.n, 1);
	assert_int_equal(d.block[0].ncol, 2);
	assert_int_equal(d.block[0].nrow, 2);
	assert_string_equal(d.block[0].cell[0], "25.0%");
	assert_string_equal(d.block[0].cell[1], "1.000 ms");
	assert_string_equal(d.block[0].footnote, "the first 2 of 3");
	assert_string_equal(page_value(&d, t, 0, "nothing"), "-");
	assert_string_equal(page_value(&d, NULL, 0, "nothing"), "-");
	page_clear(&d);
	result_clear(&r);
}

/* Ticks are round, rising, within the axis and up to its end, and there are some. */
static void test_ticks(void **state)
{
	static const double most[] = { 0.7, 1, 3, 4.53, 4.99, 5, 9, 10, 47, 99, 101, 12345, 1e9,
		1e-9 };
	size_t i, k, n;
	double tick[8];

	(void)state;
	for (i = 0; i < sizeof(most) / sizeof(most[0]); i++) {
		const struct gnuplot_axis d = { .min = 0, .max = most[i], .scale.divisor = 1 };

		n = svg_ticks(&d, false, tick);
		assert_in_range(n, 3, 8);
		for (k = 0; k < n; k++) {
			assert_true(tick[k] >= 0 && tick[k] <= most[i] * 1.000001);
			assert_true(k == 0 || tick[k] > tick[k - 1]);
		}
		assert_true(tick[n - 1] + (tick[1] - tick[0]) > most[i] * 0.999999);
	}
}

/* Whatever is asked, a section of no answers writes nothing that is not a heading of its own. */
static void test_sections_of_nothing(void **state)
{
	const struct answers none = { .n = 0 };
#define X(name) #name,
	static const char *const styles[] = { STYLES(X) };
#undef X
	size_t i, k;

	(void)state;
	for (i = 0; i < COUNT_OF(styles); i++) {
		const struct style *style = style_find(styles[i]);

		assert_string_equal(style->name, styles[i]);
		for (k = 0; style->section[k]; k++) {
			const struct section *s = style->section[k];
			struct page d;
			size_t c;

			page_init(&d);
			section_write(s, &none, &d);
			page_clear(&d);
			for (c = 0; s->chart[c]; c++)
				assert_non_null(chart_find(s->chart[c]));
		}
	}
	assert_null(style_find("no such"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_txt),
		cmocka_unit_test(test_md),
		cmocka_unit_test(test_html),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_number),
		cmocka_unit_test(test_pick),
		cmocka_unit_test(test_ticks),
		cmocka_unit_test(test_sections_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
