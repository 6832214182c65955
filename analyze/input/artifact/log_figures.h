/*
 * Figures of a log on their way to series: at the step of the process that wrote them, in the unit
 * its first value had.
 *
 * Rank 0, and lines that name no rank, are the run's; the others are series of a group of their
 * own, "rank 3", so that several processes in one log never become one series.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_LOG_FIGURES_H
#define ANALYZE_INPUT_ARTIFACT_LOG_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/input/artifact/log_pairs.h"
#include "analyze/input/artifact/reading.h"

enum { LOG_SLOTS = 1024 };

struct log_rank {
	int number;  /* -1: lines that name none */
	double step; /* of the newest line that named one */
	bool has_step;
	struct span group; /* of its series */
};

/* The series of a key that was met before. */
struct log_slot {
	struct span key;
	size_t rank;
	struct series *series;
};

struct log_figures {
	struct reading *in;
	struct log_rank *rank;
	size_t nrank, rank_cap, at; /* at: who wrote the line at hand */
	struct log_slot slot[LOG_SLOTS];
	bool by_row; /* the line names no step, and is at none */
	int64_t n;
};

void log_figures_open(struct log_figures *g, struct reading *in);
void log_figures_close(struct log_figures *g);

/* The lines from here on are of that rank, -1 when they do not say. */
void log_figures_rank(struct log_figures *g, int rank);

/* The step from here on. */
void log_figures_step(struct log_figures *g, double step);

/* A value of a key at the step at hand, else at the next row. */
void log_figures_add(struct log_figures *g, struct span key, double v, enum measure m);

/* The pairs of a line: the best name of a step among them moves it on.  False: there is none. */
bool log_figures_pairs(
	struct log_figures *g, const struct log_pairs *pairs, const struct log_form *form);

/* Says in a note which ranks there are, where they are several. */
void log_figures_say(const struct log_figures *g);

#endif
