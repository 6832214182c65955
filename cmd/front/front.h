/*
 * `traceq` alone: what lies in this folder, and what to type about it.
 */
#ifndef CMD_FRONT_FRONT_H
#define CMD_FRONT_FRONT_H

struct commands;

/*
 * Looks at the current folder and the folders in it, a few hundred files at most, and prints what
 * they are and commands for them, on stdout; EXIT_ANSWERED.  Where there is nothing that traceq
 * reads: the short help on stderr, as ever; EXIT_NO_ANSWER.
 */
int front_print(const struct commands *all);

#endif
