/*
 * What the reader's screen can show: colours, width, character set.
 */
#ifndef CMD_SCREEN_H
#define CMD_SCREEN_H

#include <stdbool.h>

struct output_options;
struct render;

/* Fills *how for an answer that goes to stdout, or to a file (is_file). */
void screen_render(const struct output_options *o, bool is_file, struct render *how);

/*
 * Rows and columns of the terminal on stdout: LINES and COLUMNS, else what it says.  False where
 * neither tells the rows.
 */
bool screen_size(unsigned *rows, unsigned *columns);

/* The user's locale says UTF-8.  Sets LC_CTYPE, and nothing else, from the environment. */
bool screen_has_utf8(void);

/* TERM is unset, empty or "dumb": no escape sequences. */
bool screen_is_dumb(void);

#endif
