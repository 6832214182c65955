/*
 * Formats of calls among those that a cut is written in.
 */
#ifndef CMD_EDIT_CALLFORMAT_H
#define CMD_EDIT_CALLFORMAT_H

struct renderer;

/* The one that --to or the suffix of -o says, ".gz" left away; NULL: none.  Either may be NULL. */
const struct renderer *callformat_pick(const char *to, const char *path);

#endif
