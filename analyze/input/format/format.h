/* Formats of traces that are no Chrome JSON, and the list of them.
 *
 * A format is known by content, never by name.  A new one is a line in FORMATS, a struct, and what
 * reads it; the run it fills is that of a Chrome trace of the same program, and what the format
 * cannot say is absent (docs/formats.md, docs/adding.md). */
#pragma once

#include "base/base.h"

struct emit_sink;
struct load_beside;
struct source;

/* How much of the beginning is looked at to know a format. */
enum { FORMAT_HEAD = 4096 };

/* What a format reads. */
struct format_input {
	struct source *source; /* from its beginning; text_bytes counts what is taken */
	const char *file;      /* the same as a plain file on disk, for what must jump about in it;
	                          NULL: it is none, but a pipe, a member, compressed */
	const char *path;      /* as it was named, for what lies beside it; NULL, "-": nowhere */
	const struct load_beside *beside; /* what is read with it (folder.c), or NULL */
	unsigned threads;                 /* >= 1 */
	size_t window_bytes;              /* so much is read at a time */
	void (*progress)(void *ctx, int64_t done, int64_t total, int64_t text); /* or NULL */
	void *progress_ctx;
};

struct format {
	const char *name;    /* "perfetto" */
	const char *title;   /* for people: "Perfetto trace (protobuf)" */
	const char *summary; /* who writes it, for documentation */

	/* head: the first FORMAT_HEAD bytes, fewer when there are no more. */
	bool (*is)(struct span head);

	/* Emits all of it (emit_events.h).  Damage that can be worked around is counted
	 * (PROBLEM_TRUNCATED_TRACE, PROBLEM_SKIPPED_RECORD ...).  E_FORMAT when it is something
	 * else after all, E_SYNTAX, E_LIMIT, E_IO, E_NODATA; with the offset where that says
	 * something.  What it emits depends on the input alone, not on threads or windows. */
	enum status (*read)(struct format_input *in, struct emit_sink *out, struct err *e);
};

#define FORMATS(X)     \
	X(parquet)     \
	X(sqlite)      \
	X(xplane)      \
	X(rocprof)     \
	X(rocprof_csv) \
	X(pftrace)

#define X(name) extern const struct format format_##name;
FORMATS(X)
#undef X

/* The format that begins like that, or NULL. */
const struct format *format_of(struct span head);

/* The same of a source, before its first source_read; NULL also when it cannot be read. */
const struct format *format_find(struct source *s);

/* ", SQLite 3.40.1" where traceq was built with it, else ""; constant. */
const char *format_sqlite_version(void);
