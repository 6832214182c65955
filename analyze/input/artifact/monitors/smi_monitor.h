/*
 * Tables that monitors of GPUs print, as data: how each is written, and what its columns mean.
 */
#ifndef ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_MONITOR_H
#define ANALYZE_INPUT_ARTIFACT_MONITORS_SMI_MONITOR_H

#include <stdbool.h>

#include "analyze/input/artifact/monitors/smi_rows.h"

enum { MONITOR_WORDS = 40 };

/* How a kind of table is written. */
struct monitor {
	const char *first[3]; /* what its heading begins with, without '#' */
	const char *has[3];   /* one of these words is in it, too */
	bool is_marked;       /* headings begin with '#' */
	bool is_wide;         /* cells are apart by two blanks or more; by one otherwise */
	bool is_named;        /* rows begin with two words: "GPU 0" */
	bool is_processes;    /* rows are of processes, not of GPUs */
	struct smi_word word[MONITOR_WORDS];
};

extern const struct monitor monitor_dmon; /* nvidia-smi dmon */
extern const struct monitor monitor_pmon; /* nvidia-smi pmon */
extern const struct monitor monitor_dcgm; /* dcgmi dmon */
extern const struct monitor monitor_rocm; /* rocm-smi */
extern const struct monitor monitor_amd;  /* amd-smi monitor */

#endif
