/*
 * The order of keys in the lines of a log: learnt from one line, then lines that keep to it cost
 * one comparison a key.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_JSONL_ORDER_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_JSONL_ORDER_H

#include "base/str.h"

/* A value of a line. */
struct found {
	uint32_t column; /* the caller's number of its key */
	bool missing;    /* null */
	double value;
};

/* The text in front of a value: `, "loss": `. */
struct order_part {
	struct span text;
	bool is_number; /* else a text or true or false, which is passed over */
	uint32_t column;
};

struct jsonl_order {
	struct order_part *part;
	size_t n, cap;
	struct span tail; /* behind the last value */
	char *text;       /* the line learnt from; parts point into it */
	size_t text_cap;
	size_t nfound;
};

/*
 * Learns from a line, `found` being its numbers in the order of the line.  Keys in `same`, words
 * with bars between, keep their values, too: a line with another value is another order.
 * So do texts of escaped keys, which are kept as they are written, so that another spelling is
 * another order.  A line with lists teaches nothing.
 */
void jsonl_order_learn(struct jsonl_order *o, struct span line, const struct found *found,
	size_t nfound, const char *same);

/*
 * Reads a line of that order into found[0 .. nfound); false at the first difference.  REAL_PADDING
 * bytes behind the line must be readable.
 */
bool jsonl_order_read(const struct jsonl_order *o, struct span line, struct found *found);

void jsonl_order_clear(struct jsonl_order *o);

#endif
