/*
 * Intervals of MLPerf logs: which stop goes with which start.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOGS_MLLOG_INTERVALS_H
#define ANALYZE_INPUT_ARTIFACT_LOGS_MLLOG_INTERVALS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

enum { MLLOG_OPEN = 4096, MLLOG_KEY = 64, MLLOG_WHOLES = 2 };

/* An interval that has begun, of a process. */
struct mllog_begun {
	char key[MLLOG_KEY]; /* "eval" */
	int rank;
	double ms, x; /* x: NaN where its metadata says no place */
};

/* run and init: of all processes together, from the first start to the last stop. */
struct mllog_whole {
	const char *key, *name; /* "run", "time_to_train"; constant */
	double from, to;        /* ms; NaN: not seen */
};

struct mllog_intervals {
	struct mllog_begun open[MLLOG_OPEN]; /* those beyond are not looked at */
	size_t nopen;
	struct mllog_whole whole[MLLOG_WHOLES]; /* run first */
};

void mllog_intervals_init(struct mllog_intervals *v);

/* "eval_start" with end "_start" is "eval"; false: it has another end, or is too long. */
bool mllog_stem(struct span key, const char *end, char stem[MLLOG_KEY]);

void mllog_begin(struct mllog_intervals *v, const char *stem, int rank, double ms, double x);

/*
 * The start that goes with this stop, the newest of its process, to *begun.  False: there is none,
 * or it is of a whole.
 */
bool mllog_end(struct mllog_intervals *v, const char *stem, int rank, double ms,
	struct mllog_begun *begun);

#endif
