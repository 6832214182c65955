/* The op tree: parents by torch's rule, self times, the dedup, device time handed up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/device/devtime.h"
#include "analyze/measure/host/optree.h"
#include "analyze/trace/links/calls.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/columns/order.h"
#include "base/compiler.h"
#include "tests/unit/handmade.h"

enum { ROWS = 400 };

/* What the walk said about each row. */
struct seen {
	const struct run *run;
	uint32_t parent[ROWS]; /* NO_ROW: a root */
	nsec self[ROWS], dedup_self[ROWS], device[ROWS];
	bool was_dropped[ROWS];
	size_t nchild[ROWS];
	size_t entered, left;
	uint32_t order[ROWS]; /* of leaving */
};

static void enter(void *ctx, struct optree_node *path, size_t depth)
{
	struct seen *s = ctx;

	s->parent[path[depth].row] = depth ? path[depth - 1].row : NO_ROW;
	path[depth].tag = 1000 + path[depth].row;
	s->entered++;
}

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct seen *s = ctx;
	const struct optree_node *n = &path[depth];

	assert_int_equal(n->tag, 1000 + n->row);
	s->self[n->row] = n->dur - n->child_ns;
	s->dedup_self[n->row] = n->dur - n->dedup_child_ns;
	s->device[n->row] = n->device_ns;
	s->nchild[n->row] = n->nchild;
	if (dup) {
		assert_int_equal(dup->tag, 1000 + dup->row);
		s->was_dropped[dup->row] = true;
	}
	s->order[s->left++] = n->row;
}

/* How long the calls are whose parent is the one at `place`. */
static nsec time_inside(const struct run *r, size_t place)
{
	const struct calls *c = r->calls;

	return SUM(nsec, i, r->order->host_begin[r->lanes.n],
		c->flags[i] & CALL_IN_TREE && c->parent[i] == place
			? r->events.dur[r->order->host[i]]
			: 0);
}

/* The same tree as columns: parents, self times and the rows that torch drops. */
static void check_calls(const struct seen *s, const struct run *r)
{
	const struct calls *c = r->calls;
	size_t n = r->order->host_begin[r->lanes.n], i;

	for (i = 0; i < n; i++) {
		uint32_t row = r->order->host[i];

		if (!(c->flags[i] & CALL_IN_TREE))
			continue;
		assert_int_equal(c->parent[i] == NO_ROW ? NO_ROW : r->order->host[c->parent[i]],
			s->parent[row]);
		assert_int_equal(r->events.dur[row] - time_inside(r, i), s->self[row]);
		assert_int_equal((c->flags[i] & CALL_IS_DUP) != 0, s->was_dropped[row]);
	}
}

static void walk_kinds(struct seen *s, struct run *r, unsigned kinds)
{
	struct optree_visitor v = { .ctx = s, .enter = enter, .leave = leave };

	*s = (struct seen){ .run = r };
	index_build(r, NEED_ORDER | NEED_CALLS);
	optree_walk(r, kinds, NULL, &v);
	assert_int_equal(s->entered, s->left);
	if (kinds == r->calls->kinds)
		check_calls(s, r);
}

/* An empty run with one thread. */
static uint32_t one_thread(struct run *r)
{
	run_init(r, 0);
	return hand_thread(r, 1);
}

static void walk(struct seen *s, struct run *r)
{
	walk_kinds(s, r, optree_kinds(r));
}

/*
 *	step  0 [----------------------------------------) 100
 *	a     1   10 [----------) 40
 *	rt    2      15 [--) 20
 *	b     3                   50 [--------) 90
 *	rt    4                      60 [) 61
 */
static void nesting(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_ANNOTATION, t, "step", 0, 100);
	(void)hand_event(&r, KIND_OP, t, "a", 10, 30);
	(void)hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", 15, 5);
	(void)hand_event(&r, KIND_OP, t, "b", 50, 40);
	(void)hand_event(&r, KIND_RUNTIME, t, "cudaLaunchKernel", 60, 1);
	walk(&s, &r);
	assert_int_equal(s.left, 5);
	assert_int_equal(s.parent[0], NO_ROW);
	assert_int_equal(s.parent[1], 0);
	assert_int_equal(s.parent[2], 1);
	assert_int_equal(s.parent[3], 0);
	assert_int_equal(s.parent[4], 3);
	assert_int_equal(s.self[0], 30);
	assert_int_equal(s.self[1], 25);
	assert_int_equal(s.self[3], 39);
	assert_int_equal(s.nchild[0], 2);
	assert_int_equal(s.order[4], 0);
	/* without runtime calls */
	walk_kinds(&s, &r, KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION));
	assert_int_equal(s.left, 3);
	assert_int_equal(s.self[1], 30);
	assert_int_equal(s.self[3], 40);
	run_clear(&r);
}

