/*
 * What the files of inquiry share.  Private to cmd/inquiry*.c.
 */
#ifndef CMD_INQUIRY_WORK_H
#define CMD_INQUIRY_WORK_H

#include "base/err.h"
#include "report/answers.h"

struct inquiry;
struct inquiry_ask;
struct run;

/* What an analysis takes the paths for. */
enum inquiry_form { INQUIRY_RUNS, INQUIRY_SIDES, INQUIRY_JOB, INQUIRY_HISTORY };

/* inquiry_load.c: inputs, sides and history, as the asks need them. */
enum status inquiry_load(struct inquiry *g, const char **where, struct err *e) MUST_CHECK;

/*
 * inquiry_answer.c: what an ask takes the paths for; what was odd about an input, as notes before
 * those of its answer; what the runs' answers share, after they are loaded; all answers.
 */
enum inquiry_form inquiry_form_of(const struct inquiry *g, const struct inquiry_ask *a);
void inquiry_note_odd(struct inquiry_ask *a, const struct run *run, int input);
void inquiry_share(struct inquiry *g);
void inquiry_answer(struct inquiry *g);

/* inquiry_about.c: what was asked about, in words; the inquiry's memory. */
struct answers_about inquiry_about(struct inquiry *g);

#endif
