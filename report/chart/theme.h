/*
 * How charts look: colours, letters, sizes; here and nowhere else.
 *
 * The colours are those of Okabe and Ito, told apart by people with any of the usual colour vision
 * deficiencies, and by their lightness in print.  Source: Okabe and Ito, Color Universal Design,
 * 2008 (jfly.uni-koeln.de/color).
 */
#ifndef REPORT_CHART_THEME_H
#define REPORT_CHART_THEME_H

#include <stddef.h>

/* What a colour stands for; the same thing has the same colour in every chart. */
enum theme_color {
	COLOR_COMPUTE, /* blue */
	COLOR_COPY,    /* orange */
	COLOR_COMM,    /* reddish purple */
	COLOR_IDLE,    /* light grey */
	COLOR_HOST,    /* bluish green */
	COLOR_DATA,    /* vermilion */
	COLOR_OTHER,   /* sky blue */
	COLOR_EIGHTH,  /* yellow */
	COLOR_BLACK,
	THEME_COLORS
};

/* "#0072b2"; i is taken modulo the colours that series may have, black apart. */
const char *theme_color(size_t i);

/* The same as letters: darker where the colour is too light to read on white. */
const char *theme_letters(size_t i);

/* The series colours in the order in which unnamed things take them: light grey comes last. */
enum theme_color theme_series(size_t i);

/* Steps of the heat maps' colour scale from low (0) to high (1): light to dark blue; n of them. */
const char *const *theme_heat(size_t *n);

extern const char theme_font[];       /* of charts: "DejaVu Sans" */
extern const char theme_text[];       /* colour of letters */
extern const char theme_grid[];       /* colour of grid lines */
extern const char theme_background[]; /* white */

enum {
	THEME_FONT_PX = 17, /* still 8 px when a chart is shown at half its size */
	THEME_WIDTH_PX = 1280,
	THEME_HEIGHT_PX = 640,      /* of a single panel */
	THEME_CELL_WIDTH_PX = 680,  /* of a panel beside others */
	THEME_CELL_HEIGHT_PX = 480, /* of a panel among others */
	THEME_ROW_PX = 30,          /* of a lying bar */
	/* Longer texts are cut in the middle: */
	THEME_NAME_LETTERS = 44,   /* names of lying bars */
	THEME_BRIEF_LETTERS = 28,  /* the same in narrow pictures */
	THEME_LINE_LETTERS = 22,   /* names at the ends of lines */
	THEME_TITLE_LETTERS = 110, /* of a panel by itself */
	THEME_NOTE_LETTERS = 130,  /* of the line below it */
	THEME_CELL_TITLE_LETTERS = 60
};

#endif
