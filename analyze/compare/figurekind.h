/*
 * Kinds of figures: which way is better, by what a figure is called and what it is counted in.
 *
 * The one table of directions, for diff, gate, baseline and histories.  What no pattern knows has
 * no direction: its change is shown and never judged, until somebody says which way is better.
 */
#ifndef ANALYZE_COMPARE_FIGUREKIND_H
#define ANALYZE_COMPARE_FIGUREKIND_H

#include "analyze/compare/metricset.h"
#include "base/str.h"
#include "base/table.h"

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

/*
 * The kind of a figure: the last part of its name that says anything decides ("memory.peak_gb",
 * "train/loss"), but what is counted in ns is a time and what is counted in bytes is memory.
 * Settings, counts and what only describes a spread (std, min ...; the quantiles of what is no
 * time) are of the kind "property", which has no better side; names that say nothing are "unknown".
 * Never NULL.
 */
const struct figure_kind *figure_kind(struct span name, enum unit unit);

/* No change below it counts, in base units; 0: any does, or the figure's unit is not known. */
double figure_kind_floor(const struct figure_kind *k, enum unit unit);

/* There is no better side because there is none, not because nobody knows it. */
bool figure_kind_is_property(const struct figure_kind *k);

#endif
