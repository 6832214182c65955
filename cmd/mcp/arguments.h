/*
 * Arguments of a call, as an agent wrote them, to what the command is given: values, and no words
 * that would be read once more.
 */
#ifndef CMD_MCP_ARGUMENTS_H
#define CMD_MCP_ARGUMENTS_H

#include "analyze/input/text/json_text.h"
#include "base/arena.h"
#include "base/err.h"
#include "cmd/mcp/fence.h"
#include "cmd/mcp/toolbox.h"
#include "report/format/excerpt.h"

/*
 * given: the object of arguments, or JSON_NONE.  Memory is the arena's, texts of the tool are
 * borrowed.  E_USAGE, in words an agent can act on, for an argument that the tool has not, of a
 * wrong type, missing, or for a path outside the fence.
 */
enum status arguments_take(const struct tool *t, struct json_value given, const struct fence *f,
	struct arena *mem, struct opt_given *to, struct excerpt *x, struct err *e) MUST_CHECK;

#endif
