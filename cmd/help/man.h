/*
 * Manual pages from the tables.
 */
#ifndef CMD_HELP_MAN_H
#define CMD_HELP_MAN_H

/*
 * Prints traceq-NAME(1), or traceq(1) when name is NULL, as man(7) source on stdout.  Returns the
 * exit code.
 */
struct commands;
int man_print(const struct commands *all, const char *name);

#endif
