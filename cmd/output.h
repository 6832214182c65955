/* Where an answer goes: stdout, or a file that appears when it is complete. */
#pragma once

#include "base/base.h"

struct door_output;
struct formats;
struct output_options;
struct renderer;
struct result;

/* The renderer the options ask for: --format or --json, else by the suffix of -o, else table.
 * E_USAGE when --json contradicts --format, or f has no such format. */
enum status output_renderer(const struct output_options *o, const struct formats *f,
	const struct renderer **r, struct err *e) MUST_CHECK;

/* What a command was given, n paths, as inputs, and what it is going to write, as door_plan does.
 * E_USAGE of that. */
void output_spares(const char *const *input, size_t n);
enum status output_plan(const struct door_output *file, size_t n, struct err *e) MUST_CHECK;

/* The same of the one file of -o; NULL, "-": standard output, which is to be no input. */
enum status output_plan_named(const char *path, struct err *e) MUST_CHECK;

/* Renders to stdout or to o->path.  Errors name the file in their text.  The text is empty when the
 * reader of the pipe has gone: nothing is to be said then. */
enum status output_put(const struct output_options *o, const struct renderer *renderer,
	const struct result *r, struct err *e) MUST_CHECK;

/* The same, after which the result is cleared.  What went wrong is said.  Returns the exit code. */
int output_result(
	const struct output_options *o, const struct renderer *renderer, struct result *r);

/* Writes text, which is harmless already, to stdout and frees it.  Returns EXIT_ANSWERED, or
 * EXIT_NO_ANSWER when it could not be written.  That has been said then. */
int output_text(struct str *text);

/* "TEXT" and a line feed on stdout, printf-style, harmless as messages are; returns the same. */
int output_line(const char *fmt, ...) PRINTF_LIKE(1, 2);

/* To be called once at the end: flushes and closes stdout.  Returns exit_code, or EXIT_NO_ANSWER
 * with a message when not all of it could be written; no message when exit_code is that already, or
 * the reader of the pipe has gone. */
int output_finish(int exit_code);
