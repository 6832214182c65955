/* A chart as files: data, script, and the picture gnuplot draws from them. */
#pragma once

#include "base/opt.h"
#include "report/chart/chart.h"

struct answers;
struct chart_kind;

/* A picture, and what says that it is wanted. */
struct picture_to {
	const char *path, *option; /* "-o", or NULL: nobody named it */
	const char *beside;        /* then: the folder or the chart that says its name */
	bool is_alone;             /* nobody asked for script and data */
};

/* Says that picture, script and data will be written (base/door.h), the latter two only where
 * picture_draw may do so.  Those are ours that begin as ours do; a picture of ours that nobody
 * named is an SVG.  E_USAGE of that, and as picture_draw. */
enum status picture_plan(const struct picture_to *to, struct err *e) MUST_CHECK;

/* Draws the chart to path (.svg, .png, .pdf, .html), with script and data beside it; flames as SVG,
 * which gnuplot does not draw, without where nobody asked for them (is_alone), and pages.  E_USAGE
 * for another suffix or a name with control characters; E_NODATA with the reason when the answers
 * do not allow it, or when there is no gnuplot: script and data are written then.  E_IO: none of
 * the files is. */
enum status picture_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, const char *path, bool is_alone, struct err *e) MUST_CHECK;

/* Whether a file of that name is a picture, or a page around one (plot alone writes these). */
bool picture_is(const char *path);
bool picture_is_page(const char *path);

/* ---- how pictures are to look: options of `plot` and `report` ---- */

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

/* ---- paths as a document names them: from the folder it is in ---- */

/* Appends the folder as a link in the document names it: "charts" or "../charts".  An absolute
 * folder stays as it is, and one that cannot be told (a document on standard output, a folder that
 * is not there) as well.  document: where it will be written, or NULL. */
void relative_folder(struct str *b, const char *folder, const char *document);
