/*
 * Progress of several files that are read side by side, as one line.
 */
#ifndef CMD_LOAD_METER_H
#define CMD_LOAD_METER_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/load/progress.h"

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

#endif
