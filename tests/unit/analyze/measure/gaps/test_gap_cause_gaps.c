/* Waits of all gaps of a device: what launching takes there, and that the parts of a gap are the
 * gap, on every run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/gaps/gaps.h"
#include "analyze/trace/index.h"
#include "tests/unit/analyze/measure/drawn_waits.h"
#include "tests/unit/handmade.h"

/* ---- what launching takes ---- */

static void ignore(void *ctx, const struct gap *g)
{
	(void)ctx;
	(void)g;
}

static nsec cost_of(struct run *r)
{
	struct gaps g;
	nsec cost;

	index_build(r, GAP_CAUSES_NEEDS);
	gaps_init(&g, r, NULL, NULL, 0);
	gaps_of_device(&g, 0, ignore, NULL);
	cost = g.waits.launch_cost;
	gaps_clear(&g);
	return cost;
}

/* Launches that met an idle device took 3, 90 and 8: the median is 8.  That of the first work, of
 * work that waited for the one before, and of another device say nothing.  Where there is none it
 * is 10 us. */
static void test_launch_cost(void **state)
{
	struct drawing d;

	(void)state;
	drawing_begin(&d);
	(void)drawing_work(&d, 0, 70, 100);
	(void)drawing_work(&d, 80, 105, 110);
	(void)drawing_work(&d, 120, 123, 130);
	(void)drawing_work(&d, 140, 230, 240);
	(void)drawing_work(&d, 250, 258, 300);
	(void)drawing_work_of(&d, KIND_KERNEL, d.thread, 0, 1, hand_stream(&d.run, 1, 7), 10, 20);
	(void)drawing_work_of(
		&d, KIND_KERNEL, d.thread, 400, 401, hand_stream(&d.run, 1, 7), 401, 420);
	assert_int_equal(cost_of(&d.run), 8);
	run_clear(&d.run);
	drawing_begin(&d);
	(void)drawing_work(&d, 0, 70, 100);
	(void)drawing_work(&d, 80, 105, 110);
	assert_int_equal(cost_of(&d.run), GAP_CAUSES_LAUNCH_NS);
	run_clear(&d.run);
}

/* ---- on every run ---- */

static uint64_t next_random(uint64_t *state, uint64_t below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state % below;
}

struct summing {
	struct parts parts; /* of the gap that is being split */
	nsec sum;
};

static void see_part(void *ctx, const struct gap_cause_part *p)
{
	parts_see(&((struct summing *)ctx)->parts, p);
}

static void see_gap(void *ctx, const struct gap *g)
{
	struct summing *s = ctx;
	nsec sum = 0;
	int i;

	parts_are_whole(&s->parts, g->start, g->end);
	for (i = 0; i < GAP_CAUSE_COUNT; i++)
		sum += g->ns[i];
	assert_int_equal(sum, g->end - g->start);
	s->parts.n = 0;
	s->sum += sum;
}

/* Two threads of calls that touch or leave holes, and work on two streams. */
static void draw_anything(struct drawing *d, uint64_t seed)
{
	static const char *const names[] = { "cudaStreamSynchronize", "cudaMalloc", "cudaFree" };
	uint32_t thread[2], stream[2];
	nsec at[2] = { 0, 0 }, end[2] = { 0, 0 };
	int i;

	drawing_begin(d);
	thread[0] = d->thread;
	thread[1] = hand_thread(&d->run, 2);
	stream[0] = d->stream;
	stream[1] = hand_stream(&d->run, 0, 9);
	for (i = 0; i < 30; i++) {
		int t = (int)next_random(&seed, 2), q = (int)next_random(&seed, 2);
		nsec from = at[t] + (nsec)next_random(&seed, 20);
		nsec to = from + 2 + (nsec)next_random(&seed, 40);
		nsec start = from + 1 + (nsec)next_random(&seed, 30);

		at[t] = to;
		switch (next_random(&seed, 4)) {
		case 0:
			drawing_call(
				d, KIND_RUNTIME, thread[t], names[next_random(&seed, 3)], from, to);
			break;
		case 1: drawing_call(d, KIND_OP, thread[t], "dataload", from, to); break;
		default:
			drawing_call(d, KIND_OP, thread[t], "op", from, to);
			start = start > end[q] ? start : end[q];
			end[q] = start + 1 + (nsec)next_random(&seed, 20);
			(void)drawing_work_of(d, next_random(&seed, 3) ? KIND_KERNEL : KIND_MEMCPY,
				thread[t], from + 1, to, stream[q], start, end[q]);
		}
	}
}

static void test_parts_are_the_gap(void **state)
{
	uint64_t seed;

	(void)state;
	for (seed = 1; seed <= 300; seed++) {
		struct summing all = { 0 };
		struct drawing d;
		struct gaps g;

		draw_anything(&d, seed * UINT64_C(0x9e3779b97f4a7c15));
		index_build(&d.run, GAP_CAUSES_NEEDS);
		gaps_init(&g, &d.run, NULL, NULL, 0);
		g.part = see_part;
		g.part_ctx = &all;
		gaps_of_device(&g, 0, see_gap, &all);
		assert_int_equal(all.parts.n, 0);
		gaps_clear(&g);
		run_clear(&d.run);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launch_cost),
		cmocka_unit_test(test_parts_are_the_gap),
	};

	return cmocka_run_group_tests_name("waits_gaps", tests, NULL, NULL);
}
