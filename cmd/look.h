/*
 * How pictures are to look: options of `plot` and `report`.
 */
#ifndef CMD_LOOK_H
#define CMD_LOOK_H

#include <stdint.h>

#include "base/err.h"
#include "base/opt.h"
#include "base/str.h"
#include "report/chart/chart.h"

struct look_options {
	const char *title, *size, *theme;
	int64_t limit;
};

/* Rows of a table of options, whose struct has the look_options in that field. */
#define LOOK_AT(type, field, name) (offsetof(type, field) + offsetof(struct look_options, name))
#define LOOK_TITLE(type, field)                                                       \
	OPT("title", 0, OPT_TEXT, "TEXT", "title of the picture [what the chart is]", \
		LOOK_AT(type, field, title), NULL, NULL)
#define LOOK_SIZE(type, field)                                                           \
	OPT("size", 0, OPT_TEXT, "WxH",                                                  \
		"width and height of a picture in pixels, 400x240 to 8000x8000 [as its " \
		"content wants]",                                                        \
		LOOK_AT(type, field, size), NULL, NULL)
#define LOOK_LIMIT(type, field)                                                           \
	OPT("limit", 'n', OPT_INT, "N",                                                   \
		"bars, rows and lines that are shown; what is left out is counted below " \
		"the title [15 names, 64 places]",                                        \
		LOOK_AT(type, field, limit), NULL, NULL)
#define LOOK_THEME(type, field)                                                             \
	OPT("theme", 0, OPT_CHOICE, "THEME", "colours for white or for dark pages [light]", \
		LOOK_AT(type, field, theme), "light|dark", NULL)

/* What was chosen; texts are borrowed.  E_USAGE for a size or a limit that is none. */
enum status look_read(
	struct chart_look *look, const struct look_options *o, struct err *e) MUST_CHECK;

/* Appends what a chart asks, "kernels --limit=15", with another limit where it has one; 0: as is.
 */
void look_ask(struct str *b, const char *ask, size_t limit);

#endif
