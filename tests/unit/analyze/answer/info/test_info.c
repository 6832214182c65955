/* info: the facts about a run made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/answer/info/info.h"
#include "analyze/analysis/analysis.h"
#include "base/compiler.h"
#include "cmd/commands.h"
#include "tests/unit/handmade.h"

static sym text(struct run *r, const char *s)
{
	return strings_intern(&r->strings, span_of(s));
}

#define assert_text(t, row, key, want) assert_true(span_is(hand_text(t, row, key), want))

static bool is_set(const struct table *t, size_t row, const char *key)
{
	return hand_int(t, row, key) & 1;
}

/* An allocator event of device type 1. */
static void allocate(
	struct run *r, uint32_t thread, int64_t device, int64_t bytes, int64_t allocated)
{
	uint32_t row = hand_event(r, KIND_MEMORY, thread, "[memory]", 5, 0);
	uint32_t side = r->events.args[row] - 1;

	r->args.col[ARG_MEMORY_BYTES].i64[side] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[side] = 1;
	r->args.col[ARG_MEMORY_DEVICE].i64[side] = device;
	r->args.col[ARG_MEMORY_ALLOCATED].i64[side] = allocated;
}

/*
 *	thread 1    #4 [0       100)  #5 [100     200)
 *	            c1 10  c2 20      c3 150
 *	gpu 0, 7    k1 [30 60)        k3 [160      230)
 *	gpu 2, 7      k2 [40  120)
 *
 * Work of #4 has ended when #5 launches its first: the host is not ahead, steps are their marks.
 * Busy in #4: gpu 0 30, gpu 2 60; in #5: gpu 0 40, gpu 2 20.  The list of devices has 0 and 1.
 */
static void make_run(struct run *r)
{
	uint32_t t, s0, s2;

	run_init(r, analysis_info.runs.needs);
	t = hand_thread(r, 1);
	s0 = hand_stream(r, 0, 7);
	s2 = hand_stream(r, 2, 7);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#4", 0, 100);
	(void)hand_event(r, KIND_ANNOTATION, t, "ProfilerStep#5", 100, 100);
	(void)hand_launch(r, t, s0, 10, 30, 30, 1);
	(void)hand_launch(r, t, s2, 20, 40, 80, 2);
	(void)hand_launch(r, t, s0, 150, 160, 70, 3);
	allocate(r, t, 0, 1000, 5000);
	allocate(r, t, 0, -400, 4600);
	allocate(r, t, 0, 100, 4700);
	r->meta.gpu = arena_array(&r->mem, 2, sizeof(*r->meta.gpu));
	r->meta.ngpu = 2;
	r->meta.gpu[0] = (struct gpu){ 0, text(r, "V100"), 16 << 20, 80, 7, 0, 2048, 32, -1, -1 };
	r->meta.gpu[1] = (struct gpu){ 1, text(r, "V100"), -1, -1, -1, -1, -1, -1, -1, -1 };
	r->meta.producer = text(r, "PyTorch (Kineto)");
	r->meta.cuda_runtime = text(r, "12040");
	r->meta.rank = 3;
	r->meta.record_shapes = YES;
	r->is_complete = true;
	r->container = "gzip";
	r->text_bytes = 5000;
	r->file_bytes = 1000;
	hand_count(r, "kernel", 'X', 3);
	hand_count(r, NULL, 'M', 7);
	hand_count(r, NULL, 0, 1);
	hand_count(r, "ac2g", 's', 3);
	r->nevent = 14;
}

