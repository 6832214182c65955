/* Words of training and serving logs: which keys are quantities of a run. */
#pragma once

#include "base/base.h"

/* The key has a word in it that logs of runs have and others hardly: "Avg Reward", "lm loss". */
bool log_word_is_quantity(struct span key);

/* The key counts what a line is about: "Step", "iteration"; "epoch" is none. */
bool log_word_is_step(struct span key);

/* The key counts epochs: "epoch", "Train Epoch". */
bool log_word_is_epoch(struct span key);

/* The key counts steps, or is "epoch": what a number may follow without a sign between, as in
 * "Epoch 3". */
bool log_word_is_count(struct span key);

/* What the quantity is called in the house: "loss" for "Loss"; the key itself for most. */
struct span log_word_name(struct span key);
