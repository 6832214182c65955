/* The registry of figures: what a number of a run is, by its name.  One for logs, JSON, tables and
 * traces.  The words are in figure_words.def.
 *
 * A name is read as words, whatever joins them ("step_time", "StepTime", "step time"), and units in
 * it stay whole: "tokens/s/device", "time (ms)", "timing in s", "memory_gb".  Of a path the last
 * part that says anything decides: "memory.peak_gb", "train/loss". */
#pragma once

#include "analyze/trace/unit_of_measure.h"
#include "base/base.h"
#include "base/table.h"

enum metric_better { BETTER_LOWER = -1, BETTER_NONE = 0, BETTER_HIGHER = 1 };

/* ---- roles: what a series is about, where analyses know it ---- */

/* X(NAME, word, direction: -1 less is better, 1 more is better, 0 neither, measure where nobody
 * says one, id that comparisons give the first of a source or NULL) */
#define METRIC_ROLES(X)                                               \
	X(OTHER, "other", 0, NONE, NULL)                              \
	X(LOSS, "loss", -1, NONE, NULL)                               \
	X(REWARD, "reward", 1, NONE, NULL)                            \
	X(REWARD_STD, "reward std", 0, NONE, NULL)                    \
	X(ZERO_STD, "zero-std share", 0, NONE, NULL)                  \
	X(ACCURACY, "accuracy", 1, NONE, NULL)                        \
	X(KL, "kl", 0, NONE, NULL)                                    \
	X(GRAD_NORM, "gradient norm", 0, NONE, NULL)                  \
	X(RATE, "learning rate", 0, NONE, NULL)                       \
	X(LENGTH, "completion length", 0, NONE, NULL)                 \
	X(STEP_TIME, "step time", 0, S, "step_time")                  \
	X(WAIT, "data loading time", 0, S, NULL)                      \
	X(SAMPLES_PER_S, "samples/s", 0, NONE, "samples_per_sec")     \
	X(THROUGHPUT, "throughput", 0, NONE, "throughput")            \
	X(TOKENS_PER_S, "tokens/s", 0, NONE, "tokens_per_sec")        \
	X(TOKENS, "tokens so far", 0, NONE, NULL)                     \
	X(CLOCK, "time", 0, NONE, NULL)                               \
	X(ALLOCATED, "allocated memory", 0, NONE, "peak_memory")      \
	X(RESERVED, "reserved memory", 0, NONE, NULL)                 \
	X(GPU_BUSY, "GPU utilization", 0, PERCENT, "gpu_utilization") \
	X(SCORE, "score", 0, NONE, NULL)

#define ROLE_ID(name, ...) ROLE_##name,
enum metric_role { METRIC_ROLES(ROLE_ID) ROLE_COUNT };

/* The role of a figure of that name. */
enum metric_role metric_role(struct span name);

/* "loss", "kl", ...; constant. */
const char *metric_role_word(enum metric_role r);

/* Whether each value is how many steps were NaN: "number of nan iterations". */
bool metric_counts_nan(struct span name);

/* -1: less is better, 1: more is better, 0: neither, or only by speed. */
int metric_role_direction(enum metric_role r);

/* "step_time": the id of the first figure of the role in a source; NULL: its name. */
const char *metric_role_id(enum metric_role r);

/* The unit a name says ("_gb", "(ms)", " in s", "ms/step", "_per_sec"); MEASURE_NONE: none. */
enum measure measure_of_key(struct span name);

/* m, or where that is none what figures of the name are in: step times are seconds. */
enum measure measure_or_usual(enum measure m, struct span name);

/* ---- kinds: which way is better, and what is tolerated ---- */

/* Tolerances are in the order of the gate's tiers: default, smoke, perf, nightly. */
enum { FIGURE_TIERS = 4 };

struct figure_kind {
	const char *word; /* "time", "memory"; constant */
	enum metric_better better;
	double tolerance[FIGURE_TIERS]; /* ratio of the base */
	double floor;                   /* absolute: see figure_kind_floor */
	double noise;                   /* between runs of the same code; NaN: the gate's */
	bool is_warning; /* worse is a warning: values of one run say little about the next */
	bool is_speed;   /* means nothing where the machines differ */
	bool is_extreme; /* the largest value is the figure, not an accident of it */
};

/* The kind of a figure; what is counted in ns is a time and what is counted in bytes is memory,
 * whatever it is called.  Settings, counts, ids, clocks and what only describes a spread (std, max
 * ...; quantiles of what is no time) are of the kind "property", which has no better side; of names
 * that say nothing the kind is "unknown".  Never NULL. */
const struct figure_kind *figure_kind(struct span name, enum unit unit);

/* No change below it counts, in base units; 0: any does, or the figure's unit is not known. */
double figure_kind_floor(const struct figure_kind *k, enum unit unit);

/* There is no better side because there is none, not because nobody knows it. */
bool figure_kind_is_property(const struct figure_kind *k);

/* It says how much was done: steps, epochs, tokens, requests, and counts of what does it. */
bool figure_counts_work(struct span name);

/* What it is where two sides did not do as much: how long all of it took is a property then. */
const struct figure_kind *figure_kind_of_other_work(const struct figure_kind *k);
