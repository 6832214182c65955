/* Lines of a log that say that the run broke, and whether it went on. */
#pragma once

#include "analyze/input/artifact/artifact_reading.h"
#include "base/base.h"

enum { LOG_BREAK_SHOWN = 120 };

struct log_break {
	int64_t line, steps; /* line 0: there is none; how many steps stood before it */
	double step;         /* the newest; NaN: none */
	char text[LOG_BREAK_SHOWN + 1];
};

struct log_breaks {
	struct log_break survived, last; /* the first that steps followed, the newest */
	struct log_break skipped;        /* the first step left out because gradients overflowed */
	int64_t nsurvived, nskipped;
	bool is_ignored; /* the line before says that what follows does not matter */
	bool is_frame;   /* it is one of a traceback's */
};

/* Takes what the line, which has those pairs of letters, says of it; steps: steps so far, of which
 * `step` is the newest.  False: the line says nothing of that kind. */
bool log_breaks_line(struct log_breaks *b, struct span line, const struct span_pairs *pairs,
	int64_t number, int64_t steps, double step);

/* Whether the text, which is indented by so much, is a frame of a traceback or the source below it:
 * what is written there is no figure. */
bool log_breaks_frame(struct log_breaks *b, size_t indent, struct span text);

/* What became of it, as scalars and notes of the record: "broken.what", "broken.line",
 * "broken.step" where no step follows the last of them, or all steps were skipped. */
void log_breaks_say(struct log_breaks *b, struct reading *in, int64_t steps);
