/*
 * Messages of JSON-RPC 2.0, as the Model Context Protocol has them: one request a line.
 */
#ifndef CMD_MCP_MESSAGE_H
#define CMD_MCP_MESSAGE_H

#include <stdbool.h>

#include "analyze/input/text/json_text.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "cmd/mcp/channel.h"

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

/*
 * Takes a line apart.  Spans are into the line or of mem.  Else what is wrong with it; m->id is set
 * where it could be read.
 */
enum rpc message_read(struct span line, struct arena *mem, struct message *m, struct err *e);

/* A member of an object, as text: a span with p NULL where there is none or it is no string. */
struct span message_text(struct json_value object, const char *key, struct arena *mem);

/* An id as it is written; n is 0 where the value is neither text nor number. */
struct span message_id(struct json_value v);

/* Answers: result is JSON.  False when nobody reads any longer. */
bool message_result(const struct channel *w, struct span id, const struct str *result);
bool message_error(const struct channel *w, struct span id, enum rpc code, const struct err *e);

#endif
