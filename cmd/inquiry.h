/* What a command asks: one analysis, its own, or several over the same inputs, as charts and
 * reports do.  The inputs are loaded once, for all. */
#pragma once

#include "analyze/trace/history.h"
#include "cmd/config.h"
#include "cmd/load/exectraces.h"
#include "cmd/load/read_sides.h"
#include "report/answers.h"

struct door_output;

/* One ask: an analysis and its options. */
struct inquiry_ask {
	const char *text;
	const struct analysis *analysis;
	void *opts;
	const struct run **run; /* those it can look at; nrun of them */
	struct shared **shared; /* of each */
	size_t nrun;
	bool is_whole;     /* only what it says of whole runs is looked at */
	struct result odd; /* notes about inputs, those of the answer come behind them */
	struct result result;
	int exit_code;
	enum status status; /* of its answer; why is in err */
	struct err err;
};

struct inquiry {
	const struct analyses *all;
	struct filter filter;
	struct read_options read;
	struct config_options config_options;
	struct opt_list capture;   /* --capture: traces of graph captures; n is 0: none */
	struct opt_list exectrace; /* --et: execution traces; n is 0: none is named */
	bool is_quiet;
	const char *allow_env;    /* for all asks that have such an option; NULL: not given */
	size_t limit;             /* in place of that of each ask which has one; 0: not given */
	enum table_layout layout; /* that answers are to have, where they can */
	/* Of an ask alone. */
	bool is_alone;
	bool for_people;
	bool is_per_run;      /* several runs are not set side by side */
	enum missing missing; /* not NOTHING: there is no base, and nothing is loaded */

	const char **path; /* malloc'ed by opt_parse; freed by inquiry_clear */
	size_t npath;
	const char **first; /* files that are taken first where not all are; nfirst of them, of
	                       which the others wait for nslow, the first ones */
	size_t nfirst, nslow;
	const char *absent; /* of such a job: which ranks have no trace; NULL: none is known of */
	struct captures captures; /* those traces */
	struct exectraces exectraces;
	struct inputs inputs;
	struct shared **shared;   /* by run: what several answers need; NULL: nothing */
	struct operands operands; /* the same paths, as sides of a comparison */
	struct sides sides;
	struct sides job;       /* all paths as one side, beside others' questions */
	struct history history; /* the first path, as a history */
	bool has_history;
	bool is_history_only;    /* and it is nothing else */
	const char *history_why; /* why it is none */
	const char *sides_why;   /* why there are none, though they were asked for */
	const char *job_why;     /* the same */
	struct inquiry_ask *ask;
	size_t nask, cap;
	struct answer *answer;
	struct config config;
	struct arena mem;
};

/* The option groups of everything that gathers: what to look at, settings, captures, execution
 * traces, reading; pointing into *g, unless it is NULL.  Returns how many were written:
 * INQUIRY_GROUPS. */
enum { INQUIRY_GROUPS = 5 };
size_t inquiry_groups(struct opt_group *group, struct inquiry *g);

/* all: what can be asked. */
void inquiry_init(struct inquiry *g, const struct analyses *all);
void inquiry_clear(struct inquiry *g);

/* Adds an ask: "memory --points=4000", words separated by single blanks; once, however often it is
 * asked.  The text is borrowed; that it can be parsed is the caller's promise. */
void inquiry_ask(struct inquiry *g, const char *text);

/* The same where only what it says of a run as a whole is looked at. */
void inquiry_ask_whole(struct inquiry *g, const char *text);

/* An ask that says by itself how the inputs are read, with options as they are unasked.  It is the
 * first; what inquiry_ask adds is asked of the same inputs. */
struct inquiry_ask *inquiry_ask_alone(struct inquiry *g, const struct analysis *a);

/* Options that such an ask is given besides, in the words behind the first: "fit --seed-compat".
 * The answer is found by that text. */
void inquiry_tell(struct inquiry *g, struct inquiry_ask *a, const char *text);

/* The n files that will be written (base/door.h); all that was named is an input, and what else is
 * read becomes one when it is found: inquiry_run compares once more.  E_USAGE. */
enum status inquiry_will_write(const struct inquiry *g, const struct door_output *file, size_t n,
	struct err *e) MUST_CHECK;

/* Where it came to no answer: what lies in the folders that were named is known as inputs, too. */
void inquiry_know_inputs(const struct inquiry *g);

/* Reads settings where an ask has some, those of the file `thresholds`, too, unless it is NULL;
 * says which file changes them unasked.  E_* of config_read and thresholds_read. */
enum status inquiry_configure(struct inquiry *g, const char *thresholds, struct err *e) MUST_CHECK;

/* Of more traces of a job than are looked at together those of whom the others wait for, of the
 * median rank, and of who works longest and shortest are taken first; where the job cannot be
 * judged, none.  Before inquiry_run. */
void inquiry_choose(struct inquiry *g);

/* Loads all inputs with what the asks need, as sides, too, for those that compare, and answers
 * them: their status says how that ended, and an analysis that finds nothing to answer is no
 * failure.  On failure *where names the input or is NULL.  E_USAGE when a side would be
 * overwritten, or of an answer; that of an ask alone is in the ask only. */
enum status inquiry_run(struct inquiry *g, const char **where, struct err *e) MUST_CHECK;

/* The answers, and what they are about; valid until inquiry_clear. */
struct answers inquiry_answers(struct inquiry *g);

/* The tallies of what was damaged in the inputs, as notes on stderr. */
void inquiry_say_notes(const struct inquiry *g);

/* What the files of inquiry share.  Private to cmd/inquiry*.c. */

/* What an analysis takes the paths for. */
enum inquiry_form { INQUIRY_RUNS, INQUIRY_SIDES, INQUIRY_JOB, INQUIRY_HISTORY };

/* inquiry_load.c: inputs, sides and history, as the asks need them. */
enum status inquiry_load(struct inquiry *g, const char **where, struct err *e) MUST_CHECK;

/* inquiry_answer.c: what an ask takes the paths for; what was odd about an input, as notes before
 * those of its answer; what was left out or is missing, as notes; what the runs' answers share,
 * after they are loaded; all answers. */
enum inquiry_form inquiry_form_of(const struct inquiry *g, const struct inquiry_ask *a);
void inquiry_note_odd(struct inquiry_ask *a, const struct run *run, int input);
void inquiry_list_left(const struct inquiry *g, struct result *out);
void inquiry_share(struct inquiry *g);
void inquiry_answer(struct inquiry *g);

/* inquiry_about.c: what was asked about, in words; the inquiry's memory. */
struct answers_about inquiry_about(struct inquiry *g);
