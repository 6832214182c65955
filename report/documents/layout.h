/* Documents of the field: what their own scripts and notebooks print, heading by heading, as
 * templates over the tables of answers.  Nothing that answers knows of them.  `--format seed` of an
 * answer and `report --format seed` print them; `traceq explain guides` lists them.
 *
 * They can be laid beside what the scripts print: widths, number formats and sentences are theirs,
 * also where they are wrong.  Where traceq says something else, its ordinary answer does. */
#pragma once

#include "base/base.h"

struct answers;
struct opt;
struct page;
struct printed;
struct result;

/* Parts of a document that it has when they are asked for. */
struct document_parts {
	bool analysis, report;
};

struct document {
	const char *answer;    /* whose --format seed it is */
	const char *ask;       /* how that is asked for it: "fit --seed-compat" */
	const char *beside;    /* what is asked beside it, or NULL */
	const char *call;      /* how a person asks: "traceq fit --format seed" */
	const char *about;     /* what it prints, and whose that is */
	const struct opt *opt; /* its own options, of struct document_parts; nopt of them */
	size_t nopt;
	bool is_judge;           /* whether it says no is the exit code */
	bool speaks_for_nothing; /* it says itself what is missing where the answer finds nothing */
	enum status (*put)(struct printed *p);
};

/* All documents of answers; *n receives how many.  The one of that answer, or NULL. */
const struct document *const *document_all(size_t *n);
const struct document *document_of(const char *answer);

/* Adds the document to `out` as a table of TABLE_TEXT, none where it is empty.  E_NODATA: there is
 * nothing that it prints; E_USAGE: it is about something else.  *e is why there is no answer, where
 * it speaks for nothing. */
enum status document_put(const struct document *d, const struct answers *in,
	const struct document_parts *parts, struct result *out, bool *says_no, struct err *e);

/* The reports: what the documents print of a run's files, from answers to DOCUMENT_RUN_ASKS; the
 * report of week 1, to DOCUMENT_WEEK1_ASKS.  No block where they print nothing. */
#define DOCUMENT_RUN_ASKS   "info", "fit --seed-compat", "batch", "diagnose"
#define DOCUMENT_WEEK1_ASKS "info", "batch"
void document_run(const struct answers *in, struct page *d);
void document_week1(const struct answers *in, struct page *d);
