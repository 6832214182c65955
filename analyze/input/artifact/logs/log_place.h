/* Where in a run a line speaks of.
 *
 * A step that starts again while the epoch rises, or where its total was reached, is of the next
 * epoch and stands behind those of the one before.  One that falls back otherwise was gone back to:
 * a run that went on from a checkpoint. */
#pragma once

#include "base/base.h"

struct log_place {                  /* all 0: nowhere yet */
	double x;                   /* of the newest step, counted through all epochs */
	double step, stride, total; /* as written; total: 0 where nobody says it */
	double epoch, step_epoch;   /* the newest, and that of the newest step; 0: none */
	int nbelow;                 /* how often the total rose and the step did not: */
	bool is_below;              /* then the step is the epoch, and the total the step */
	bool has_step, is_by_epoch; /* is_by_epoch: no line says a step, and epochs are */
};

/* The line is of that step, out of total or 0: where it stands. */
double log_place_step(struct log_place *p, double step, double total);
