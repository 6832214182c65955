/*
 * Names and numbers of a line: "loss=0.5, lr: 1e-4", "step 10", "memory: 5.28GiB(66.1%)".
 *
 * A name stands in front of '=' (its last word) or ':' (all of it, back to a comma, a bar, two
 * blanks, " - " or the number before); a blank binds a number to what counts ("Step 10", "Epoch
 * 3"), and, in a line that says where it is, to any name of a few words.  Counters may stand in
 * brackets and have no name: "Epoch [1/5]", "[0][10/100]", "[1, 2000]", "10/100".  Numbers of a
 * list are figures of one name, numbered from 1.  A rate may be its own name: "50ms/step".
 */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { LOG_PAIRS = 64 };

struct log_pair {
	struct span key; /* as it is written; of a counter without a name "step", and in no line */
	struct span of;  /* what its remark stands behind: "12 ms (80 tokens per second)" */
	const char *at;  /* where its number is */
	double value;    /* as written */
	double scale;    /* what its suffix makes of it; 0 is 1 */
	double total;    /* of "10/500"; 0: it is not said */
	enum measure measure;
	int nth;        /* of a list, from 1; 0: of none */
	bool is_share;  /* the percentage of the remark behind the key's number */
	bool is_signed; /* by '=' */
	bool is_epoch;  /* it counts epochs, whatever it is called */
	bool is_unnamed;
	bool is_fixed; /* the number is more than its digits: "0:01:02" */
};

struct log_pairs {
	struct log_pair v[LOG_PAIRS];
	size_t n, nsigned;
	size_t nbare;    /* numbers that are no pair's */
	size_t nremarks; /* numbers in remarks behind figures: "0.52 (0.53)" */
	bool has_rest;   /* there is more than pairs */
};

/* REAL_PADDING bytes behind the text are readable. */
void log_pairs_find(struct log_pairs *to, struct span text);

/* One of them counts what the line is about: "Step", "Epoch". */
bool log_pairs_have_count(const struct log_pairs *p);

/* Figures, in a line of no known form: pairs by '=', nothing but pairs, or pairs at a step. */
bool log_pairs_are_figures(const struct log_pairs *p);
