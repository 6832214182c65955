/* Help texts, all of them made from the tables of options, commands and analyses. */
#pragma once

#include "base/base.h"

struct commands;

/* Help of the program, short or full, on stdout; on stderr when nothing was asked for (is_misuse).
 * Returns the exit code. */
int help_all(const struct commands *all, bool is_full, bool is_misuse);

/* Help of one command on stdout.  Returns the exit code. */
int help_verb(const struct commands *all, const char *name, bool is_full);
