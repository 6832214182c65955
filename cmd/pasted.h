/* The command line that was given, as a shell takes it. */
#pragma once

#include "base/opt.h"

/* Appends "traceq", and argv[0..argc) quoted where a shell needs it (base/shell.h).  Options that
 * change nothing of what is written (threads, quiet, pager) are left out, so that the same question
 * is the same line; so are those of `beside`, by their long names up to NULL, or NULL.  argv is one
 * that the groups could parse. */
void pasted_command(struct str *b, const struct opt_group *group, size_t ngroup, int argc,
	char **argv, const char *const *beside);
