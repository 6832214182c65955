/* Correlations of several processes in one run, each of which counts by itself, made different: a
 * trace as JSON has no other way to say whose they are. */
#pragma once

struct run;

/* Changes the run's correlations where its device lanes are those of processes; where a number
 * would be too large nothing is.  Links stay. */
void renumber_ids(struct run *r);
