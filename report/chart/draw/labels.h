/* Names in a panel of discs: of the largest discs beside them, of its lines along them, so that no
 * name covers another. */
#pragma once

#include "report/chart/draw/gnuplot.h"

enum { LABELS_MAX = 20 };

/* The part of a picture that holds the data: its axes, its pixels, and those of a letter. */
struct label_area {
	const struct gnuplot_axis *x, *y;
	double width, height;
	size_t letters; /* of a name at most */
	double letter, line;
	double disc; /* radius of the largest disc */
};

struct label {
	struct str text; /* short */
	enum theme_color color;
	bool is_line;
	double x, y, width; /* its left end and the middle of its letters, from the left bottom */
	double to_x, to_y;  /* the middle of its disc */
	double radius;      /* of that */
	bool is_away;       /* a line is wanted that leads there */
};

struct labels {
	struct label v[LABELS_MAX];
	size_t n;
};

/* The labels that have room, in pixels of the area.  O(LABELS_MAX^2 + LABELS_MAX * marks). */
void labels_place(struct labels *l, const struct chart_panel *p, const struct label_area *a);
void labels_clear(struct labels *l);

/* The largest `size` of a panel's discs; 0: there is none. */
double labels_largest(const struct chart_panel *p);

/* Radius of disc i of a series in pixels.  The smallest can still be seen. */
double labels_radius(const struct chart_series *s, size_t i, double largest, double disc);

/* ---- names of frames in the room of their boxes ---- */

/* Appends the name in at most `letters` columns, one harmless line; nothing where only a letter or
 * two would be left.  Of a Python function, "path/file.py(12): name" or "name (path/file.py:12)",
 * the folders go first, then the file.  What is left is cut at its end.  Others as base/name/name.h
 * says. */
void flame_name(struct str *b, const char *name, size_t letters);
