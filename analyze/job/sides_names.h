/* Ranks that names of files say only beside each other: "node0.log" and "node1.log", "gpu_0/",
 * "slurm-1234-0.out".  One alone may be one of a sweep ("gpu8.log") or a machine: they are ranks
 * where one of them has the number 0. */
#pragma once

#include "base/base.h"

struct sides_name {
	const char *within, *kind;
	const char *key;  /* of its run; without the folders that are of ranks, afterwards */
	int64_t rank;     /* -1: not known yet */
	bool is_fixed;    /* the file itself says its rank, or it is a trace */
	bool is_doubtful; /* ranks write such files, and nobody named it by itself */
};

/* Texts are the arena's.  Returns what people should know of it, or NULL: which files are taken for
 * ranks, or for repeats though they might be ranks. */
const char *sides_names_find(struct sides_name *v, size_t n, struct arena *mem);
