/* The baseline command: what its parts share.  Private to cmd/baseline/. */
#pragma once

#include "analyze/trace/history.h"
#include "cmd/config.h"
#include "cmd/options.h"

struct baseline_options {
	const char *accept, *commit, *label, *time, *tier;
	int64_t keep, threads;
};

/* One invocation. */
struct baseline {
	const struct analyses *analyses;
	struct baseline_options o;
	struct config_options config_options;
	struct config config;
	struct output_options output;
	const char *store, *file; /* as given; the file of it */
	const char **run;         /* operands of add */
	size_t nrun;
	struct history history;
	struct result odd; /* of add: notes about the runs */
	int lock;          /* -1: not held */
	struct arena mem;
	struct err err;
};

/* What a verb does with the store: reads it, changes one that is there, or makes it, too. */
enum baseline_use { BASELINE_LOOK, BASELINE_CHANGE, BASELINE_ADD };

/* baseline_store.c: locks the store until the program ends, unless it is only looked at, and reads
 * it.  BASELINE_ADD makes a folder for one that is not there; else that is E_IO. */
enum status baseline_open(struct baseline *b, enum baseline_use use) MUST_CHECK;

/* Writes the runs beside the store, and renames.  They are on the disk then. */
enum status baseline_write(struct baseline *b) MUST_CHECK;

/* baseline_add.c: the verb.  Returns the exit status. */
int baseline_add(struct baseline *b);
