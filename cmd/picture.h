/*
 * A chart as files: data, script, and the picture gnuplot draws from them.
 */
#ifndef CMD_PICTURE_H
#define CMD_PICTURE_H

#include <stdbool.h>

#include "base/err.h"

struct answers;
struct chart_kind;
struct chart_look;

/* A picture, and what says that it is wanted. */
struct picture_to {
	const char *path, *option; /* "-o", or NULL: nobody named it */
	const char *beside;        /* then: the folder or the chart that says its name */
	bool is_alone;             /* nobody asked for script and data */
};

/*
 * Says that picture, script and data will be written (base/door.h), the latter two only where
 * picture_draw may do so.  Those are ours that begin as ours do; a picture of ours that nobody
 * named is an SVG.  E_USAGE of that, and as picture_draw.
 */
enum status picture_plan(const struct picture_to *to, struct err *e) MUST_CHECK;

/*
 * Draws the chart to path (.svg, .png, .pdf), with script and data beside it; flames as SVG, which
 * gnuplot does not draw, without where nobody asked for them (is_alone).  E_USAGE for another
 * suffix or a name with control characters; E_NODATA with the reason when the answers do not allow
 * it, or when there is no gnuplot: script and data are written then.  E_IO: none of the files is.
 */
enum status picture_draw(const struct chart_kind *kind, const struct answers *in,
	const struct chart_look *look, const char *path, bool is_alone, struct err *e) MUST_CHECK;

/* Whether a file of that name is a picture. */
bool picture_is(const char *path);

#endif
