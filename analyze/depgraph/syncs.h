/* Syncs: what rows of waiting (cuda_sync) say, joined to the calls and the work they are about.
 *
 * Source: CUPTI_ACTIVITY_KIND_SYNCHRONIZATION; Kineto writes "Context Sync", "Stream Sync", "Event
 * Sync" (a call waits) and "Stream Wait Event" (a stream waits), with the correlation id of the
 * call and, of events, that of the cudaEventRecord.  Most traces have none; then it is inferred
 * from the calls (syncs_infer.c). */
#pragma once

#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct run;

enum sync_kind { SYNC_NONE, SYNC_CONTEXT, SYNC_STREAM, SYNC_EVENT };

/* What a call waits for. */
struct call_sync {
	uint32_t call; /* row */
	uint32_t lane; /* SYNC_STREAM: the stream's, or NO_ROW */
	uint32_t work; /* SYNC_EVENT: the last work before the event's record; NO_ROW: not known,
	                  where inferred: none */
	int64_t device;
	enum sync_kind kind;
};

/* A stream waits for an event: the next work launched on it from `at` on waits for `work`. */
struct stream_sync {
	uint32_t lane;
	nsec at;       /* start of the call */
	uint32_t work; /* row; NO_ROW: not in the trace */
};

struct syncs {
	struct call_sync *call; /* by row */
	size_t ncall;
	struct stream_sync *stream; /* by lane, then time */
	size_t nstream;
	bool is_inferred;
};

/* Needs order and links.  Inferred where there are no rows of waiting; nothing where cuda_sync's
 * arguments were not kept.  O(n log n) in its rows.  Released by syncs_clear. */
void syncs_init(struct syncs *s, const struct run *r);
void syncs_clear(struct syncs *s);

/* syncs_init's, without sorting. */
void syncs_infer(struct syncs *s, const struct run *r);

/* What is said of that call, or NULL.  O(log n). */
const struct call_sync *syncs_of_call(const struct syncs *s, uint32_t row);
