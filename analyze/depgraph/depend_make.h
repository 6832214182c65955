/* The making of dependencies (depend.c), and its two larger parts. */
#pragma once

#include "analyze/depgraph/nodes.h"
#include "analyze/depgraph/syncs.h"
#include "analyze/depgraph/threads.h"
#include "analyze/measure/device/fullqueue.h"
#include "base/base.h"

/* Work of a device that one thing does after the other: collectives, copies by direction. */
enum engine { ENGINE_LINK, ENGINE_TO_DEVICE, ENGINE_FROM_DEVICE, ENGINE_COUNT };

/* A thread that has stopped, in the order of stopping. */
struct idle_thread {
	uint32_t node;         /* its yield */
	bool is_in;            /* it is one: has stopped, and not begun again */
	nsec began;            /* when it became busy last */
	nsec busy_then;        /* making.busy_ns when it stopped ... */
	nsec nobody_then;      /* ... and making.nobody_ns */
	uint32_t newer, older; /* lanes; NO_ROW */
};

/* A device lane. */
struct stream_state {
	size_t device;         /* index of its device */
	size_t sync, sync_end; /* what it waits for and has not yet: in syncs.stream */
	uint32_t newer, older; /* lanes, by when they last began work; NO_ROW */
};

struct making {
	struct depend *d;
	size_t cap;
	struct syncs syncs;
	struct full_queue queue;
	uint32_t *launch;            /* by launch side row: its node */
	uint32_t *replay;            /* by launch side row: the node of its work that ended last */
	uint32_t *work;              /* by device side row: its node */
	struct idle_thread *idle;    /* by lane */
	uint32_t newest;             /* the idle thread that stopped last, or NO_ROW */
	nsec busy_ns;                /* of all threads, in stretches that are over */
	size_t nbusy;                /* threads that are busy */
	nsec nobody_ns;              /* no thread was, for GAP_CAUSES_LONG_NS or longer each */
	nsec work_ns;                /* of all device work so far */
	struct stream_state *stream; /* by lane */
	uint32_t latest;             /* the lane that began work last, or NO_ROW */
	size_t ndevice;
	uint32_t (*engine)[ENGINE_COUNT]; /* by device: the last node of each, or NO_NODE */
};

/* A new node for a moment, not yet bound; its number. */
uint32_t depend_add(struct making *m, const struct moment *at, uint32_t lane);

/* Chooses what binds, of the edges there are. */
void depend_bind(struct depend *d, uint32_t node);

/* Of so many lanes that began work last other work is looked for. */
enum { LANES_LOOKED_AT = 64 };

/* depend_work.c */
void depend_find_lanes(struct making *m, struct arena *mem);
void depend_add_work(struct making *m, const struct thread *th);

/* depend_return.c: a call that may have waited for a device ends; no node where it cannot have. */
void depend_add_return(struct making *m, const struct thread *th);
