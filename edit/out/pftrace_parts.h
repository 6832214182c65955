/*
 * What the parts of the writer of Perfetto's protobuf share.  Private to pftrace*.c.
 */
#ifndef EDIT_OUT_PFTRACE_PARTS_H
#define EDIT_OUT_PFTRACE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/trace/events.h"
#include "analyze/trace/keymap.h"
#include "analyze/trace/lanes.h"
#include "analyze/trace/strings.h"
#include "base/arena.h"
#include "base/str.h"

struct document;

/* Numbers of fields and values: the .proto files of perfetto.dev. */
enum {
	TRACE_PACKET = 1,
	PACKET_CHROME_EVENTS = 5,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,

	FLAG_CLEARED = 1,
	FLAG_NEEDED = 2,

	EVENT_CATEGORY_IID = 3,
	EVENT_NOTE = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_COUNTER = 30,
	EVENT_COUNTER_REAL = 44,
	EVENT_FLOW = 47,
	EVENT_FLOW_END = 48,

	TYPE_BEGIN = 1,
	TYPE_END = 2,
	TYPE_INSTANT = 3,
	TYPE_COUNTER = 4
};

/* A process, and a thread or another row of one. */
struct pf_process {
	sym pid, name, labels;
	int64_t sort;
	bool has_sort;
};

enum pf_row { PF_THREAD, PF_ASYNC, PF_COUNTER };

struct pf_lane {
	uint32_t process;
	sym tid; /* of a thread; else what tells it from others */
	sym name;
	enum pf_row row;
	int64_t sort;
	bool has_sort;
};

/* A slice, an instant or a counter's value. */
struct pf_event {
	nsec start, end; /* end = start but of slices */
	uint64_t order;  /* in which they came */
	size_t body;     /* where its fields but type and track begin in bodies */
	uint32_t body_n, lane;
	uint8_t type; /* TYPE_BEGIN: a slice */
};

/* One end of an arrow. */
struct pf_flow {
	nsec at;
	uint64_t id;
	size_t event; /* that it binds to; n of events: none */
	uint32_t lane;
	bool ends;
};

/* A begin without an end as yet. */
struct pf_open {
	uint32_t lane;
	size_t event;
};

struct pftrace {
	struct strings text;              /* pids, tids, names of rows */
	struct strings cats, names, keys; /* interned in the trace: iid = number + 1 */
	struct keymap processes, lanes;
	struct pf_process *process;
	struct pf_lane *lane;
	struct pf_event *event;
	struct pf_flow *flow;
	struct pf_open *open;
	size_t process_cap, lane_cap, nevent, event_cap, nflow, flow_cap, nopen, open_cap;
	struct str bodies;
	struct str metadata; /* ChromeMetadata messages */
	nsec first;
	int64_t base; /* baseTimeNanoseconds, or 0 */
	struct arena mem;

	/* While it is written. */
	bool is_begun;
	size_t at, at_flow; /* the next event, the next flow */
	uint64_t track;     /* numbers of tracks given so far */
};

/* pftrace_take.c: takes in one event. */
void pftrace_take_event(struct pftrace *p, struct span event);

/* pftrace_order.c: events by lane and time, flows by event. */
void pftrace_order(struct pftrace *p);

/* pftrace_put.c: what stands before the events; the events of the next lane, false behind the last.
 */
void pftrace_put_head(struct pftrace *p, struct str *out);
bool pftrace_put_lane(struct pftrace *p, struct str *out);

#endif
