/* A document being printed, and what `info` says of the files that it is about.  Private to
 * report/documents/. */
#pragma once

#include "report/answers.h"
#include "report/documents/layout.h"

struct printed {
	const struct answers *in;
	const struct document_parts *parts;
	struct arena *mem;
	struct result *out; /* where notes go; NULL: nobody reads any */
	struct err *e;
	bool says_no;
	struct str b; /* the text */
	/* The input that it is about, -1: all of them; what `info` says of it, NULL: nothing. */
	int input;
	const struct table *artifacts, *sheets, *scalars;
};

/* What follows is about that input. */
void printed_about(struct printed *p, int input);
/* How many inputs the answers have; the path of this one. */
size_t printed_inputs(const struct printed *p);
const char *printed_path(const struct printed *p);

/* ---- text ---- */

/* n times that character, as a line; a title between two such lines of '='. */
void printed_rule(struct printed *p, char c, int n);
void printed_title(struct printed *p, const char *title, int n);
/* Python's f"{text[:cut]:<width}": spaces behind it, to so many characters; cut 0: all of it. */
const char *printed_left(const struct printed *p, const char *text, size_t cut, size_t width);
/* Python's str(v) of a float that was written with at most 12 digits. */
const char *printed_float(const struct printed *p, double v);
/* 0 where nobody knows it. */
double or_zero(double v);

/* ---- tables ---- */

/* A table of an answer about the input, or NULL. */
const struct table *printed_table(const struct printed *p, const char *ask, const char *id);
/* A text that comes from files, made harmless; that of a row, "": it has none. */
const char *printed_safe(const struct printed *p, struct span text);
const char *printed_word(
	const struct printed *p, const struct table *t, size_t row, const char *key);

/* A value that the input's files say, by its key; NaN, "": none does. */
double printed_number(const struct printed *p, const char *key);
const char *printed_text(const struct printed *p, const char *key);

/* The row of the first artifact of that kind; false: there is none. */
bool printed_artifact(const struct printed *p, const char *kind, size_t *row);
/* The first sheet of that id ("ops") in an artifact that has one of two words under the key, as
 * "kind"; or_word may be NULL.  *t: its rows, NULL where it has none; *artifact: the artifact's
 * row.  False: there is no such sheet. */
bool printed_sheet(const struct printed *p, const char *id, const char *key, const char *word,
	const char *or_word, const struct table **t, size_t *artifact);

/* ---- parts of reports: nothing where they print nothing ---- */

void canary_put_run(struct printed *p);
void profiled_put_run(struct printed *p);
void gpu_put_models(struct printed *p);
void gpu_put_checks(struct printed *p);
void batches_put_benchmark(struct printed *p);
/* The first sweep that is not that of 40_profile_gpu.py, whichever input it is of. */
void batches_put_sizes(struct printed *p);
void baseline_summary_put(struct printed *p);
bool baseline_summary_has(const struct printed *p);

extern const struct document document_metrics, document_diagnose, document_check, document_fit,
	document_batch, document_diff;
