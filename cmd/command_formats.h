/* Which formats a command has: by the word after --format, and by the suffix of what -o names. */
#pragma once

#include "base/base.h"

struct analyses;
struct analysis;
struct renderer;

/* Who asks: a command that is no analysis has the formats of any table. */
struct formats {
	const char *command;
	const struct analysis *analysis; /* or NULL */
	const struct analyses *all;      /* who else may have one; NULL: nobody asks */
};

/* Whether its answer can be written so. */
bool formats_has(const struct formats *f, const struct renderer *r);

/* Appends "table|json|csv": the words of all it has, as choices of an option. */
void formats_choices(struct str *out, const struct formats *f);

/* The format of that word.  E_USAGE with what there is when it has none. */
enum status formats_find(const struct formats *f, const char *word, const struct renderer **r,
	struct err *e) MUST_CHECK;

/* The format of files that are called so; *r is NULL where the name has no suffix.  E_USAGE with
 * what there is when it has none. */
enum status formats_of_path(const struct formats *f, const char *path, const struct renderer **r,
	struct err *e) MUST_CHECK;

/* The suffix of the last part of a path, ".json", or "" when it has none. */
const char *formats_suffix(const char *path);

/* E_USAGE: the command writes no file that is called so.  has: the suffixes it has, ".txt, .md". */
enum status formats_refuse(const char *command, const char *path, const char *has, struct err *e);
