/* Lanes: where events happen.  A thread of a process, a stream of a device, or a track by name.
 *
 * A lane is (pid, tid) as text, and for device events (device, stream) besides: the same pid may be
 * a host process and a GPU.  pid and tid may be written as number or as string in the same file; a
 * string that is a canonical decimal is the number. */
#pragma once

#include "analyze/trace/columns/keymap.h"
#include "analyze/trace/columns/strings.h"

#define LANE_NO_NUMBER INT64_MIN /* pid or tid that is not a number */

struct lane {
	sym pid, tid;       /* normalised text */
	int64_t pid_number; /* or LANE_NO_NUMBER */
	int64_t tid_number;
	bool is_device; /* holds device events */
	int64_t device; /* args.device, else pid; -1 when not a device lane */
	int64_t stream; /* args.stream, else tid ("stream 7" is 7); -1 when not a device lane */
	sym process_name, process_labels, thread_name; /* from M events; 0 = none */
};

struct lanes {
	struct lane *lane;
	size_t n, cap;
	struct keymap by_key; /* pid, tid, is_device, device, stream: index of lane */
};

void lanes_init(struct lanes *l);
void lanes_clear(struct lanes *l);

/* The index of that lane, new or old, in order of first sight.  `key` gives pid, tid (interned),
 * numbers, is_device, device, stream.  Its names are ignored. */
uint32_t lanes_add(struct lanes *l, const struct lane *key);

/* A lane as it was, with all it had, for who has the lanes of a finished run: lanes that became
 * alike stay apart, and lanes_add does not find it. */
void lanes_restore(struct lanes *l, const struct lane *lane);

/* Lanes by device and stream: the order in which people look for them.  Of equals by process and
 * thread, so that the order of a file does not show. */
struct lane_place {
	int64_t device, stream, pid, tid;
	uint32_t lane;
};

struct lane_place lane_place(const struct lanes *l, uint32_t lane);
void lane_places_sort(struct lane_place *v, size_t n);

/* The number a pid/tid text stands for, or LANE_NO_NUMBER: "7", "-3"; not "07", "7 ", "". */
int64_t lane_number(struct span text);
