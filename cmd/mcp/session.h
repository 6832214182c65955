/*
 * A session of the Model Context Protocol with one client: messages in order, one call at a time,
 * and while it runs pings are answered and cancellations obeyed.
 */
#ifndef CMD_MCP_SESSION_H
#define CMD_MCP_SESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/mcp/fence.h"

struct session_options {
	const struct fence *fence;
	int64_t timeout_s; /* of a call; 0: none */
	int in, out;
};

/* Serves until the input ends and all calls are answered; false when nobody reads any longer. */
bool session_run(const struct session_options *o);

#endif
