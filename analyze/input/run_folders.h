/*
 * Places: the folders of a run, and which of them are runs.  Private to run_parts.c.
 *
 * A file's place is named by the folders that it is in, without those that hold a part of a run
 * (analyze/trace/runpath.h).  A folder is several runs when two places hold the same kind of
 * result; else it is one.  docs/formats.md has the whole rule.
 */
#ifndef ANALYZE_INPUT_RUN_FOLDERS_H
#define ANALYZE_INPUT_RUN_FOLDERS_H

#include <stdbool.h>
#include <stddef.h>

struct folder;

struct place {
	const char *key;    /* "run_1/"; "" for the folder itself */
	const char *folder; /* the same, with what does not count: "results/run_1/" */
	bool has_results;   /* more than configurations */
	bool is_shelf;      /* nothing but logs, and several runs below it: they are of none */
	bool is_run;
};

struct places {
	struct folder *f;
	struct place *place; /* in the order of their first files */
	size_t n;
	size_t *home;   /* by file: the place it lies in */
	size_t *of;     /* by file: the place of its run; of what is aside, where it lies */
	size_t *sorted; /* places by key */
	bool are_runs;  /* several runs */
};

/*
 * Into *p, which is empty but for f; memory is the folder's.  Marks files of f that are
 * FOLDER_TWICE and FOLDER_BESIDE.  O(n log n) in files.
 */
void run_folders_find(struct places *p);

/* True when a place with that key is above the other. */
bool run_folders_is_above(const char *above, const char *key);

#endif
