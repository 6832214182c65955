/* One call of a tool, in a process of its own: what goes wrong in it ends it and nothing else. */
#pragma once

#include <sys/types.h>

#include "analyze/input/text/json_text.h"
#include "cmd/mcp/fence.h"
#include "cmd/mcp/toolbox.h"
#include "report/format/excerpt.h"

/* Arguments of a call, as an agent wrote them, to what the command is given: values, and no words
 * that would be read once more. */

/* given: the object of arguments, or JSON_NONE.  Memory is the arena's, texts of the tool are
 * borrowed.  E_USAGE, in words an agent can act on, for an argument that the tool has not, of a
 * wrong type, missing, or for a path outside the fence. */
enum status arguments_take(const struct tool *t, struct json_value given, const struct fence *f,
	struct arena *mem, struct opt_given *to, struct excerpt *x, struct err *e) MUST_CHECK;

/* What a call may take; 0: whatever it takes. */
struct call_limits {
	int64_t timeout_s, memory_bytes;
	int64_t had_bytes; /* of memory that the server has, which counts for nobody */
};

/* Sets had_bytes; before the process is held to its folders. */
void call_measure(struct call_limits *l);

struct call {
	struct call_limits limits;
	pid_t pid;
	int done;            /* can be read when the process has ended */
	int out, err;        /* what it wrote, in memory */
	int64_t deadline_ms; /* then call_urge does something, by a clock of its own; 0: never */
	bool is_stopped;     /* it was told to end */
	bool is_late;        /* it took longer than the limit */
	bool is_killed;
};

/* Starts it.  E_IO when the system has no room for a process.  A call that began is ended by
 * call_finish. */
enum status call_start(struct call *c, const struct tool *t, const struct command_line *line,
	const struct fence *f, const struct call_limits *limits, struct err *e) MUST_CHECK;

/* Tells it to end.  Where it does not within CALL_GRACE_MS, call_urge kills it. */
enum { CALL_GRACE_MS = 2000 };
void call_stop(struct call *c);

/* Milliseconds until call_urge is to be called; -1: never. */
int call_patience(const struct call *c);

/* Ends what has had its time, and kills what was told to end and goes on. */
void call_urge(struct call *c);

/* Stops it, waits, and forgets what it wrote. */
void call_drop(struct call *c);

/* Waits for its end and appends the result of tools/call: {"content": [...], "isError": ...}.  What
 * it printed is the first text; what it said is another where that is no answer, or it is not
 * only notes that the answer has. */
void call_finish(struct call *c, const struct tool *t, struct str *result);

/* The result of a call that could not begin, for the agent to read. */
void call_refused(const struct err *e, struct str *result);
