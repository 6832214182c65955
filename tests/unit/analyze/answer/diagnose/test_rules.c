/* Rules, one by one, on runs drawn by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/analyze/answer/diagnose/drawn.h"
#include "tests/unit/handmade.h"

/* Of a step 500 us compute and 400 wait for the loader.  Without the loader a step is 600 us, with
 * all else on the host in half its 600 us it is 700: 300 are more than half of 400.  Computing
 * holds nothing up. */
static void test_dataloader(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_loader(&h, 3, 500 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	assert_int_equal(a.status, OK);
	diag_verdict(&a, "dataloader-bound");
	diag_second(&a, "host-bound");
	diag_severity(&a, "G10", "CRIT");
	diag_near(diag_number(&a, "G10", "value_ns"), 400 * US);
	diag_near(diag_number(&a, "G10", "share_ratio"), 0.4);
	diag_near(diag_number(&a, "G10", "saves_ratio"), 0.4);
	diag_near(diag_number(&a, "G10", "saves_ns"), 400 * US);
	diag_saves_by(&a, "G10", "what-if");
	assert_int_equal(hand_int(diag_table(&a, "findings"), diag_row(&a, "G10"), "count"), 3);
	diag_severity(&a, "G01", "WARN");
	diag_near(diag_number(&a, "G01", "value_ratio"), 0.5);
	diag_severity(&a, "G02", "ok"); /* the gaps are the loader's */
	diag_severity(&a, "G12", "ok");
	assert_int_equal(diag_row(&a, "G10"), 0); /* worst first */
	diag_end(&a, &h);
	/* 300 compute, 400 wait for the loader, 300 for the host */
	draw_loader(&h, 3, 300 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "dataloader-bound");
	diag_second(&a, "host-bound");
	diag_end(&a, &h);
}

/* Device work of the step before covers the loader: it costs nothing.  Of 7 steps 5 count. */
static void test_loader_is_hidden(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_loader(&h, 7, 990 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "healthy");
	diag_severity(&a, "G10", "ok");
	diag_near(diag_number(&a, "G10", "value_ns"), 0);
	assert_int_equal(hand_int(diag_table(&a, "verdict"), 0, "steps"), 5);
	diag_near(diag_number(&a, "G01", "value_ratio"), 0.99);
	diag_end(&a, &h);
}

/* A short loader in a short step is a note, whatever its share. */
static void test_loader_floor(void **state)
{
	struct hand h;
	struct answer a;
	const char *t[] = { "G10.least=500us" };
	const struct diagnose_options o = { .threshold = { t, 1 } };

	(void)state;
	draw_loader(&h, 3, 500 * US);
	diag_ask(&a, &h, &o, NULL, false);
	diag_severity(&a, "G10", "note");
	diag_end(&a, &h);
}

/*
 *	stream 7    |gemm 0..600        |
 *	stream 20             |400 nccl or copy 900|        exposed: 600..900 = 300
 */
static void draw_beside(
	struct hand *h, enum kind kind, const char *name, nsec until, const char *host)
{
	int i;

	draw_begin(h);
	for (i = 0; i < 3; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(h, i);
		(void)draw_kernel(h, t, t, 600 * US);
		(void)draw_launch(
			h, kind, h->other, name, t + 10 * US, US, t + 400 * US, until - 400 * US);
		(void)draw_kernel(h, t + 20 * US, t + until, STEP - until);
		(void)hand_event(&h->run, *host == 'c' ? KIND_RUNTIME : KIND_OP, h->thread, host,
			t + 30 * US, STEP - 30 * US);
	}
}

static void draw_exposed(struct hand *h, enum kind kind, const char *name, nsec until)
{
	draw_beside(h, kind, name, until, "cudaDeviceSynchronize");
}

static void test_comm(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_exposed(&h, KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 900 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	/* Not waiting, the host launches the collectives of all steps but the first beside the
	 * kernels of the step before: 200 us of a step, more than half of 300. */
	diag_verdict(&a, "comm-bound");
	diag_second(&a, "sync-bound");
	diag_severity(&a, "G13", "WARN"); /* 30% is not above 30% */
	diag_near(diag_number(&a, "G13", "value_ns"), 300 * US);
	/* Hidden, the collectives end at 900, 1601 and 2302: work follows work by 1 us. */
	diag_near(diag_number(&a, "G13", "saves_ns"), 698 * US / 3.0);
	diag_saves_by(&a, "G13", "what-if");
	diag_severity(&a, "G03", "ok");
	diag_end(&a, &h);
	draw_exposed(&h, KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 901 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_severity(&a, "G13", "CRIT");
	diag_end(&a, &h);
}

/* The host is in an operator all the time, so nothing is gained by hiding the same collectives. */
static void test_comm_beside_host(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;

	(void)state;
	draw_beside(&h, KIND_KERNEL, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 901 * US, "op");
	diag_ask(&a, &h, NULL, NULL, false);
	t = diag_table(&a, "findings");
	diag_severity(&a, "G13", "note");
	diag_near(diag_number(&a, "G13", "share_ratio"), 0.301);
	diag_near(diag_number(&a, "G13", "saves_ns"), 0);
	assert_true(span_has(hand_text(t, diag_row(&a, "G13"), "finding"),
		"; fixing it saves at most 0.0%: other work fills the same time"));
	diag_end(&a, &h);
}

/* What helps depends on the collective. */
static void test_comm_advice(void **state)
{
	static const char *const of[][2] = {
		{ "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", "bucket" },
		{ "ncclDevKernel_AllGather_RING_LL", "prefetch" },
		{ "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", "backward_prefetch" },
		{ "ncclDevKernel_SendRecv", "all_to_all" },
		{ "void deep_ep::internode::dispatch<false>()", "balance the experts" },
	};
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(of); i++) {
		const struct table *t;
		struct answer a;
		struct hand h;

		draw_exposed(&h, KIND_KERNEL, of[i][0], 900 * US);
		diag_ask(&a, &h, NULL, NULL, false);
		t = diag_table(&a, "findings");
		assert_true(span_has(hand_text(t, diag_row(&a, "G13"), "action"), of[i][1]));
		diag_end(&a, &h);
	}
}

static void test_copies(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;
	struct span action;

	(void)state;
	draw_exposed(&h, KIND_MEMCPY, "Memcpy HtoD (Pageable -> Device)", 950 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	/* Without the copies a step is 651 us: a kernel follows a kernel by 1 us; not waiting for
	 * them, of two steps in three. */
	diag_verdict(&a, "copy-bound");
	diag_second(&a, "sync-bound");
	diag_severity(&a, "G03", "CRIT");
	diag_near(diag_number(&a, "G03", "value_ns"), 350 * US);
	diag_near(diag_number(&a, "G03", "saves_ns"), 349 * US);
	diag_saves_by(&a, "G03", "what-if");
	t = diag_table(&a, "findings");
	action = hand_text(t, diag_row(&a, "G03"), "action");
	assert_true(span_has(action, "pin_memory"));
	diag_severity(&a, "G13", "ok");
	diag_end(&a, &h);
}

/* Copies between devices are a note, and take as much time. */
static void test_peer_copies(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_exposed(&h, KIND_MEMCPY, "Memcpy PtoP (Device -> Device)", 950 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "copy-bound");
	diag_second(&a, "sync-bound");
	diag_severity(&a, "G03", "note");
	diag_end(&a, &h);
}

/* Calls of 10 us, kernels of 2 us behind each: the device waits for the host all the time.
 *	thread    |L 10  |L 10  |
 *	stream 7      |2|    |2| */
static void draw_launches(struct hand *h, nsec dur)
{
	int i, k;

	draw_begin(h);
	for (i = 0; i < 3; i++) {
		draw_step(h, i);
		for (k = 0; k < 100; k++) {
			nsec t = (nsec)i * STEP + k * 10 * US;

			(void)draw_launch(h, KIND_KERNEL, h->compute, "tiny", t, 10 * US - 100,
				t + 6 * US, dur);
		}
	}
}

static void test_launches(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_launches(&h, 2 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "launch-bound");
	diag_severity(&a, "G09", "CRIT");
	diag_severity(&a, "G01", "CRIT");
	diag_near(diag_number(&a, "G01", "value_ratio"), 0.2);
	diag_severity(&a, "G02", "ok"); /* the same time is not counted twice */
	assert_true(diag_number(&a, "G09", "share_ratio") > 0.75);
	diag_end(&a, &h);
}

/* The same calls, but kernels as long: launching is hidden and costs nothing. */
static void test_hidden_launches(void **state)
{
	struct hand h;
	struct answer a;

	(void)state;
	draw_launches(&h, 9900);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_severity(&a, "G09", "ok");
	diag_severity(&a, "G01", "ok");
	diag_end(&a, &h);
}

/* Of each step, in us:
 *
 *	thread     L 10  sync [30        330)                   L 610
 *	stream 7      [20          320)                            [620     1000)
 *
 * The call had waited for 290 when the gap began, so the thread lags behind until 610.  Launching
 * takes 10.  Without waiting a step is the host's 700 us.  With a host twice as fast it is what the
 * GPU does, and what the host does behind the sync: 300 + 10 + 140 + 10 + 380. */
static void test_sync(void **state)
{
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_begin(&h);
	for (i = 0; i < 3; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(&h, i);
		(void)draw_kernel(&h, t + 10 * US, t + 20 * US, 300 * US);
		(void)hand_event(&h.run, KIND_RUNTIME, h.thread, "cudaStreamSynchronize",
			t + 30 * US, 300 * US);
		(void)draw_kernel(&h, t + 610 * US, t + 620 * US, 380 * US);
	}
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "sync-bound");
	diag_second(&a, "host-bound");
	diag_severity(&a, "G15", "WARN");
	diag_near(diag_number(&a, "G15", "value_ns"), 290 * US);
	diag_near(diag_number(&a, "G15", "saves_ratio"), 0.29);
	diag_severity(&a, "G02", "ok");
	diag_severity(&a, "G09", "ok");
	diag_severity(&a, "G16", "ok");
	assert_int_equal(diag_row(&a, "G15"), 0);
	diag_end(&a, &h);
}

/* Of each step, in us:
 *
 *	thread     L 10, 12  sync [30                                       1000)
 *	stream 7      [20          320)                            [620     1000)
 *
 * The second kernel was launched long before the device had nothing to do. */
static void test_dependency(void **state)
{
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_begin(&h);
	for (i = 0; i < 3; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(&h, i);
		(void)draw_kernel(&h, t + 10 * US, t + 20 * US, 300 * US);
		(void)draw_kernel(&h, t + 12 * US, t + 620 * US, 380 * US);
		(void)hand_event(&h.run, KIND_RUNTIME, h.thread, "cudaDeviceSynchronize",
			t + 30 * US, 970 * US);
	}
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "compute-bound");
	diag_second(&a, NULL); /* it blames nobody */
	diag_severity(&a, "G16", "WARN");
	diag_near(diag_number(&a, "G16", "value_ns"), 300 * US);
	diag_near(diag_number(&a, "G16", "saves_ns"), 300 * US);
	diag_severity(&a, "G15", "ok");
	diag_severity(&a, "G09", "ok");
	diag_end(&a, &h);
}

/* Nine steps, seven of which count; a kernel [20 520) us in every fourth:
 *
 *	step       0    |1    2    3    4    5    6    7   |8
 *	stream 7    [-)                  [-)                 [-)
 *
 * Of 7 ms 6.5 are waited for in two gaps of 3.5 ms, while the host is in its steps. */
static void test_host_wait(void **state)
{
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_begin(&h);
	for (i = 0; i < 9; i++) {
		nsec t = (nsec)i * STEP;

		draw_step(&h, i);
		if (i % 4 == 0)
			(void)draw_kernel(&h, t + 10 * US, t + 20 * US, 500 * US);
	}
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "host-bound");
	diag_severity(&a, "G02", "CRIT");
	diag_near(diag_number(&a, "G02", "share_ratio"), 6.5 / 7);
	diag_near(diag_number(&a, "G02", "value_ns"), 6500.0 * US / 7);
	diag_severity(&a, "G09", "ok"); /* the same time is not counted twice */
	diag_end(&a, &h);
}

