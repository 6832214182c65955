/* Progress bars of tqdm, " 45%|####  | 45/100 [00:10<00:12,  4.4it/s, loss=0.5]"; and which bars of
 * a log are one: the training's in all epochs, those of evaluations beside it. */
#pragma once

#include "analyze/input/artifact/label.h"
#include "analyze/input/artifact/logs/log_pairs.h"
#include "analyze/input/artifact/logs/log_place.h"
#include "base/base.h"

enum { LOG_BARS = 16 };

struct log_bar {
	struct span title;   /* "Epoch 0", "" */
	double n, total;     /* done, and to do; total 0: not known */
	double per_s;        /* what it counts a second; 0: not known, or bytes */
	const char *rate;    /* what that is called: "it_per_sec", "samples_per_sec" */
	struct span postfix; /* "loss=0.5, lr=1e-4" */
	struct span behind;  /* what else stands in the line */
	struct span drawn;   /* "####  " */
	const char *n_at, *per_s_at;
};

/* A bar taken apart: figures behind it, and such in its title. */
struct bar_read {
	struct log_bar bar;
	struct log_pairs pairs, more;
	bool is_per_it; /* the rate is written in seconds an iteration */
};

/* Whether the text is such a bar. */
bool log_bar_find(struct log_bar *b, struct span text);

/* It begins with what judges a run: "Validation DataLoader 0". */
bool log_bar_is_judging(struct span title);

/* Bars of one kind: those of the training's epochs, those of an evaluation. */
struct bar_kind {
	char title[LABEL_MAX];
	char group[LABEL_MAX]; /* what its figures are called by, beside the run's own */
	double per_s;          /* of the newest */
	struct log_place place;
	struct log_place named; /* by the step among its figures: "global_step=10.0" */
	size_t writer;
	bool is_main; /* the run's own */
};

struct log_bars {
	struct bar_kind kind[LOG_BARS], *newest;
	size_t nkind;
};

/* A bar of an epoch that stands where the one of its kind before it does: drawn again. */
bool log_bars_is_again(const struct bar_kind *k, const struct log_bar *bar);

/* What the bar of that writer is one of, with the epoch that its title says. */
struct bar_kind *log_bars_kind(struct log_bars *g, const struct log_bar *bar, size_t writer);
