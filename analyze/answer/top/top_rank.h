/*
 * Ranking: which groups of `top` are shown, in which order, with which columns.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_RANK_H
#define ANALYZE_ANSWER_TOP_TOP_RANK_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top.h"
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

/* The same without the columns whose bit is set in `without`; none of these is visible. */
void top_columns_without(struct top_columns *c, struct arena *mem, const struct column *base,
	size_t n, const uint8_t *visible, size_t nvisible, uint64_t without);

#endif
