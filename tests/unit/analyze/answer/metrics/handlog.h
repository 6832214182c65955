/* Records made by hand, and `metrics` asked about them, for tests. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/metrics/metrics.h"
#include "analyze/trace/unit_of_measure.h"
#include "tests/unit/handmade.h"

/* A run with a record and one artifact, 0. */
void log_new(struct run *r);
/* A series of that artifact, over steps. */
struct series *log_series(struct run *r, const char *name, enum measure m);
/* A scalar. */
void log_number(struct run *r, const char *key, double v);

/* The options nobody gave. */
struct metrics_options log_defaults(void);
/* Asks for machines; log_ask fails the test when there is no answer.  Released by hand_release. */
void log_ask_with(struct hand_answer *h, struct run *r, const struct metrics_options *o);
void log_ask(struct hand_answer *h, struct run *r);

/* The row of a table with that text; the test fails when there is none. */
size_t log_row(const struct table *t, const char *key, const char *text);
/* Whether a rule, "D07", found something. */
bool log_found(const struct hand_answer *h, const char *rule);

/* About standard normal, the same sequence for the same state. */
double log_noise(uint64_t *state);
/* A new run with one series of n values, start + slope i + deviation noise, asked about. */
void log_ask_about(struct hand_answer *h, struct run *r, const char *name, int n, double start,
	double slope, double deviation);
