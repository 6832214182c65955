/* What the parts of the writer of Perfetto's protobuf share.  Private to pftrace*.c. */
#pragma once

#include "analyze/input/format/proto/packet.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/lanes.h"

/* A process, and a thread or another row of one. */
struct pf_process {
	sym pid, name, labels;
	int64_t sort;
	bool has_sort;
};

enum pf_row { PF_THREAD, PF_COUNTER };

struct pf_lane {
	uint32_t process;
	sym tid; /* of a thread; of a counter what tells it from others */
	sym name;
	sym cat, unit; /* of a counter; unit: the key of its value */
	enum pf_row row;
	int64_t sort;
	bool has_sort, is_put;
};

/* A slice, an instant, a counter's value, or the end of an arrow or of an asynchronous slice. */
struct pf_event {
	nsec start, end; /* end = start but of slices */
	uint64_t order;  /* in which they came */
	size_t body;     /* where its fields but type and track begin in bodies */
	uint32_t body_n, lane;
	uint8_t type; /* TYPE_BEGIN: a slice */
	bool is_open; /* a slice that no event ends */
};

/* A begin or an end of a slice that is two events. */
struct pf_half {
	nsec at;
	uint64_t order;
	size_t event; /* that begins; PF_END: an end */
	uint32_t lane;
};

#define PF_END SIZE_MAX

struct pftrace {
	struct strings text;              /* pids, tids, names of rows */
	struct strings cats, names, keys; /* interned in the trace: iid = number + 1 */
	struct keymap processes, lanes;
	struct pf_process *process;
	struct pf_lane *lane;
	struct pf_event *event;
	struct pf_half *half;
	size_t process_cap, lane_cap, nevent, event_cap, nhalf, half_cap;
	uint64_t order; /* events so far */
	struct str bodies;
	struct str metadata; /* ChromeMetadata messages */
	size_t before_note;  /* of these, those that say no times */
	nsec first;
	int64_t base; /* baseTimeNanoseconds, or 0 */
	struct arena mem;

	/* While it is written. */
	bool is_begun;
	size_t at;      /* the next event */
	uint64_t track; /* numbers of tracks given so far */
};

/* write_pftrace_head.c: what stands before the events. */
void pftrace_put_head(struct pftrace *p, struct str *out);

/* The track of a row, whose number is given; level: of those beside each other, the first is the
 * row itself, and the parent of the others. */
uint64_t pftrace_put_track(
	struct pftrace *p, uint32_t lane, int level, uint64_t parent, struct str *out);

/* A time as the file has it: none is before 0. */
uint64_t pftrace_time(const struct pftrace *p, nsec t);

/* A packet of the one sequence, for pbw_end. */
size_t pftrace_begin_packet(struct str *out);
