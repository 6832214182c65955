/*
 * A piece of the op tree: what `top` counts in a part of the host order.  Private to
 * analyze/answer/top/top_ops*.c.
 */
#ifndef ANALYZE_ANSWER_TOP_TOP_PIECE_H
#define ANALYZE_ANSWER_TOP_TOP_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/answer/top/top_groups.h"
#include "analyze/answer/top/top_task.h"
#include "analyze/trace/filter.h"

struct top_ops_node;

/* A walk of some places of the host order, with sums of its own. */
struct top_piece {
	struct top *t;
	size_t from, end; /* its places */
	struct filter_view *view;
	struct top_groups ops;
	struct top_totals totals;  /* while rows are counted: of those that are in no group */
	bool is_open;              /* the filter passes every row */
	bool is_cut;               /* a runtime call cuts an operator off */
	struct top_ops_node *open; /* if so */
	size_t nopen, cap;
	struct top_use *use; /* by depth: total, and in `self` that of the direct children */
	size_t use_cap;
};

/* Walks a piece; its groups' self_ops and *_dedup are still differences. */
void top_piece_walk(struct top_piece *c);

/* The id of a row's group. */
struct top_id top_ops_id(const struct top *t, uint32_t row, enum phase phase);

#endif
