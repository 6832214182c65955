/* What a series is about, by its name: trainers call the same thing many names. */
#ifndef ANALYZE_MEASURE_METRICNAME_H
#define ANALYZE_MEASURE_METRICNAME_H

#include "base/str.h"

/* X(NAME, word, direction: -1 less is better, 1 more is better, 0 neither) */
#define METRIC_ROLES(X)                     \
	X(OTHER, "other", 0)                \
	X(LOSS, "loss", -1)                 \
	X(REWARD, "reward", 1)              \
	X(REWARD_STD, "reward std", 0)      \
	X(ZERO_STD, "zero-std share", 0)    \
	X(ACCURACY, "accuracy", 1)          \
	X(KL, "kl", 0)                      \
	X(GRAD_NORM, "gradient norm", 0)    \
	X(RATE, "learning rate", 0)         \
	X(LENGTH, "completion length", 0)   \
	X(STEP_TIME, "step time", 0)        \
	X(WAIT, "data loading time", 0)     \
	X(SAMPLES_PER_S, "samples/s", 0)    \
	X(TOKENS_PER_S, "tokens/s", 0)      \
	X(TOKENS, "tokens so far", 0)       \
	X(CLOCK, "time", 0)                 \
	X(ALLOCATED, "allocated memory", 0) \
	X(RESERVED, "reserved memory", 0)   \
	X(SCORE, "score", 0)

#define ROLE_ID(name, ...) ROLE_##name,
enum metric_role { METRIC_ROLES(ROLE_ID) ROLE_COUNT };

/*
 * The role of a series of that name.  The last part of a path ("train/loss", "rewards.format.mean")
 * decides, ignoring case; parts before it where that says little ("rewards/format/mean").
 * Source: the documents' trackers, Hugging Face Trainer, TRL, W&B's usual keys.
 */
enum metric_role metric_role(struct span name);

/* "loss", "kl", ...; constant. */
const char *metric_role_word(enum metric_role r);

/* -1: less is better, 1: more is better, 0: neither, or only by speed. */
int metric_role_direction(enum metric_role r);

#endif
