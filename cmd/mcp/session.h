/*
 * A session of the Model Context Protocol with one client: messages in order, one call at a time,
 * and while it runs pings are answered and cancellations obeyed.
 */
#ifndef CMD_MCP_SESSION_H
#define CMD_MCP_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/mcp/call.h"
#include "cmd/mcp/fence.h"

struct commands;

struct session_options {
	const struct commands *all; /* of which the tools are some */
	const struct fence *fence;
	struct call_limits limits; /* of a call */
	int in, out;
};

/*
 * Serves until the input ends and all calls are answered.  False when nobody reads any longer:
 * then at once, also while a call runs, which is ended.
 */
bool session_run(const struct session_options *o);

#endif
