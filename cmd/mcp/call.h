/*
 * One call of a tool, in a process of its own: what goes wrong in it ends it and nothing else.
 */
#ifndef CMD_MCP_CALL_H
#define CMD_MCP_CALL_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"
#include "cmd/mcp/arguments.h"

struct call {
	pid_t pid;
	int done;     /* can be read when the process has ended */
	int out, err; /* what it wrote, in memory */
	bool is_late; /* it was ended by call_stop */
};

/*
 * Starts it.  E_IO when the system has no room for a process.  A call that began is ended by
 * call_finish.
 */
enum status call_start(struct call *c, const struct tool *t, const struct cmdline *line,
	const struct excerpt *x, const struct fence *f, struct err *e) MUST_CHECK;

/* Tells it to end, which it does soon. */
void call_stop(struct call *c);

/*
 * Waits for its end and appends the result of tools/call: {"content": [...], "isError": ...}.  What
 * it printed is the first text; what it said is another where that is no answer, or it is not
 * only notes that the answer has.
 */
void call_finish(struct call *c, const struct tool *t, struct str *result);

/* The result of a call that could not begin, for the agent to read. */
void call_refused(const struct err *e, struct str *result);

#endif
