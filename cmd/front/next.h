/* What to type next: command lines for what is there, as rows of a table. */
#pragma once

#include "base/table.h"

struct commands;

/* A table for command lines, about no input. */
struct table *next_table(struct result *r);

/* Adds "traceq" with these words, which are quoted here and nowhere before, and what it answers,
 * borrowed. */
void next_add(struct table *t, const char *why, const char *const *word);
#define NEXT(t, why, ...) next_add(t, why, (const char *const[]){ __VA_ARGS__, NULL })

/* A path as an operand, also as the only word, where a name of a command would be one. */
const char *next_file(const struct commands *all, struct arena *mem, const char *path);

/* "cut.json" of its two parts, or "cut-2.json" and so on: the first that is not there. */
const char *next_output(struct arena *mem, const char *stem, const char *suffix);

/* Rows for what diagnose found in what `path` names: most telling first.  trace: the one trace in
 * it, which can be cut, or NULL; both are operands.  diagnose: NULL where it has no answer. */
void next_of_answers(
	struct table *t, const char *path, const char *trace, const struct result *diagnose);

/* The commands alone, a line each. */
void next_plain(struct table *t);

/* ---- `traceq` alone: what lies in this folder, and what to type about it ---- */

/* Looks at the current folder and the folders in it, a few hundred files at most, and prints what
 * they are and commands for them, on stdout; EXIT_ANSWERED.  Where there is nothing that traceq
 * reads: the short help on stderr, as ever; EXIT_NO_ANSWER. */
int front_print(const struct commands *all);
