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

/* A note with what, behind which the first line stands; none where there is no line. */
void log_left_say(const struct log_left *l, struct reading *in, const char *id, int64_t count,
	const char *what);
