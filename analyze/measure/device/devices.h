/* Devices that have work in a run. */
#pragma once

#include "base/base.h"

struct result;
struct run;

/* Real nodes have some ten devices of some ten streams each.  A file that names more than this is
 * not worth the time: no answer has figures of more, and all say so in the same words. */
enum { DEVICES_MAX = 1024, STREAMS_MAX = 4096 };

struct devices {
	int64_t *id;  /* ascending */
	size_t n;     /* at most DEVICES_MAX */
	size_t nmore; /* with higher numbers, left out */
};

/* Needs order.  Memory is the arena's. */
void devices_init(struct devices *d, const struct run *r, struct arena *mem);

/* The index of a device, or SIZE_MAX.  O(log n). */
size_t devices_find(const struct devices *d, int64_t id);

/* Says that figures are of the first ones only, if some are left out. */
void devices_note(const struct devices *d, struct result *out, int input);

/* The same of n devices, or of n streams, of which the first `shown` are in the figures. */
void devices_say(struct result *out, int input, size_t n, size_t shown);
void devices_say_streams(struct result *out, int input, size_t n, size_t shown);
