/* The progress line: "reading trace.json.gz  41% 1.2 GB/s" on stderr, while a file is read. */
#pragma once

#include <pthread.h>

#include "base/base.h"

struct progress {
	const char *path;           /* borrowed */
	int64_t start_ms, drawn_ms; /* monotonic clock; drawn_ms: when the line was drawn last */
	bool has_utf8;              /* the terminal shows it */
	bool is_wanted, is_drawn;
};

/* Starts the clock for one file.  The line is wanted when stderr is a terminal that knows escape
 * sequences and is_quiet is not set. */
void progress_begin(struct progress *p, const char *path, bool is_quiet);

/* For load_options.progress; ctx is the struct.  Draws after 300 ms, then at most ten times a
 * second. done, total: bytes of the file (total -1 = not known); text: bytes of inflated text so
 * far. */
void progress_tick(void *ctx, int64_t done, int64_t total, int64_t text);

/* Erases the line, if there is one. */
void progress_end(struct progress *p);

/* ---- progress of several files that are read side by side, as one line ---- */

/* One file of it: what load_options.progress_ctx is. */
struct meter_file {
	struct meter *meter;
	int64_t done, text;
};

struct meter {
	pthread_mutex_t lock;
	struct progress progress;
	struct meter_file *file; /* n of them */
	int64_t total, done, text;
	char title[32];
};

/* total: bytes of all n files.  name: of the only one, borrowed. */
void meter_begin(struct meter *m, const char *name, size_t n, int64_t total, bool is_quiet);

/* For load_options.progress; ctx is &m->file[i].  By any thread. */
void meter_tick(void *ctx, int64_t done, int64_t total, int64_t text);

/* Erases the line until the next tick: before something else is said. */
void meter_hide(struct meter *m);

/* When no file is read any longer; also of a meter that is all zero. */
void meter_end(struct meter *m);

/* Bytes of a file, 0 where that is not known. */
int64_t meter_size(const char *path);
