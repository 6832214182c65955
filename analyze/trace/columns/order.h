/* Order: rows by lane and start, since no file is sorted.
 *
 * Two of them: the host tree order (ops, annotations, runtime calls, other slices of host lanes),
 * sorted by start ascending, end descending, file order; and the device order (kernels, copies,
 * sets), by lane and start. */
#pragma once

#include "base/base.h"

struct run;

struct order {
	uint32_t *host;     /* rows of KINDS_HOST_TREE on host lanes, lane by lane */
	size_t *host_begin; /* by lane, nlane + 1 entries: host[host_begin[l] .. host_begin[l+1]) */
	uint32_t *device;   /* rows of KINDS_DEVICE, lane by lane */
	size_t *device_begin;  /* by lane, nlane + 1 entries */
	uint32_t *device_lane; /* device lanes that have rows, by (device, lane) */
	size_t ndevice_lane;
	/* By ORDER_STRETCH places of the host order: the first place from there on, in the same
	 * lane, where nothing that began before is running; 0 when there is none.  The op tree
	 * may be cut there.  Filled in by links_walk. */
	size_t *quiet;
};

enum { ORDER_STRETCH = 1 << 16 };

/* The lanes of a device that have rows: device_lane[*begin .. *end).  O(log lanes). */
void order_device_lanes(
	const struct order *o, const struct run *r, int64_t device, size_t *begin, size_t *end);

/* A loop over the rows in the device order: for (EACH_DEVICE_ROW(row, run)). */
#define EACH_DEVICE_ROW(row, r)                                                                    \
	uint32_t row##_n = (uint32_t)(r)->order->device_begin[(r)->lanes.n], row##_i = 0, row = 0; \
	row##_i < row##_n && (row = (r)->order->device[row##_i], true);                            \
	row##_i++

/* O(n) when the file is nearly sorted, O(n log n) otherwise.  Freed by order_free. */
struct order *order_build(const struct run *r);

void order_free(struct order *o);

/* Sorts row[0..n) by (start asc, end desc, row asc); exported for other orders.
 * Adaptive: sorted input costs one pass.  scratch: room for n / 2 + 1. */
void order_sort(const struct run *r, uint32_t *row, size_t n, uint32_t *scratch);

/* The rows that `takes` wants, lane by lane in the order of the file: those of lane l are from
 * (*begin)[l] on and before (*begin)[l + 1].  Both are mem's.  O(events). */
uint32_t *order_by_lane(const struct run *r, bool (*takes)(const void *ctx, uint32_t row),
	const void *ctx, size_t **begin, struct arena *mem);
