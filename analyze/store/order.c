/*
 * Order: a counting sort by lane, then an adaptive stable sort inside each lane that needs one.
 *
 * Files are nearly sorted inside a lane: a few swaps (an op beside its parent), or a few long
 * sorted runs behind each other.  So the sort is a natural merge sort: runs as they stand, short
 * ones made longer by insertion, merged on a stack whose lengths more than halve (alpha-stack sort,
 * Auger, Nicaud, Pivoteau 2015), and each merge first cuts off what already stands in its place.
 */
#include "analyze/store/order.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/store/run.h"
#include "base/compiler.h"
#include "base/die.h"

enum { MIN_RUN = 24, STACK_MAX = 66 };

/* A sorted piece of the array being sorted. */
struct piece {
	uint32_t *row;
	size_t n;
};

struct sorter {
	const struct events *ev;
	uint32_t *scratch;
	struct piece stack[STACK_MAX];
	size_t depth;
};

/* Rows a and b with equal starts, the longer first: whether b must stand before a. */
static bool tie_before(const struct events *ev, uint32_t b, uint32_t a)
{
	if (ev->dur[b] != ev->dur[a])
		return ev->dur[b] > ev->dur[a];
	return b < a;
}

/* Whether row b must stand before row a. */
static bool before(const struct events *ev, uint32_t b, uint32_t a)
{
	if (LIKELY(ev->start[b] != ev->start[a]))
		return ev->start[b] < ev->start[a];
	return tie_before(ev, b, a);
}

/* The length of the sorted run row[0..n) begins with; n >= 1. */
static size_t run_length(const struct events *ev, const uint32_t *row, size_t n)
{
	size_t i = 1;

	while (i < n && !before(ev, row[i], row[i - 1]))
		i++;
	return i;
}

/* Extends the sorted row[0..sorted) to row[0..n). */
static void insert_rest(const struct events *ev, uint32_t *row, size_t sorted, size_t n)
{
	size_t i, j;

	for (i = sorted; i < n; i++) {
		uint32_t moving = row[i];

		for (j = i; j > 0 && before(ev, moving, row[j - 1]); j--)
			row[j] = row[j - 1];
		row[j] = moving;
	}
}

/*
 * How many of the sorted row[0..n) stand before `key` for good; doubling steps from the front, then
 * bisection: O(log of the answer).  `key` differs from all of them.
 */
