/* `timeline`: what its parts share.  Private to analyze/answer/timeline/. */
#pragma once

#include "analyze/measure/device/classes.h"
#include "analyze/measure/device/devices.h"
#include "analyze/measure/gaps/gaps.h"
#include "analyze/analysis/perrun.h"

struct timeline_options {
	int64_t slices;  /* below 0: the default */
	int64_t lanes;   /* this many streams and threads by themselves; below 0: not given */
	int64_t marks;   /* of a lane; below 0: the default */
	int64_t details; /* so many of the longest marks say more of themselves */
	const char *at;  /* a step or a stretch of time; NULL: all there is */
};

/* What --at asks for, as it is written. */
struct timeline_at {
	bool is_time;     /* nanoseconds since zero; else numbers of steps */
	int64_t from, to; /* steps: to is in it, of time it is not */
};
/* False: it is neither steps nor a stretch of time. */
bool timeline_at_parse(const char *text, struct timeline_at *at);

/* Equal stretches of the time from the first device event to the last, or of what --at says. */
struct timeline {
	struct perrun *at;
	struct classes classes;
	struct devices devices;
	nsec zero; /* what times are counted from: the first event of the trace; of a rank its first
	              work */
	nsec first, last;
	nsec *edge; /* n + 1 of them; slice i is [edge[i], edge[i + 1]) */
	size_t n;
};

/* The slice t lies in; t within the span. */
static inline size_t timeline_slice(const struct timeline *l, nsec t)
{
	return PARTITION_POINT(i, 1, l->n, l->edge[i] <= t) - 1;
}

/* What a piece of time on a lane is: work by its class, sets computing, else a wait behind that. */
enum {
	PIECE_COMPUTE,
	PIECE_COMM,
	PIECE_COPY,
	PIECE_WAITS,
	PIECE_KINDS = PIECE_WAITS + GAP_CAUSE_COUNT
};

/* Its word: "compute", "comm", "copy", else that of the wait. */
const char *timeline_piece_word(unsigned kind);

struct piece {
	nsec start, end; /* end > start */
	uint32_t row;    /* the event, or NO_ROW */
	uint8_t kind;
};

/* In the order of time, none over another.  Zero-initialise; pieces_clear. */
struct pieces {
	struct piece *v;
	size_t n, cap;
};
void pieces_clear(struct pieces *p);

/* timeline_pieces.c: what a device does between l->first and l->last: computing, else
 * communicating, else copying, else waiting; the work of a stream; what a thread is in, but for
 * regions. */
struct hostwhat;
void pieces_of_device(struct pieces *p, const struct timeline *l, struct gaps *g, int64_t device);
void pieces_of_stream(struct pieces *p, const struct timeline *l, uint32_t lane);
void pieces_of_thread(
	struct pieces *p, const struct timeline *l, struct hostwhat *what, uint32_t lane);

/* timeline_tables.c: how long anything of the lane runs; by slice, too, unless ns is NULL. */
nsec timeline_lane_busy(const struct timeline *l, uint32_t lane, nsec *ns);
/* "GPU 0, stream 7", "thread 2345 (python)". */
struct row_cell timeline_lane_name(
	const struct table *t, const struct run *r, const struct lane *lane);

/* Every table begins with the slice: TLINE_AT and TLINE_LENGTH. */
#define TABLES_DEF "analyze/answer/timeline/timeline_tables.def"
#include "base/table_names_impl.h"

struct jobpage;

void timeline_put_devices(struct timeline *l);
void timeline_put_queues(struct timeline *l);
void timeline_put_copies(struct timeline *l);
void timeline_put_lanes(const struct timeline *l, size_t most);

/* timeline_marks.c: devices, `most` of their busiest streams and of the threads that launch (below
 * 0: as many as are read at a glance), and what runs on them when.  What is shorter than a part in
 * `columns` of the time is one mark with its neighbours.  Of the `details` longest single ones
 * there is a table more. */
struct table *timeline_put_marks(struct timeline *l, int64_t most, size_t columns, size_t details);

/* A mark that is one piece. */
struct timeline_single {
	nsec length;
	size_t mark; /* its row of the table */
	uint32_t row;
};

/* timeline_details.c: of the `most` longest of them what launched them, with what, from where. */
void timeline_put_details(struct timeline *l, struct timeline_single *v, size_t n, size_t most);

/* timeline_ranks.c: of the tables of devices of a job's ranks one, a row a rank and device. */
void timeline_put_ranks(const struct jobpage *p, const struct result *kept, struct result *out);
