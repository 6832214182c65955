/*
 * Indexes of a run: order, links, calls and steps, built on demand once its events are all there.
 */
#pragma once

struct run;

/* Builds order, links, calls and steps as asked (bits of enum need) and not yet there; the others
 * need order, which is then built too.  run_clear releases them. */
void index_build(struct run *r, unsigned needs);

/* The same on that many threads (0: one per core; small runs have one), with the same result. */
void index_build_threads(struct run *r, unsigned needs, unsigned threads);
