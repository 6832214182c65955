/*
 * Several analyses over the same inputs, which are loaded once: what charts and reports are made
 * of.
 */
#ifndef CMD_INQUIRY_H
#define CMD_INQUIRY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/history.h"
#include "cmd/config.h"
#include "cmd/load/inputs.h"
#include "cmd/load/operands.h"
#include "cmd/options.h"
#include "cmd/output.h"
#include "cmd/load/sides.h"
#include "report/answers.h"

struct analysis;
struct run;
struct shared;

/* One ask: an analysis and its options. */
struct inquiry_ask {
	const char *text;
	const struct analysis *analysis;
	void *opts;
	const struct run **run; /* those it can look at; nrun of them */
	struct shared **shared; /* of each */
	size_t nrun;
	struct result result;
	enum status status; /* of its answer; why is in err */
	struct err err;
};

struct inquiry {
	struct filter filter;
	struct read_options read;
	struct config_options config_options;
	bool is_quiet;
	struct output_file written; /* inquiry_check_output */

	const char **path; /* malloc'ed by opt_parse; freed by inquiry_clear */
	size_t npath;
	struct inputs inputs;
	struct shared **shared;   /* by run: what several answers need; NULL: nothing */
	struct operands operands; /* the same paths, as sides of a comparison */
	struct sides sides;
	struct history history; /* the one path, as a history */
	bool has_history;
	bool is_history_only;    /* and it is nothing else */
	const char *history_why; /* why it is none */
	const char *sides_why;   /* why there are none, though they were asked for */
	struct inquiry_ask *ask;
	size_t nask, cap;
	struct answer *answer;
	struct config config;
	struct arena mem;
};

/*
 * The option groups of everything that gathers: what to look at, settings, reading, help; pointing
 * into *g and *help.  Returns how many were written: INQUIRY_GROUPS.
 */
enum { INQUIRY_GROUPS = 4 };
size_t inquiry_groups(struct opt_group *group, struct inquiry *g, struct help_options *help);

void inquiry_init(struct inquiry *g);
void inquiry_clear(struct inquiry *g);

/*
 * Adds an ask: "memory --points=4000", words separated by single blanks; once, however often it is
 * asked.  The text is borrowed; that it can be parsed is the caller's promise.
 */
void inquiry_ask(struct inquiry *g, const char *text);

/*
 * Loads all inputs with what the asks need, as sides, too, for those that compare, and answers them
 * one after the other; an analysis that finds nothing to answer is no failure.  On failure *where
 * names the input or is NULL.
 */
enum status inquiry_run(struct inquiry *g, const char **where, struct err *e) MUST_CHECK;

/* E_USAGE when the file to be written is one of the inputs; sides are searched when they are read.
 */
enum status inquiry_check_output(struct inquiry *g, const char *path, struct err *e) MUST_CHECK;

/* The answers, valid until inquiry_clear. */
struct answers inquiry_answers(const struct inquiry *g);

/* The tallies of what was damaged in the inputs, as notes on stderr. */
void inquiry_say_notes(const struct inquiry *g);

#endif
