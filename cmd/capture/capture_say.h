/*
 * What came of a capture: the last lines on stderr.
 */
#ifndef CMD_CAPTURE_CAPTURE_SAY_H
#define CMD_CAPTURE_CAPTURE_SAY_H

struct launch_report;

/* The files, what is wrong with them, or why there are none.  library: what was injected. */
void capture_say_report(const struct launch_report *r, const char *library);

#endif
