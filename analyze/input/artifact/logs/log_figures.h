/* Figures of a log on their way to series: at the step of the process that wrote them, in the unit
 * its first value had.
 *
 * Rank 0, and lines that name no rank, are the run's.  The others are series of a group of their
 * own, "rank 3", so that several processes in one log never become one series. */
#pragma once

#include "analyze/input/artifact/logs/log_commas.h"
#include "analyze/input/artifact/logs/log_forms.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "analyze/input/artifact/artifact_reading.h"

enum {
	LOG_SLOTS = 1024,
	LOG_STAGED = 128,
	LOG_STAGES = 2 * RECORD_SERIES,
	LOG_KNOWN = 512,
	LOG_KNOWN_KEY = 40
};

struct log_rank {
	struct log_place place;
	struct span group; /* of its series */
};

/* Values gathered before they go to their series. */
struct log_stage {
	struct series *series;
	int64_t count;  /* of all values so far */
	int64_t oldest; /* which of all series' values its first is, */
	int64_t newest; /* and its newest, and where that is */
	double newest_x;
	bool is_of_epoch; /* it stood in a line of an epoch and no step */
	bool is_alone;    /* a line was it and no more: "Peak memory: 1.23 GB" */
	size_t form; /* of the first line with it: which of how many pairs it was, under a heading
	              */
	const struct log_form *writer; /* of that line; NULL: none that is known */
	struct point point[LOG_STAGED];
	size_t n;
};

/* A key that was met before. */
struct log_slot {
	struct span key;
	size_t rank;
	struct log_stage *stage;
};

/* What the words of a key say, looked up once. */
struct log_known {
	char key[LOG_KNOWN_KEY];
	size_t n;
	struct span name; /* of its series; empty: the key */
	int step_rank;    /* 0: it names no step */
	int owner;        /* how surely it says whose a line is, 1 best; 0: it does not */
	bool is_step, is_epoch, is_batch;
};

/* A value that went to a series, and where in its line it was written. */
struct log_noted {
	size_t at, key_at, key_n; /* bytes of the line: the number, and its name */
	struct log_stage *stage;
	double factor; /* of the unit */
	double total;
	bool is_step, is_epoch; /* it moved the place on */
	bool by_row;
};

struct log_figures {
	struct reading *in;
	struct log_rank *rank;
	size_t nrank, rank_cap, nother, at; /* nother: writers but the first; at: who wrote the line
	                                     * at hand
	                                     */
	struct log_slot slot[LOG_SLOTS];
	struct log_known known[LOG_KNOWN], long_key;
	struct log_stage *stage[LOG_STAGES]; /* by the address of their series */
	struct log_commas commas;
	bool is_of_epoch;               /* the line is of an epoch and no step of it */
	bool by_row;                    /* the line names no step, and is at none */
	const char *step_at, *epoch_at; /* where the numbers are that are the line's */
	const char *base; /* of the line at hand, for places in it; NULL: they are not known */
	struct log_noted noted[LOG_PAIRS]; /* its values */
	size_t nnoted;
	bool is_noted;     /* all of them are there */
	int64_t n, nstep;  /* values, and lines that named a step */
	int64_t nbare;     /* numbers of lines with figures that are no figure */
	size_t line_nbare; /* of the line at hand */
};

void log_figures_open(struct log_figures *g, struct reading *in);

/* Everything gathered goes to its series. */
void log_figures_settle(struct log_figures *g);

/* Behind that: names that all values decide. */
void log_figures_close(struct log_figures *g);

/* The lines from here on are of that group, "rank 3"; "" is the run's own.  is_rank: of a writer.
 */
void log_figures_group(struct log_figures *g, struct span group, bool is_rank);

/* The same of a part of the group at hand, "all" of "rank 1". */
void log_figures_below(struct log_figures *g, struct span part);

/* The step from here on, out of total, 0 where that is not known. */
void log_figures_step(struct log_figures *g, double step, double total);

/* The places of values from here on are in the line that begins at base. */
void log_figures_line(struct log_figures *g, const char *base);

/* Leaves out pairs whose name has a value behind the first n, at this step or later; not steps. */
void log_figures_unwritten(struct log_figures *g, struct log_pairs *pairs, int64_t n);

/* The pair's value under that name, at the step at hand, else at the next row. */
void log_figures_add(struct log_figures *g, struct span name, const struct log_pair *pair);

/* The pair's number, by what commas are in the log. */
double log_figures_value(struct log_figures *g, const struct log_pair *pair);

/* The same values again from another line of that rank that has them in the same places. */
void log_figures_again(struct log_figures *g, size_t rank, const struct log_noted *noted,
	const double *value, size_t n);

/* One of them names a step. */
bool log_figures_name_step(struct log_figures *g, const struct log_pairs *pairs);

/* The pairs of a line: the best name of a step among them moves it on.  False: there is none. */
bool log_figures_pairs(
	struct log_figures *g, const struct log_pairs *pairs, const struct log_form *form);

/* Whether they are a run's: one has a name that says what runs are about, or there are enough at
 * steps for a course. */
bool log_figures_are_run(const struct log_figures *g);

/* Says in a note which ranks there are, where they are several. */
void log_figures_say(const struct log_figures *g);