/* b overlaps a only partly, so it closes a; c lies in both in time but is b's.
 *
 *	a 0 [--------------) 60
 *	b 1        40 [----------) 100
 *	c 2           45 [--) 55 */
static void partial_overlap(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OP, t, "a", 0, 60);
	(void)hand_event(&r, KIND_OP, t, "b", 40, 60);
	(void)hand_event(&r, KIND_OP, t, "c", 45, 10);
	walk(&s, &r);
	assert_int_equal(s.parent[1], NO_ROW);
	assert_int_equal(s.parent[2], 1);
	assert_int_equal(s.self[0], 60);
	assert_int_equal(s.self[1], 50);
	run_clear(&r);
}

/* A node without length has no children: not the other one at its time, nor a longer one. At the
 * same start the longer comes first, whatever the file's order.
 *
 *	z 0, y 1  |  at 10, in file order; both in x
 *	x 2   10 [----) 20
 *	w 3             | at 20: x has ended */
static void zero_length(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OP, t, "z", 10, 0);
	(void)hand_event(&r, KIND_OP, t, "y", 10, 0);
	(void)hand_event(&r, KIND_OP, t, "x", 10, 10);
	(void)hand_event(&r, KIND_OP, t, "w", 20, 0);
	walk(&s, &r);
	assert_int_equal(s.parent[2], NO_ROW);
	assert_int_equal(s.parent[0], 2);
	assert_int_equal(s.parent[1], 2);
	assert_int_equal(s.parent[3], NO_ROW);
	assert_int_equal(s.nchild[2], 2);
	run_clear(&r);
}

/* Two of the same time and length: the first in the file is the parent. */
static void equal_spans(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OP, t, "first", 5, 10);
	(void)hand_event(&r, KIND_OP, t, "second", 5, 10);
	walk(&s, &r);
	assert_int_equal(s.parent[1], 0);
	assert_int_equal(s.self[0], 0);
	run_clear(&r);
}

/* to > to > to > copy: a chain of only children of one name ends in its first.
 *
 *	to   0 [------------------) 100
 *	to   1   [--------------) 80       dropped
 *	to   2     [----------) 60         dropped
 *	copy 3       [------) 40 */
static void dedup_chain(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OP, t, "to", 0, 100);
	(void)hand_event(&r, KIND_OP, t, "to", 1, 80);
	(void)hand_event(&r, KIND_OP, t, "to", 2, 60);
	(void)hand_event(&r, KIND_OP, t, "copy", 3, 40);
	walk(&s, &r);
	assert_false(s.was_dropped[0]);
	assert_true(s.was_dropped[1]);
	assert_true(s.was_dropped[2]);
	assert_false(s.was_dropped[3]);
	assert_int_equal(s.self[0], 20);
	assert_int_equal(s.dedup_self[0], 60); /* only copy is left below it */
	assert_int_equal(s.nchild[0], 1);
	run_clear(&r);
}

/* Not dropped: a same-named child with a sibling; one below another name; and a parent whose only
 * child was dropped and left it with two.
 *
 *	to 0 [------------------------) 100      to 4 [---------) 250
 *	to 1   [----) 40                            x 5 [-----) 240
 *	to 2   |  [--) 30   inside 1                  to 6 [--) 230
 *	y  3             [--) 70 */
static void dedup_limits(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OP, t, "to", 0, 100);
	(void)hand_event(&r, KIND_OP, t, "to", 10, 30);
	(void)hand_event(&r, KIND_OP, t, "to", 20, 10);
	(void)hand_event(&r, KIND_OP, t, "y", 60, 10);
	(void)hand_event(&r, KIND_OP, t, "to", 200, 50);
	(void)hand_event(&r, KIND_OP, t, "x", 210, 30);
	(void)hand_event(&r, KIND_OP, t, "to", 220, 10);
	walk(&s, &r);
	assert_false(s.was_dropped[1]);
	assert_true(s.was_dropped[2]);
	assert_int_equal(s.dedup_self[1], 30);
	assert_int_equal(s.dedup_self[0], 60);
	assert_false(s.was_dropped[6]);
	assert_false(s.was_dropped[5]);
	run_clear(&r);
}

/* Threads do not nest in each other. */
static void threads_apart(void **state)
{
	struct run r;
	struct seen s;

	(void)state;
	run_init(&r, 0);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "a", 0, 100);
	(void)hand_event(&r, KIND_OP, hand_thread(&r, 2), "b", 10, 10);
	walk(&s, &r);
	assert_int_equal(s.parent[1], NO_ROW);
	assert_int_equal(s.self[0], 100);
	run_clear(&r);
}

