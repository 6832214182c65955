/* What was asked and what came back: the results a chart or a document is made from.
 *
 * A chart and a section say which analyses they want (an ask), and take columns of their tables by
 * key.  They never see a run; a table or column that is not there is an answer too: NULL, NaN. */
#pragma once

#include "base/table.h"

/* One analysis, asked with some options. */
struct answer {
	const char *ask;             /* as on the command line: "memory --points=4000" */
	const struct result *result; /* NULL: it could not answer */
	const char *why;             /* then: why not; else NULL */
	const char *hint;            /* and what to do about it there, or NULL */
};

/* What the answers are about, in words; NULL: not known, or it says nothing. */
struct answers_about {
	const char *input;       /* "trace.json.gz", "run/", "a.json against b.json" */
	const char *device;      /* "H100 80GB HBM3 x2" */
	const char *steps;       /* "24 steps" */
	const char *date;        /* of the recording, UTC: "2024-05-31" */
	size_t nleft;            /* further traces of the run, which are not looked at: too many */
	const char *const *slow; /* then files of the ranks that the others of all wait for; NULL:
	                            not known */
	size_t nslow;
};

struct answers {
	const struct answer *v;
	size_t n;
	struct answers_about about;
	size_t main; /* the input that is described where one alone is */
};

/* The input to describe of those that are ranks of a job: the one that the others wait for, or that
 * computes as long as the median rank; else the first.  O(ranks^2). */
size_t answers_main(const struct answers *a);

/* Whether an input is known to be a rank of a job, and then whether the others wait for it. */
bool answers_rank(const struct answers *a, const char *input, bool *is_slow);

/* The answer to that ask, or NULL when it was not asked. */
const struct answer *answers_find(const struct answers *a, const char *ask);

/* The i-th table with that id in the answer to ask, or NULL.  There is one for each input, or one
 * for all of them. */
const struct table *answers_table(
	const struct answers *a, const char *ask, const char *id, size_t i);

/* The first table with that id about that input, or NULL: one that is no trace has few of them. */
const struct table *answers_of_input(
	const struct answers *a, const char *ask, const char *id, size_t input);

/* One with at least one row that is data: that about the main input, else the first. */
const struct table *answers_rows(const struct answers *a, const char *ask, const char *id);

/* The last part of an input's path, without suffixes of traces: "rank3" of "out/rank3.json.gz". */
struct span input_name(const char *path);

/* Whether a row of diagnose's table "changes" is among those to try first: the first, and the next
 * two of them that save a hundredth. */
bool answers_is_first_change(const struct table *changes, size_t row);

/* How a row of diagnose's table "changes" is done: the first as the serious finding of its verdict
 * says, which knows more (findings: diagnose's, or NULL), else as the row says; may be empty. */
struct span answers_how(const struct table *changes, size_t row, const struct table *findings);
