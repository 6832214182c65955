/*
 * Help texts, all of them made from the tables of options, commands and analyses.
 */
#ifndef CMD_HELP_H
#define CMD_HELP_H

#include <stdbool.h>
#include <stdio.h>

struct opt;
struct str;

/* Help of the program, short or full, to `out`.  Returns exit_code. */
int help_all(FILE *out, bool is_full, int exit_code);

/* Help of one command on stdout.  Returns the exit code. */
int help_verb(const char *name, bool is_full);

/* Appends what users type: "-n, --limit N". */
void help_label(struct str *out, const struct opt *o);

#endif
