/*
 * Notes every analysis owes its reader: what was odd about the input.
 */
#ifndef ANALYZE_QUERY_NOTES_H
#define ANALYZE_QUERY_NOTES_H

#include "base/table.h"

struct run;
struct tally;

/*
 * One note for each kind of oddity in t, in the order of PROBLEMS: what it is, how often,
 * and where the first one is.  INFO becomes NOTE_INFO; everything else NOTE_WARNING, and for BROKEN
 * the text says what is missing.  input: index of the run in r, or -1.
 */
void notes_add_tally(struct result *r, const struct tally *t, int input);

/* The notes of the readers of run->record, which may be NULL. */
void notes_add_record(struct result *r, const struct run *run, int input);

#endif
