/*
 * `launches`: what its parts share.  Private to analyze/answer/launches/.
 */
#ifndef ANALYZE_ANSWER_LAUNCHES_LAUNCHES_H
#define ANALYZE_ANSWER_LAUNCHES_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/query/each.h"
#include "analyze/trace/events.h"

struct launches_options {
	int64_t limit;         /* rows of the lists; below 0: the default */
	int64_t slow_call_us;  /* HTA's runtime_cutoff */
	int64_t long_delay_us; /* HTA's launch delay cutoff */
};

/* A launching call: one for each launch side row. */
struct launch_call {
	nsec first;     /* start of its first device event */
	nsec device_ns; /* sum of their durations */
	uint32_t row;   /* the call, or NO_ROW */
	uint32_t n;     /* its device events that the filters leave */
	uint32_t one;   /* one of them: the only one when n is 1 */
};

/* One run being looked at. */
struct launches {
	struct each *at;
	const struct launches_options *o;
	size_t limit;
	struct launch_call *call; /* by launch side row */
	size_t ncall;
	/* Sums over what the filters leave. */
	int64_t device_events, linked, graph, unlinked, unlinked_with_op;
	nsec device_ns, unlinked_ns;
	int64_t calls, graph_calls;
	nsec call_ns;  /* durations of launching calls */
	int64_t early; /* device events that start before their call does */
	int64_t is_short, slow, delayed;
	nsec short_ns, short_call_ns;
};

/* launches_calls.c: the sums and `call`; tables by call name and of graphs. */
void launches_collect(struct launches *l);
void launches_put_launchers(struct launches *l, const struct table_doc *doc);
void launches_put_graphs(struct launches *l, const struct table_doc *doc);
/* Delay of a call's first work after its end, 0 when negative. */
nsec launches_delay(const struct launches *l, const struct launch_call *c);
/* HTA's short kernel: a call of at most the cutoff that took longer than its only kernel. */
bool launches_is_short(const struct launches *l, const struct launch_call *c);

/* launches_delays.c */
void launches_put_delays(struct launches *l, const struct table_doc *doc);
/* launches_queue.c */
void launches_put_queues(struct launches *l, const struct table_doc *doc);
/* launches_lists.c */
void launches_put_short(struct launches *l, const struct table_doc *doc);
void launches_put_outliers(struct launches *l, const struct table_doc *doc);
void launches_put_histograms(struct launches *l, const struct table_doc *doc);
void launches_put_unmatched(struct launches *l, const struct table_doc *doc);

enum {
	LTOTAL_DEVICE,
	LTOTAL_LINKED,
	LTOTAL_GRAPH,
	LTOTAL_UNLINKED,
	LTOTAL_UNLINKED_NS,
	LTOTAL_WITH_OP,
	LTOTAL_CALLS,
	LTOTAL_GRAPH_CALLS,
	LTOTAL_NO_DEVICE,
	LTOTAL_EARLY,
	LTOTAL_PER_STEP,
	LTOTAL_CALL_NS,
	LTOTAL_DEVICE_NS,
	LTOTAL_COST,
	LTOTAL_SHORT,
	LTOTAL_SHORT_SHARE,
	LTOTAL_SHORT_NS,
	LTOTAL_SHORT_CALL_NS,
	LTOTAL_SLOW,
	LTOTAL_DELAYED,
	LTOTAL_COLUMNS
};
enum {
	LCALL_NAME,
	LCALL_CALLS,
	LCALL_EVENTS,
	LCALL_NS,
	LCALL_MEAN,
	LCALL_P95,
	LCALL_DELAY_MEAN,
	LCALL_DELAY_P50,
	LCALL_DELAY_P95,
	LCALL_DELAY_MAX,
	LCALL_DEVICE_NS,
	LCALL_COLUMNS
};
enum {
	LDELAY_OF,
	LDELAY_FROM,
	LDELAY_COUNT,
	LDELAY_MEAN,
	LDELAY_MEDIAN,
	LDELAY_P95,
	LDELAY_MIN,
	LDELAY_MAX,
	LDELAY_SUM,
	LDELAY_NEGATIVE,
	LDELAY_COLUMNS
};
enum {
	LQUEUE_DEVICE,
	LQUEUE_STREAM,
	LQUEUE_ENTRIES,
	LQUEUE_MEAN,
	LQUEUE_P50,
	LQUEUE_P95,
	LQUEUE_MAX,
	LQUEUE_WAITING,
	LQUEUE_BLOCKED,
	LQUEUE_BLOCKED_RATIO,
	LQUEUE_UNLINKED,
	LQUEUE_EARLY,
	LQUEUE_SPAN,
	LQUEUE_POINT_MEAN,
	LQUEUE_POINT_STD,
	LQUEUE_POINT_MIN,
	LQUEUE_POINT_P25,
	LQUEUE_POINT_P50,
	LQUEUE_POINT_P75,
	LQUEUE_COLUMNS
};
enum {
	LGRAPH_NAME,
	LGRAPH_CALLS,
	LGRAPH_NODES,
	LGRAPH_NODES_MEAN,
	LGRAPH_MEAN,
	LGRAPH_DELAY,
	LGRAPH_DEVICE_MEAN,
	LGRAPH_SAVED,
	LGRAPH_COLUMNS
};
enum {
	LSHORT_CALLS,
	LSHORT_SHARE,
	LSHORT_DEVICE_MEAN,
	LSHORT_CALL_MEAN,
	LSHORT_EXCESS,
	LSHORT_NAME,
	LSHORT_COLUMNS
};
enum {
	LOUT_WHAT,
	LOUT_NS,
	LOUT_STEP,
	LOUT_AT,
	LOUT_CALL,
	LOUT_OP,
	LOUT_KERNEL,
	LOUT_START,
	LOUT_COLUMNS
};
enum { LMISS_WHAT, LMISS_COUNT, LMISS_NS, LMISS_NAME, LMISS_COLUMNS };
enum { LHIST_WHAT, LHIST_FROM, LHIST_TO, LHIST_COUNT, LHIST_COLUMNS };

extern const struct column launches_total_columns[LTOTAL_COLUMNS],
	launches_call_columns[LCALL_COLUMNS], launches_delay_columns[LDELAY_COLUMNS],
	launches_queue_columns[LQUEUE_COLUMNS], launches_graph_columns[LGRAPH_COLUMNS],
	launches_short_columns[LSHORT_COLUMNS], launches_out_columns[LOUT_COLUMNS],
	launches_miss_columns[LMISS_COLUMNS], launches_hist_columns[LHIST_COLUMNS];

#endif
