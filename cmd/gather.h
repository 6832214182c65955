/*
 * Several analyses over the same inputs, which are loaded once: what charts and reports are made
 * of.
 */
#ifndef CMD_GATHER_H
#define CMD_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "cmd/config.h"
#include "cmd/options.h"
#include "report/answers.h"

struct analysis;
struct run;

/* One ask: an analysis and its options. */
struct gather_ask {
	const char *text;
	const struct analysis *analysis;
	void *opts;
	struct result result;
	bool is_answered;
};

struct gather {
	struct filter filter;
	struct read_options read;
	struct config_options config_options;
	bool is_quiet;

	const char **path; /* malloc'ed by opt_parse; freed by gather_clear */
	size_t npath;
	struct run *run; /* nrun of them are loaded */
	const struct run **run_list;
	size_t nrun;
	struct gather_ask *ask;
	size_t nask, cap;
	struct answer *answer;
	struct config config;
	struct arena mem;
};

/*
 * The option groups of everything that gathers: what to look at, settings, reading, help; pointing
 * into *g and *help.  Returns how many were written: GATHER_GROUPS.
 */
enum { GATHER_GROUPS = 4 };
size_t gather_groups(struct opt_group *group, struct gather *g, struct help_options *help);

void gather_init(struct gather *g);
void gather_clear(struct gather *g);

/*
 * Adds an ask: "memory --points=4000", words separated by single blanks; once, however often it is
 * asked.  The text is borrowed; that it can be parsed is the caller's promise.
 */
void gather_ask(struct gather *g, const char *text);

/*
 * Loads all inputs with what the asks need, and answers them one after the other; an analysis that
 * finds nothing to answer is no failure.  On failure *where names the input or is NULL.
 */
enum status gather_run(struct gather *g, const char **where, struct err *e) MUST_CHECK;

/* The answers, valid until gather_clear. */
struct answers gather_answers(const struct gather *g);

/* The tallies of what was damaged in the inputs, as notes on stderr. */
void gather_say_notes(const struct gather *g);

#endif
