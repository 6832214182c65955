/*
 * What came of a launch: the processes that recorded, by their status lines in the run directory.
 */
#ifndef CAPTURE_LAUNCH_REPORT_H
#define CAPTURE_LAUNCH_REPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/settings.h"

enum { LAUNCH_WORDS_MAX = 1024 };

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
	char error[LAUNCH_WORDS_MAX]; /* of LAUNCH_NOTHING, LAUNCH_LEFT; "" */
};

struct launch_report {
	int exit_code;                  /* the program's: its status, or 128 + signal */
	int pid, signal;                /* the program's; what killed it, or 0 */
	bool left_running;              /* something the program started has not ended */
	struct launch_process *process; /* by rank, then pid */
	size_t nprocess;
};

/*
 * Waits for what the program left behind, as long as that records and *enough is 0.  Sets
 * report->left_running.
 */
void launch_wait(
	struct launch_report *report, const char *dir, const volatile sig_atomic_t *enough);

/* Reads the status lines, seals what was left unfinished.  report->pid and .signal are set. */
void launch_gather(struct launch_report *report, const char *dir);

/* Removes the run directory. */
void launch_remove_dir(const char *dir);

void launch_report_clear(struct launch_report *report);

#endif
