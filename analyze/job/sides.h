/* Sides of a comparison: BASE and NEW, each of runs, each of the digests of its files.
 *
 *	side   what an operand (or several, around "vs") named
 *	run    one execution; several of a side are repeats of the same thing
 *	part   one file of it: the trace of a rank, a log, a summary
 *
 * Ranks of one run are no repeats: they wait for each other. */
#pragma once

#include "analyze/job/digest/digest.h"
#include "base/base.h"

struct side_part {
	const struct digest *digest;
	int64_t rank; /* of the document, else of its path; -1 unknown */
	size_t turn;  /* as of the file */
};

struct side_run {
	const char *name;       /* the folder or file it is known by, within the side's paths */
	struct side_part *part; /* traces by rank, then everything else; ties by turn and path */
	size_t n;
	size_t nrank;   /* parts that are traces */
	bool is_chosen; /* --rank: those that are not looked at are not missing */
	bool is_whole;  /* of no folder below the side's paths: those say more than name */
};

struct side_left {
	const char *path;
	const char *why;
	bool is_damaged; /* it is something that could be compared, but cannot be read */
};

struct side {
	const char *label;    /* as given with label=PATH, else the paths */
	struct side_run *run; /* by name */
	size_t nrun;
	size_t nover;           /* behind those: what is left over of them (members_set_aside) */
	struct side_left *left; /* files that were found and not used */
	size_t nleft;
	const char *said; /* what names of its files were taken for (sides_names.h), or NULL */
};

/* One file to be placed.  Borrowed. */
struct side_file {
	const char *path;   /* as opened */
	const char *within; /* the path below the operand; of a file, the operand's last part */
	const char *run;    /* the folders that tell its run; NULL: as runpath_key of within */
	size_t turn;        /* among files of its name in one run; 0: the first */
	const struct digest *digest;
};

/* Sorts files into runs; label and left are the caller's.
 * - A file's run is what the file says, else it is known by the folders it is in, below the
 * operand; those that hold a part of a run do not count (runpath_is_part).
 * - Files of a folder above belong to every run below when they only say how runs were made
 *   (digest.is_aside); otherwise all below is one run with them.
 * - A file's rank is what it says, else its path, else its name beside others (sides_names.h).
 * - In one folder, files of different ranks are one run, and so are files of different kinds.  The
 *   i-th of several traces of a rank, or of several files of a kind and rank that lie side by side,
 *   belongs to the i-th repeat; a file that is no trace and the only one of its kind and rank
 * belongs to all of them. Memory is the arena's; texts of the files are borrowed.  O(n log n) in
 * files and folders, besides what belongs to several runs. */
void sides_group(struct side *s, const struct side_file *file, size_t n, struct arena *mem);

/* Number of distinct ranks of a side's runs: the largest. */
size_t sides_ranks(const struct side *s);

/* Files of all runs of a side. */
size_t sides_parts(const struct side *s);

/* A trace of a side, and the run that it is a rank of. */
struct side_trace {
	const struct digest *digest;
	size_t run;    /* index on the side */
	size_t nrank;  /* traces of that run */
	double weight; /* of one of its figures in the side's mean step; 0: it counts no step */
};

/* All traces of a side, by run, then rank; *nrun: runs that have any.  Memory is the arena's. */
struct side_trace *sides_traces(const struct side *s, size_t *n, size_t *nrun, struct arena *mem);

/* Counted steps of all traces of a side. */
size_t sides_steps(const struct side *s);

/* The distinct values of a key on a side, in order of text, ", " between; empty: nobody says.  Of
 * the environment (ENV_KEYS), or of the configuration. */
struct span sides_condition(
	const struct side *s, const char *key, bool is_config, struct arena *mem);
