/* `idle`: what its parts share.  Private to analyze/answer/idle/. */
#pragma once

#include "analyze/measure/gaps/gaps.h"
#include "analyze/analysis/perrun.h"
#include "analyze/measure/place_id.h"

struct idle_options {
	int64_t limit;          /* rows of the lists; below 0: the default */
	int64_t kernel_wait_us; /* the threshold between kernel wait and other */
	bool streams;           /* a row for each stream */
};

/* Gaps by what the CPU did. */
struct idle_cause {
	sym name; /* 0: nothing that is recorded */
	enum gap_cause cls;
	int64_t gaps;
	nsec ns, max;
	nsec behind_ns; /* of ns: behind a call that had waited for the device */
	uint32_t held;  /* that call, of the longest such gap; NO_ROW: none */
	nsec held_gap;  /* the length of that gap */
};

/* The longest gaps seen so far, and all of them by cause. */
struct idle_list {
	const struct run *run;
	struct gaps *gaps;        /* whose they are */
	struct filter_view *view; /* names are what the CPU was in */
	struct long_gaps longest; /* of those that pass the filter of names */
	struct idle_cause *cause;
	size_t ncause, cause_cap;
	struct keymap by_cause; /* name and class: index of cause */
	sym step;               /* stands for all ProfilerStep#N */
	int64_t device;         /* whose gaps are coming */
	nsec all_ns;            /* of gaps that pass the filter of names */
	struct gap_sums *sums;  /* of that device; all gaps are added */
};

/* idle_list.c */
void idle_list_init(struct idle_list *l, struct perrun *at, struct gaps *gaps, size_t limit);
void idle_list_clear(struct idle_list *l);
/* A gap_fn: ctx is a struct idle_list.  Adds to its sums, too. */
void idle_list_add(void *ctx, const struct gap *g);
/* The tables; `limit` rows of causes. */
void idle_put_causes(const struct perrun *at, struct idle_list *l, size_t limit);
void idle_put_longest(const struct perrun *at, struct idle_list *l);

#define TABLES_DEF "analyze/answer/idle/idle_tables.def"
#include "base/table_names_impl.h"
