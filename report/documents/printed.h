/*
 * A document being written: its lines as Python prints them, and what `info` says of the files that
 * it is about.  Private to report/documents/.
 */
#ifndef REPORT_DOCUMENTS_PRINTED_H
#define REPORT_DOCUMENTS_PRINTED_H

#include "base/compiler.h"
#include "report/answers.h"
#include "report/documents/document.h"

struct printed {
	const struct answers *in;
	int input; /* -1: all of them */
	/* Of `info`, about that input; NULL: there are none. */
	const struct table *artifacts, *sheets, *scalars;
	struct table *t;    /* the lines; NULL: none are written */
	struct result *out; /* where tables of lines go */
};

/* About an input of the first answer.  out may be NULL where nothing is written. */
struct printed printed_of(const struct answers *in, int input, struct result *out);

/* Begins a table of lines. */
void printed_begin(struct printed *p);

/* One line, printf-style, without a line feed; an empty one; so many times that character. */
void printed_line(const struct printed *p, const char *fmt, ...) PRINTF_LIKE(2, 3);
void printed_blank(const struct printed *p);
void printed_rule(const struct printed *p, char c, int n);
/* A title between two rules of '='. */
void printed_title(const struct printed *p, const char *title, int n);

/* Python's f"{text[:cut]:<width}": spaces behind it, to so many characters; cut 0: all of it. */
const char *printed_left(const struct printed *p, struct span text, size_t cut, size_t width);
/* Python's str(v) of a float that was written with at most 12 digits. */
const char *printed_float(const struct printed *p, double v);
/* "12.34", with commas f"{v:,.2f}"; "n/a" where nobody knows it. */
const char *printed_fixed(const struct printed *p, double v, int decimals, bool commas);

/* 0 where nobody knows it. */
double or_zero(double v);

/* ---- of the files ---- */

/* A table of an answer about the input, or NULL. */
const struct table *printed_table(const struct printed *p, const char *ask, const char *id);
/* How many inputs the answers have. */
size_t printed_inputs(const struct answers *in);
/* The input as it was given. */
const char *printed_path(const struct printed *p);

/* A value by its list ("value", "env", "config") and key; NaN, empty: nobody says it. */
double printed_number(const struct printed *p, const char *of, const char *key);
struct span printed_text(const struct printed *p, const char *of, const char *key);

/* The row of the first artifact of that kind; false: there is none. */
bool printed_artifact(const struct printed *p, const char *kind, size_t *row);

/*
 * The first sheet of that id ("ops") in an artifact that has one of two words under the key, as
 * "kind"; or_word may be NULL.  *t: its rows, NULL where it has none; *artifact: the artifact's
 * row.  False: there is no such sheet.
 */
bool printed_sheet(const struct printed *p, const char *id, const char *key, const char *word,
	const char *or_word, const struct table **t, size_t *artifact);

/* ---- what reports print: each whether it has written anything ---- */

bool canary_put_run(struct printed *p);
bool profiled_put_run(struct printed *p);
bool gpu_put_run(struct printed *p, bool is_checks);
bool batches_put_benchmark(struct printed *p);
/* Below lines that are there; false: the sweep is that of 40_profile_gpu.py. */
bool batches_put_sizes(const struct printed *p, const struct table *sizes);
void baseline_summary_put(struct printed *p);
bool baseline_summary_has(const struct answers *in);

extern const struct document document_metrics, document_diagnose, document_check, document_fit,
	document_batch, document_diff;

#endif
