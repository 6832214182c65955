/* What is not read of a log: how much, and the first line. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"

enum { LOG_LEFT_SHOWN = 60 };

struct log_left {
	int64_t n, line, offset;
	char text[LOG_LEFT_SHOWN + 1];
};

/* One line more. */
void log_left_keep(struct log_left *l, const struct lines *at, struct span line);

/* Notes with the first line, where there is one: of so many lines of a log those without figures;
 * numbers that have no name. */
void log_left_say_lines(const struct log_left *l, struct reading *in, int64_t count);
void log_left_say_bare(const struct log_left *l, struct reading *in, int64_t numbers);
