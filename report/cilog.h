/*
 * Commands in the log of a CI server.
 *
 * A server reads what a step prints, on stdout and stderr alike, and obeys a line that begins,
 * behind blanks, with "::" (GitHub), or has "##[" (GitHub) or "##vso[" (Azure) anywhere.  A name in
 * a file must not be able to say either.
 *
 * Source: actions/runner, ActionCommand.cs; microsoft/azure-pipelines-agent, Command.cs.  GitLab's
 * section markers need a carriage return and an ESC, which are never sent.
 */
#ifndef REPORT_CILOG_H
#define REPORT_CILOG_H

#include <stdbool.h>

#include "base/str.h"

/* What a format writes in place of the letter that makes a command. */
struct cilog {
	const char *colon;   /* of the first ':'; NULL: a text never begins a line */
	const char *bracket; /* of the '[' */
	bool at_words;       /* lines may be broken at any blank afterwards */
};

/* Takes the commands out of the text that begins at `from`; it may be cut into lines later. */
void cilog_defuse(struct str *b, size_t from, const struct cilog *how);

#endif
