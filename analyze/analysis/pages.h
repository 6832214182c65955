/* Pages: what an analysis answered about one run, kept in its record
 * (analyze/trace/digest/digest_file.h) so that it can be answered once more without the events.
 *
 * A page is of one analysis with one set of options, for people, machines or documents; a record
 * holds those that its writer asked for, and all else needs the trace itself. */
#pragma once

#include "base/base.h"

struct analysis;
struct digest_file_out;
struct query;
struct result;
struct run;

/* Whom an answer is for; as in files, so not to be changed. */
enum page_form {
	PAGE_PEOPLE = 0,
	PAGE_MACHINES = 1,
	PAGE_GATHERED = 2, /* a document, beside what other analyses say (query.no_quantiles) */
	PAGE_FORMS
};

/* What an analysis said of a run. */
struct page_answer {
	const struct analysis *analysis;
	const void *opts;
	enum page_form form;
	const struct result *result;
	bool says_no;          /* its exit code is 1 */
	const struct err *err; /* NULL, or why it has none */
};

/* Adds the answers of one analysis after the other, n of them, to a record. */
void pages_add(struct digest_file_out *to, const struct page_answer *v, size_t n);

/* The page of a run that is read from a record, the query's input of that number: its tables and
 * notes go to out, or it is the failure that the trace gave.  E_NODATA where there is no such page,
 * and what of the query it is that needs the trace; E_SYNTAX. */
enum status pages_answer(const struct query *q, const struct run *run, int input,
	struct result *out, struct err *e) MUST_CHECK;

/* E_NODATA: the analysis needs events. */
enum status pages_refuse(const struct analysis *a, struct err *e) MUST_CHECK;
