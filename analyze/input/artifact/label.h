/* Lines of reports: "Peak memory: 1.23GB", "Throughput: 39.47 +/- 1.91 samples/sec", and headings
 * such as "Latency:" above lines that are indented. */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { LABEL_MAX = 48 };

/* Label, number and unit of a line that is nothing else.  The number may have commas every three
 * digits, a spread behind it, and a remark in parentheses at the end, which are passed over. */
bool label_figure(struct span line, struct span *label, double *v, enum measure *m);

/* Figures of that name are below a thousand mostly: losses, accuracies, rates of learning. */
bool label_is_small(struct span name);

/* The number t begins with that has a decimal comma, "0,25", "2,5155", where a figure of that name
 * can hardly be anything else: its bytes, else 0. */
size_t label_decimal(struct span t, struct span name, double *v);

/* The number t begins with, commas every three digits passed over: its bytes, 0 when there is none.
 */
size_t label_number(struct span t, double *v);

/* The newest heading. */
struct label_heading {
	char text[LABEL_MAX + 1];
	size_t n; /* 0: none */
	char full[2 * LABEL_MAX + 4];
};

/* Whether the line is a heading, "Latency:", which is kept; other lines may end the one before. */
bool label_is_heading(struct label_heading *h, struct span line);

/* "Latency: Total": an indented line's label with its heading; valid until the next call. */
struct span label_below(struct label_heading *h, struct span line, struct span label);