static void facts(void **state)
{
	const struct table *t;
	struct hand_answer h;
	struct run r;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_info, &r, false);
	assert_int_equal(h.status, OK);
	assert_int_equal(h.exit_code, 0);
	t = hand_table(&h, "trace");
	assert_int_equal(t->nrow, 1);
	assert_int_equal(hand_int(t, 0, "events"), 14);
	assert_int_equal(hand_int(t, 0, "first_ns"), 0);
	assert_int_equal(hand_int(t, 0, "last_ns"), 230);
	assert_int_equal(hand_int(t, 0, "span_ns"), 230);
	assert_int_equal(hand_int(t, 0, "rank"), 3);
	assert_false(hand_knows(t, 0, "world_size"));
	assert_int_equal(hand_int(t, 0, "steps"), 2);
	assert_int_equal(hand_int(t, 0, "last_step"), 5);
	assert_text(t, 0, "step_source", "profiler");
	assert_true(hand_real(t, 0, "step_median_ns") == 100.0);
	assert_true(hand_real(t, 0, "compression") == 5.0);
	assert_text(t, 0, "software", "CUDA runtime 12.4");
	assert_text(t, 0, "state", "complete");
	assert_false(hand_knows(t, 0, "start_utc"));

	t = hand_table(&h, "categories");
	assert_int_equal(t->nrow, 4);
	assert_text(t, 0, "ph", "M");
	assert_false(hand_knows(t, 0, "cat"));
	assert_text(t, 1, "cat", "ac2g");
	assert_text(t, 2, "cat", "kernel");
	assert_false(hand_knows(t, 3, "ph"));

	t = hand_table(&h, "recorded");
	assert_text(t, hand_find(t, "what", "input shapes"), "said", "yes");
	assert_false(hand_knows(t, hand_find(t, "what", "input shapes"), "seen"));
	assert_int_equal(hand_int(t, hand_find(t, "what", "GPU work"), "seen"), 3);
	assert_int_equal(hand_int(t, hand_find(t, "what", "allocator events"), "seen"), 3);
	assert_int_equal(hand_int(t, hand_find(t, "what", "flows"), "seen"), 3);
	assert_text(t, hand_find(t, "what", "FLOPs"), "said", "unknown");
	assert_text(t, hand_find(t, "what", "input shapes"), "how", "record_shapes=True");
	assert_false(hand_knows(t, hand_find(t, "what", "operators"), "how"));
	hand_release(&h);
	run_clear(&r);
}

static void devices_and_steps(void **state)
{
	static const int64_t busy[4] = { 30, 60, 40, 20 };
	const struct table *t;
	struct hand_answer h;
	struct run r;
	size_t i;

	(void)state;
	make_run(&r);
	hand_ask(&h, &analysis_info, &r, false);
	t = hand_table(&h, "gpus");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "name", "V100");
	assert_text(t, 0, "compute_capability", "7.0");
	assert_true(is_set(t, 0, "active"));
	assert_int_equal(hand_int(t, 0, "device_events"), 2);
	assert_int_equal(hand_int(t, 0, "busy_ns"), 100);
	assert_false(is_set(t, 1, "active"));
	assert_false(hand_knows(t, 1, "memory_bytes"));
	assert_int_equal(hand_int(t, 2, "gpu"), 2);
	assert_false(is_set(t, 2, "listed"));
	assert_int_equal(hand_int(t, 2, "busy_ns"), 80);

	t = hand_table(&h, "steps");
	assert_int_equal(t->nrow, 4);
	for (i = 0; i < 4; i++) {
		assert_int_equal(hand_int(t, i, "step"), 4 + (int64_t)i / 2);
		assert_int_equal(hand_int(t, i, "device"), i % 2 * 2);
		assert_int_equal(hand_int(t, i, "busy_ns"), busy[i]);
		assert_int_equal(hand_int(t, i, "dur_ns"), 100);
		assert_int_equal(hand_int(t, i, "device_events"), i < 2 ? 2 : 1);
	}
	assert_int_equal(hand_int(t, 2, "start_ns"), 100);
	assert_text(t, 2, "tid", "1");
	assert_true(is_set(t, 2, "incomplete"));

	t = hand_table(&h, "memory");
	assert_int_equal(t->nrow, 1);
	assert_text(t, 0, "allocator", "CUDA");
	assert_int_equal(hand_int(t, 0, "events"), 3);
	assert_int_equal(hand_int(t, 0, "alloc_bytes"), 1100);
	assert_int_equal(hand_int(t, 0, "free_bytes"), 400);
	assert_int_equal(hand_int(t, 0, "peak_allocated_bytes"), 5000);
	assert_false(hand_knows(t, 0, "peak_reserved_bytes"));

	t = hand_table(&h, "lanes");
	assert_int_equal(t->nrow, 3);
	assert_text(t, 0, "lane", "thread");
	assert_int_equal(hand_int(t, 0, "events"), 8);
	assert_int_equal(hand_int(t, 1, "device"), 0);
	assert_int_equal(hand_int(t, 1, "stream"), 7);
	assert_int_equal(hand_int(t, 1, "events"), 2);
	hand_release(&h);
	run_clear(&r);
}

/* For people: no machine tables, no unknown lines, rows cut and said so. */
static void for_people(void **state)
{
	const struct table *t;
	struct hand_answer h;
	struct run r;
	int64_t i;

	(void)state;
	make_run(&r);
	for (i = 0; i < 30; i++)
		(void)hand_event(&r, KIND_OP, hand_thread(&r, 1000 + i), "op", 0, 1);
	hand_ask(&h, &analysis_info, &r, true);
	assert_null(hand_table(&h, "metadata"));
	assert_null(hand_table(&h, "software"));
	t = hand_table(&h, "trace");
	assert_true(hand_text(t, 0, "container").n > 0);
	for (i = 0; i < (int64_t)t->ncol; i++)
		assert_true(t->known[i]);
	t = hand_table(&h, "lanes");
	assert_int_equal(t->nrow, 21);
	assert_int_equal(t->nfoot, 1);
	assert_int_equal(t->ncut, 13);
	assert_text(t, 20, "name", "... 13 more rows (-n 0 shows all)");
	hand_release(&h);
	run_clear(&r);
}