/* What could save less than 2 % of a step is a note, whatever the limit. */
static void test_small_savings(void **state)
{
	static const struct {
		nsec cast;
		const char *severity;
	} cases[] = { { 19 * US, "note" }, { 20 * US, "WARN" } };
	const char *t[] = { "G04.warn=1%" };
	const struct diagnose_options o = { .threshold = { t, 1 } };
	struct hand h;
	struct answer a;
	size_t k;
	int i;

	(void)state;
	for (k = 0; k < 2; k++) {
		draw_begin(&h);
		for (i = 0; i < 3; i++) {
			nsec at = (nsec)i * STEP;

			draw_step(&h, i);
			(void)draw_kernel(&h, at, at, STEP - cases[k].cast);
			(void)draw_launch(&h, KIND_KERNEL, h.compute,
				"void at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)",
				at + 10 * US, US, at + STEP - cases[k].cast, cases[k].cast);
		}
		diag_ask(&a, &h, &o, NULL, false);
		diag_severity(&a, "G04", cases[k].severity);
		diag_near(diag_number(&a, "G04", "saves_ns"), (double)cases[k].cast);
		diag_saves_by(&a, "G04", "sum");
		diag_end(&a, &h);
	}
}

static void remember(struct hand *h, nsec at, int64_t bytes, int64_t allocated)
{
	struct run *r = &h->run;
	uint32_t row = hand_event(r, KIND_MEMORY, h->thread, "[memory]", at, 0);
	size_t i = r->events.args[row] - 1;

	r->args.col[ARG_MEMORY_BYTES].i64[i] = bytes;
	r->args.col[ARG_MEMORY_DEVICE_TYPE].i64[i] = 1;
	r->args.col[ARG_MEMORY_DEVICE].i64[i] = 0;
	r->args.col[ARG_MEMORY_ALLOCATED].i64[i] = allocated;
	r->args.col[ARG_MEMORY_RESERVED].i64[i] = allocated;
}

