/* Traces as text in a test, loaded by the whole input pipeline, and the wrappings they come in. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/input/load.h"
#include "base/str.h"

/* Every need of analyze/trace/columns/args.h that decides what is kept; none of the indexes. */
#define LOADING_ALL                                                                              \
	(NEED_LINKS | NEED_SHAPES | NEED_KERNEL | NEED_BYTES | NEED_MEMORY | NEED_PYTHON |       \
		NEED_COMM | NEED_AUTOGRAD | NEED_STACKS | NEED_SYNC | NEED_INPUTS | NEED_TYPES | \
		NEED_GRAPHS)

struct loaded {
	struct run run;
	struct err err;
	enum status status; /* run is there when it is OK */
	uint64_t digest;    /* of all the run holds; for a failure its status and text */
};

/* How the text comes: all zero is one thread, LOADING_ALL, whole reads. */
struct loading {
	unsigned needs, threads;
	bool strict;
	const char *inflate, *scanner;
	size_t window_bytes;
	size_t piece;    /* most bytes one read gives; 0 = no limit */
	size_t fails_at; /* the read that passes this many bytes fails with EIO; 0 = none does */
};

/* Loads the file whose bytes are given.  Released by loading_release. */
void loading_run(struct loaded *l, struct span file, const struct loading *how);
void loading_release(struct loaded *l);

/* The same for a trace text in the source, NUL-terminated, which must load. */
void loading_text(struct loaded *l, const char *text);

/* The first row of that name, or SIZE_MAX. */
size_t loading_row(const struct loaded *l, const char *name);

/* The only counted problem, PROBLEM_COUNT when there is none, or -1 when there are several. */
int loading_problem(const struct loaded *l);

/* A raw deflate stream, gzip member or zlib stream of t, appended to out. */
enum wrapping { WRAP_RAW, WRAP_GZIP, WRAP_ZLIB };
void loading_wrap(struct str *out, struct span t, enum wrapping as);

/* The output of the fixtures program with these arguments; false when it is not there. */
bool loading_fixture(struct str *out, const char *arguments);

/* Of many alike, every how many a program looks at: 1, but 3 in a gate's run under a sanitizer
 * (GATE_PART, tests/run.sh), where the code is what counts, which is the same for each. */
size_t loading_every(void);

/* A window as scanners take it: n bytes and their padding, in a block of exactly that size, so that
 * a sanitizer sees a byte too much.  The caller frees. */
char *loading_window(const char *p, size_t n);

/* A number that looks random. */
uint32_t loading_random(uint64_t *seed);
