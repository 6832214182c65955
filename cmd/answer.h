/*
 * Any analysis as a command: options, files, answer.
 */
#ifndef CMD_ANSWER_H
#define CMD_ANSWER_H

struct analysis;
struct excerpt;
struct opt_given;

/*
 * Runs the analysis on the files that argv names; argv[0] is the command's word.  Reads all of
 * them, computes, writes the answer, then the warnings to stderr.  Returns the exit code.
 */
int answer_run(const struct analysis *a, int argc, char **argv);

/* The same for a program: what is written is that part of the answer (report/format/excerpt.h). */
int answer_run_given(
	const struct analysis *a, const struct opt_given *given, const struct excerpt *excerpt);

#endif
