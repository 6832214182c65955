/*
 * Loading: path -> run.  The only door of analyze/input.
 */
#ifndef ANALYZE_INPUT_LOAD_H
#define ANALYZE_INPUT_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "analyze/store/run.h"
#include "base/err.h"

struct load_options {
	unsigned needs;      /* enum need: columns to keep, indexes to build */
	unsigned threads;    /* 0 = one per core */
	bool strict;         /* truncation and damage are errors */
	const char *inflate; /* "zlib", "isal", or NULL: the best there is (or TRACEQ_INFLATE) */
	const char *scanner; /* "portable", "avx2", ..., or NULL: the best (or TRACEQ_SCANNER) */
	size_t window_bytes; /* text scanned at a time; 0 = the usual; for tests */
	/*
	 * Called now and then (at most about every 50 ms, by one thread at a time) with bytes read
	 * of the file and its size (-1 unknown), and bytes of text so far; NULL for none.
	 */
	void (*progress)(void *ctx, int64_t done, int64_t total, int64_t text);
	void *progress_ctx;
};

struct folder_file;

/*
 * Reads path ("-" is stdin) into *run, which must be fresh from run_init-less memory: load_path
 * initialises it.  On OK the run is complete: events stored, metadata decoded, needs built; damage
 * that could be worked around is in run->tally.  On failure *run is cleared and e says why:
 * E_IO, E_FORMAT (what it is instead), E_SYNTAX, E_LIMIT, E_TRUNCATED (strict).
 *
 * A trace fills the events (run->has_trace), any other artifact run->record.  A folder is searched:
 * its first trace and all of its artifacts become one run; record->file says what became of each
 * file.  A folder in which nothing could be read is a run without trace and artifacts.
 * Memory: about 45 bytes a stored event, names, and a fixed pipeline of a few MiB.
 */
enum status load_path(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/*
 * Some files of a folder (analyze/input/folder.h) as one run; path is the run's name for messages.
 * The first trace among them is read, further ones are left out.  Strict: a file that is damaged is
 * an error, else it is FILE_DAMAGED in the record.
 */
enum status load_files(const char *path, const struct folder_file *const *file, size_t n,
	const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

struct folder;
struct part;

/* A part of a folder (analyze/input/parts.h): its files, and notes about them. */
enum status load_part(const struct folder *f, const struct part *part, const struct load_options *o,
	struct run *run, struct err *e) MUST_CHECK;

/*
 * The same over a read function of the caller's (as read(2): bytes, 0 at the end, -1 with errno);
 * path is a name for messages.
 */
enum status load_reader(ssize_t (*read)(void *ctx, void *buf, size_t n), void *ctx,
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* E_FORMAT when the run has no trace, with what it is instead. */
enum status load_want_trace(const struct run *r, struct err *e) MUST_CHECK;

/* "ISA-L 2.30, zlib 1.2.13" or "zlib 1.2.13": what inflates here; constant. */
const char *load_inflate_version(void);

/* The scanner chosen for this machine: "avx2", "sse2", "neon" or "portable". */
const char *load_scanner_name(void);

#endif
