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

/* "step 1 loss": a place, and what is there. */
bool log_word_is_placed(struct span label);

/* What the quantity is called in the house: "loss" for "Loss"; the key itself for most. */
struct span log_word_name(struct span key);

/* "Test" of "Test: [0/48] loss 1.9", "val" of "Epoch(val) [1]", "eval" of the prefix "[eval] ":
 * what the line's figures are judged by; empty: they are of training, or it is a name of one. */
struct span log_word_judge(struct span prefix, struct span text);

/* "train.py" of "train.py:323", a place in a source. */
bool log_word_is_source(struct span key);

/* "avail" of "avail mem=63.20 GB", "val" of "val loss=0.5": in front of "name=" it belongs to the
 * name. */
bool log_word_qualifies(struct span word);

/* "Seq" of "Seq. length": a point behind it ends no sentence. */
bool log_word_is_short(struct span word);

/* "GPU 1", "cuda:1", "device 1" at t.p[i..): where its number ends, *device; i: there is none.  Not
 * a size ("GPU 16 GB"), a share, a count ("per GPU 8"). */
size_t log_word_device(struct span t, size_t i, int *device);

/* A line that is drawn: "-----", "== ==". */
bool log_word_is_rule(struct span line);
