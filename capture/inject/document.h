/*
 * What stands in the file before and after its events.
 */
#ifndef CAPTURE_INJECT_DOCUMENT_H
#define CAPTURE_INJECT_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

struct emit;
struct jtext;
struct process_identity;

struct document_head {
	const struct process_identity *whence;
	const struct emit *emit; /* its devices */
	uint32_t cupti_version;  /* 0: none */
	int driver_version;      /* 12040 = 12.4; 0: none */
	const char *options;     /* CAPTURE_VARIABLE's value */
};

/* Up to the bracket that opens the list of events. */
void document_head(struct jtext *t, const struct document_head *h);

struct document_tail {
	const char *path;
	uint64_t events, incomplete, malformed, dropped_by_cupti, dropped_buffers, dropped_bytes,
		dropped_ranges, evicted, left_out, other_clock, unread_bytes;
	int64_t clock_steps_ns; /* by which the system's clock was set meanwhile */
	int64_t device_ns;      /* end of the last device work; 0: there is none */
	const struct losses *dropped, *without_times; /* by thread */
	bool is_shared;                               /* another user of CUPTI has some of it */
	bool is_whole; /* nothing that was asked for is known to be missing */
	int64_t realtime_ns[2], monotonic_ns[2]; /* both clocks at the start and at the end */
};

/* From the bracket that closes it. */
void document_tail(struct jtext *t, const struct document_tail *d);

#endif
