/*
 * Devices that have work in a run.
 */
#ifndef ANALYZE_DEVICES_H
#define ANALYZE_DEVICES_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct result;
struct run;

enum { DEVICES_MAX = 1024 }; /* a sweep looks at all lanes for each device */

struct devices {
	int64_t *id;  /* ascending */
	size_t n;     /* at most DEVICES_MAX */
	size_t nmore; /* with higher numbers, left out */
};

/* Needs order.  Memory is the arena's. */
void devices_init(struct devices *d, const struct run *r, struct arena *mem);

/* The index of a device, or SIZE_MAX.  O(log n). */
size_t devices_find(const struct devices *d, int64_t id);

/* Says how many are left out, if any are. */
void devices_note(const struct devices *d, struct result *out, int input);

#endif
