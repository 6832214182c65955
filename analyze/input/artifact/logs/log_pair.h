/* A name with its number, and those of a line. */
#pragma once

#include "analyze/input/artifact/logs/log_value.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { LOG_PAIRS = 256, LOG_KEY_MAX = 64 };

struct log_pair {
	struct span key; /* as it is written; of a counter without a name "step", and in no line */
	struct span of;  /* what its remark stands behind: "12 ms (80 tokens per second)" */
	struct span below; /* the heading in front of its line's pairs: "time (ms) | forward: 1" */
	struct span rate;  /* its unit, where that says more than its name: "output: 12 toks/s" */
	const char *at;    /* where its number is */
	double value;      /* as written */
	double scale;      /* what its suffix makes of it; 0 is 1 */
	double total;      /* of "10/500", "8.1s/100 iters"; 0: it is not said */
	enum measure measure;
	enum log_mark mark;
	int nth;        /* of a list, from 1; 0: of none */
	bool is_share;  /* the percentage of the remark behind the key's number */
	bool is_signed; /* by '=' */
	bool is_epoch;  /* it counts epochs, whatever it is called */
	bool is_unnamed;
	bool is_alone; /* the line is it and no more */
	bool is_fixed; /* the number is more than its digits: "0:01:02" */
};

struct log_pairs {
	struct log_pair v[LOG_PAIRS];
	size_t n, nsigned;
	size_t nbare;    /* numbers that are no pair's */
	size_t nremarks; /* numbers in remarks behind figures: "0.52 (0.53)", and between words */
	bool has_rest;   /* there is more than pairs */
};

/* What counters without a name are called. */
extern const struct span log_step_name;

/* Counted as a number that is no pair's where there is no room. */
void log_pairs_add(struct log_pairs *to, const struct log_pair *pair);

/* The value, its unit, else the one in the key, else the usual; key and place are the caller's. */
void log_pair_fill(struct log_pair *pair, const struct log_value *v, enum measure usual);

/* A counter.  The key is empty where it has no name. */
void log_pairs_count(struct log_pairs *to, struct span key, const char *at, double n, double total);

/* It says where the line is. */
bool log_pair_is_place(const struct log_pair *p);

/* One of them counts what the line is about: "Step", "Epoch". */
bool log_pairs_have_count(const struct log_pairs *p);

/* Figures, in a line of no known form: pairs by '=', nothing but pairs, or pairs at a step. */
bool log_pairs_are_figures(const struct log_pairs *p);

/* Nothing but rates: "Throughput: 12.5 requests/s, 1600.0 output tokens/s". */
bool log_pairs_are_rates(const struct log_pairs *p);
