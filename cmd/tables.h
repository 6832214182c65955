/* Which tables of an answer are written: all of them, or one where the format has room for one. */
#pragma once

#include "base/base.h"

struct analysis;
struct output_options;
struct renderer;
struct result;

/* The path, which may be NULL, is a folder, or says with a '/' at its end that it is to be one. */
bool tables_is_folder(const char *path);

/* Appends "totals|device|ops": the tables that the analysis has, each once. */
void tables_choices(struct str *out, const struct analysis *a);

/* Refuses, before anything is read, a --table that the analysis never has, and a folder as -o where
 * the format is not one table, or where one of the n inputs is.  E_USAGE. */
enum status tables_check(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const char *const *input, size_t n, struct err *e) MUST_CHECK;

/* Whether --table asks for one that each of several runs has by itself. */
bool tables_wants_pages(const struct output_options *o, const struct analysis *a);

/* ---- an answer written, all of it or one of its tables ---- */

/* Writes the answer as output_put does: the table of --table alone; in a format that is one table
 * the analysis' main one, with a word on stderr about the others; each into a file of its own where
 * -o is a folder, which is made.  E_NODATA when the answer lacks the table. */
enum status tables_put(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const struct result *r, struct err *e) MUST_CHECK;