static void test_leak(void **state)
{
	const int64_t mib = INT64_C(1) << 20;
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_loader(&h, 10, 990 * US);
	for (i = 0; i < 10; i++)
		remember(&h, (nsec)i * STEP + 500 * US, 3 * mib, 100 * mib + i * 3 * mib);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "memory-leak");
	diag_severity(&a, "G14", "WARN"); /* how much memory there is, is not known */
	diag_near(diag_number(&a, "G14", "value_bytes"), (double)(3 * mib));
	diag_severity(&a, "G11", "unknown");
	diag_end(&a, &h);
}

/* Memory that comes and goes within a step is none. */
static void test_no_leak(void **state)
{
	const int64_t mib = INT64_C(1) << 20;
	struct hand h;
	struct answer a;
	int i;

	(void)state;
	draw_loader(&h, 10, 990 * US);
	for (i = 0; i < 10; i++) {
		remember(&h, (nsec)i * STEP + 500 * US, 3 * mib, 103 * mib);
		remember(&h, (nsec)i * STEP + 600 * US, -3 * mib, 100 * mib);
	}
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "healthy");
	diag_severity(&a, "G14", "ok");
	diag_end(&a, &h);
}

/* What cannot be known is unknown, with a reason; the verdict says what is missing. */
static void test_unknown(void **state)
{
	static const char *const device_rules[] = { "G01", "G02", "G03", "G04", "G05", "G07", "G09",
		"G11", "G13", "G14", "G15", "G16", "Q01", "Q02" };
	static const char *const host_rules[] = { "G02", "G06", "G08", "G09", "G10", "G12", "G14",
		"G15", "G16", "Q01" };
	struct hand h;
	struct answer a;
	size_t i;

	(void)state;
	draw_begin(&h);
	for (i = 0; i < 3; i++)
		draw_step(&h, (int)i);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "cpu-bound");
	assert_null(diag_table(&a, "ledger"));
	for (i = 0; i < sizeof(device_rules) / sizeof(device_rules[0]); i++) {
		diag_severity(&a, device_rules[i], "unknown");
		assert_true(hand_text(diag_table(&a, "findings"), diag_row(&a, device_rules[i]),
				    "finding")
				    .n > 0);
		assert_false(hand_knows(
			diag_table(&a, "findings"), diag_row(&a, device_rules[i]), "share_ratio"));
	}
	diag_end(&a, &h);
	draw_begin(&h);
	for (i = 0; i < 3; i++)
		(void)hand_event(&h.run, KIND_KERNEL, h.compute, "gemm", (nsec)i * STEP, 300 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	diag_verdict(&a, "device-only"); /* 900 us of 2300 */
	for (i = 0; i < sizeof(host_rules) / sizeof(host_rules[0]); i++)
		diag_severity(&a, host_rules[i], "unknown");
	diag_severity(&a, "G01", "CRIT");
	diag_end(&a, &h);
}

