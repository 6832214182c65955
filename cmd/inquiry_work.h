/*
 * What the files of inquiry share.  Private to cmd/inquiry*.c.
 */
#ifndef CMD_INQUIRY_WORK_H
#define CMD_INQUIRY_WORK_H

struct inquiry;
struct inquiry_ask;

/* What an analysis takes the paths for. */
enum inquiry_form { INQUIRY_RUNS, INQUIRY_SIDES, INQUIRY_HISTORY };

enum inquiry_form inquiry_form_of(const struct inquiry_ask *a);

/* inquiry_answer.c: what the runs' answers share, after they are loaded; then all answers. */
void inquiry_share(struct inquiry *g);
void inquiry_answer(struct inquiry *g);

#endif
