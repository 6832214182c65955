/* Exposure: how much of some work nothing else hides.
 *
 * Work comes in the order of starts, all streams of one device together: what is shown, in groups,
 * and what hides it.  A clock runs only while nothing hides; a group's exposed time is what the
 * clock counts while at least one of the group's intervals runs.
 *
 *	  t          0  3  6   10  14 16  19 20  23
 *	  hides         [-------)     [------)
 *	  group 0    [-----)    [---)      [-----)    union 6+4+4, exposed 3+4+3
 *	  clock      ===        ======       ====
 *
 * Exact in integer ns, in one pass, without keeping the intervals. */
#pragma once

#include "analyze/measure/gaps/inflight.h"
#include "analyze/trace/columns/events.h"
#include "base/base.h"

struct exposure_group {
	nsec union_ns;   /* at least one interval runs */
	nsec exposed_ns; /* and nothing hides it */
	nsec start, end; /* of the interval that is open */
	nsec clock;      /* at its start */
	bool is_open;
};

struct exposure {
	void *const *items;    /* structs, by group; what is pointed to may move */
	size_t offset, stride; /* of the group in its struct, and from one to the next */
	nsec at, clock;
	nsec hidden; /* something hides up to here */
	struct inflight inflight;
};

/* The groups are members of the caller's structs, zeroed, as many as ids will be used.  Begins the
 * sweep over a device: the groups stay, another one may follow. */
void exposure_init(struct exposure *x, void *const *items, size_t offset, size_t stride);

/* Private to the one below: closes the groups that end up to t; moves the clock to t; both. */
void exposure_close(struct exposure *x, nsec t);

static inline void exposure_tick(struct exposure *x, nsec t)
{
	nsec from = MAX(x->hidden, x->at);

	/* Before the first interval there is nothing that the clock could be read for. */
	if (x->at != INT64_MIN && t > from)
		saturate_onto(&x->clock, saturate_sub(t, from));
	x->at = t;
}

static inline void exposure_advance(struct exposure *x, nsec t)
{
	if (x->inflight.n > 0)
		exposure_close(x, t);
	exposure_tick(x, t);
}

/* The next interval; starts never descend.  O(1); O(log n running) for what is shown.  Inline: all
 * work of a device hides, little is shown. */
static inline void exposure_hide(struct exposure *x, nsec start, nsec end)
{
	if (end <= start)
		return;
	exposure_advance(x, start);
	x->hidden = MAX(end, x->hidden);
}

void exposure_show(struct exposure *x, uint32_t group, nsec start, nsec end);

/* Closes what is open: the groups are complete. */
void exposure_end(struct exposure *x);
