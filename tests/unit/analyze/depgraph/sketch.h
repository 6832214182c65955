/* Runs drawn by hand, for tests of dependencies.  All times are in microseconds. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/depgraph/critpath.h"
#include "analyze/depgraph/depend.h"
#include "analyze/depgraph/lags.h"
#include "analyze/depgraph/whatif.h"
#include "analyze/trace/run.h"

enum { SKETCH_STREAMS = 4, SKETCH_MOST = 256, SKETCH_US = 1000 };

/* Thread 0 and stream 0 of device 0; others as they are asked for. */
struct sketch {
	struct run run;
	struct depend d;
	struct lags l;
	uint32_t thread[SKETCH_STREAMS], stream[SKETCH_STREAMS];
	uint64_t correlation; /* of the last call */
};

void sketch_begin(struct sketch *s);
/* Makes indexes, dependencies and weights. */
void sketch_made(struct sketch *s);
void sketch_release(struct sketch *s);

/* [from, to) on thread t: an operator; a region; a runtime call with a correlation of its own. */
uint32_t sketch_op(struct sketch *s, int t, const char *name, nsec from, nsec to);
uint32_t sketch_region(struct sketch *s, int t, const char *name, nsec from, nsec to);
uint32_t sketch_call(struct sketch *s, int t, const char *name, nsec from, nsec to);

/* Work [start, end) on stream q that the last call put there; its row. */
uint32_t sketch_work(struct sketch *s, int q, const char *name, nsec start, nsec end);
uint32_t sketch_copy(struct sketch *s, int q, const char *name, nsec start, nsec end);
/* A launch of one unit at `at`, and that. */
uint32_t sketch_launch(
	struct sketch *s, int t, nsec at, int q, const char *name, nsec start, nsec end);

/* A cuda_sync row of the last call: "Stream Sync", "Context Sync" ... on stream q; on -1 of all. */
uint32_t sketch_sync(struct sketch *s, int q, const char *name, nsec at);
/* What it says of an event: recorded on stream q by the call of that correlation. */
void sketch_event(struct sketch *s, uint32_t sync, int q, uint64_t record);

/* The node of a row, of that point. */
uint32_t sketch_node(const struct sketch *s, uint32_t row, enum node_point p);
/* When the node of a row ends under these changes. */
nsec sketch_if(struct sketch *s, const struct change *c, size_t n, uint32_t row, enum node_point p);

/* Expected segments, in the order of time. */
struct expected {
	enum owner owner;
	nsec end;
	const char *name; /* of the row; NULL: it has none */
};
void sketch_path(struct sketch *s, nsec start, nsec end, const struct expected *e, size_t n);
#define ASSERT_PATH(s, start, end, ...)                             \
	do {                                                        \
		const struct expected e_[] = { __VA_ARGS__ };       \
		sketch_path((s), (start), (end), e_, COUNT_OF(e_)); \
	} while (0)

/* The node of row a waits for the node of row b, by that edge. */
void assert_binds(const struct sketch *s, uint32_t a, enum node_point at, enum edge e, uint32_t b,
	enum node_point on);
/* It waits for nothing that is known. */
void assert_free(const struct sketch *s, uint32_t a, enum node_point at);
