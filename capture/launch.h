/*
 * Running a program under capture: its environment, its end, the files that come of it.
 *
 * The program runs in our process group and on our terminal; a signal that somebody sends to us is
 * passed on to it, one that the terminal sends reaches it anyway.  Files of processes that died are
 * sealed.
 */
#ifndef CAPTURE_LAUNCH_H
#define CAPTURE_LAUNCH_H

#include <stdbool.h>

#include "capture/launch_report.h"
#include "capture/settings.h"

#define CAPTURE_LIBRARY "libtraceq-capture.so"

enum {
	/* Exit codes of our own, as env(1) and timeout(1) have them. */
	LAUNCH_FAILED = 125,
	LAUNCH_NOT_EXECUTABLE = 126,
	LAUNCH_NOT_FOUND = 127
};

/*
 * The library that is injected: `given` when it is not NULL, else beside the program or in
 * ../lib/traceq of it.  Absolute, into path[CAPTURE_PATH_MAX].  False with words[LAUNCH_WORDS_MAX].
 */
bool launch_find_library(const char *given, char *path, char *words);

/* A pattern of file names made absolute, into path[CAPTURE_PATH_MAX]. */
bool launch_absolute(const char *pattern, char *path, char *words);

/* The name of a variable another tool has set that capture would overwrite, or NULL. */
const char *launch_other_tool(void);

/*
 * Runs argv[0] with the library in its environment and waits for it and for what it left behind
 * recording.  False with words[LAUNCH_WORDS_MAX] and report->exit_code 125, 126 or 127 when it
 * could not be started.  report is to be cleared.
 */
bool launch_run(const struct capture_settings *s, const char *library, char *const *argv,
	struct launch_report *report, char *words);

#endif
