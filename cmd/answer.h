/* Any analysis as a command: options, files, answer. */
#pragma once

struct analysis;
struct command_line;

/* Runs the analysis on the files that the line names: reads all of them, computes, writes the
 * answer (or the excerpt of it that is wanted), then the warnings to stderr.  Returns the exit
 * code. */
int answer_run(const struct analysis *a, const struct command_line *line);
