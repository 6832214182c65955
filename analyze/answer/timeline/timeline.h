/*
 * `timeline`: what its parts share.  Private to analyze/answer/timeline/.
 */
#ifndef ANALYZE_ANSWER_TIMELINE_TIMELINE_H
#define ANALYZE_ANSWER_TIMELINE_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/measure/classes.h"
#include "analyze/measure/devices.h"
#include "analyze/query/each.h"
#include "base/table.h"

struct timeline_options {
	int64_t slices; /* below 0: the default */
	int64_t lanes;  /* this many streams and threads by themselves */
};

/* Equal stretches of the time from the first device event to the last. */
struct timeline {
	struct each *at;
	struct classes classes;
	struct devices devices;
	nsec first, last;
	nsec *edge; /* n + 1 of them; slice i is [edge[i], edge[i + 1]) */
	size_t n;
};

/* timeline_slice.c: the slice t lies in; t within the span. */
size_t timeline_slice(const struct timeline *l, nsec t);

/* The rows of a new table that every slice begins with. */
enum { TLINE_AT = 0, TLINE_LENGTH = 1 };

enum {
	TLINE_DEVICE = TLINE_LENGTH + 1,
	TLINE_BUSY,
	TLINE_COMPUTE,
	TLINE_COMM,
	TLINE_MEMCPY,
	TLINE_IDLE,
	TLINE_SM,
	TLINE_BAR,
	TLINE_START,
	TLINE_COLUMNS
};
enum { TQUEUE_DEVICE = TLINE_LENGTH + 1, TQUEUE_STREAM, TQUEUE_MEAN, TQUEUE_MAX, TQUEUE_COLUMNS };
enum {
	TCOPY_DEVICE = TLINE_LENGTH + 1,
	TCOPY_DIRECTION,
	TCOPY_BYTES,
	TCOPY_RATE,
	TCOPY_BUSY_RATE,
	TCOPY_COLUMNS
};
enum {
	TLANE_NAME = TLINE_LENGTH + 1,
	TLANE_BUSY,
	TLANE_SUM,
	TLANE_DEVICE,
	TLANE_STREAM,
	TLANE_PID,
	TLANE_TID,
	TLANE_COLUMNS
};
extern const struct column timeline_columns[TLINE_COLUMNS], timeline_queue_columns[TQUEUE_COLUMNS],
	timeline_copy_columns[TCOPY_COLUMNS], timeline_lane_columns[TLANE_COLUMNS];

void timeline_put_devices(struct timeline *l, const struct table_doc *doc);
void timeline_put_queues(struct timeline *l, const struct table_doc *doc);
void timeline_put_copies(struct timeline *l, const struct table_doc *doc);
void timeline_put_lanes(const struct timeline *l, const struct table_doc *doc, size_t most);

#endif
