/*
 * What there is to say about traceq as a whole.
 */
#ifndef CMD_HELP_ABOUT_H
#define CMD_HELP_ABOUT_H

/* What a FILE operand can be, and three example lines; constant. */
extern const char about_files[], about_examples[];

/* The exit codes, a line for each: "0  answered"; constant. */
extern const char about_exit_codes[];

/* The environment variables traceq looks at, name and meaning by turns, NULL at the end. */
extern const char *const about_environment[];

#endif
