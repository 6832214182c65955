/* The verdict model: what an answer says in one word, check by check, beside its tables.
 *
 * Made by an analysis, written by the sinks (report/sink/sink.h).  All texts are finished: nothing
 * here knows what was measured, and no sink computes.  Memory is the result's. */
#pragma once

#include "base/table.h"

/* --missing-baseline and the setting of that name: what there is to say without a base. */
#define VERDICT_NO_BASE_WORDS "error|warn|pass"

/* X(NAME, word), from best to worst */
#define VERDICT_STATES(X)       \
	X(IMPROVED, "improved") \
	X(PASS, "pass")         \
	X(NOTE, "note")         \
	X(SKIP, "skip")         \
	X(CHANGED, "changed")   \
	X(NOISY, "noisy")       \
	X(WARN, "warn")         \
	X(FAIL, "fail")

#define VERDICT_IS_ID(name, ...) VERDICT_IS_##name,
enum verdict_state { VERDICT_STATES(VERDICT_IS_ID) VERDICT_STATE_COUNT };
const char *verdict_state_word(enum verdict_state s);

/* A figure along the runs of a base that is a store, oldest first, and behind them those of new. */
struct verdict_runs {
	const char **name;
	const double *value;
	size_t n;
	double level; /* of base; NaN: not known */
	enum unit unit;
};

/* One check.  NULL: there is nothing to say. */
struct verdict_check {
	enum verdict_state state;
	const char *suite;     /* "perf", "memory", ...: groups them */
	const char *id;        /* stable: "step_time" */
	const char *base;      /* "62.40 ms" */
	const char *now;       /* "75.92 ms" */
	const char *change;    /* "+21.7%" */
	const char *interval;  /* "+17.5% .. +26.0%" */
	const char *tolerance; /* "5%" */
	const char *message;   /* one line that stands alone */
	const char *detail; /* of message what the other members lack: since when, what is missing
	                     */
	bool fails;         /* it is why the exit code is not 0 */
	const char *metric; /* its name for monitoring, without unit: "step_time" */
	const char *label;  /* which of that name: "op:nccl.*"; NULL: there is one */
	double value;       /* of new, in base units; NaN unknown */
	enum unit unit;     /* of value */
	const struct verdict_runs *runs; /* of what fails; NULL: not known */
};

struct verdict {
	const char *error; /* why there is no answer: only name is known then; NULL: there is one */
	const char *name;  /* "gate" */
	const char *suite; /* tier */
	enum verdict_state state;
	int exit_code;
	const char *summary;              /* "2 of 9 checks failed, 1 noisy" */
	const char *base;                 /* "baseline/ (4 runs)"; NULL: there is none */
	const char *now;                  /* "slow/ (4 runs)" */
	const char *base_days, *now_days; /* of the recordings: "2025-11-01 to 2025-11-30"; or NULL
	                                   */
	const char *about;                /* "4 v 4 runs, nightly tier, noise 2.0%" */
	const char *reproduce;            /* a command line, or NULL */
	const char *const *why;
	size_t nwhy;
	struct verdict_check *check; /* worst first, then in the order of the checks */
	size_t n;
};

/* How many checks are in that state. */
size_t verdict_count(const struct verdict *v, enum verdict_state s);
