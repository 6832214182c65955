/*
 * JSON as RFC 8259 has it, to the letter: for messages, whose writers are programs.  Files of runs
 * are read by analyze/input/text/json_text.h, which forgives what real files have.
 */
#ifndef CMD_MCP_STRICT_H
#define CMD_MCP_STRICT_H

#include "base/err.h"
#include "base/str.h"

/*
 * OK when the text is one JSON value in UTF-8, with blanks around it.  E_SYNTAX with the byte and
 * what was expected there, E_LIMIT where it nests deeper than 64 brackets.
 */
enum status strict_json(struct span text, struct err *e) MUST_CHECK;

#endif
