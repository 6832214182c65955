/* Order: a counting sort by lane, then an adaptive stable sort inside each lane that needs one.
 *
 * Files are nearly sorted inside a lane: a few swaps (an op beside its parent), or a few long
 * sorted runs behind each other.  So the sort is a natural merge sort: runs as they stand, short
 * ones made longer by insertion, merged on a stack whose lengths more than halve (alpha-stack sort,
 * Auger, Nicaud, Pivoteau 2015), and each merge first cuts off what already stands in its place. */
#include "analyze/trace/columns/order.h"

#include <assert.h>

#include "analyze/trace/run.h"

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

/* Whether row b must stand before row a. */
static bool before(const struct events *ev, uint32_t b, uint32_t a)
{
	if (LIKELY(ev->start[b] != ev->start[a]))
		return ev->start[b] < ev->start[a];
	/* Rows a and b with equal starts, the longer first: whether b must stand before a. */
	return ev->dur[b] != ev->dur[a] ? ev->dur[b] > ev->dur[a] : b < a;
}

/* The length of the sorted run row[0..n) begins with; n >= 1. */
static size_t run_length(const struct events *ev, const uint32_t *row, size_t n)
{
	return FIRST_FROM(i, 1, n, before(ev, row[i], row[i - 1]));
}

/* Extends the sorted row[0..sorted) to row[0..n). */
static void insert_rest(const struct events *ev, uint32_t *row, size_t sorted, size_t n)
{
	size_t j;

	for (size_t i = sorted; i < n; i++) {
		uint32_t moving = row[i];

		for (j = i; j > 0 && before(ev, moving, row[j - 1]); j--)
			row[j] = row[j - 1];
		row[j] = moving;
	}
}

/* How many of the sorted row[0..n) stand before `key` for good; doubling steps from the front, then
 * bisection: O(log of the answer).  `key` differs from all of them. */
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
		size_t middle = low + (high - low) / 2; /* lint: allow byhand: hot */

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
		size_t middle = low + (high - low) / 2; /* lint: allow byhand: hot */

		if (before(ev, key, row[n - middle]))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Merges a[0..na) with the b[0..nb) behind it, a the shorter: a moves out, from the front. */
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
			size_t want = MIN(n - at, MIN_RUN);

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

/* Which order a row belongs to. */
enum place { HOST, DEVICE, NOWHERE };

/* The rows of one lane in one order while they are placed. */
struct cursor {
	uint32_t *row;   /* all of them */
	size_t n;        /* placed so far; before that: how many there will be */
	nsec start, dur; /* of the last one */
	bool is_disordered;
};

struct filling {
	const struct run *run;
	struct order *order;
	bool *is_device;              /* by lane */
	uint8_t place[2][KIND_COUNT]; /* by whether the lane is a device's, and kind */
	struct cursor *cursor;        /* by 2 * lane + HOST or DEVICE */
};

static uint32_t *rows_new(size_t n)
{
	uint32_t *row = xmalloc(n * sizeof(*row));

	return row;
}

static void filling_init(struct filling *f, struct order *o, const struct run *r)
{
	*f = (struct filling){
		.run = r,
		.order = o,
		.is_device = zeroed(r->lanes.n, sizeof(*f->is_device)),
		.cursor = zeroed(2 * r->lanes.n, sizeof(*f->cursor)),
	};
	for (size_t i = 0; i < r->lanes.n; i++)
		f->is_device[i] = r->lanes.lane[i].is_device;
	for (unsigned k = 0; k < KIND_COUNT; k++) {
		f->place[0][k] = KIND_BIT(k) & KINDS_HOST_TREE ? HOST : NOWHERE;
		f->place[1][k] = NOWHERE;
		if (KIND_BIT(k) & KINDS_DEVICE)
			f->place[0][k] = f->place[1][k] = DEVICE;
	}
}

/* The rows a row belongs to; NULL when it is in neither order, which few are. */
HOT_INLINE struct cursor *cursor_of(const struct filling *f, const struct events *ev, size_t row)
{
	uint32_t lane = ev->lane[row];
	enum place place = f->place[f->is_device[lane]][ev->kind[row]];

	return LIKELY(place != NOWHERE) ? &f->cursor[2 * (size_t)lane + place] : NULL;
}

static void count_rows(const struct filling *f)
{
	const struct events *ev = &f->run->events;

	for (size_t i = 0; i < ev->n; i++) {
		struct cursor *c = cursor_of(f, ev, i);

		if (c)
			c->n++;
	}
}

