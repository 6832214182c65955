/*
 * What to type next: command lines for what is there, as rows of a table.
 */
#ifndef CMD_FRONT_NEXT_H
#define CMD_FRONT_NEXT_H

#include <stddef.h>

#include "base/table.h"

enum { NEXT_COLUMNS = 2 };
extern const struct column next_columns[NEXT_COLUMNS];

/* Adds a row to a table of these columns: "traceq COMMAND", and what it answers, borrowed. */
void next_add(struct table *t, const char *command, const char *why);

/* A path as a shell takes it, a word and no option; memory is the arena's. */
const char *next_path(struct arena *mem, const char *path);

/*
 * Rows for what diagnose found in what `path`, quoted already, names: most telling first.  NULL:
 * it has no answer.
 */
void next_of_answers(struct table *t, const char *path, const struct result *diagnose);

#endif
