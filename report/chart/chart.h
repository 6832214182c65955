/* A chart as data: panels, axes, series.  What draws it knows no analysis, what fills it knows no
 * program that draws.
 *
 * Values are in the base units of the tables they come from (ns, bytes, ratios); who draws chooses
 * the scale.  NaN is a value that is not known: a gap, never a zero.  All memory is the chart's
 * arena.  Texts are hostile: they are escaped by who draws. */
#pragma once

#include "base/table.h"
#include "report/chart/theme.h"

enum mark {
	MARK_LINE,
	MARK_STEP,   /* a line that keeps its value until the next point */
	MARK_POINTS, /* dots only */
	MARK_DOTTED, /* a line with a dot at every point: few points */
	MARK_BAND,   /* the area between lo and hi */
	MARK_BOXES,  /* a histogram: x..hi_x wide, y high; lo holds the right edges */
	MARK_RANGE,  /* a dot or bar at y with a whisker from lo to hi */
	MARK_BOX,    /* bars: a whisker from lo to hi, a box from box_lo to box_hi, a line at y */
	MARK_TILE,   /* a box from x to lo in row y, with a label */
	MARK_FLOAT,  /* a bar from lo to hi that is worth y: parts of a waterfall */
	MARK_BUBBLE  /* a disc as large as `size`, with a label; PANEL_XY */
};

struct chart_series {
	const char *title; /* NULL: says itself */
	enum mark mark;
	enum theme_color color;
	bool is_dashed;
	bool is_solid; /* MARK_BAND: its colour is that of something, not a shade of a line's */
	size_t n;
	double *x, *y; /* y[i] at x[i]; in panels of bars x is NULL and i the category */
	/* MARK_BAND, _RANGE, _BOX, _FLOAT; MARK_BOXES, _TILE: lo is the right edge; else NULL. */
	double *lo, *hi;
	double *box_lo, *box_hi; /* MARK_BOX; else NULL */
	double *size;            /* MARK_BUBBLE: what its area is; else NULL */
	const char **label;      /* MARK_TILE, _BUBBLE; else NULL */
	const char **inside;     /* MARK_TILE: what stands in a box that has room for it */
	const char **more;       /* PANEL_LANES: lines of what else is known of a box; PANEL_FLAME:
	                            the layer it is merged with on a page, or NULL; or NULL */
	double *launch, *launch_row; /* and where what launched it begins; NaN: not known */
	bool is_faint;               /* PANEL_LANES: time in which nothing runs */
	bool is_waiting;             /* PANEL_FLAME: of threads that only wait */
};

struct chart_axis {
	const char *title; /* without its unit */
	enum unit unit;
	const char *word; /* a unit that is no enum unit: "samples/s", "C"; or NULL */
	bool from_zero;
	bool is_log;
	double at_least; /* the axis goes up to this even if no value does; 0: as the values want */
};

/* AXIS("memory", UNIT_BYTES, .from_zero = true) */
#define AXIS(said, of, ...) ((struct chart_axis){ .title = (said), .unit = (of), __VA_ARGS__ })

/* What a panel has of a picture, px; and the letters of its usual size that stand side by side. */
struct chart_room {
	unsigned width, height, font;
	unsigned top; /* of it what is above its marks */
	size_t letters;
	const char *start; /* commands it begins with, or NULL */
	/* Where the one key of all panels stands, from the bottom of the picture (0 to 1); 0: each
	 * has its own; below: another panel has it. */
	double key;
};

enum panel_kind {
	PANEL_XY,     /* numbers over numbers */
	PANEL_BARS,   /* a standing bar for each category: few, with short names */
	PANEL_ROWS,   /* a lying bar for each category: long names */
	PANEL_HEAT,   /* a colour for each (row, column) */
	PANEL_FLAME,  /* boxes in nrow rows over numbers: MARK_TILE only, label: all that is said
	                 of a box */
	PANEL_LANES,  /* boxes over time in named rows, the first on top: MARK_TILE, hi: how much of
	                 a row's height; upright lines are named above it */
	PANEL_BLOCKS, /* of a page of its own: blocks of memory on each other over time: MARK_TILE,
	                 y: bytes, hi: what is known of them; other series are lines of bytes */
	PANEL_TEXT    /* nothing to draw, and why */
};

