/* Names in panels of discs: none covers another, all are inside, the largest discs come first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/compiler.h"
#include "report/chart/draw/labels.h"
#include "report/chart/draw/svg.h"
#include "tests/unit/report_text.h"

enum { WIDE = 800, HIGH = 400, LETTER = 8, LINE = 16, DISC = 30, ROUNDS = 200, MANY = 60 };

struct drawn {
	struct chart c;
	struct chart_panel *p;
	struct gnuplot_axis x, y;
	struct labels l;
};

/* A panel from 0 to 800 and 0 to 400: a value is its pixel. */
static void open_panel(struct drawn *d)
{
	chart_init(&d->c, "t", "t");
	d->p = chart_panel(&d->c, PANEL_XY, NULL);
	d->x = (struct gnuplot_axis){ 0, WIDE, { 1, -1, "" }, true, false };
	d->y = (struct gnuplot_axis){ 0, HIGH, { 1, -1, "" }, true, false };
}

static void put(struct chart_series *s, size_t i, double x, double y, double size, const char *name)
{
	s->x[i] = x;
	s->y[i] = y;
	s->size[i] = size;
	s->label[i] = name;
}

static void place(struct drawn *d)
{
	struct label_area a = { &d->x, &d->y, WIDE, HIGH, 20, LETTER, LINE, DISC };

	labels_place(&d->l, d->p, &a);
}

static void close_panel(struct drawn *d)
{
	labels_clear(&d->l);
	chart_clear(&d->c);
}

static bool are_apart(const struct label *a, const struct label *b)
{
	return a->x + a->width <= b->x || b->x + b->width <= a->x || fabs(a->y - b->y) >= LINE;
}

static void expect_room(const struct labels *l)
{
	size_t i, j;

	for (i = 0; i < l->n; i++) {
		assert_true(l->v[i].x >= 0 && l->v[i].x + l->v[i].width <= WIDE);
		assert_true(l->v[i].y >= LINE * 0.5 && l->v[i].y <= HIGH - LINE * 0.5);
		for (j = 0; j < i; j++)
			assert_true(are_apart(&l->v[i], &l->v[j]));
	}
}

/* A name stands right of a disc by itself, as far from it as its edge, and needs no line to it. */
static void test_one(void **state)
{
	struct drawn d;

	(void)state;
	open_panel(&d);
	put(chart_series(&d.c, d.p, MARK_BUBBLE, "k", COLOR_COMPUTE, 1), 0, 400, 200, 9, "gemm");
	place(&d);
	assert_int_equal(d.l.n, 1);
	assert_string_equal(d.l.v[0].text.s, "gemm");
	assert_true(d.l.v[0].x > 400 + DISC && d.l.v[0].x < 400 + DISC + LINE);
	assert_true(fabs(d.l.v[0].y - 200) < 1e-9);
	assert_false(d.l.v[0].is_away);
	close_panel(&d);
}

/* Areas are as sizes are: a quarter of the size is half of the radius. */
static void test_radius(void **state)
{
	double size[] = { 100, 25, 1e-6, NAN };
	struct chart_series s = { .n = 4, .size = size };

	(void)state;
	assert_true(fabs(labels_radius(&s, 0, 100, DISC) - DISC) < 1e-9);
	assert_true(fabs(labels_radius(&s, 1, 100, DISC) - DISC / 2.0) < 1e-9);
	assert_true(labels_radius(&s, 2, 100, DISC) > 1);
	assert_true(labels_radius(&s, 3, 100, DISC) > 1);
}

/* Two discs side by side that are called the same have the name once; far apart twice. */
static void test_same_names(void **state)
{
	struct chart_series *s;
	struct drawn d;

	(void)state;
	open_panel(&d);
	s = chart_series(&d.c, d.p, MARK_BUBBLE, "k", COLOR_COMPUTE, 3);
	put(s, 0, 200, 200, 9, "gemm");
	put(s, 1, 210, 205, 8, "gemm");
	put(s, 2, 600, 200, 7, "gemm");
	place(&d);
	assert_int_equal(d.l.n, 2);
	close_panel(&d);
}

