/* Asking `top` about runs made by hand; one such run. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "analyze/answer/top/top.h"
#include "analyze/analysis/analysis.h"
#include "tests/unit/handmade.h"

/* How one test asks; what is not set is the default. */
struct top_ask {
	struct top_options opts;
	struct filter filter;
	enum table_layout layout;
	bool for_people;
};

struct top_ask top_ask_defaults(void);

/* Builds what is needed of r and asks.  Released by hand_release. */
void top_ask(struct hand_answer *h, struct run *r, const struct top_ask *a);

bool top_has_note(const struct hand_answer *h, const char *id);

/* The row of that name; fails the test where there is none. */
size_t top_row(const struct table *t, const char *name);

/*
 *	thread 1  step#5 [0 ------------------------------ 100)   step#6 [100 ----------- 200)
 *	          to       [10 ------------- 50)                  mm       [110 --- 140)
 *	          to          [12 --------- 46)   only child
 *	          copy          [15 ---- 35)
 *	          launch          [20 22)                          launch    [120 122)
 *	          mm                              [60 -- 90)
 *	          launch                            [70 72)
 *	stream 7 of device 0:  k1 [30 60)  k2 [50 ... 90)          k3 [150 160)
 *	                                   (stream 9, overlaps k1)
 */
void top_training(struct run *r);
