/*
 * One line of a picture of lanes: places that are written one by one, each with its colour.
 */
#ifndef REPORT_FORMAT_FORMAT_LANES_LINE_H
#define REPORT_FORMAT_FORMAT_LANES_LINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "report/format/renderer.h"
#include "report/kind_looks.h"

struct lanes_place {
	char glyph[8]; /* one letter in UTF-8; empty: a space */
	const struct work_kind *kind;
	bool is_behind; /* the second column of a wide letter, or marks put on the one before */
};

struct lanes_line {
	struct lanes_place *v;
	size_t n;
};

/* A line of n spaces.  Released by lanes_line_end or lanes_line_clear. */
void lanes_line_init(struct lanes_line *l, size_t n);
void lanes_line_clear(struct lanes_line *l);

/* Writes the text, letter by letter, from a place on, as far as the line goes; kind: or NULL. */
void lanes_line_put(
	struct lanes_line *l, size_t at, struct span text, const struct work_kind *kind);

/* The same where nothing stands yet, nor in the place before it; false: it does not fit. */
bool lanes_line_fit(
	struct lanes_line *l, size_t at, struct span text, const struct work_kind *kind);

/* Appends the line, without spaces at its end, and a new line; releases it. */
void lanes_line_end(struct lanes_line *l, struct str *out, const struct render *how);

/* Appends the sequence for the colour of a kind, or with NULL for none; nothing without colours. */
void lanes_color(struct str *out, const struct work_kind *kind, const struct render *how);

#endif
