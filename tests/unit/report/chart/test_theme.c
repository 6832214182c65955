/* The theme: letters can be read on their paper, marks are seen on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "report/chart/theme.h"

/* Relative luminance, as WCAG 2 defines it. */
static double luminance(const char *color)
{
	static const double weight[] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;
	size_t i;

	for (i = 0; i < 3; i++) {
		char hex[3] = { color[1 + 2 * i], color[2 + 2 * i], 0 };
		double v = (double)strtol(hex, NULL, 16) / 255;

		sum += weight[i] * (v <= 0.03928 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(const char *a, const char *b)
{
	double x = luminance(a), y = luminance(b);

	return ((x > y ? x : y) + 0.05) / ((x > y ? y : x) + 0.05);
}

/* 4.5 to 1 is what letters need by WCAG 2 AA, 3 to 1 marks; letters on marks are letters. */
static void test_contrast(void **state)
{
	int mode;
	size_t i;

	(void)state;
	for (mode = 0; mode < THEME_MODES; mode++) {
		const struct theme_paper *paper = theme_paper((enum theme_mode)mode);

		assert_true(contrast(paper->text, paper->background) > 7);
		assert_true(contrast(paper->faint, paper->background) > 4.5);
		for (i = 0; i < THEME_COLORS; i++) {
			assert_true(contrast(theme_letters((enum theme_mode)mode, i),
					    paper->background) > 4.5);
			assert_true(contrast(theme_color((enum theme_mode)mode, i),
					    paper->background) >= 3);
			assert_true(contrast(theme_ink((enum theme_mode)mode, i),
					    theme_color((enum theme_mode)mode, i)) >= 4.5);
		}
	}
}

/* Letters of pictures of a given size: in proportion, but never too small to read. */
static void test_letters(void **state)
{
	(void)state;
	assert_int_equal(theme_font_px(1280, 640, 1, 1), 17);
	assert_int_equal(theme_font_px(480, 300, 1, 1), 11);
	assert_int_equal(theme_font_px(1600, 1000, 1, 1), 21);
	assert_int_equal(theme_font_px(8000, 8000, 1, 1), 24);
	assert_int_equal(theme_font_px(480, 300, 2, 2), 8);
	assert_int_equal(theme_font_px(1360, 960, 2, 2), 17);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_contrast),
		cmocka_unit_test(test_letters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
