/*
 * Ranking: which groups of `top` are shown, in which order, with which columns.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_RANK_H
#define ANALYZE_ANSWER_TOP_TOP_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top_task.h"
#include "base/table.h"

/* A ranked group. */
struct top_place {
	int64_t value;    /* what it is sorted by; larger is first */
	struct span name; /* ties */
	uint32_t group;   /* index in its top_groups */
};

struct top_rank {
	struct top_place *place; /* all groups, sorted */
	size_t n;
	size_t shown;          /* the first of them that become rows */
	struct top_group rest; /* additive fields of those that are not shown */
	struct top_group all;  /* of all */
};

/* Sorts the groups by key, descending, ties by name and id.  Memory is t->at->mem's. */
void top_rank_init(struct top_rank *r, struct top *t, struct top_groups *g, enum top_key key,
	struct span (*name)(const struct top *t, const struct top_group *g));

/* The value of one group; averages are in ps, so that they compare exactly. */
int64_t top_value(const struct top_group *g, enum top_key key);

/* The same for a group whose memory is known. */
int64_t top_use_value(const struct top_use *use, const struct top_group *g, enum top_key key);

/* Durations of the shown groups, for quantiles: 8 bytes for each of their rows. */
struct top_samples {
	int64_t *v;
	size_t *begin;     /* by slot - 1 */
	size_t *next;      /* where the next one goes */
	double *p50, *p95; /* NaN before top_samples_take */
	size_t n;
};

/* What a table shows: which groups, and their durations. */
struct top_shown {
	struct top_rank rank;
	struct top_samples samples;
	enum top_key key;
};

/* Gives each shown group a slot (group.slot) with room for its calls. */
void top_samples_init(struct top_samples *s, const struct top_rank *r, struct top_groups *g);
void top_samples_clear(struct top_samples *s);
static inline void top_samples_add(struct top_samples *s, uint32_t slot, nsec dur)
{
	s->v[s->next[slot - 1]++] = dur;
}
/*
 * Makes p50 and p95 of one slot of what was added; NaN when it is empty.  Slots know nothing of
 * each other.  The median, which people see nowhere, is left NaN without has_median.
 */
void top_samples_take(struct top_samples *s, size_t slot, bool has_median);

enum { TOP_COLUMNS_MAX = 40 };

/* The columns of one table: those people see first, in their order, then the others, hidden. */
struct top_columns {
	struct column *col;
	size_t n;
	uint8_t at[TOP_COLUMNS_MAX]; /* by index in the base array: where it is now */
};

/* visible: nvisible indexes into base[0..n).  Memory is the arena's. */
void top_columns_init(struct top_columns *c, struct arena *mem, const struct column *base, size_t n,
	const uint8_t *visible, size_t nvisible);

/* top_ops.c: feeds s with the durations of all rows whose group in t->ops has a slot. */
void top_ops_sample(struct top *t, struct top_samples *s);
/* top_device.c: the same for t->device. */
void top_device_sample(struct top *t, struct top_samples *s);

/* The group a row is in, by its id alone, whatever the filter says; TOP_NO_GROUP when it is in
 * none. */
uint32_t top_ops_find(struct top *t, uint32_t row);
uint32_t top_device_find(struct top *t, uint32_t row);

#endif
