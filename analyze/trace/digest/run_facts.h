/* What a run says beside its rows, written or read: for who has the rows elsewhere, as columns.
 *
 * Lanes keep their numbers.  Left out are what is beside the trace (record, kept, cut), and what is
 * made of rows. */
#pragma once

#include "base/base.h"

struct run;
struct walk;

/* Reading: into a run that is empty but for its path and needs.  *needs: those that the run was
 * loaded with. */
void run_facts_walk(struct walk *w, struct run *r, unsigned *needs);