/* A line across the panel that means something: a target, a threshold. */
struct chart_line {
	const char *title;
	double at;
	bool is_upright; /* at an x */
	double length; /* of a page: what was found there, and for how long; 0: a step or a limit */
};

/* The values of all panels that share an axis. */
struct chart_range {
	bool is_set;
	double min, max;
};

struct chart_panel {
	enum panel_kind kind;
	const char *title;      /* or NULL */
	const char *note;       /* a line below it, or NULL */
	const char *text;       /* PANEL_TEXT */
	struct chart_axis x, y; /* PANEL_ROWS: y is the axis of the values, drawn lying */
	const char **name;      /* of categories; of columns in a heat map; PANEL_XY: what stands
	                           at x = 0, 1, 2 ... in place of the number, as room allows */
	const char **brief;     /* the same where there is little room */
	const char **whole;     /* the same, not cut */
	size_t nname;
	const char **row; /* of rows in a heat map, of lanes */
	size_t nrow;
	size_t npinned; /* PANEL_LANES of a page: rows that stay in sight, the first ones */
	size_t nmore;   /* PANEL_BLOCKS: how many are left out */
	double *cell;   /* heat map: nrow * nname values, row by row; NaN: unknown */
	/* Heat map: what its colours mean, from 0 to the highest value or at_least.  No title:
	 * shares from 0 to 1, which y.title says. */
	struct chart_axis z;
	bool is_icicle; /* flames: row 0 is the topmost */
	size_t waiting; /* flames: threads that only wait; a page shows them where that is wanted */
	/* Flames: size says what a box was before, 0: it is new; and what is gone, with what it
	 * was. */
	bool is_compared;
	const char **gone;
	double *was;
	size_t ngone;
	bool is_plain; /* heat map: many narrow cells, without their numbers */
	bool is_stacked;
	bool has_values; /* the number at the end of each bar */
	struct chart_series *series;
	size_t nseries, cap;
	struct chart_line *line;
	size_t nline, line_cap;

	/* Of a panel of one rank, device or stream: panels with the same word share their axes and
	 * are compared; NULL: it is none.  XY: by the series `judged`. */
	const char *alike;
	size_t judged;
	struct chart_range x_all, y_all; /* set by chart_compare */
	struct chart_room room;          /* set by who draws */
	/* Of categories that are ranks, devices or streams: what they are called together, and what
	 * sort each is, of which only those of one are compared (NULL: all are); else NULL. */
	const char *things;
	const unsigned *depth; /* of lying bars: how far their names are moved in; or NULL */
	size_t most;           /* bars at most; 0: CHART_ROWS_MAX */
	const double *sort;
};

/* How a chart is to look, where who asks for it says so. */
struct chart_look {
	const char *title;      /* NULL: the chart's own */
	unsigned width, height; /* of the picture, px; 0: as its content wants */
	size_t limit;           /* bars, rows and lines that are shown; 0: as the chart has it */
	enum theme_mode mode;
	bool is_page;   /* of its own, where what is small can be looked at (draw/tiles.h) */
	bool is_inside; /* that page stands in a document, and is to be smaller */
};

/* Pictures that can be looked at: smaller ones have no room for letters. */
enum { CHART_WIDTH_MIN = 400, CHART_HEIGHT_MIN = 240, CHART_SIDE_MAX = 8000 };

