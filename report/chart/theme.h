/* How charts look: colours, letters, sizes; here and nowhere else.
 *
 * Each colour is 3 to 1 from its paper, and those that stand beside each other in some chart are
 * told apart with protanopia, deuteranopia and tritanopia (tests/oracle/palette.py says by how
 * much); hues are near those of Okabe and Ito, Color Universal Design, 2008. */
#pragma once

#include "base/base.h"

/* What a colour stands for.  The same thing has the same colour in every chart. */
enum theme_color {
	COLOR_COMPUTE, /* blue */
	COLOR_COPY,    /* orange */
	COLOR_COMM,    /* purple */
	COLOR_OVERLAP, /* indigo: at once with computing, hidden by it */
	COLOR_IDLE,    /* warm grey: nothing, nothing known */
	COLOR_HOST,    /* green: operators, and all of the host together */
	COLOR_PYTHON,  /* sand */
	COLOR_CALL,    /* petrol: runtime calls, allocator, compiling */
	COLOR_LAUNCH,  /* burgundy */
	COLOR_SYNC,    /* sky blue: the host waits for the device */
	COLOR_WAIT,    /* rose: for other work or other ranks */
	COLOR_DATA,    /* vermilion: data loader, files */
	COLOR_WORSE,   /* crimson */
	COLOR_BETTER,  /* emerald */
	COLOR_SHADE,   /* slate, from here on SHADES of it, each further from the paper: what has
	                  an order, and what is no kind of work */
	COLOR_SHADE_2,
	COLOR_SHADE_3,
	COLOR_SHADE_4,
	COLOR_SHADE_5,
	COLOR_SHADE_6,
	COLOR_BLACK,
	THEME_COLORS
};

/* On white, or on a dark ground. */
enum theme_mode { THEME_LIGHT, THEME_DARK, THEME_MODES };

/* What is no mark. */
struct theme_paper {
	const char *background;
	const char *text;   /* letters */
	const char *faint;  /* letters of what is said beside the title */
	const char *border; /* axes */
	const char *grid;
};

const struct theme_paper *theme_paper(enum theme_mode mode);

/* "#0b63d8"; i is taken modulo their number. */
const char *theme_color(enum theme_mode mode, size_t i);

/* The same as letters, which can be read on the paper: darker on white, lighter on dark. */
const char *theme_letters(enum theme_mode mode, size_t i);

/* Letters on a mark of that colour: white or nearly black. */
const char *theme_ink(enum theme_mode mode, size_t i);

/* The colour on a terminal, whose ground is not known: that of the modes which is less extreme. */
const char *theme_middle(size_t i);

/* What a colour is called in scripts: "compute". */
const char *theme_word(size_t i);

/* The shades in the order in which things take them that are no kind of work: ranks, devices, runs.
 * Neighbours are far from each other. */
enum theme_color theme_series(size_t i);

/* Of cells in pages, fainter where they are less: black letters can be read on it. */
extern const char theme_cell[];

/* Steps of the heat maps' colour scale from low (0), nearly the paper, to high (1); n of them. */
const char *const *theme_heat(enum theme_mode mode, size_t *n);

/* The size of letters of a picture of that size, with so many panels beside and below each other:
 * smaller in small ones, down to what can be read. */
unsigned theme_font_px(unsigned width, unsigned height, size_t across, size_t down);

extern const char theme_font[];         /* of charts: "DejaVu Sans" */
extern const char theme_browser_font[]; /* of those in SVG: what each browser has */

enum {
	THEME_FONT_PX = 17,         /* still 8 px when a chart is shown at half its size */
	THEME_FONT_MIN_PX = 11,     /* of pictures of a given size; */
	THEME_CELL_FONT_MIN_PX = 8, /* of many panels */
	THEME_FONT_MAX_PX = 24,
	THEME_WIDTH_PX = 1280,
	THEME_HEIGHT_PX = 640,      /* of a single panel */
	THEME_CELL_WIDTH_PX = 680,  /* of a panel beside others */
	THEME_CELL_HEIGHT_PX = 480, /* of a panel among others */
	THEME_ROW_PX = 30,          /* of a lying bar */
	/* Longer texts are cut in the middle: */
	THEME_NAME_LETTERS = 44,  /* names of lying bars */
	THEME_BRIEF_LETTERS = 28, /* the same in narrow pictures */
	THEME_LINE_LETTERS = 22,  /* names at the ends of lines */
	THEME_NOTE_LETTERS = 130  /* of the line below a title */
};

/* ---- Kinds of work and of waiting in pictures of time: the words of `timeline`, each with its
 * ---- */

struct work_kind {
	const char *word; /* "compute", "sync" */
	char letter;      /* where there are no colours: upper case, no other has it */
	enum theme_color color;
	bool is_work; /* a device does it; else it waits meanwhile, or a thread is in it */
};

enum { WORK_KINDS = 19 };

/* All of them, WORK_KINDS, in the order of keys to pictures.  The last stands for other words. */
const struct work_kind *work_kinds(void);

/* The place of that word among them. */
size_t work_kind_of(struct span word);
