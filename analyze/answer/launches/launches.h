/* `launches`: what its parts share.  Private to analyze/answer/launches/. */
#pragma once

#include "analyze/measure/device/launchstat.h"
#include "analyze/analysis/groupby.h"

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

/* Calls of one name; or what they launched, by its name. */
struct launch_group {
	sym name;
	struct durations calls, delays; /* of calls; until their first work starts */
	int64_t events;                 /* device events */
	nsec device_ns;
	const char *what; /* of halves without the other */
};

/* A call beyond a threshold. */
struct launch_outlier {
	const char *what;
	nsec ns, start, at;
	sym call, kernel;
	const struct launch_call *c;
};

/* One run being looked at. */
struct launches {
	struct perrun *at;
	const struct launches_options *o;
	size_t limit;
	struct launch_call *call; /* by launch side row */
	size_t ncall;
	/* Sums over what the filters leave. */
	int64_t device_events, linked, graph, unlinked, unlinked_with_op, without_device;
	nsec device_ns, unlinked_ns;
	int64_t calls, graph_calls;
	nsec call_ns;  /* durations of launching calls */
	int64_t early; /* device events that start before their call does */
	int64_t is_short, slow, delayed;
	nsec short_ns, short_call_ns;
};

/* launches_calls.c: the sums and `call`; tables by call name and of graphs. */
void launches_collect(struct launches *l);
void launches_put_launchers(struct launches *l);
void launches_put_graphs(struct launches *l);
/* Delay of a call's first work after its end, 0 when negative. */
nsec launches_delay(const struct launches *l, const struct launch_call *c);
/* HTA's short kernel: a call of at most the cutoff that took longer than its only kernel. */
bool launches_is_short(const struct launches *l, const struct launch_call *c);

/* launches_delays.c */
void launches_put_delays(struct launches *l, const struct table_doc *doc);
/* launches_queue.c */
void launches_put_queues(struct launches *l, const struct table_doc *doc);
/* launches_hist.c */
void launches_put_histograms(struct launches *l, const struct table_doc *doc);
/* launches_lists.c */
void launches_put_short(struct launches *l);
void launches_put_outliers(struct launches *l);
void launches_put_unmatched(struct launches *l);

#define TABLES_DEF "analyze/answer/launches/launches_tables.def"
#include "base/table_names_impl.h"