struct chart {
	const char *id, *title;
	const char *subtitle; /* what it is of: input, device, steps, date; or NULL */
	struct chart_look look;
	const char *note; /* what the title says below it: who differs, what is not shown; or NULL
	                   */
	struct chart_panel *panel;
	size_t npanel, cap;
	size_t ncol;        /* panels beside each other; 1: all below each other */
	const char *things; /* what its panels are, where they are alike: "devices" */
	const char *why;    /* why it could not be drawn, or NULL */
	struct arena mem;
};

void chart_init(struct chart *c, const char *id, const char *title);
void chart_clear(struct chart *c);

/* A new panel; pointers to earlier panels are then stale. */
struct chart_panel *chart_panel(struct chart *c, enum panel_kind kind, const char *title);

/* Categories: n names, to be set with chart_name (copied, made one line). */
void chart_names(struct chart *c, struct chart_panel *p, size_t n);
void chart_name(struct chart *c, struct chart_panel *p, size_t i, struct span name);

/* A new series of n points, all y NaN; x too unless the panel has categories.  lo and hi are there
 * when the mark needs them.  Pointers to earlier series of the panel are then stale. */
struct chart_series *chart_series(struct chart *c, struct chart_panel *p, enum mark mark,
	const char *title, enum theme_color color, size_t n);

void chart_line(
	struct chart *c, struct chart_panel *p, const char *title, double at, bool is_upright);

/* Says why there is no chart, printf-style; returns false. */
bool chart_refuse(struct chart *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Adds to the title, once. */
void chart_say(struct chart *c, const char *what);

/* Adds to the note, once; printf-style. */
void chart_note(struct chart *c, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A figure by itself, with its unit: "28.17 ms". */
const char *chart_figure(struct chart *c, double v, enum unit unit);

/* Text in the chart's memory, made one line: a NUL in it is shown, not its end. */
const char *chart_text(struct chart *c, struct span s);

enum { CHART_COLUMNS_MAX = 1000 };

/* Thins every line of every panel that has more than four points for each of CHART_COLUMNS_MAX
 * columns of equal width: first, lowest, highest and last of each column are kept, and the first
 * gap in it, so what is drawn looks as all of them would.  x must not fall.  Lines with a fall are
 * left as they are. */
void chart_thin(struct chart *c);

/* One panel is drawn without a heading of its own: what that says, the key or the device, goes to
 * the title of the chart. */
void chart_title_alone(struct chart *c);

/* Sets name and brief of every category from whole: at most THEME_NAME_LETTERS and
 * THEME_BRIEF_LETTERS, different where the names differ (base/name/name.h). */
void chart_shorten_names(struct chart *c);

enum { CHART_PANELS_MAX = 8, CHART_ROWS_MAX = 64 };

/* What charts of many ranks, devices or streams (things) have in common.  Panels that are alike get
 * the same axes.  Of more than CHART_PANELS_MAX panels the median, the lowest, the highest and
 * those that stand out stay, and show the rest as a band or as their mean; the same of more than
 * CHART_ROWS_MAX bars.  The note says who stands out, and of what. */
void chart_compare(struct chart *c);

/* Leaves out what is more than was asked for or than the picture has room for, and says so; of
 * things it says how many chart_compare may keep, which comes behind it. */
void chart_limit(struct chart *c);

/* Panels of a picture of a given size beside and below each other, as they fit best; false: it is
 * too small for them, and chart_refuse has said so. */
bool chart_arrange(struct chart *c);

/* A dot for each value of a line that has gaps on both sides: the line alone would not show it. */
void chart_dot(struct chart *c);

/* Whether it is a panel of discs: the largest of them have their names beside them, lines theirs on
 * them, and sorts of discs are in the key (report/chart/draw/labels.h). */
bool chart_has_bubbles(const struct chart_panel *p);

/* Anything to draw: a value that is known, or a text. */
bool chart_has_values(const struct chart *c);

/* The range of all values along an axis, bars stacked, lines included.  false: there are none. */
bool chart_range_x(const struct chart_panel *p, double *min, double *max);
bool chart_range_y(const struct chart_panel *p, double *min, double *max);
