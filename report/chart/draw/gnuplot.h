/* Charts for gnuplot: a script and its data, which run by themselves, and the program run on them.
 *
 * No text of an input can be a command, since gnuplot parses none: texts are data, lines of a block
 * at the head of the script (report/chart/draw/gnuplot_text.c).  Control characters are shown as
 * escapes, and no terminal interprets markup (noenhanced).  Names of files begin with "./", so that
 * none is a pipe. */
#pragma once

#include "base/unit.h"
#include "report/chart/chart.h"

/* What script and data begin with; what is in the first line of an SVG that traceq draws, and in
 * the head of one that gnuplot draws from a script: they are ours, and may be written anew.  PNG
 * and PDF have no mark: they are written where somebody named them. */
#define GNUPLOT_MARK "# traceq: "
#define GNUPLOT_NAME "traceq"
#define SVG_MARK     "<!-- traceq: "

/* What a picture is; by the suffix of its name. */
/* PICTURE_PAGE: no picture of gnuplot's, but a page (draw/tiles.h). */
enum picture { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF, PICTURE_PAGE, PICTURES };

/* The kind of picture a file of that name is, or PICTURES when its suffix is another. */
enum picture gnuplot_picture(const char *path);

/* "svg", "png", "pdf". */
const char *gnuplot_suffix(enum picture kind);

/* The data: a block for each line of a panel (x y [lo [hi]]) or for each panel of categories
 * (index, value of each series, name), in base units, blocks separated by two blank lines. */
void gnuplot_data(struct str *b, const struct chart *c);

/* The script that draws `picture` from `data`, both names of files in its own folder, of any bytes;
 * to stdout when its variable `picture` is set to "" before.  asks: what the data came from, for
 * its heading; ends with NULL. */
void gnuplot_script(struct str *b, const struct chart *c, const char *data, const char *picture,
	enum picture kind, const char *const *asks);

/* What gnuplot is run on. */
struct gnuplot_job {
	struct span script, data;
	const char *dir;     /* where it runs, and its temporary files are */
	const char *picture; /* the path it goes to */
};

/* Runs gnuplot on the script; its picture goes to the path `picture`, which
 * is the old file or the whole new one.  Of the environment gnuplot gets what it needs to start and
 * to find fonts, nothing else.  E_NODATA when there is no gnuplot in PATH (folders whose names do
 * not begin with / are not looked at); E_IO when it failed, with the last line it said. */
enum status gnuplot_run(const struct gnuplot_job *job, struct err *e) MUST_CHECK;

/* Appends a text to the draft of a script, where a string may stand: one line, nothing obeyed. */
void gnuplot_quote(struct str *b, const char *text);

/* The same for labels of tics, which gnuplot would take for formats. */
void gnuplot_quote_tic(struct str *b, const char *text);

/* The same for a file in the folder of the script: "./name", every byte of the name as it is.  It
 * has no control characters. */
void gnuplot_quote_file(struct str *b, const char *name);

/* Appends a draft as a script: its texts as a block of data, `$text`, as a picture of that kind can
 * show them (for SVG without the end of a section of XML, for others with U+FFFD for letters that
 * the font has not), and the commands behind it. */
void gnuplot_finish(struct str *b, const char *draft, enum picture kind);

/* ---- between the parts of the writer ---- */

/* The heading of a picture of that width, height and size of letters, as labels for its first
 * panel; b: NULL where only its height, which is returned, is wanted. */
unsigned gnuplot_heading(struct str *b, const struct chart *c, const struct chart_room *r);

/* Lines of a panel's key. */
size_t panel_key_lines(const struct chart_panel *p);

/* The letters it is written with, as variables; px: a pixel in the units of the terminal. */
void gnuplot_heading_fonts(struct str *b, const struct chart_room *r, double px, bool is_svg);

/* Appends the text as one harmless line of at most `letters` letters, cut in its middle. */
void gnuplot_shorten(struct str *b, const char *text, size_t letters);

/* One axis as it is drawn. */
struct gnuplot_axis {
	double min, max; /* in the shown unit */
	struct unit_scale scale;
	bool is_known; /* there are values */
	bool is_count; /* of things, which have no halves */
};

/* Range and scale of the axis of values (y) or of x. */
struct gnuplot_axis gnuplot_axis_y(const struct chart_panel *p);
struct gnuplot_axis gnuplot_axis_x(const struct chart_panel *p);

/* The scale of a heat map's colours, from 0. */
struct gnuplot_axis gnuplot_axis_z(const struct chart_panel *p);

/* Every how many-th of n rows of a heat map has room for its name. */
size_t gnuplot_every_row(size_t n);

/* Appends "latency (ms)": the title of the axis with its unit. */
void gnuplot_axis_title(struct str *b, const struct chart_axis *a, const struct gnuplot_axis *d);

/* The commands of one panel; index is that of its first block of data, which is moved behind it. */
void gnuplot_panel(struct str *b, const struct chart_panel *p, size_t *index);

/* Appends the size of the largest disc of a picture of that kind and letters, as a variable. */
void gnuplot_disc(struct str *b, unsigned font, enum picture kind);

/* Lines of a panel of numbers are named at their right ends instead of in a key. */
bool gnuplot_is_named_directly(const struct chart_panel *p);
/* Appends these names; returns the letters of the longest of them. */
size_t gnuplot_direct_names(
	struct str *b, const struct chart_panel *p, const struct gnuplot_axis *y);

/* Whether the number of a bar of series j stands at its end, and the whisker below it. */
bool gnuplot_is_above_whisker(const struct chart_panel *p, size_t j);

/* Appends the number at the end of bar i, worth v, in the unit of the axis: "27.32", "+0.02". */
void gnuplot_value(struct str *text, const struct chart_panel *p, size_t i, double v,
	const struct gnuplot_axis *y);
