/*
 * Groups: rows of `top` that belong together, found by a small key.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_GROUPS_H
#define ANALYZE_ANSWER_TOP_TOP_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top_memory.h"
#include "analyze/trace/columns/events.h"
#include "analyze/trace/columns/keymap.h"

/*
 * What makes a group: a, a name or another small number; b, what refines it (shapes, a lane); and
 * the kind of event.  Two words, so that it travels in registers.
 */
struct top_id {
	uint64_t ab; /* a | b << 32 */
	uint64_t kind;
};

static inline struct top_id top_id(uint32_t a, uint32_t b, uint32_t kind)
{
	return (struct top_id){ (uint64_t)b << 32 | a, kind };
}

static inline uint32_t top_id_a(struct top_id id)
{
	return (uint32_t)id.ab;
}

static inline uint32_t top_id_b(struct top_id id)
{
	return (uint32_t)(id.ab >> 32);
}

struct top_group {
	struct top_id id;
	uint32_t slot; /* of the samples, 1-based; 0: not shown */
	uint32_t row;  /* its earliest row */
	uint32_t calls;
	uint32_t calls_dedup;
	uint32_t replays; /* in graphs: on the host none of these was a call */
	nsec total, total_dedup;
	nsec min, max;
	nsec self, self_dedup, self_ops;
	nsec device_self, device_total;
	int64_t bytes; /* of copies and sets; ARG_UNKNOWN when not in the trace */
	double flops;  /* of calls_dedup */
};

struct top_groups {
	struct top_group *g;
	size_t n, cap;
	struct top_use *use; /* by index: memory; NULL: not looked at */
	size_t use_cap;
	struct keymap by_id; /* index of g */
	uint32_t *recent;    /* by id.a: the group of the last look-up, index + 1; 0 none */
	size_t na;
};

#define TOP_NO_GROUP UINT32_MAX

/* na: every id.a is below it. */
void top_groups_init(struct top_groups *t, size_t na);
void top_groups_clear(struct top_groups *t);

/* The index of the group with that id; a new one has its row, and min and bytes unset. */
uint32_t top_groups_add(struct top_groups *t, struct top_id id, uint32_t row);

/* The same, as a pointer; good until the next group is added. */
struct top_group *top_groups_at(struct top_groups *t, struct top_id id, uint32_t row);

/*
 * The same, and fast where the group is the one seen last of its id.a, which it nearly always is:
 * inline, as it is asked for every event (10 ns of a row's 40 otherwise).
 */
static inline uint32_t top_groups_hit(struct top_groups *t, struct top_id id, uint32_t row)
{
	uint32_t at = t->recent[top_id_a(id)];

	if (at && t->g[at - 1].id.ab == id.ab && t->g[at - 1].id.kind == id.kind)
		return at - 1;
	return top_groups_add(t, id, row);
}

/* The index without adding: TOP_NO_GROUP when there is none. */
uint32_t top_groups_find(struct top_groups *t, struct top_id id);

/* Gives all groups, also future ones, room for their memory. */
void top_groups_use(struct top_groups *t);

/* Adds the additive fields of b to a. */
void top_group_merge(struct top_group *a, const struct top_group *b);

#endif
