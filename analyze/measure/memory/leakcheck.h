/* The documents' leak check: allocated memory less a baseline, above a threshold, looked at every
 * so many steps.
 *
 * It fires in every training whose baseline is from before the first step: gradients and the
 * optimizer's state come after it.  memtrend.h and memcurve.h tell a leak from that. */
#pragma once

#include "base/base.h"

struct curve;
struct filter_view;
struct memcurve;
struct run;
struct table;

/* The documents': threshold_gb=0.5, and `if step % 100 == 0`. */
#define LEAKCHECK_BYTES (0.5 * 1024 * 1024 * 1024)
enum { LEAKCHECK_EVERY = 100 };

struct leakcheck {
	size_t checks;   /* how often it was looked at; 0: there is nothing to look at */
	bool is_found;   /* the rest is of the first time that it fired */
	double x;        /* step; or the number of the measurement, from 0 */
	double baseline; /* bytes; also where it did not fire */
	double growth;   /* bytes above the baseline; of the last check where it did not fire */
};

/* Values at steps (c->x, ascending): the first value at or behind each multiple of `every`, all
 * where the last is below it.  NaN for baseline: the first value. */
struct leakcheck leakcheck_curve(
	const struct curve *c, double baseline, double threshold, size_t every);

/* A sheet of measurements (TAKEN_*): against the one tagged baseline, else the first.  Of those
 * tagged leak_check each is a check, at every LEAKCHECK_EVERY-th step; else the measurements with
 * the tag that most have are one a step.  *is_step: x counts steps. */
struct leakcheck leakcheck_sheet(
	const struct table *t, double threshold, bool *is_step, struct arena *mem);

/* Allocated memory at the end of each step that v takes, against that at the begin of the first. */
struct leakcheck leakcheck_trace(const struct memcurve *c, const struct run *r,
	const struct filter_view *v, double threshold);
