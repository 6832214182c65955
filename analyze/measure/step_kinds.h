/* Kinds of steps: the usual ones, and each other kind with what it did and when.
 *
 * Odd steps (window.h) that do the same are one kind: what has a word in which a device waited
 * (gap_words.def), else the part of a step that differs most from the usual steps' mean: computing,
 * with the kernel that does; communication; copies; what a device waited for.  Where all odd steps
 * without a word are the first ones, those from one on, or every k-th, they are one kind.
 *
 *	usual         #0 #1 #2 .. #4 .. #6 ..
 *	checkpoint    every 5 steps, from #4
 *	compiling     #3
 *
 * Where most steps are longer than the first ones, the kind is those from there on, and what is
 * said of it is held against the first.
 *
 * Steps that go steadily from one duration to another (struct ramp) are a kind, too, held against
 * the shorter of both, but not odd. */
#pragma once

#include "analyze/measure/gaps/gap_words.h"
#include "analyze/stat/exceptions.h"
#include "analyze/trace/columns/strings.h"
#include "base/base.h"

struct ledgers;
struct step_gap_causes;
struct stepstat;

/* So many short steps in front of longer ones are a level that ends. */
enum { STEP_KINDS_LEVEL = 3 };

/* Words of odd steps behind those of enum gap_cause: batches of a server. */
enum { STEP_KIND_PREFILL = GAP_CAUSE_COUNT + 1, STEP_KIND_DECODE };

struct step_kind {
	const char *what;     /* "checkpoint", "longer kernels", "communication"; constant */
	enum gap_cause cause; /* what devices wait for, or GAP_CAUSE_COUNT */
	sym name;             /* the kernel that differs most; 0: none */
	enum exceptions_when when;
	size_t *at, n; /* positions in the window's stat, ascending */
	size_t before; /* so many shorter ones in front are the odd ones, and these are usual; 0 */
	double mean, more; /* duration, ns; than that of usual steps */
	double share;      /* what all of it is more, of the time of all steps */
	double slope;      /* of WHEN_RAMP: by how much a step is longer than the one before, ns */
};

struct step_kinds {
	struct step_kind *v; /* what takes most in all first; shorter ones last */
	size_t n;
	size_t usual; /* steps, also those that are set aside, ... */
	double mean;  /* ... and their mean duration, ns */
	double lost;  /* share of all time that longer ones take more, which do no other work; the
	                 first ones where few steps are left beside them, as warm-up is set aside */
	const struct step_kind *worst; /* of those what takes most; NULL: none */
};

/* word: by position, of what odd steps do, as in struct window.  Memory is the arena's.  O(steps x
 * devices + device events x kinds). */
void step_kinds_init(struct step_kinds *k, const struct run *r, const struct stepstat *stat,
	const uint8_t *word, const struct ledgers *l, const struct step_gap_causes *waiting,
	struct arena *mem);

/* It takes longer, and does no other work: as usual steps it would save that. */
bool step_kind_is_loss(const struct step_kind *k);

/* "checkpoint every 5 steps, from #4; compiling in #3"; NULL: there are none. */
const char *step_kinds_text(const struct step_kinds *k, const struct run *r,
	const struct stepstat *stat, struct arena *mem);

/* What stands before the words of step_kind_when: "in ", or "". */
const char *step_kind_in(const struct step_kind *k);

/* "#3", "every 5 steps, from #4", "the first 2", "from #6 on", "#3, #5 and 2 more", "growing by
 * 1.2 ms a step, from 20.0 ms (#3) to 60.0 ms (#42)". */
const char *step_kind_when(const struct step_kind *k, const struct run *r,
	const struct stepstat *stat, struct arena *mem);
