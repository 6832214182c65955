/* A document as data: headings, sentences, facts, tables, charts, in order.  Who fills it knows no
 * format, who prints it knows no question.
 *
 * Texts are hostile: whoever prints escapes them for its format.  All memory is the document's
 * arena; texts given to the functions below are copied unless they say otherwise. */
#pragma once

#include "report/chart/chart.h"

enum page_kind {
	PAGE_HEADING,
	PAGE_TEXT,  /* a paragraph */
	PAGE_ITEM,  /* one of a list */
	PAGE_FACTS, /* "title: value" lines */
	PAGE_TABLE,
	PAGE_CHART,
	PAGE_LINES, /* lines that are to stay as they are */
	PAGE_WORK   /* a chart to work in; HTML has it */
};

/* How good what is said is. */
enum page_tone { TONE_NONE, TONE_GOOD, TONE_WARN, TONE_BAD, TONE_UNKNOWN };

struct page_column {
	const char *title;
	bool is_number;
	bool is_elastic; /* cut where there is no room */
};

struct page_block {
	enum page_kind kind;
	enum page_tone tone;
	const char *text; /* heading, paragraph, item; caption of a table or chart, or NULL */
	const struct page_column *col;
	const bool *is_name; /* by column: of kernels or ops, to be shortened; or NULL */
	size_t ncol, nrow, cap;
	size_t ncell, cell_cap;
	const char **cell;        /* nrow * ncol; facts have two columns */
	enum page_tone *row_tone; /* of each row */
	const char **mark;     /* of each row: what it is called in a chart to work in, or NULL */
	const char *footnote;  /* or NULL */
	bool is_prose;         /* cells are sentences: text formats set them below each other */
	struct chart *chart;   /* owned */
	const char *id, *html; /* PAGE_WORK: of the chart; a page of its own */
	const char *picture;   /* file of the chart's picture, relative to the document; or NULL */
};

struct page {
	const char *title, *subtitle; /* subtitle may be NULL */
	/* What HTML says of the document; NULL: not known. */
	const char *about;        /* the input by its short name, for a window's title */
	const char *command;      /* the line that makes it, as a shell takes it */
	struct page_block origin; /* facts: when it was recorded, on what, from which files */
	struct page_block *block;
	size_t n, cap;
	struct arena mem;
};

/* The cells of a table of which the names have at most that many letters (base/name/name.h); the
 * block's own where it has no names.  Texts are of mem and the block. */
const char **page_short_names(struct arena *mem, const struct page_block *b, size_t letters);

/* The number that a cell shows, in the base unit of what it is: "2.140 ms" is 2140000, "1.5 KiB"
 * 1536, "12.5%" 0.125, "8.76 +/- 0.45" 8.76.  The first of several; NaN: there is none. */
double page_number(const char *text);

void page_init(struct page *d);
void page_clear(struct page *d);

/* Text in the document's memory, printf-style. */
const char *page_printf(struct page *d, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Whether it has anything but headings. */
bool page_says_something(const struct page *d);

void page_heading(struct page *d, const char *text);
void page_text(struct page *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
void page_item(struct page *d, enum page_tone tone, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* Lines as they are; text is borrowed. */
void page_lines(struct page *d, const char *text);

/* A fact joins the facts before it. */
void page_fact(struct page *d, const char *title, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A fact about where the document comes from. */
void page_origin(struct page *d, const char *title, const char *fmt, ...) PRINTF_LIKE(3, 4);

/* A table of texts; col is borrowed. */
struct page_block *page_table(
	struct page *d, const char *caption, const struct page_column *col, size_t ncol);
/* A row more.  The n texts are the document's or constants; cells behind them are empty. */
void page_row(struct page *d, struct page_block *b, enum page_tone tone, const char *const *text,
	size_t n);
/* What the last row is about is a mark of that name in a chart to work in. */
void page_mark(struct page *d, struct page_block *b, const char *name);
/* There is no such chart. */
void page_forget_marks(struct page *d);
#define PAGE_ROW(d, b, tone, ...)                                  \
	page_row(d, b, tone, (const char *const[]){ __VA_ARGS__ }, \
		COUNT_OF(((const char *const[]){ __VA_ARGS__ })))

/* What to show of a result's table: its columns, and the first rows. */
enum { PAGE_PICKS_MAX = 10 };
struct page_picks {
	const char *caption; /* or NULL */
	size_t most;         /* rows; 0: all */
	struct {
		const char *key;   /* NULL behind the last */
		const char *title; /* NULL: the column's own */
	} pick[PAGE_PICKS_MAX];
	const char *needs; /* rows where this column is 0 are left out; NULL: none is */
};

/* Only the columns picked of the table, and only those of them that have a value.  Numbers in the
 * scale of their column.  Nothing without rows; t may be NULL. */
void page_pick_table(struct page *d, const struct table *t, const struct page_picks *p);

/* The cell as people read it; "-" when it is absent or not there at all. */
const char *page_value(struct page *d, const struct table *t, size_t row, const char *key);
/* Whether it is there. */
bool page_has(const struct table *t, size_t row, const char *key);

/* The chart becomes a block of the document and is cleared with it.  picture: the file that shows
 * it, as the document is to name it, or NULL. */
void page_chart(struct page *d, const struct chart *c, const char *picture);

/* A chart to work in, as a page of its own, which is borrowed; id: the chart's. */
void page_work(struct page *d, const char *id, const char *title, const char *html);

/* One format a document is printed in. */
struct page_format {
	const char *name, *suffix;
	void (*put)(struct str *out, const struct page *d);
	bool draws_charts; /* so that they belong into every document */
};

#define PAGE_FORMATS(X) \
	X(txt)          \
	X(md)           \
	X(html)

#define X(name) extern const struct page_format page_format_##name;
PAGE_FORMATS(X)
#undef X

/* By its name or suffix; NULL: there is none. */
const struct page_format *page_format_find(const char *name);
const struct page_format *page_format_of_path(const char *path);
