/* What the reader's screen can show: colours, width, character set. */
#pragma once

#include "base/base.h"

struct output_options;
struct render;

/* Fills *how for an answer that goes to stdout, or to a file (is_file). */
void screen_render(const struct output_options *o, bool is_file, struct render *how);

/* The user's locale says UTF-8.  Sets LC_CTYPE, and nothing else, from the environment. */
bool screen_has_utf8(void);

/* TERM is unset, empty or "dumb": no escape sequences. */
bool screen_is_dumb(void);

/* ---- a pager between the answer and a terminal, as git has one ---- */

/* Whether what goes to stdout is to pass through pager_put: stdout is a terminal that can move its
 * cursor, of known height, and a pager is named.  The command is TRACEQ_PAGER, else PAGER, else
 * less.  It comes from the user's environment alone.  Empty or "cat": none. */
bool pager_is_wanted(void);

/* From here on there is none. */
void pager_turn_off(void);

/* Writes n bytes to stdout: by the pager where they are higher than the screen, else as they are.
 * Waits for its end.  That a reader quits early is no error, and a pager that cannot be started
 * shows nothing, so the text is written as it is.  False, with errno set, when it could not be. */
bool pager_put(const char *text, size_t n);
