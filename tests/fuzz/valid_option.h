/* Options with values that mean something. */
#pragma once

#include "cmd/verb.h"
#include "tests/fuzz/draw.h"

struct str;

/* Appends " --NAME=VALUE" of one of the command's options, or nothing.  own: plot's chart. */
void valid_option_write(const struct verb *v, const char *own, struct draw *d, struct str *out);

/* Appends what a command is not without (option NULL), or an option of it. */
void valid_option_needed(
	const struct verb *v, const char *own, const char *option, struct str *out);