/* Room for what was counted, lane after lane. */
static void lay_out(const struct filling *f)
{
	struct order *o = f->order;
	size_t nlane = f->run->lanes.n;

	for (size_t i = 0; i < nlane; i++) {
		o->host_begin[i + 1] = o->host_begin[i] + f->cursor[2 * i + HOST].n;
		o->device_begin[i + 1] = o->device_begin[i] + f->cursor[2 * i + DEVICE].n;
	}
	o->host = rows_new(o->host_begin[nlane]);
	o->device = rows_new(o->device_begin[nlane]);
	for (size_t i = 0; i < nlane; i++) {
		f->cursor[2 * i + HOST] =
			(struct cursor){ .row = o->host + o->host_begin[i], .start = INT64_MIN };
		f->cursor[2 * i + DEVICE] = (struct cursor){ .row = o->device + o->device_begin[i],
			.start = INT64_MIN };
	}
}

static void place_rows(const struct filling *f)
{
	const struct events *ev = &f->run->events;

	for (size_t i = 0; i < ev->n; i++) {
		struct cursor *c = cursor_of(f, ev, i);
		nsec start = ev->start[i];

		if (!c)
			continue;
		c->row[c->n++] = (uint32_t)i;
		if (UNLIKELY(start <= c->start) && (start < c->start || ev->dur[i] > c->dur))
			c->is_disordered = true;
		c->start = start;
		c->dur = ev->dur[i];
	}
}

/* Sorts the lanes that need it.  The scratch is as large as the largest of them. */
static void sort_lanes(const struct filling *f)
{
	size_t n = 2 * f->run->lanes.n, largest = 0;

	for (EACH(const struct cursor, cursor, f->cursor, n))
		if (cursor->is_disordered && cursor->n > largest)
			largest = cursor->n;
	uint32_t *scratch = rows_new(largest / 2 + 1);
	for (EACH(const struct cursor, c, f->cursor, n))
		if (c->is_disordered)
			order_sort(f->run, c->row, c->n, scratch);
	free(scratch);
}

static int by_device(const void *pa, const void *pb, void *ctx)
{
	const struct lane *lane = ctx;
	uint32_t a = *(const uint32_t *)pa, b = *(const uint32_t *)pb;

	return COMPARE_BY(compare3(lane[a].device, lane[b].device), compare3(a, b));
}

static void list_device_lanes(struct order *o, const struct run *r)
{
	o->device_lane = zeroed(r->lanes.n, sizeof(*o->device_lane));
	for (size_t i = 0; i < r->lanes.n; i++)
		if (r->lanes.lane[i].is_device && o->device_begin[i] < o->device_begin[i + 1])
			o->device_lane[o->ndevice_lane++] = (uint32_t)i;
	if (o->ndevice_lane)
		qsort_r(o->device_lane, o->ndevice_lane, sizeof(*o->device_lane), by_device,
			r->lanes.lane);
}

void order_device_lanes(
	const struct order *o, const struct run *r, int64_t device, size_t *begin, size_t *end)
{
	*begin = PARTITION_POINT(
		i, 0, o->ndevice_lane, r->lanes.lane[o->device_lane[i]].device < device);
	for (*end = *begin;
		*end < o->ndevice_lane && r->lanes.lane[o->device_lane[*end]].device == device;
		++*end)
		;
}

struct order *order_build(const struct run *r)
{
	struct order *o = zeroed(1, sizeof(*o));
	struct filling f;

	o->host_begin = zeroed(r->lanes.n + 1, sizeof(*o->host_begin));
	o->device_begin = zeroed(r->lanes.n + 1, sizeof(*o->device_begin));
	filling_init(&f, o, r);
	count_rows(&f);
	lay_out(&f);
	place_rows(&f);
	sort_lanes(&f);
	list_device_lanes(o, r);
	o->quiet = zeroed(o->host_begin[r->lanes.n] / ORDER_STRETCH + 1, sizeof(*o->quiet));
	FREE_ALL(f.cursor, f.is_device);
	return o;
}

uint32_t *order_by_lane(const struct run *r, bool (*takes)(const void *ctx, uint32_t row),
	const void *ctx, size_t **begin, struct arena *mem)
{
	const struct events *ev = &r->events;
	size_t nlane = r->lanes.n, *at = arena_array(mem, nlane + 2, sizeof(*at)), *fill = at + 1;

	*begin = at;
	for (uint32_t i = 0; i < ev->n; i++)
		fill[ev->lane[i] + 1] += takes(ctx, i);
	for (size_t i = 0; i < nlane; i++)
		fill[i + 1] += fill[i];
	uint32_t *row = arena_array(mem, fill[nlane], sizeof(*row));
	for (uint32_t i = 0; i < ev->n; i++)
		if (takes(ctx, i))
			row[fill[ev->lane[i]]++] = i;
	return row;
}

void order_free(struct order *o)
{
	if (!o)
		return;
	FREE_ALL(o->host, o->host_begin, o->device, o->device_begin, o->device_lane, o->quiet, o);
}
