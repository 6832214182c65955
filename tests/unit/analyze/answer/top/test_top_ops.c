/* The tree of ops only in `top`: its self times, also where runtime calls cut ops off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/measure/host/optree.h"
#include "analyze/trace/columns/order.h"
#include "cmd/commands.h"
#include "tests/unit/analyze/answer/top/top_ask.h"
#include "tests/unit/handmade.h"

/*
 *	a    0 [------------------) 100     b is the call's child in the tree, and a's in the tree
 *	call              90 [----------) 120   without calls, where nothing cuts a off
 *	b                   95 [) 99
 */
static void call_cuts_an_op(void **state)
{
	const struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	uint32_t thread;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	thread = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_OP, thread, "a", 0, 100);
	(void)hand_event(&r, KIND_RUNTIME, thread, "call", 90, 30);
	(void)hand_event(&r, KIND_OP, thread, "b", 95, 4);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, top_row(t, "a"), "self_cpu_ns"), 100);
	assert_int_equal(hand_int(t, top_row(t, "a"), "self_cpu_ops_ns"), 96);
	assert_int_equal(hand_int(t, top_row(t, "b"), "self_cpu_ops_ns"), 4);
	assert_int_equal(hand_int(t, top_row(t, "call"), "self_cpu_ns"), 26);
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "cpu_total_ns"), 130);
	assert_int_equal(hand_int(t, 0, "cpu_total_ops_ns"), 100);
	hand_release(&h);
	run_clear(&r);
}

/* Rows of a step are counted in the tree's order and their durations taken in the file's: in both
 * a row is in the same of two steps that overlap. */
static void steps_that_overlap(void **state)
{
	enum { MANY = 1000 };
	struct top_ask a = top_ask_defaults();
	uint32_t lane[3];
	struct hand_answer h;
	const struct table *t;
	struct run r;
	int i;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	for (i = 0; i < 3; i++)
		lane[i] = hand_thread(&r, i + 1);
	(void)hand_event(&r, KIND_ANNOTATION, lane[0], "ProfilerStep#0", 0, 100);
	(void)hand_event(&r, KIND_ANNOTATION, lane[0], "ProfilerStep#1", 10, 190);
	for (i = 0; i < MANY; i++)
		(void)hand_event(&r, KIND_OP, lane[1], "a", 50, 1);
	(void)hand_event(&r, KIND_OP, lane[2], "a", 5, 3);
	(void)hand_event(&r, KIND_OP, lane[0], "b", 150, 1);
	a.filter.steps = "0";
	a.opts.limit = 0;
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_int_equal(hand_int(t, top_row(t, "a"), "calls"), 1);
	assert_true(hand_real(t, top_row(t, "a"), "p95_ns") == 3);
	hand_release(&h);
	run_clear(&r);
}

/* Sums beyond 64 bits stay at their end; none becomes negative. */
static void longer_than_all_time(void **state)
{
	struct top_ask a = top_ask_defaults();
	struct hand_answer h;
	const struct table *t;
	struct run r;
	int i;

	(void)state;
	run_init(&r, analysis_top.runs.needs);
	for (i = 0; i < 3; i++)
		(void)hand_event(&r, KIND_OP, hand_thread(&r, i + 1), i % 2 ? "a" : "b", 0,
			INT64_MAX / 3 * 2);
	top_ask(&h, &r, &a);
	t = hand_table(&h, "ops");
	assert_true(hand_real(t, 0, "cumulative_ratio") > 0);
	assert_true(hand_real(t, 1, "cumulative_ratio") > 0);
	hand_release(&h);
	run_clear(&r);
}

enum { NAMES = 5, ROUNDS = 300, ROWS = 60, MANY_ROWS = 400000, BLOCK = 64 };
static const char *const names[NAMES] = { "a", "b", "c", "d", "e" };

/* Self times by name, from a walk of the ops alone. */
struct sums {
	const struct run *run;
	nsec self[NAMES], all;
};

static void leave(void *ctx, struct optree_node *path, size_t depth, const struct optree_node *dup)
{
	struct sums *s = ctx;
	nsec self = path[depth].dur - path[depth].child_ns;
	struct span name = run_name(s->run, path[depth].row);

	(void)dup;
	s->self[name.p[0] - 'a'] += self;
	s->all += self;
}

/* Two lanes of ops and calls, in blocks with nothing between them; `is_wild`: they overlap anyhow,
 * else calls lie in ops. */
static void make_random(struct run *r, uint32_t *seed, bool is_wild, int rows)
{
	uint32_t lane[2];
	int i;

	run_init(r, analysis_top.runs.needs);
	lane[0] = hand_thread(r, 1);
	lane[1] = hand_thread(r, 2);
	for (i = 0; i < rows; i++) {
		uint32_t x = *seed = *seed * 1664525 + 1013904223;
		nsec at = (nsec)(i / BLOCK) * 512 + (x >> 8 & 0xff), dur = x >> 16 & 0x3f;
		enum kind kind = x >> 24 & 3 ? KIND_OP : KIND_RUNTIME;

		if (!is_wild && kind == KIND_RUNTIME)
			dur = 0;
		(void)hand_event(r, kind, lane[x >> 26 & 1], names[(x >> 27) % NAMES], at, dur);
	}
}

static void check_random(uint32_t *seed, bool is_wild, int rows)
{
	const unsigned ops = KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION);
	struct top_ask a = top_ask_defaults();
	struct optree_visitor v = { .leave = leave };
	struct sums s = { 0 };
	struct hand_answer h;
	const struct table *t;
	struct run r;
	size_t i;

	a.opts.limit = 0;
	make_random(&r, seed, is_wild, rows);
	top_ask(&h, &r, &a);
	s.run = &r;
	v.ctx = &s;
	optree_walk(&r, ops, NULL, &v);
	for (i = 1; i <= r.order->host_begin[r.lanes.n] / ORDER_STRETCH; i++)
		assert_true(r.order->quiet[i] > 0); /* so it was walked in pieces */
	t = hand_table(&h, "totals");
	assert_int_equal(hand_int(t, 0, "cpu_total_ops_ns"), s.all);
	t = hand_table(&h, "ops");
	for (i = 0; i < t->nrow - t->nfoot; i++)
		if (span_is(hand_text(t, i, "kind"), "cpu_op"))
			assert_int_equal(hand_int(t, i, "self_cpu_ops_ns"),
				s.self[hand_text(t, i, "name").p[0] - 'a']);
	hand_release(&h);
	run_clear(&r);
}

/* The same as walking the ops alone. */
static void as_walked_alone(void **state)
{
	uint32_t seed = 1;
	int i;

	(void)state;
	for (i = 0; i < ROUNDS; i++)
		check_random(&seed, i % 2, ROWS);
}

/* So many that lanes are cut into pieces. */
static void as_walked_in_one(void **state)
{
	uint32_t seed = 2;

	(void)state;
	check_random(&seed, false, MANY_ROWS);
	check_random(&seed, true, MANY_ROWS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_cuts_an_op),
		cmocka_unit_test(steps_that_overlap),
		cmocka_unit_test(longer_than_all_time),
		cmocka_unit_test(as_walked_alone),
		cmocka_unit_test(as_walked_in_one),
	};

	return cmocka_run_group_tests_name("top_ops", tests, NULL, NULL);
}
