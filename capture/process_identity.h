/* Which process this is: program, host, rank among others; and the file names made from that. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_identity {
	int rank, local_rank, world; /* -1: the environment does not say */
	int pid, ppid;
	int64_t start_ns; /* CLOCK_REALTIME when it was asked */
	char host[128];
	char program[128]; /* last part of the executable's name */
};

/* Rank: the first of RANK, OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, MV2_COMM_WORLD_RANK,
 * SLURM_PROCID that is a number; local rank and world size from the variables that go with it. */
void process_identity_ask(struct process_identity *w);

/* A file name from a pattern: %r rank ("p<pid>" when there is none), %l local rank, %w world size,
 * %p pid, %h host, %n program, %t start in ms, %% a per cent sign.  False when it does not fit or
 * has another letter. */
bool process_identity_expand(
	const struct process_identity *w, const char *pattern, char *to, size_t size);
