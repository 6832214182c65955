/*
 * When to record: intervals of CLOCK_REALTIME that the program's threads open and close, and the
 * worker asks about.
 *
 * Records come late, so they are kept or left out by their own times, not by when they arrive.
 */
#ifndef CAPTURE_INJECT_WINDOWS_H
#define CAPTURE_INJECT_WINDOWS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { WINDOWS_MAX = 512 };

struct window {
	int64_t start_ns, end_ns; /* end_ns is INT64_MAX while it is open */
};

struct windows {
	pthread_mutex_t lock;
	struct window v[WINDOWS_MAX];
	int n;
	int depth;         /* nested openings: the outermost counts */
	uint64_t left_out; /* openings beyond WINDOWS_MAX */
};

void windows_init(struct windows *w);

/* Opens a window now, unless one is open already; then it must be closed twice. */
void windows_open(struct windows *w, int64_t now_ns);
void windows_close(struct windows *w, int64_t now_ns);

/* A copy the worker may look at without a lock. */
struct windows_view {
	struct window v[WINDOWS_MAX];
	int n;
};
void windows_look(struct windows *w, struct windows_view *view);

/* Whether start..end lies within one window: Kineto's rule for what is out of range. */
bool windows_hold(const struct windows_view *view, int64_t start_ns, int64_t end_ns);

#endif
