/*
 * Shapes of lines: what a line says but for its numbers.
 *
 * Lines of one writer look alike.  A line that was taken apart leaves its text and the places of
 * its figures; one that has the same text, whatever its numbers, dates and paddings are, is read by
 * that in one pass, and means the same.
 */
#pragma once

#include "analyze/input/artifact/logs/log_figures.h"
#include "analyze/input/artifact/logs/log_prefix.h"

enum { SHAPE_BYTES = 1024, SHAPE_TOKENS = 96, SHAPES_FIGURES = 6, SHAPES_OTHER = 2 };

/* A number, with the text in front of it. */
struct log_token {
	uint16_t from, n; /* of the text */
	bool blank_before, blank_after;
	bool is_figure; /* else any digits */
};

struct log_shape {
	char text[SHAPE_BYTES];
	size_t tail, n; /* text[tail .. n): behind the last number */
	struct log_token token[SHAPE_TOKENS];
	size_t ntoken;
	struct log_noted figure[LOG_PAIRS];
	size_t nfigure; /* 0: lines without one */
	size_t nbare;   /* numbers that are none */
	size_t rank;    /* as figures.at */
};

struct log_shapes {
	struct log_shape shape[SHAPES_FIGURES + SHAPES_OTHER];
	size_t follows[SHAPES_FIGURES + SHAPES_OTHER]; /* which came behind each */
	size_t last, learnt, learnt_other;
};

/* The figures of the line at hand are those noted; prefix is what was in front of it, and its dict
 * begins at `dict`, the line's length where it has none. */
void log_shapes_learn(struct log_shapes *a, struct span line, const struct log_figures *g,
	const struct log_prefix *prefix, size_t dict);

/* The shape the line has, and its numbers; NULL when none is known. */
const struct log_shape *log_shapes_find(struct log_shapes *a, struct span line, double *value);
