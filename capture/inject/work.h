/* One record as an event: what the device did, waits, overhead, memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct records;

/* What kernels, copies, sets and graphs have in common. */
struct work {
	uint32_t kind; /* of the record */
	uint32_t device, context, stream, correlation;
	int64_t start, end; /* ns of CLOCK_REALTIME; 0: CUPTI does not know */
	uint32_t graph;
	uint64_t graph_node;
	uint32_t channel;
	int32_t channel_type;
	uint64_t range; /* the NVTX range it was launched in, 0: none */
};

/* False when it is no record of device work. */
bool work_read(struct work *w, const unsigned char *record);

/* The correlation of a record of device work. */
uint32_t work_correlation(const unsigned char *record);

/* Its event and the end of its flow arrow. */
void work_write(struct records *r, const struct work *w, const unsigned char *record);

/* A record of a wait that is none: of a call that asks, or that failed. */
bool work_is_query(const struct records *r, const unsigned char *record);

/* A wait; false when its stream has not been seen yet: it is to be held. */
bool work_sync(struct records *r, const unsigned char *record);

/* A CUDA event that was recorded, when they are asked for. */
void work_event(struct records *r, const unsigned char *record);

/* CUPTI's own time. */
void work_overhead(struct records *r, const unsigned char *record);

/* An allocation or a release of device memory. */
void work_memory(struct records *r, const unsigned char *record);
