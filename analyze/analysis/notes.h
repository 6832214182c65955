/* Notes analyses owe their reader: what was odd about the input, and what it lacks. */
#pragma once

#include "base/table.h"

struct ledgers;
struct replay;
struct run;
struct tally;
struct window;

/* One note for each kind of oddity in t, in the order of PROBLEMS: what it is, how often,
 * and where the first one is.  INFO becomes NOTE_INFO; everything else NOTE_WARNING, and for BROKEN
 * the text says what is missing.  input: index of the run in r, or -1. */
void notes_add_tally(struct result *r, const struct tally *t, int input);

/* The notes of the readers of run->record, which may be NULL. */
void notes_add_record(struct result *r, const struct run *run, int input);

/* What a capture named of graph replays; nothing without one. */
void notes_add_replay(struct result *r, const struct replay *p, int input);

/* Whether the run has no device events, which then becomes a note.  text: what that means for the
 * answer; NULL: that device figures are unknown. */
bool notes_no_device(struct result *r, const struct run *run, int input, const char *text);

/* For figures of whole steps: no device events, none that pass the filters, no steps, steps x
 * devices too many. */
void notes_add_steps(struct result *r, const struct run *run, int input, const struct ledgers *l);

/* What of the trace the window's figures are not about: steps cut on the device, work in no step,
 * unrecorded time, the lead-in before the first launch. */
void notes_add_window(struct result *r, const struct run *run, int input, const struct window *w);

/* The same of unrecorded time alone, where it is some. */
void notes_add_unrecorded(struct result *r, const struct run *run, int input, int64_t unrecorded);
