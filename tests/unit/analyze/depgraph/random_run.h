/* Small runs at random, and what a thread of them is in at a moment, by looking at every call. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tests/unit/analyze/depgraph/sketch.h"

enum { RANDOM_TICKS = 300, RANDOM_RECORDS = 16, RANDOM_DEEP = 64 };

#define LOADER "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
#define COMM   "ncclDevKernel_AllReduce_Sum_f32_RING_LL"

/* One to three threads and streams, [0, RANDOM_TICKS) microseconds long. */
struct random_run {
	struct sketch s;
	uint64_t seed;
	nsec busy_until[SKETCH_STREAMS];
	struct {
		uint64_t correlation;
		int stream;
	} record[RANDOM_RECORDS];
	size_t nrecord;
	int nthread, nstream;
	uint64_t loaders; /* bits of lanes: threads that load what the main one waits for */
};

void random_draw(struct random_run *d, uint64_t seed);

/* A number in [0, n). */
int random_upto(struct random_run *d, int n);

const char *random_name(const struct random_run *d, uint32_t row);

/* The calls of a lane around a moment, the outermost first; how many. */
size_t random_chain(const struct random_run *d, uint32_t lane, nsec t, uint32_t v[RANDOM_DEEP]);

/* What a thread is in that is in these n calls. */
enum owner random_owner(const struct random_run *d, const uint32_t *v, size_t n);
