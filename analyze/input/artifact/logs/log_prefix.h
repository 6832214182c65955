/* What loggers and launchers write in front of a line: dates, levels, names, ranks; and what
 * terminals are told in it. */
#pragma once

#include "base/base.h"

enum { LOG_WHO = 48, LOG_WHO_NUMBERS = 4 };

struct log_prefix {
	size_t n;        /* bytes in front of the text itself; 0: nothing */
	int rank;        /* of the process that wrote the line; -1: it does not say */
	bool is_said;    /* a date, a level or a name: a logger wrote it */
	bool is_leveled; /* a level is in it */
	/* Who wrote it: "rank 3", "engine 1", "DP1 TP2"; what has number 0 is not in it. */
	char who[LOG_WHO];
	size_t nname; /* bytes of it that name a service, which counts from 1: "trainer-1" */
	size_t at[LOG_WHO_NUMBERS]; /* where the numbers of that are, those that are 0, too */
	size_t nat;
	size_t tag, ntag; /* where "Worker pid=12" is, and its bytes; 0: there is none */
};

void log_prefix_find(struct log_prefix *p, struct span line);

/* Blanks in front of the text of a line, or of the rank that is its prefix. */
size_t log_indent(struct span line, struct span text);

/* The line without escape sequences and backspaces: itself where it has none, else a copy in *b
 * with REAL_PADDING readable bytes behind it. */
struct span log_plain(struct span line, struct str *b);
