/*
 * What came of a launch: the processes that recorded, by their status lines in the run directory.
 */
#ifndef CAPTURE_LAUNCH_REPORT_H
#define CAPTURE_LAUNCH_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "capture/settings.h"

enum { LAUNCH_WORDS_MAX = 1024 };

/* One process that recorded, or tried to. */
struct launch_process {
	int pid, rank; /* rank -1: none */
	char program[128];
	char file[CAPTURE_PATH_MAX]; /* "": there is none */
	uint64_t events, kernels, bytes;
	bool used_cuda;
	bool is_complete; /* it finished its file itself */
	int signal;       /* that killed it, where that is known; else 0 */
	double lost_s;    /* of an incomplete file: time between its last checkpoint and the end */
	char error[LAUNCH_WORDS_MAX]; /* why there is no file, or the file ends early; "" */
};

struct launch_report {
	int exit_code;                  /* the program's: its status, or 128 + signal */
	struct launch_process *process; /* by rank, then pid */
	size_t nprocess;
};

/* Waits for the program, then for what it left behind, as long as that records.  Its status. */
int launch_wait(pid_t pid, const char *dir);

/* Reads the status lines, seals what was left unfinished.  main_signal: killed the program, or 0.
 */
void launch_gather(struct launch_report *report, const char *dir, pid_t main_pid, int main_signal);

/* Removes the run directory. */
void launch_remove_dir(const char *dir);

void launch_report_clear(struct launch_report *report);

#endif
