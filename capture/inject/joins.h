/* What belongs together across records, while they stream by: small tables of fixed size.
 *
 *   context -> device        waits only know their context
 *   (context, event) -> the last records of it: which launch a wait waits for
 *   correlation -> host thread and NVTX range, from API and external-correlation records
 *   range x stream -> when the device worked for it: the range as seen by the device
 *
 * A table that is full forgets its oldest entry.  What that costs is counted. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	JOINS_CONTEXTS = 1024,
	JOINS_EVENTS = 4096,
	JOINS_CORRELATIONS = 65536,
	JOINS_SPANS = 8192,
	JOINS_EVENT_DEPTH = 4
};

/* One recording of a CUDA event. */
struct event_mark {
	uint32_t stream, correlation;
	uint64_t sync_id; /* 0 before CUPTI 12.8 */
};

struct event_slot {
	uint32_t context, event;
	uint32_t n; /* recordings so far; the last JOINS_EVENT_DEPTH are kept */
	struct event_mark mark[JOINS_EVENT_DEPTH];
};

struct correlation_slot {
	uint32_t correlation;   /* 0: free */
	uint32_t thread;        /* 0: its API record has not been seen */
	uint64_t range : 60;    /* 0: launched within no range */
	uint64_t in_window : 1; /* the call is recorded: so is what it started */
	uint64_t launches : 1;  /* the call starts device work */
	uint64_t is_met : 1;    /* of which a record has come */
	uint64_t is_query : 1;  /* the call asks, and waits for nothing */
};

/* The device's work for one range on one stream. */
struct span_slot {
	uint64_t range; /* 0: free */
	uint32_t device, stream;
	int64_t start_ns, end_ns;
	int64_t touched_ns; /* when the worker last saw work for it */
};

struct joins {
	pthread_mutex_t lock; /* of the contexts: callbacks write them */
	uint32_t context[JOINS_CONTEXTS], device[JOINS_CONTEXTS];
	bool has_context[JOINS_CONTEXTS];
	struct event_slot *event;
	struct correlation_slot *correlation;
	struct span_slot *span;
	uint64_t evicted;
};

/* False without memory. */
bool joins_init(struct joins *j);
void joins_free(struct joins *j);

/* From any thread. */
void joins_put_context(struct joins *j, uint32_t context, uint32_t device);
/* False when the context was never seen. */
bool joins_get_context(struct joins *j, uint32_t context, uint32_t *device);

void joins_put_event(
	struct joins *j, uint32_t context, uint32_t event, const struct event_mark *mark);
/* The recording a wait waits for: the one with its sync id; where CUPTI tells none (0), or none of
 * that id is known, the last one with a smaller correlation.  False when it is not known (any more,
 * or yet). */
bool joins_get_event(const struct joins *j, uint32_t context, uint32_t event, uint64_t sync_id,
	uint32_t correlation, struct event_mark *mark);

/* thread or range 0: leaves what is there. */
void joins_put_correlation(struct joins *j, uint32_t correlation, uint32_t thread, uint64_t range);
void joins_put_in_window(struct joins *j, uint32_t correlation);
/* What the call is; device work of it has come. */
void joins_put_call(struct joins *j, uint32_t correlation, bool launches, bool is_query);
void joins_put_work(struct joins *j, uint32_t correlation);
/* Recorded launches of which no device work has come.  O(JOINS_CORRELATIONS). */
size_t joins_pending(const struct joins *j);
const struct correlation_slot *joins_get_correlation(const struct joins *j, uint32_t correlation);

/* Adds work start..end to a range on a stream.  False when its place is taken by another range,
 * which the caller must write out first (*taken). */
bool joins_add_span(struct joins *j, uint64_t range, uint32_t device, uint32_t stream,
	int64_t start_ns, int64_t end_ns, int64_t now_ns, struct span_slot **taken);