/* A level line has its name above its right end, a disc's name keeps off it. */
static void test_line(void **state)
{
	struct chart_series *s;
	struct drawn d;

	(void)state;
	open_panel(&d);
	s = chart_series(&d.c, d.p, MARK_LINE, "roof", COLOR_BLACK, 2);
	s->x[0] = 100;
	s->x[1] = 790;
	s->y[0] = s->y[1] = 300;
	place(&d);
	assert_int_equal(d.l.n, 1);
	assert_true(d.l.v[0].is_line && d.l.v[0].y > 300 && d.l.v[0].y < 300 + LINE);
	assert_true(d.l.v[0].x + d.l.v[0].width > 770 && d.l.v[0].x + d.l.v[0].width < 790);
	close_panel(&d);
}

/* Wherever discs are: what is named is inside and apart, and the largest has its name. */
static void test_random(void **state)
{
	static const char *const names[] = { "aten::mm", "aten::convolution_backward", "add", "",
		"x", "aten::_scaled_dot_product_flash_attention" };
	unsigned seed = 5;
	int round;

	(void)state;
	for (round = 0; round < ROUNDS; round++) {
		struct chart_series *s;
		struct drawn d;
		size_t i;

		open_panel(&d);
		s = chart_series(&d.c, d.p, MARK_BUBBLE, "k", COLOR_COMPUTE, MANY);
		for (i = 0; i < MANY; i++)
			put(s, i, random_next(&seed) % WIDE, random_next(&seed) % HIGH,
				random_next(&seed) % 1000,
				names[random_next(&seed) % COUNT_OF(names)]);
		put(s, 7, 400, 200, 1e6, "largest");
		place(&d);
		expect_room(&d.l);
		assert_true(d.l.n > 0);
		assert_string_equal(d.l.v[0].text.s, "largest");
		close_panel(&d);
	}
}

/* Values that are not known, or none at all: nothing is named, nothing is read that is not there.
 */
static void test_unknown(void **state)
{
	struct drawn d;

	(void)state;
	open_panel(&d);
	put(chart_series(&d.c, d.p, MARK_BUBBLE, "k", COLOR_COMPUTE, 1), 0, NAN, 1, 5, "gemm");
	(void)chart_series(&d.c, d.p, MARK_BUBBLE, "none", COLOR_COPY, 0);
	(void)chart_series(&d.c, d.p, MARK_LINE, "no line", COLOR_BLACK, 0);
	place(&d);
	assert_int_equal(d.l.n, 0);
	close_panel(&d);
}

/* As SVG: a disc with what it is, its name, and lines named on themselves, not in the key. */
static void test_svg(void **state)
{
	struct chart_series *s;
	struct str b = { 0 };
	struct drawn d;
	char *found;

	(void)state;
	open_panel(&d);
	d.p->x.is_log = d.p->y.is_log = true;
	s = chart_series(&d.c, d.p, MARK_LINE, "the roof", COLOR_BLACK, 2);
	s->x[0] = 1;
	s->x[1] = 1000;
	s->y[0] = s->y[1] = 100;
	put(chart_series(&d.c, d.p, MARK_BUBBLE, "matmul", COLOR_COMPUTE, 1), 0, 30, 10, 9, "<mm>");
	svg_chart(&b, &d.c);
	assert_non_null(strstr(b.s, "<title>&lt;mm&gt;</title><circle"));
	assert_non_null(strstr(b.s, ">&lt;mm&gt;</text>"));
	assert_non_null(strstr(b.s, ">matmul</text>"));
	found = strstr(b.s, ">the roof</text>");
	assert_non_null(found);
	assert_null(strstr(found + 1, ">the roof</text>"));
	str_free(&b);
	chart_clear(&d.c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one),
		cmocka_unit_test(test_radius),
		cmocka_unit_test(test_same_names),
		cmocka_unit_test(test_line),
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_svg),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