/* Nothing at all. */
static void test_empty(void **state)
{
	struct hand h;
	struct answer a;
	const struct table *t;
	size_t i;

	(void)state;
	draw_begin(&h);
	diag_ask(&a, &h, NULL, NULL, false);
	assert_int_equal(a.status, OK);
	diag_verdict(&a, "empty");
	t = diag_table(&a, "findings");
	for (i = 0; i < t->nrow; i++)
		assert_true(span_is(hand_text(t, i, "severity"), "unknown"));
	diag_end(&a, &h);
}

/*
 *	thread    aten::to [10        60)            aten::item [100 us      20 ms)
 *	            launch [20 22)
 *	stream 7      bfloat16 cast [30     90)     and a kernel behind the item
 *
 * Where shapes and stacks were recorded, the finding says them.
 */
static void test_evidence(void **state)
{
	struct hand h;
	struct answer a;
	uint32_t op;
	const struct table *t;

	(void)state;
	draw_begin(&h);
	op = hand_event(&h.run, KIND_OP, h.thread, "aten::to", 10 * US, 50 * US);
	hand_arg(&h.run, op, ARG_OP_DIMS,
		(union arg_value){ .sym = strings_intern(&h.run.strings, SPAN("[[32, 8]]")) });
	(void)draw_launch(&h, KIND_KERNEL, h.compute,
		"void at::native::bfloat16_copy_kernel_cuda(at::TensorIteratorBase&)", 20 * US,
		2 * US, 30 * US, 60 * US);
	op = hand_event(&h.run, KIND_OP, h.thread, "aten::item", 100 * US, 20000 * US);
	hand_arg(&h.run, op, ARG_OP_STACK,
		(union arg_value){ .sym = strings_intern(&h.run.strings,
					   SPAN("loss.py(7): log;train.py(3): main")) });
	(void)draw_kernel(&h, 20150 * US, 20160 * US, 10 * US);
	diag_ask(&a, &h, NULL, NULL, false);
	t = diag_table(&a, "findings");
	assert_true(span_has(hand_text(t, diag_row(&a, "G04"), "evidence"), ", input [[32, 8]]"));
	assert_true(
		span_has(hand_text(t, diag_row(&a, "G06"), "evidence"), ", in loss.py(7): log"));
	assert_false(span_has(hand_text(t, diag_row(&a, "G06"), "evidence"), "train.py"));
	diag_end(&a, &h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dataloader),
		cmocka_unit_test(test_evidence),
		cmocka_unit_test(test_loader_is_hidden),
		cmocka_unit_test(test_loader_floor),
		cmocka_unit_test(test_comm),
		cmocka_unit_test(test_comm_beside_host),
		cmocka_unit_test(test_comm_advice),
		cmocka_unit_test(test_copies),
		cmocka_unit_test(test_peer_copies),
		cmocka_unit_test(test_launches),
		cmocka_unit_test(test_hidden_launches),
		cmocka_unit_test(test_sync),
		cmocka_unit_test(test_dependency),
		cmocka_unit_test(test_host_wait),
		cmocka_unit_test(test_small_savings),
		cmocka_unit_test(test_leak),
		cmocka_unit_test(test_no_leak),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