static size_t count_before(const struct events *ev, const uint32_t *row, size_t n, uint32_t key)
{
	size_t low = 0, high = 1;

	while (high <= n && before(ev, row[high - 1], key)) {
		low = high;
		high *= 2;
	}
	if (high > n)
		high = n + 1;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (before(ev, row[middle - 1], key))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* How many at the end of the sorted row[0..n) stand behind `key`. */
static size_t count_behind(const struct events *ev, const uint32_t *row, size_t n, uint32_t key)
{
	size_t low = 0, high = 1;

	while (high <= n && before(ev, key, row[n - high])) {
		low = high;
		high *= 2;
	}
	if (high > n)
		high = n + 1;
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (before(ev, key, row[n - middle]))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Merges a[0..na) with the b[0..nb) behind it, a the shorter: a moves out, filling from the front.
 */
static void merge_forward(
	const struct sorter *s, uint32_t *a, size_t na, const uint32_t *b, size_t nb)
{
	const uint32_t *left = s->scratch, *left_end = left + na, *b_end = b + nb;
	uint32_t *out = a;

	memcpy(s->scratch, a, na * sizeof(*a));
	while (left < left_end && b < b_end)
		*out++ = before(s->ev, *b, *left) ? *b++ : *left++;
	memcpy(out, left, (size_t)(left_end - left) * sizeof(*out));
}

/* The same with b the shorter: b moves out, filling from the back. */
static void merge_backward(const struct sorter *s, uint32_t *a, size_t na, uint32_t *b, size_t nb)
{
	const uint32_t *right = s->scratch, *right_end = right + nb, *a_end = a + na;
	uint32_t *out = b + nb;

	memcpy(s->scratch, b, nb * sizeof(*b));
	while (right_end > right && a_end > a)
		*--out = before(s->ev, right_end[-1], a_end[-1]) ? *--a_end : *--right_end;
	memcpy(out - (right_end - right), right, (size_t)(right_end - right) * sizeof(*out));
}

static void merge_top(struct sorter *s)
{
	struct piece *a = &s->stack[s->depth - 2], b = s->stack[s->depth - 1];
	size_t skip = count_before(s->ev, a->row, a->n, b.row[0]);
	uint32_t *from = a->row + skip;
	size_t na = a->n - skip;

	if (na > 0) {
		size_t nb = b.n - count_behind(s->ev, b.row, b.n, a->row[a->n - 1]);

		if (na <= nb)
			merge_forward(s, from, na, b.row, nb);
		else
			merge_backward(s, from, na, b.row, nb);
	}
	a->n += b.n;
	s->depth--;
}

void order_sort(const struct run *r, uint32_t *row, size_t n, uint32_t *scratch)
{
	struct sorter s = { .ev = &r->events, .scratch = scratch };
	size_t at = 0;

	while (at < n) {
		size_t len = run_length(s.ev, row + at, n - at);

		if (len < MIN_RUN && len < n - at) {
			size_t want = n - at < MIN_RUN ? n - at : MIN_RUN;

			insert_rest(s.ev, row + at, len, want);
			len = want;
		}
		s.stack[s.depth++] = (struct piece){ row + at, len };
		at += len;
		while (s.depth > 1 && s.stack[s.depth - 2].n <= 2 * s.stack[s.depth - 1].n)
			merge_top(&s);
		assert(s.depth < STACK_MAX);
	}
	while (s.depth > 1)
		merge_top(&s);
}

/* Filling one of the two orders: where the next row of each lane goes, and what the lane looks
 * like. */
struct filling {
	const struct run *run;
	uint8_t takes[2][KIND_COUNT]; /* by whether the lane is a device's, and kind */
	uint32_t *row;
	size_t *begin;
	size_t *next;
	bool *disordered; /* by lane: a row came before one already placed */
};

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		die_oom(n * size);
	return p;
}

/* The count of each lane at [lane + 1] becomes its end, [lane] its begin. */
static void counts_to_begins(size_t *begin, size_t nlane)
{
	size_t i;

	for (i = 0; i < nlane; i++)
		begin[i + 1] += begin[i];
}

static void place(struct filling *f, const struct events *ev, uint32_t row, uint32_t lane)
{
	size_t at = f->next[lane]++;

	f->row[at] = row;
	if (at > f->begin[lane] && UNLIKELY(before(ev, row, f->row[at - 1])))
		f->disordered[lane] = true;
}

/* Sorts the lanes that need it; the scratch is as large as the largest of them. */
static void sort_lanes(const struct run *r, struct filling *f)
{
	size_t nlane = r->lanes.n, largest = 0, i;
	uint32_t *scratch;

	for (i = 0; i < nlane; i++)
		if (f->disordered[i] && f->begin[i + 1] - f->begin[i] > largest)
			largest = f->begin[i + 1] - f->begin[i];
	scratch = zeroed(largest / 2 + 1, sizeof(*scratch));
	for (i = 0; i < nlane; i++)
		if (f->disordered[i])
			order_sort(r, f->row + f->begin[i], f->begin[i + 1] - f->begin[i], scratch);
	free(scratch);
	free(f->next);
	free(f->disordered);
}

/* Whether a row belongs to the order. */
static bool takes(const struct filling *f, size_t row)
{
	const struct events *ev = &f->run->events;

	return f->takes[f->run->lanes.lane[ev->lane[row]].is_device][ev->kind[row]];
}

static void count_rows(struct filling *f)
{
	const struct events *ev = &f->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (takes(f, i))
			f->begin[ev->lane[i] + 1]++;
}

static void place_rows(struct filling *f)
{
	const struct events *ev = &f->run->events;
	size_t i;

	for (i = 0; i < ev->n; i++)
		if (takes(f, i))
			place(f, ev, (uint32_t)i, ev->lane[i]);
}

/* The rows of kinds_host on host lanes and of kinds_device on device lanes; begin: by lane, zero.
 */
static uint32_t *fill(
	const struct run *r, unsigned kinds_host, unsigned kinds_device, size_t *begin)
{
	struct filling f = { .run = r, .begin = begin };
	size_t nlane = r->lanes.n;
	int k;

	for (k = 0; k < KIND_COUNT; k++) {
		f.takes[0][k] = (KIND_BIT(k) & kinds_host) != 0;
		f.takes[1][k] = (KIND_BIT(k) & kinds_device) != 0;
	}
	count_rows(&f);
	counts_to_begins(begin, nlane);
	f.row = zeroed(begin[nlane], sizeof(*f.row));
	f.next = zeroed(nlane, sizeof(*f.next));
	f.disordered = zeroed(nlane, sizeof(*f.disordered));
	memcpy(f.next, begin, nlane * sizeof(*begin));
	place_rows(&f);
	sort_lanes(r, &f);
	return f.row;
}

struct order *order_new(const struct run *r)
{
	struct order *o = zeroed(1, sizeof(*o));

	o->host_begin = zeroed(r->lanes.n + 1, sizeof(*o->host_begin));
	o->device_begin = zeroed(r->lanes.n + 1, sizeof(*o->device_begin));
	return o;
}

void order_fill_host(struct order *o, const struct run *r)
{
	o->host = fill(r, KINDS_HOST_TREE, 0, o->host_begin);
}

static int by_device(const void *pa, const void *pb, void *ctx)
{
	const struct lane *lane = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	if (lane[a].device != lane[b].device)
		return lane[a].device < lane[b].device ? -1 : 1;
	return (a > b) - (a < b);
}

static void list_device_lanes(struct order *o, const struct run *r)
{
	size_t i;

	o->device_lane = zeroed(r->lanes.n, sizeof(*o->device_lane));
	for (i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device && o->device_begin[i] < o->device_begin[i + 1])
			o->device_lane[o->ndevice_lane++] = (uint32_t)i;
	if (o->ndevice_lane)
		qsort_r(o->device_lane, o->ndevice_lane, sizeof(*o->device_lane), by_device,
			r->lanes.lane);
}

/* The first of the device lanes whose device is not below this one. */
static size_t lower_bound(const struct order *o, const struct run *r, int64_t device)
{
	size_t lo = 0, hi = o->ndevice_lane;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->lanes.lane[o->device_lane[mid]].device < device)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void order_device_lanes(
	const struct order *o, const struct run *r, int64_t device, size_t *begin, size_t *end)
{
	*begin = lower_bound(o, r, device);
	for (*end = *begin;
		*end < o->ndevice_lane && r->lanes.lane[o->device_lane[*end]].device == device;
		++*end)
		;
}

void order_fill_device(struct order *o, const struct run *r)
{
	o->device = fill(r, KINDS_DEVICE, KINDS_DEVICE, o->device_begin);
	list_device_lanes(o, r);
}

struct order *order_build(const struct run *r)
{
	struct order *o = order_new(r);

	order_fill_host(o, r);
	order_fill_device(o, r);
	return o;
}

void order_free(struct order *o)
{
	if (!o)
		return;
	free(o->host);
	free(o->host_begin);
	free(o->device);
	free(o->device_begin);
	free(o->device_lane);
	free(o);
}
