/*
 * Names and numbers of a line: "loss=0.5, lr: 1e-4", "step 10", "memory: 5.28GiB(66.1%)".
 *
 * A name stands in front of '=' (its last word) or ':' (all of it, back to a comma, a bar, two
 * blanks, " - " or the number before); a blank binds a number to what counts ("Step 10", "Epoch
 * 3"), behind that to a quantity ("Step 10: loss 0.69"), and, in forms that do so, to any name.  A
 * number may have commas every three digits, a unit, and a remark in parentheses, whose percentage
 * is a figure of its own.
 */
#pragma once

#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"

enum { LOG_PAIRS = 64 };

struct log_pair {
	struct span key; /* as it is written */
	const char *at;  /* where its number is */
	double value;
	double total; /* of "10/500"; 0: it is not said */
	enum measure measure;
	bool is_share;  /* the percentage of the remark behind the key's number */
	bool is_signed; /* by '=' */
};

struct log_pairs {
	struct log_pair v[LOG_PAIRS];
	size_t n, nsigned;
	bool has_rest; /* there is more than pairs */
};

/* The number at p, with commas every three digits: what is behind it, or NULL. */
const char *log_pairs_number(const char *p, const char *end, double *v);

/* form: what the line is known to be, or NULL.  REAL_PADDING bytes behind the text are readable. */
void log_pairs_find(struct log_pairs *to, struct span text, const struct log_form *form);

/* One of them counts what the line is about: "Step", "Epoch". */
bool log_pairs_have_count(const struct log_pairs *p);

/* Figures, in a line of no known form: pairs by '=', nothing but pairs, or pairs at a step. */
bool log_pairs_are_figures(const struct log_pairs *p);
