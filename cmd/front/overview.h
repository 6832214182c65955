/*
 * The overview command: what `traceq FILE` runs.
 */
#ifndef CMD_FRONT_OVERVIEW_H
#define CMD_FRONT_OVERVIEW_H

/* argv[0] is a word that is not looked at.  Returns the exit code; prints its own errors. */
int overview_run(int argc, char **argv);

#endif
