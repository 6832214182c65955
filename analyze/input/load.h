/* Loading: path -> run.  The only door of analyze/input. */
#pragma once

#include <sys/types.h>

#include "analyze/input/load_file.h"
#include "analyze/trace/run.h"
#include "base/base.h"

struct folder;
struct part;

/* Reads path ("-" is stdin) into *run, which must be fresh from run_init-less memory: load_path
 * initialises it.  On OK the run is complete: events stored, metadata decoded, needs built; damage
 * that could be worked around is in run->tally.  On failure *run is cleared and e says why:
 * E_IO, E_FORMAT (what it is instead), E_SYNTAX, E_LIMIT, E_TRUNCATED (strict).
 *
 * A trace fills the events (run->has_trace), any other artifact run->record.  A folder is searched:
 * its first trace and all of its artifacts become one run; record->file says what became of each
 * file.  A folder in which nothing could be read is a run without trace and artifacts.
 * Memory: about 45 bytes a stored event, names, and a fixed pipeline of a few MiB. */
enum status load_path(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* The same for what is known to be a file: folder_is, which may have to read much of it, said no.
 */
enum status load_single(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* The same over a read function of the caller's (as read(2): bytes, 0 at the end, -1 with errno);
 * path is a name for messages. */
enum status load_reader(ssize_t (*read)(void *ctx, void *buf, size_t n), void *ctx,
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* E_FORMAT when the run has no trace, with what it is instead. */
enum status load_want_trace(const struct run *r, struct err *e) MUST_CHECK;

/* The same for what works on the trace's events, which what was kept of it does not have. */
enum status load_want_events(const struct run *r, struct err *e) MUST_CHECK;

/* "ISA-L 2.30, zlib 1.2.13" or "zlib 1.2.13": what inflates here; constant. */
const char *load_inflate_version(void);

/* ", libarchive 3.6.2" where traceq was built with it, else ""; constant. */
const char *load_archive_version(void);

/* ", SQLite 3.40.1" where traceq was built with it, else ""; constant. */
const char *load_sqlite_version(void);

/* The scanner chosen for this machine: "avx2", "sse2", "neon" or "portable". */
const char *load_scanner_name(void);

/* A folder that is not there: a run without anything, which says so. */
enum status load_missing(
	const char *path, const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;

/* A part of a folder (analyze/input/run_parts.h): its files, and notes about them.  shown: what the
 * run is called to those who read the notes; what they say of the folder names it where it is
 * another. */
enum status load_part(const struct folder *f, const struct part *part, const char *shown,
	const struct load_options *o, struct run *run, struct err *e) MUST_CHECK;
