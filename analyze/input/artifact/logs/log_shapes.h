/* Shapes of lines: what a line says but for its numbers.
 *
 * Lines of one writer look alike.  A line that was taken apart leaves its text and the places of
 * its figures; one that has the same text, whatever its numbers, dates and paddings are, is read by
 * that in one pass, and means the same. */
#pragma once

#include "analyze/input/artifact/logs/log_bars.h"
#include "analyze/input/artifact/logs/log_figures.h"
#include "analyze/input/artifact/logs/log_prefix.h"
#include "analyze/input/text/num.h"

enum {
	SHAPES_ALIKE = 64,
	SHAPES = 512,
	SHAPE_BUCKETS = 1024,
	SHAPE_SEEN = 4096,
	SHAPE_BYTES = 8192,
	SHAPE_TOKENS = 384
};

/* A number, with the text in front of it. */
struct log_token {
	uint16_t from, n; /* of the text */
	bool blank_before, blank_after;
	bool is_figure; /* else any digits */
	bool has_comma; /* of thousands */
	bool is_masked; /* of the text are digits that may be others */
	bool is_drawn;  /* the bar itself, up to its end */
};

struct log_shape {
	uint64_t sign;
	char *text;     /* NULL: there is no shape here */
	char *mask;     /* of the bytes of text: 0xff of digits that may be others */
	size_t tail, n; /* text[tail .. n): behind the last number */
	struct log_token *token;
	size_t ntoken;
	struct log_noted *figure;
	struct bar_read *bar; /* NULL: a line; else figures are where it stands, its rate, its pairs
	                       */
	size_t nfigure;       /* 0: lines without one */
	size_t nbare;         /* numbers that are none */
	size_t rank;          /* as figures.at */
	bool is_by_epoch;     /* the place of that rank */
	uint16_t next;        /* of its bucket: its number and 1; 0: the last */
	uint8_t hits;         /* lately */
};

/* Lines of a sign: how often one was learnt, and how often such a shape was found. */
struct log_sign {
	uint64_t sign;
	uint32_t learnt, found;
};

struct log_shapes {
	struct log_shape shape[SHAPES];
	uint16_t bucket[SHAPE_BUCKETS];  /* by sign, as `next` */
	uint16_t follows[SHAPE_BUCKETS]; /* which came behind two others */
	struct log_sign seen[SHAPE_SEEN];
	size_t last, before, hand;
	const struct log_shape *pinned; /* is not forgotten */
	uint64_t weight[256];           /* of bytes, in signs */
	uint64_t sign;                  /* of the line that was looked for last */
	/* Of the line that is being learnt: */
	struct log_token token[SHAPE_TOKENS];
	char mask[SHAPE_BYTES + REAL_PADDING];
};

void log_shapes_open(struct log_shapes *a);
void log_shapes_close(struct log_shapes *a);

/* The figures of the line at hand are those noted; prefix is what was in front of it, and its dict
 * begins at `dict`, the line's length where it has none; of a bar, or NULL, its own are noted here.
 */
void log_shapes_learn(struct log_shapes *a, struct span line, struct log_figures *g,
	const struct log_prefix *prefix, size_t dict, const struct bar_read *bar);

/* The shape the line has, and its numbers; NULL when none is known. */
const struct log_shape *log_shapes_find(struct log_shapes *a, struct span line, double *value);

/* The bar that the shape is of, with those numbers. */
void log_shape_bar(const struct log_shape *s, const double *value, struct bar_read *to);
