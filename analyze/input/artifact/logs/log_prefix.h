/*
 * What loggers and launchers write in front of a line: dates, levels, names, ranks; and what
 * terminals are told in it.
 */
#pragma once

#include "base/base.h"

struct log_prefix {
	size_t n;       /* bytes in front of the text itself; 0: nothing */
	int rank;       /* of the process that wrote the line; -1: it does not say */
	size_t rank_at; /* where its digits are */
	bool is_said;   /* a date, a level or a name: a logger wrote it */
};

void log_prefix_find(struct log_prefix *p, struct span line);

/*
 * The line without escape sequences and backspaces: itself where it has none, else a copy in *b
 * with REAL_PADDING readable bytes behind it.
 */
struct span log_plain(struct span line, struct str *b);
