/* Kernels of replays with the calls that were captured around them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/measure/device/devtime.h"
#include "analyze/measure/device/replays.h"
#include "analyze/trace/graphs/captured.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/graphs/replay.h"
#include "tests/unit/handmade.h"

static uint32_t launch(struct run *r, uint32_t thread, nsec at, const char *kernel)
{
	uint32_t row = hand_event(r, KIND_RUNTIME, thread, "hipLaunchKernel", at, 1);

	hand_arg(r, row, ARG_LAUNCH_KERNEL,
		(union arg_value){ .sym = strings_intern(&r->strings, span_of(kernel)) });
	return row;
}

/*
 *	Begin  block [..........................]  End     Python function
 *	          mm [.........]  region [......]          operator, annotation
 *	             K1  K2              K3
 */
static void make_capture(struct run *r)
{
	uint32_t t;

	run_init(r, CAPTURED_NEEDS | NEED_PYTHON);
	t = hand_thread(r, 1);
	(void)hand_event(r, KIND_RUNTIME, t, "hipStreamBeginCapture", 0, 1);
	(void)hand_event(r, KIND_PYTHON, t, "block", 2, 40);
	(void)hand_event(r, KIND_OP, t, "mm", 4, 16);
	(void)launch(r, t, 6, "K1");
	(void)launch(r, t, 10, "K2");
	(void)hand_event(r, KIND_ANNOTATION, t, "region", 24, 10);
	(void)launch(r, t, 26, "K3");
	(void)hand_event(r, KIND_RUNTIME, t, "hipStreamEndCapture", 50, 1);
	index_build(r, NEED_ORDER | NEED_LINKS);
}

/* A replay in an op, K1 to K3 of 5, 6 and 7 ns, and a kernel Kx without counterpart. */
static void make_run(struct run *r, uint32_t *op)
{
	static const char *const name[] = { "K1", "K2", "K3", "Kx" };
	uint32_t t, s, row, i;

	run_init(r, CAPTURED_NEEDS | NEED_PYTHON);
	t = hand_thread(r, 1);
	s = hand_stream(r, 0, 7);
	*op = hand_event(r, KIND_OP, t, "replay", 0, 20);
	hand_ids(r, hand_event(r, KIND_RUNTIME, t, "hipGraphLaunch", 5, 2), 1, 0);
	for (i = 0; i < 4; i++) {
		row = hand_event(r, KIND_KERNEL, s, name[i], 30 + 10 * i, 5 + i);
		hand_ids(r, row, 1, 0);
	}
	index_build(r, NEED_ORDER | NEED_LINKS);
}

struct seen {
	const struct run *run;
	size_t n;
	struct replayed k[4];
	const char *innermost[4];
};

static void see(void *ctx, const struct replayed *k)
{
	struct seen *s = ctx;

	s->innermost[s->n] = k->n ? run_name(s->run, k->call[k->n - 1]).p : "";
	s->k[s->n++] = *k;
}

static void check(const struct seen *s, size_t i, size_t n, size_t nown, size_t nseen, nsec dur)
{
	assert_int_equal(s->k[i].n, n);
	assert_int_equal(s->k[i].nown, nown);
	assert_int_equal(s->k[i].nseen, nseen);
	assert_int_equal(s->k[i].dur, dur);
}

static void calls_around_kernels(void **state)
{
	const unsigned ops = KIND_BIT(KIND_OP) | KIND_BIT(KIND_ANNOTATION);
	struct filter_view v = { .kinds = KINDS_ALL };
	struct seen s = { 0 };
	struct captured c;
	struct devtime d;
	struct replays w;
	struct run tape, run;
	uint32_t op;

	(void)state;
	make_capture(&tape);
	make_run(&run, &op);
	captured_init(&c, &tape);
	replay_attach(&run, &c, 1);
	s.run = v.run = &run;

	replays_init(&w, &run, &v, ops | KIND_BIT(KIND_PYTHON));
	replays_all(&w, see, &s);
	assert_int_equal(s.n, 3); /* Kx is in no captured call */
	check(&s, 0, 2, 2, 0, 5); /* block, mm */
	check(&s, 1, 2, 2, 2, 6); /* both were seen */
	check(&s, 2, 2, 2, 1, 7); /* block, region */
	assert_memory_equal(s.innermost[2], "region", 6);
	replays_clear(&w);

	/* Without Python functions, of the launch alone; no kernels are asked for. */
	s.n = 0;
	replays_init(&w, &run, &v, ops);
	assert_false(replays_has(&w, op));
	assert_true(replays_has(&w, s.k[0].launch));
	replays_of(&w, s.k[0].launch, see, &s);
	assert_int_equal(s.n, 3);
	check(&s, 0, 1, 1, 0, 5);
	replays_clear(&w);
	s.n = 0;
	v.kinds = KIND_BIT(KIND_MEMCPY);
	replays_init(&w, &run, &v, ops);
	replays_all(&w, see, &s);
	assert_int_equal(s.n, 0);
	replays_clear(&w);

	/* The op around the launch keeps all of it. */
	v.kinds = KINDS_ALL;
	devtime_init(&d, &run, &v);
	assert_int_equal(devtime_get(&d, op), 5 + 6 + 7 + 8);
	devtime_clear(&d);
	captured_clear(&c);
	run_clear(&tape);
	run_clear(&run);
}

static void without_a_capture(void **state)
{
	struct filter_view v = { .kinds = KINDS_ALL };
	struct seen s = { 0 };
	struct replays w;
	struct run run;
	uint32_t op;

	(void)state;
	make_run(&run, &op);
	v.run = &run;
	replays_init(&w, &run, &v, KIND_BIT(KIND_OP));
	assert_false(replays_has(&w, op + 1));
	replays_all(&w, see, &s);
	assert_int_equal(s.n, 0);
	replays_clear(&w);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_around_kernels),
		cmocka_unit_test(without_a_capture),
	};

	return cmocka_run_group_tests_name("replays", tests, NULL, NULL);
}
