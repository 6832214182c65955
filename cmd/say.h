/* Words to the person: everything traceq writes to stderr except the progress line.
 *
 * Each message is one line, and a hint another: line breaks, controls and marks of direction in
 * names and texts are shown as escapes (report/escape.h), so that neither a terminal nor a CI
 * server that reads the log obeys them. */
#pragma once

#include "base/base.h"

struct result;

/*
 * "traceq: WHERE: TEXT at byte 48,234,496, line 12" and the hint on a second line.  where: the
 * command or the file, or NULL.  Nothing is printed when e->text is empty.  Returns EXIT_NO_ANSWER.
 */
int say_error(const char *where, const struct err *e);

/* The same about the command line of a command: without a hint, its --help is named.  E_HELP is no
 * error: nothing is printed, and the exit code has main print the help. */
int say_usage(const char *command, const struct err *e);

/* say_usage where it is E_USAGE or E_HELP, else say_error. */
int say_refusal(const char *command, const char *where, const struct err *e);

/* "traceq: TEXT", printf-style.  Returns EXIT_NO_ANSWER. */
int say_failure(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* A command line of base/shell.h to be typed now, in a line of its own, whole. */
void say_command(const char *command);

/* The result's notes that were not said before, in order, one line each: warnings and errors, and
 * with_info also the others. "traceq: FILE: TEXT (first at byte 88, line 5)"; how many they are,
 * their text says. */
void say_notes(const struct result *r, bool with_info);

/* Its notes of that id, before anything else is.  They are said then. */
void say_notes_of(struct result *r, const char *id);
