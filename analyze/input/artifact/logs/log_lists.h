/* Several numbers of one name, and remarks behind a figure, in a pass over a line. */
#pragma once

#include "analyze/input/artifact/logs/log_pair.h"

struct log_scan {
	const char *p, *end, *begin;
	enum measure measure; /* that a heading in the line says: "time (ms) | forward: 1" */
	struct span heading;  /* the same, as written */
	bool is_pair;         /* the item before was */
	bool goes_on;         /* a comma is in front: numbers go on the list before them */
	bool is_inside;       /* a bracket whose name `of` is: "tot_loss[loss=1" */
	struct span of;       /* what the pairs are of: "Training => latency: 1s"; empty: nothing */
	struct log_pairs *to;
};

/* The pair with what the line says of it so far. */
void log_scan_add(struct log_scan *s, const struct log_pair *pair);
void log_scan_fill(struct log_scan *s, struct log_pair *pair, const struct log_value *v);

/* "[0.5, 0.25]", "[[0.9, 0.95]]" at p, a figure each: what is behind it, or NULL. */
const char *log_list_take(struct log_scan *s, const char *p, const struct log_pair *of);

/* "853/170/68", "5705/5123 tok/s" at p, in the unit of the last; two are several only of a rate or
 * a time, "10/80GB" is one of a total.  What is behind them, or NULL. */
const char *log_slashed_take(struct log_scan *s, const char *p, const struct log_pair *of);

/* "(12.5 ms per token, 80 tokens per second)" behind a figure: how many of its numbers say what
 * they are, and become figures. */
unsigned log_remark_take(struct log_scan *s, const struct log_value *of, struct span key);
