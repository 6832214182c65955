/* Messages of JSON-RPC 2.0, as the Model Context Protocol has them: one request a line. */
#pragma once

#include "analyze/input/text/json_text.h"

/* ---- the channel: one message a line, in on one descriptor and out on the other ---- */

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

/* The next whole line, without its line feed, valid until the next channel_read; the last one needs
 * no line feed.  CHANNEL_TOO_LONG, once, for one that is longer than CHANNEL_LINE_MAX and is passed
 * over. */
enum channel_line channel_next(struct channel *w, struct span *line);

void channel_free(struct channel *w);

/* ---- messages ---- */

/* Error codes (JSON-RPC 2.0, section 5.1). */
enum rpc {
	RPC_FINE = 0,
	RPC_PARSE = -32700,
	RPC_REQUEST = -32600,
	RPC_METHOD = -32601,
	RPC_PARAMS = -32602,
	RPC_BUSY = -32000 /* of those left to servers */
};

struct message {
	struct span id;           /* as it is written, quotes and all; n is 0: a notification */
	struct span method;       /* n is 0: an answer to something, which nobody asked */
	struct json_value params; /* an object; JSON_NONE: there are none */
};

/* Takes a line apart.  Spans are into the line or of mem.  Else what is wrong with it; m->id is set
 * where it could be read. */
enum rpc message_read(struct span line, struct arena *mem, struct message *m, struct err *e);

/* A member of an object, as text: a span with p NULL where there is none or it is no string. */
struct span message_text(struct json_value object, const char *key, struct arena *mem);

/* An id as it is written; n is 0 where the value is neither text nor number. */
struct span message_id(struct json_value v);

/* Answers: result is JSON.  False when nobody reads any longer. */
bool message_result(const struct channel *w, struct span id, const struct str *result);
bool message_error(const struct channel *w, struct span id, enum rpc code, const struct err *e);

/* JSON as RFC 8259 has it, to the letter: for messages, whose writers are programs.  Files of runs
 * are read by analyze/input/text/json_text.h, which forgives what real files have. */

/* OK when the text is one JSON value in UTF-8, with blanks around it.  E_SYNTAX with the byte and
 * what was expected there, E_LIMIT where it nests deeper than 64 brackets. */
enum status strict_json(struct span text, struct err *e) MUST_CHECK;
