/* The order of keys in the lines of a log: learnt from one line, then lines that keep to it cost
 * one comparison a key. */
#pragma once

#include "base/base.h"

/* A value of a line. */
struct jsonl_found {
	uint32_t column; /* the caller's number of its key */
	bool missing;    /* null */
	double value;
};

struct order_part;

struct jsonl_order {
	struct order_part *part;
	size_t n, cap;
	struct span tail; /* behind the last value */
	char *text;       /* the line learnt from; parts point into it */
	size_t text_cap;
	size_t nfound;
};

/* Members that say which rank wrote a line, and what it is about: lines of others are other series,
 * and of another order. */
#define JSONL_RANKS  "rank|global_rank|world_rank|process_rank|process_index"
#define JSONL_PHASES "phase|split|mode"

/* Learns from a line, `found` being its numbers in the order of the line.  Ranks and phases keep
 * their values: a line with another value is another order.  So do texts of escaped keys, which are
 * kept as they are written, so that another spelling is another order.  A line with lists teaches
 * nothing.  has_rank: ranks are not among those found. */
void jsonl_order_learn(struct jsonl_order *o, struct span line, const struct jsonl_found *found,
	size_t nfound, bool has_rank);

/* Reads a line of that order into found[0 .. nfound); false at the first difference.  REAL_PADDING
 * bytes behind the line must be readable. */
bool jsonl_order_read(const struct jsonl_order *o, struct span line, struct jsonl_found *found);
void jsonl_order_clear(struct jsonl_order *o);
