/* Loading one file: source, pipeline, metadata, finishing, indexes; or the reader of an artifact.
 * Private to analyze/input/load*.c, but for the options. */
#pragma once

#include "analyze/trace/run.h"
#include "base/base.h"

struct source;
struct tap;

/* What load_options.comm is called where it is said to be wrong. */
#define LOAD_COMM_OPTION "--comm"

/* Files of one recording that are read with another of them (folder.c), by path. */
struct load_beside {
	const char **path;
	size_t n;
};

/* A copy in mem; NULL of NULL. */
const struct load_beside *load_beside_copy(const struct load_beside *b, struct arena *mem);

struct load_options {
	unsigned needs;      /* enum need: columns to keep, indexes to build */
	unsigned job_needs;  /* of these what only the run's job is told by (struct run) */
	unsigned threads;    /* 0 = one per core */
	bool strict;         /* truncation and damage are errors */
	const char *inflate; /* "zlib", "isal", or NULL: the best there is (or TRACEQ_INFLATE) */
	const char *scanner; /* "portable", "avx2", ..., or NULL: the best (or TRACEQ_SCANNER) */
	bool cuts_on_device; /* run.cuts_on_device */
	const char *comm;    /* kernels whose names match are collectives (run.comm_chosen); NULL */
	/* Who reads a trace along (tap.h), or NULL: the events of Chrome's JSON, the members of any
	 * document.  With it of which kinds
	 * (KIND_BIT set; 0: of all) arguments are read and, unless is_rowless, rows are made. */
	const struct tap *tap;
	unsigned kinds;
	bool is_rowless;
	size_t window_bytes;              /* text scanned at a time; 0 = the usual; for tests */
	const struct load_beside *beside; /* what is read with the file, or NULL */
	/* Called now and then (at most about every 50 ms, by one thread at a time) with bytes read
	 * of the file and its size (-1 unknown), and bytes of text so far; NULL for none. */
	void (*progress)(void *ctx, int64_t done, int64_t total, int64_t text);
	void *progress_ctx;
};

/* An empty run of that name, and what turns it into a finished one (st is OK) or releases it. */
void load_begin(struct run *run, const char *path, const struct load_options *o);
enum status load_end(
	struct run *run, const struct load_options *o, enum status st, struct err *e) MUST_CHECK;

/* Reads an opened source, whatever it holds, and closes it. */
enum status load_source(struct source *s, const char *path, const struct load_options *o,
	struct run *run, struct err *e) MUST_CHECK;

/* One file into a run that may have others already. */
enum status load_file(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* What was asked for, else what the environment says, else NULL. */
const char *load_or_environment(const char *wanted, const char *variable);