/* Two ways to know the date, and one trace that has none. */
static void dates(void **state)
{
	static const struct {
		nsec base, first;
		bool has_base;
		const char *want;
	} cases[] = {
		{ 1751410836000000000, 1419247332596028, true, "2025-07-18T09:14:43.332Z" },
		{ 0, 1623142623460072000, false, "2021-06-08T08:57:03.460Z" },
		{ 0, 1419247332596028, false, "" },
		{ 0, -5, true, "" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		struct hand_answer h;
		struct run r;

		run_init(&r, analysis_info.runs.needs);
		(void)hand_event(&r, KIND_OP, hand_thread(&r, 1), "op", cases[i].first, 1);
		r.meta.has_base = cases[i].has_base;
		r.meta.base_ns = cases[i].base;
		hand_ask(&h, &analysis_info, &r, false);
		assert_text(hand_table(&h, "trace"), 0, "start_utc", cases[i].want);
		hand_release(&h);
		run_clear(&r);
	}
}

static void versions(void **state)
{
	static const struct {
		enum info_component how;
		const char *raw, *want;
	} cases[] = {
		{ INFO_CUDA, "12040", "12.4" },
		{ INFO_CUDA, "9020", "9.2" },
		{ INFO_CUDA, "12.4", "12.4" },
		{ INFO_CUDA, "22", "22" },
		{ INFO_HIP, "60443483", "6.4.43483" },
		{ INFO_HIP, "4.1", "4.1" },
		{ INFO_NCCL, "2.21.5", "2.21.5" },
		{ INFO_NCCL, "22105", "2.21.5" },
		{ INFO_PLAIN, "12040", "12040" },
		{ INFO_CUDA, "99999999999999999999", "99999999999999999999" },
		{ INFO_CUDA, "", "" },
	};
	SCOPED_STR b = { 0 };
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(cases); i++) {
		str_reset(&b);
		info_version(&b, cases[i].how, span_of(cases[i].raw));
		assert_int_equal(b.n, strlen(cases[i].want));
		assert_true(b.n == 0 || memcmp(b.s, cases[i].want, b.n) == 0);
	}
}

/* Nothing in it, and nothing that overflows. */
static void empty_and_extreme(void **state)
{
	struct hand_answer h;
	struct run r;
	uint32_t t;

	(void)state;
	run_init(&r, analysis_info.runs.needs);
	hand_ask(&h, &analysis_info, &r, false);
	assert_int_equal(h.status, OK);
	assert_false(hand_knows(hand_table(&h, "trace"), 0, "span_ns"));
	assert_int_equal(hand_table(&h, "steps")->nrow, 0);
	hand_release(&h);
	run_clear(&r);

	run_init(&r, analysis_info.runs.needs);
	t = hand_thread(&r, 1);
	(void)hand_event(&r, KIND_OP, t, "op", INT64_MIN + 1, 1);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 7), "k", INT64_MIN + 1, INT64_MAX);
	(void)hand_event(&r, KIND_KERNEL, hand_stream(&r, 0, 8), "k", 5, INT64_MAX - 5);
	allocate(&r, t, 0, INT64_MAX, INT64_MAX);
	allocate(&r, t, 0, INT64_MAX, INT64_MAX);
	allocate(&r, t, 0, INT64_MIN + 1, INT64_MAX);
	r.first_ns = INT64_MIN + 1;
	r.last_ns = INT64_MAX;
	hand_ask(&h, &analysis_info, &r, false);
	assert_int_equal(hand_int(hand_table(&h, "trace"), 0, "span_ns"), INT64_MAX);
	assert_int_equal(hand_int(hand_table(&h, "gpus"), 0, "busy_ns"), INT64_MAX);
	assert_int_equal(hand_int(hand_table(&h, "memory"), 0, "alloc_bytes"), INT64_MAX);
	assert_int_equal(hand_int(hand_table(&h, "memory"), 0, "free_bytes"), INT64_MAX);
	hand_release(&h);
	run_clear(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts),
		cmocka_unit_test(devices_and_steps),
		cmocka_unit_test(for_people),
		cmocka_unit_test(dates),
		cmocka_unit_test(versions),
		cmocka_unit_test(empty_and_extreme),
	};

	return cmocka_run_group_tests_name("info", tests, NULL, NULL);
}
