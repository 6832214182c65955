/*
 * Several runs that are answered for together: as one job, where they are its ranks, else side by
 * side, else one after the other.  What is needed of each is taken from its page when that is made.
 */
#pragma once

#include "analyze/analysis/analysis.h"
#include "analyze/analysis/fold.h"
#include "analyze/analysis/jobpage.h"
#include "analyze/analysis/runs_table.h"

struct together {
	const struct query *q; /* as it was asked */
	const struct perrun_how *how;
	struct result *out;
	struct runs_table runs;  /* with has_runs */
	struct fold *fold;       /* as how->folds says */
	void *ctx;               /* of the loop (perrun.h) */
	struct jobpage job;      /* with has_job */
	struct runs_table ranks; /* with has_ranks */
	bool has_runs, has_job, has_ranks;
	struct result kept; /* with has_job: tables of pages that stay */
	size_t nrun;        /* that have tables */
	int input;          /* the last of them */
	struct arena mem;
};

/* Whether the query's runs may be answered for together; false: their pages are asked for, and
 * there is nothing to clear.  The first run may be opened for that; out has the inputs. */
bool together_init(struct together *g, const struct query *q, const struct perrun_how *how,
	struct result *out);
void together_clear(struct together *g);

/* Takes what it needs of a run, whose tables and notes are those of out from there on; shared: what
 * other answers about it share, or NULL.  For people
 * the tables are dropped, with the notes that only inform about them. */
void together_take(struct together *g, const struct run *run, struct shared *shared, int input,
	size_t ntable, size_t nnote);

/* Puts what came of it; false: people are to be shown the pages. */
bool together_put(struct together *g);
