/*
 * The channel: one message a line, in on one descriptor and out on the other.
 */
#ifndef CMD_MCP_CHANNEL_H
#define CMD_MCP_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { CHANNEL_LINE_MAX = 1 << 20 }; /* bytes of a message that comes in */

struct channel {
	int in, out;
	struct str text;  /* what has come and was not taken yet */
	size_t taken;     /* of it */
	bool is_skipping; /* the rest of a line that is too long */
	bool is_ended;
};

enum channel_line { CHANNEL_NONE, CHANNEL_LINE, CHANNEL_TOO_LONG };

/* Takes what is there to be read; waits where nothing is, unless the descriptor has ended. */
void channel_read(struct channel *w);

/*
 * The next whole line, without its line feed, valid until the next channel_read; the last one needs
 * no line feed.  CHANNEL_TOO_LONG, once, for one that is longer than CHANNEL_LINE_MAX and is passed
 * over.
 */
enum channel_line channel_next(struct channel *w, struct span *line);

/* Writes the text and a line feed, all of it; false when nobody reads any longer. */
bool channel_put(const struct channel *w, const struct str *text);

void channel_free(struct channel *w);

#endif