/* A generic trace: slices of no known category are its tree; with ops they are not. */
static void generic_slices(void **state)
{
	struct run r;
	struct seen s;
	uint32_t t;

	(void)state;
	t = one_thread(&r);
	(void)hand_event(&r, KIND_OTHER, t, "outer", 0, 100);
	(void)hand_event(&r, KIND_OTHER, t, "inner", 10, 20);
	assert_int_equal(optree_kinds(&r), KIND_BIT(KIND_OTHER));
	walk(&s, &r);
	assert_int_equal(s.parent[1], 0);
	run_clear(&r);

	t = one_thread(&r);
	(void)hand_event(&r, KIND_OTHER, t, "outer", 0, 100);
	(void)hand_event(&r, KIND_OP, t, "op", 10, 20);
	walk(&s, &r);
	assert_int_equal(s.left, 1);
	assert_int_equal(s.parent[1], NO_ROW);
	run_clear(&r);
}

/* 100,000 deep: no recursion. */
static void deep(void **state)
{
	enum { LEVELS = 100000 };
	const struct optree_visitor nobody = { 0 };
	struct run r;
	uint32_t t;
	int i;

	(void)state;
	t = one_thread(&r);
	for (i = 0; i < LEVELS; i++)
		(void)hand_event(&r, KIND_OP, t, "f", i, 2 * LEVELS - 2 * i);
	index_build(&r, NEED_ORDER);
	optree_walk(&r, optree_kinds(&r), NULL, &nobody);
	run_clear(&r);
}

/*
 *	outer 0 [------------------) 100
 *	inner 1   [--------) 50
 *	launches    at 20: 7 ns            at 60: 5 ns        other device: 11 ns at 70
 */
static void device_time(void **state)
{
	const struct filter filters[] = { { 0 }, { .device = "0" } };
	static const nsec want_outer[] = { 23, 12 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(filters); i++) {
		struct run r;
		struct seen s;
		struct filter_set set;
		struct filter_view view;
		struct devtime d;
		struct arena mem = { 0 };
		struct err e;
		struct optree_visitor v = { .ctx = &s, .enter = enter, .leave = leave };
		uint32_t t, s0, s1;

		run_init(&r, NEED_LINKS);
		t = hand_thread(&r, 1);
		s0 = hand_stream(&r, 0, 7);
		s1 = hand_stream(&r, 1, 7);
		(void)hand_event(&r, KIND_OP, t, "outer", 0, 100);
		(void)hand_event(&r, KIND_OP, t, "inner", 10, 40);
		(void)hand_launch(&r, t, s0, 20, 200, 7, 1);
		(void)hand_launch(&r, t, s0, 60, 210, 5, 2);
		(void)hand_launch(&r, t, s1, 70, 220, 11, 3);
		index_build(&r, NEED_ORDER | NEED_LINKS);
		err_clear(&e);
		assert_int_equal(filter_parse(&set, &filters[i], &e), OK);
		assert_int_equal(filter_view_init(&view, &set, &r, &mem, &e), OK);
		devtime_init(&d, &r, &view);
		assert_int_equal(devtime_get(&d, 1), 7);
		assert_int_equal(devtime_get(&d, 2), 0);
		s = (struct seen){ .run = &r };
		optree_walk(&r, optree_kinds(&r), &d, &v);
		assert_int_equal(s.device[1], 7);
		assert_int_equal(s.device[0], want_outer[i]);
		devtime_clear(&d);
		filter_free(&set);
		arena_clear(&mem);
		run_clear(&r);
	}
}

/* Few names, short times, three threads and rows that are no calls: every way to overlap. */
static void test_random(void **state)
{
	static const char *const names[] = { "a", "b", "c" };
	static const enum kind kinds[] = { KIND_OP, KIND_OP, KIND_RUNTIME, KIND_ANNOTATION,
		KIND_OTHER };
	uint64_t x = 1;
	int round, i;

	(void)state;
	for (round = 0; round < 20; round++) {
		uint32_t thread[3];
		struct seen s;
		struct run r;

		run_init(&r, 0);
		for (i = 0; i < 3; i++)
			thread[i] = hand_thread(&r, i);
		for (i = 0; i < ROWS; i++) {
			x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
			(void)hand_event(&r, kinds[(x >> 33) % COUNT_OF(kinds)],
				thread[(x >> 40) % 3], names[(x >> 45) % 3],
				(nsec)((x >> 48) % 300), (nsec)((x >> 57) % 60));
		}
		walk(&s, &r);
		run_clear(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(nesting),
		cmocka_unit_test(partial_overlap),
		cmocka_unit_test(zero_length),
		cmocka_unit_test(equal_spans),
		cmocka_unit_test(dedup_chain),
		cmocka_unit_test(dedup_limits),
		cmocka_unit_test(threads_apart),
		cmocka_unit_test(generic_slices),
		cmocka_unit_test(deep),
		cmocka_unit_test(device_time),
	};

	return cmocka_run_group_tests_name("optree", tests, NULL, NULL);
}
