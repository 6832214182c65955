/* Which events a cut keeps.
 *
 * Kept is what happens in the hull, with whatever shares a correlation with that: the calls of work
 * that runs in it, the work of calls that are made in it.  So launches and their work stay
 * together, and an analysis of what is left finds each figure as in the whole.  Arrows and
 * asynchronous events go where one of their ends does; names of processes and threads stay. */
#pragma once

#include <pthread.h>

#include "analyze/input/events/tap.h"
#include "analyze/trace/filter.h"
#include "edit/keep_ranges.h"
#include "edit/idset.h"

/* Constant while events are judged; the filter's names are asked under the lock. */
struct choice {
	struct keep_ranges hull;
	struct idset calls;       /* correlations of which something is in the hull */
	struct idset launching;   /* with a filter: those of kept calls ... */
	struct idset launched;    /* ... and of kept device work */
	struct idset chains;      /* keys (chains.h) of flows and asynchronous events that stay */
	struct filter_set filter; /* names, devices, streams, kinds; its steps are in the hull */
	bool is_filtered;         /* it leaves events out */
	bool no_python;
	pthread_mutex_t lock;
	struct err err; /* of matching a name */
};

/* What of an event is known without rows. */
struct facts {
	enum kind kind; /* of slices; KIND_OTHER without a category */
	char ph;        /* 0: none */
	bool has_time, has_call;
	nsec start, end;
	uint64_t call; /* its correlation */
};

/* given: as in options; its texts must live as long as c.  E_USAGE.  choice_clear in any case. */
enum status choice_init(struct choice *c, const struct filter *given, struct err *e) MUST_CHECK;
void choice_clear(struct choice *c);

/* Any thread.  The batch is the event's. */
struct facts choice_facts(const struct tap_event *event, struct batch *b);

/* Whether the filter has it, by name, kind and place, whatever its time is. */
bool choice_passes(
	struct choice *c, struct batch *b, const struct tap_event *event, const struct facts *f);

/* Whether an event but counters, begins and ends (stateful_events.h) is kept. */
bool choice_keeps(
	struct choice *c, struct batch *b, const struct tap_event *event, const struct facts *f);
