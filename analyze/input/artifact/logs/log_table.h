/* Tables that training programs print a row at a time: a heading, "Step | Training Loss | reward",
 * or words in columns, and rows of numbers below it, with rules and other lines between; tables
 * between bars, "| model | test | t/s |", whose rows are of what their texts say; and tables of
 * entries, "| loss | 0.5 |", below sections, "| train/ |  |". */
#pragma once

#include "analyze/input/artifact/logs/log_pairs.h"
#include "base/base.h"

enum {
	LOG_TABLE_CELLS = 32,
	LOG_TABLE_BYTES = 512,
	LOG_LABEL_BYTES = 128,
	LOG_ENTRIES_BYTES = 4096
};

struct log_table {
	char text[LOG_TABLE_BYTES];
	struct {
		uint16_t at, n;
	} cell[LOG_TABLE_CELLS]; /* of text */
	size_t n;                /* 0: no heading */
	char by;                 /* what divides cells: bar, tab, blank */
	bool has_texts;          /* between bars: texts and settings in rows say what they are of */
	char label[LOG_LABEL_BYTES];
};

/* Whether the line is a heading, which is kept: it begins with what counts, stands between bars, or
 * is a bar's title. */
bool log_table_heading(struct log_table *t, struct span line, bool is_title);

/* The figures of a row of the heading at hand, and in *label the word it begins with or its texts,
 * where it has them, which the next row replaces; false: it is none.  REAL_PADDING bytes behind the
 * line are readable. */
bool log_table_row(struct log_table *t, struct span line, struct log_pairs *to, struct span *label);

/* The entries of a table so far. */
struct log_entries {
	char text[LOG_ENTRIES_BYTES]; /* their names */
	size_t n;                     /* bytes of it; 0: the next begins a table */
	struct span section;
	struct log_pairs pairs;
};

/* Whether the line is an entry or a section, which is kept. */
bool log_table_entry(struct log_entries *t, struct span line);
