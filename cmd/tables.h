/*
 * Which tables of an answer are written: all of them, or one where the format has room for one.
 */
#ifndef CMD_TABLES_H
#define CMD_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

struct analysis;
struct output_options;
struct renderer;

enum { TABLES_MAX = 64 };

/* Ids of tables, each once. */
struct table_ids {
	const char *v[TABLES_MAX]; /* borrowed */
	size_t n;
};
void tables_add(struct table_ids *ids, const char *id);
bool tables_have(const struct table_ids *ids, const char *id);

/* Appends them, `between` between, but for the one of that id; without: NULL for none. */
void tables_join(
	struct str *out, const struct table_ids *ids, const char *between, const char *without);

/* The path, which may be NULL, is a folder, or says with a '/' at its end that it is to be one. */
bool tables_is_folder(const char *path);

/* Appends "totals|device|ops": the tables that the analysis has, each once. */
void tables_choices(struct str *out, const struct analysis *a);

/*
 * Refuses, before anything is read, a --table that the analysis never has, and a folder as -o where
 * the format is not one table, or where one of the n inputs is.  E_USAGE.
 */
enum status tables_check(const struct output_options *o, const struct renderer *renderer,
	const struct analysis *a, const char *const *input, size_t n, struct err *e) MUST_CHECK;

/* Whether --table asks for one that each of several runs has by itself. */
bool tables_wants_pages(const struct output_options *o, const struct analysis *a);

#endif
