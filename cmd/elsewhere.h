/* Words of other tools that are no commands here, and the commands that do what they do there. */
#pragma once

#include "base/base.h"

struct commands;

/* Those that lead to the same; constant. */
struct elsewhere {
	const char *words;   /* "chart|graph" */
	const char *command; /* "plot" */
	const char *more; /* an option it needs for that, or the suffix of the file that its -o has
	                     to name: "--list", ".svg"; NULL: nothing */
	const char *why;  /* where the summary of the command does not say it, or NULL */
};

/* All of them; *n receives how many. */
const struct elsewhere *elsewhere_all(size_t *n);

/* What that word is here, or NULL. */
const struct elsewhere *elsewhere_find(const char *word);

/* "here that is 'diff': what changed between two runs"; memory is the arena's. */
const char *elsewhere_text(
	const struct elsewhere *w, const struct commands *all, struct arena *mem);
