/* Running a program under capture: its environment, its end, the files that come of it.
 *
 * The program runs in our process group and on our terminal; a signal that somebody sends to us is
 * passed on to it, one that the terminal sends reaches it anyway.  Files of processes that died are
 * sealed. */
#pragma once

#include <signal.h>

#include "capture/settings.h"

/*
 * What came of a launch: the processes that recorded, by their status lines in the run directory.
 */
enum launch_outcome {
	LAUNCH_NOTHING, /* it ended by itself and recorded nothing; why has been said, if there is
	                   a reason (error) */
	LAUNCH_WHOLE,   /* it finished its file itself */
	LAUNCH_SEALED,  /* its file was finished for it: it ends at the last checkpoint */
	LAUNCH_LOST,    /* it ended before anything was in a file; there is none */
	LAUNCH_LEFT,    /* its file could not be finished (error) and lies there as ".part" */
	LAUNCH_RUNNING  /* it still records: nobody waited for it to the end */
};

/* One process that recorded, or tried to. */
struct launch_process {
	int pid, rank; /* rank -1: none */
	char program[128];
	enum launch_outcome outcome;
	char file[CAPTURE_PATH_MAX]; /* "": there is none */
	uint64_t events, kernels, bytes;
	bool used_cuda;
	bool is_partial; /* its file lacks device work: refused, or taken by another user of CUPTI
	                  */
	int signal;      /* that killed it, where that is known; else 0 */
	bool has_device; /* of a sealed file: there is device work in it */
	double lost_s;   /* then: time between the end of the last of it and that of the process */
	char error[CAPTURE_WORDS_MAX]; /* of LAUNCH_NOTHING, LAUNCH_LEFT; "" */
};

struct launch_report {
	int exit_code;                  /* the program's: its status, or 128 + signal */
	int pid, signal;                /* the program's; what killed it, or 0 */
	bool left_running;              /* something the program started has not ended */
	struct launch_process *process; /* by rank, then pid */
	size_t nprocess;
};

/* Waits for what the program left behind, as long as that records and *enough is 0.  Sets
 * report->left_running. */
void launch_wait(
	struct launch_report *report, const char *dir, const volatile sig_atomic_t *enough);

/* Reads the status lines, seals what was left unfinished.  report->pid and .signal are set. */
void launch_gather(struct launch_report *report, const char *dir);

/* Removes the run directory. */
void launch_remove_dir(const char *dir);

void launch_report_clear(struct launch_report *report);

/* The status line of a recording process, as its launcher reads it: a JSON object that
 * inject/document.c wrote, one level deep. */

/* A number of the object; `otherwise` when it is not there. */
int64_t status_number(const char *text, const char *key, int64_t otherwise);

/* A text of the object, unescaped, into to[size]; "" when it is not there or does not fit. */
void status_text(const char *text, const char *key, char *to, size_t size);

#define CAPTURE_LIBRARY "libtraceq-capture.so"

enum {
	/* Exit codes of our own, as env(1) and timeout(1) have them. */
	LAUNCH_FAILED = 125,
	LAUNCH_NOT_EXECUTABLE = 126,
	LAUNCH_NOT_FOUND = 127
};

/* The library that is injected: `given` when it is not NULL, else beside the program or in
 * ../lib/traceq of it.  Absolute, into path[CAPTURE_PATH_MAX].  False with
 * words[CAPTURE_WORDS_MAX]. */
bool launch_find_library(const char *given, char *path, char *words);

/* A pattern of file names made absolute, into path[CAPTURE_PATH_MAX]. */
bool launch_absolute(const char *pattern, char *path, char *words);

/* The name of a variable another tool has set that capture would overwrite, or NULL. */
const char *launch_other_tool(void);

/* Runs argv[0] with the library in its environment and waits for it and for what it left behind
 * recording.  False with words[CAPTURE_WORDS_MAX] and report->exit_code 125, 126 or 127 when it
 * could not be started.  report is to be cleared. */
bool launch_run(const struct capture_settings *s, const char *library, char *const *argv,
	struct launch_report *report, char *words);
