/* Roofs of drawn runs: who owns which work, that time adds up, what a roof is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/costmodel/roof.h"
#include "analyze/costmodel/sum.h"
#include "analyze/trace/graphs/captured.h"
#include "analyze/trace/filter.h"
#include "analyze/trace/index.h"
#include "analyze/trace/graphs/replay.h"
#include "tests/unit/handmade.h"
#include "tests/unit/near.h"

struct drawing {
	struct run run;
	uint32_t thread, stream;
	uint64_t correlation;
	struct filter_set set;
	struct filter_view view;
	struct classes classes;
	struct roof roof;
	struct run tape; /* of the capture, where there is one */
	struct captured captured;
	bool has_tape, by_module, keeps_calls;
	struct arena mem;
};

static void begin(struct drawing *d)
{
	*d = (struct drawing){ 0 };
	run_init(&d->run, ROOF_NEEDS | NEED_PYTHON);
	d->thread = hand_thread(&d->run, 1);
	d->stream = hand_stream(&d->run, 0, 7);
}

static void text(struct drawing *d, uint32_t row, enum arg arg, const char *s)
{
	hand_arg(&d->run, row, arg,
		(union arg_value){ .sym = strings_intern(&d->run.strings, span_of(s)) });
}

static uint32_t op(struct drawing *d, const char *name, nsec start, nsec end)
{
	return hand_event(&d->run, KIND_OP, d->thread, name, start, end - start);
}

/* 2 x 3 by 3 x 5 in float: 60 FLOP, 124 bytes. */
static void product(struct drawing *d, nsec start, nsec end)
{
	uint32_t row = op(d, "aten::mm", start, end);

	text(d, row, ARG_OP_DIMS, "[[2, 3], [3, 5]]");
	text(d, row, ARG_OP_TYPES, "[\"float\", \"float\"]");
}

static uint32_t kernel(struct drawing *d, uint32_t stream, nsec at, nsec start, nsec end)
{
	return hand_launch(&d->run, d->thread, stream, at, start, end - start, ++d->correlation);
}

static void ask(struct drawing *d, const char *peaks)
{
	static const struct filter none;
	struct peaks_given given;
	struct err e;

	err_clear(&e);
	peaks_given_none(&given);
	assert_int_equal(peaks_parse(&given, peaks, "--peak", &e), OK);
	index_build(&d->run, ROOF_NEEDS);
	if (d->has_tape)
		replay_attach(&d->run, &d->captured, 1);
	assert_int_equal(filter_parse(&d->set, &none, &e), OK);
	assert_int_equal(filter_view_init(&d->view, &d->set, &d->run, &d->mem, &e), OK);
	classes_init(&d->classes, &d->run, &d->mem);
	roof_init(&d->roof, &d->run, &d->view, &d->classes, &given,
		(d->by_module ? ROOF_BY_MODULE : 0) | (d->keeps_calls ? ROOF_CALLS : 0), NULL,
		&d->mem);
}

static void end(struct drawing *d)
{
	roof_clear(&d->roof);
	filter_free(&d->set);
	arena_clear(&d->mem);
	run_clear(&d->run);
	if (d->has_tape) {
		captured_clear(&d->captured);
		run_clear(&d->tape);
	}
}

/* What is known of all calls of a name. */
struct found {
	int64_t calls;
	nsec busy, own;
	const struct roof_cost *cost;
	uint32_t phase, is_again;
};

static struct found find(const struct drawing *d, const char *name)
{
	struct found f = { 0 };
	uint32_t i;

	for (i = 0; i < d->roof.row_keys.n; i++) {
		const struct roof_row_key *k = keymap_key(&d->roof.row_keys, i);
		const struct roof_key *cost = keymap_key(&d->roof.keys, k->cost);

		if (!span_is(strings_get(&d->run.strings, cost->name), name))
			continue;
		f.calls += d->roof.row[i].calls;
		f.busy += d->roof.row[i].busy;
		f.own += d->roof.row[i].own;
		f.cost = &d->roof.cost[k->cost];
		f.phase = k->phase;
		f.is_again = k->is_again;
	}
	return f;
}

static void assert_time(
	const struct drawing *d, const char *name, int64_t calls, nsec busy, nsec own)
{
	struct found f = find(d, name);

	if (f.calls != calls || f.busy != busy || f.own != own)
		fail_msg("%s: %d calls, busy %d, own %d", name, (int)f.calls, (int)f.busy,
			(int)f.own);
}

/*
 *	  linear [ mm  k ]  [ mm   k ]  norm [ batch_norm k ]  [ odd k ]   k
 *	  stream 7   [-------------)          [--)              [--)      [--)
 *	  stream 8          [-----------)
 */
static void test_owners(void **state)
{
	struct drawing d;
	uint32_t other;

	(void)state;
	begin(&d);
	other = hand_stream(&d.run, 0, 8);
	(void)op(&d, "aten::linear", 0, 100);
	product(&d, 10, 90);
	(void)kernel(&d, d.stream, 20, 1000, 1014);
	product(&d, 110, 190);
	(void)kernel(&d, other, 120, 1007, 1019);
	(void)op(&d, "aten::instance_norm", 200, 300);
	(void)op(&d, "aten::batch_norm", 210, 290);
	(void)kernel(&d, d.stream, 220, 1100, 1103);
	(void)op(&d, "odd::op", 300, 400);
	(void)kernel(&d, d.stream, 310, 1200, 1203);
	(void)kernel(&d, d.stream, 500, 1300, 1303);
	ask(&d, "fp32=1T,mem=1T");
	assert_time(&d, "aten::mm", 2, 14 + 12, 14 + 5);
	assert_time(&d, "aten::linear", 0, 0, 0);
	assert_time(&d, "aten::instance_norm", 1, 3, 3);
	assert_time(&d, "aten::batch_norm", 0, 0, 0);
	assert_time(&d, "odd::op", 1, 3, 3);
	assert_time(&d, "kernel", 1, 3, 3);
	assert_int_equal(d.roof.busy[0], 19 + 9);
	assert_int_equal(find(&d, "odd::op").cost->work.why, ROOF_WHY_NO_FORMULA);
	assert_int_equal(find(&d, "kernel").cost->work.why, ROOF_WHY_NO_OP);
	assert_int_equal(find(&d, "aten::instance_norm").cost->work.why, ROOF_WHY_NO_SHAPES);
	assert_int_equal(find(&d, "aten::mm").cost->work.flop, 60);
	end(&d);
}

/* Where nothing below has a formula, the innermost that has one for itself. */
static void test_direct(void **state)
{
	struct drawing d;
	uint32_t row;

	(void)state;
	begin(&d);
	row = op(&d, "aten::linear", 0, 100);
	text(&d, row, ARG_OP_DIMS, "[[2, 3], [5, 3], []]");
	text(&d, row, ARG_OP_TYPES, "[\"float\", \"float\", \"\"]");
	(void)op(&d, "vendor::gemm", 10, 90);
	(void)kernel(&d, d.stream, 20, 1000, 1010);
	ask(&d, "fp32=1T,mem=1T");
	assert_time(&d, "aten::linear", 1, 10, 10);
	assert_int_equal(find(&d, "aten::linear").cost->work.flop, 60);
	end(&d);
}

/* Two kernels of one call at once: it is busy for their union; a second call adds its own. */
static void test_union_of_a_call(void **state)
{
	struct drawing d;
	uint32_t other;

	(void)state;
	begin(&d);
	other = hand_stream(&d.run, 0, 8);
	product(&d, 0, 100);
	(void)kernel(&d, d.stream, 10, 1000, 1010);
	(void)kernel(&d, other, 20, 1005, 1020);
	(void)kernel(&d, d.stream, 30, 1030, 1040);
	ask(&d, "fp32=1T,mem=1T");
	assert_time(&d, "aten::mm", 1, 30, 30);
	end(&d);
}

/* Calls one by one: each with its longest kernel, of equals the first; what no op launched is one,
 * too, and a copy is no kernel.
 *
 *	mm  [-----)[--------)      mm [----)[----)      k      mm: a copy */
static void test_calls(void **state)
{
	struct drawing d;
	uint32_t longest, first, alone, copy;
	const struct roof_made *c;

	(void)state;
	begin(&d);
	d.keeps_calls = true;
	product(&d, 0, 100);
	(void)kernel(&d, d.stream, 10, 1000, 1006);
	longest = kernel(&d, d.stream, 20, 1006, 1015);
	product(&d, 110, 190);
	first = kernel(&d, d.stream, 120, 1100, 1105);
	(void)kernel(&d, d.stream, 130, 1110, 1115);
	alone = kernel(&d, d.stream, 500, 1300, 1303);
	product(&d, 600, 690);
	copy = kernel(&d, d.stream, 610, 1400, 1407);
	d.run.events.kind[copy] = KIND_MEMCPY;
	ask(&d, "fp32=1T,mem=1T");
	assert_int_equal(d.roof.ncall, 4);
	c = d.roof.call; /* what no op launched comes while devices are swept */
	assert_int_equal(c[0].row, NO_ROW);
	assert_int_equal(c[0].kernel, alone);
	assert_int_equal(c[0].busy, 3);
	assert_int_equal(c[1].kernel, longest);
	assert_int_equal(c[1].busy, 15);
	assert_int_equal(c[2].kernel, first);
	assert_int_equal(c[2].busy, 10);
	assert_int_equal(c[3].kernel, NO_ROW);
	assert_int_equal(d.roof.cost[c[1].cost].work.flop, 60);
	end(&d);
}

static void message(struct drawing *d, uint32_t row, int64_t elements, int64_t ranks)
{
	text(d, row, ARG_OP_COLLECTIVE, "allreduce");
	text(d, row, ARG_OP_DTYPE, "Float");
	hand_arg(&d->run, row, ARG_OP_IN_ELEMENTS, (union arg_value){ .i64 = elements });
	hand_arg(&d->run, row, ARG_OP_OUT_ELEMENTS, (union arg_value){ .i64 = elements });
	hand_arg(&d->run, row, ARG_OP_GROUP_SIZE, (union arg_value){ .i64 = ranks });
}

static uint32_t collective(struct drawing *d, nsec at, int64_t elements, int64_t ranks, nsec dur)
{
	uint32_t row = op(d, "record_param_comms", at, at + 90), k;

	if (elements > 0)
		message(d, row, elements, ranks);
	k = kernel(d, d->stream, at + 10, at + 1000, at + 1000 + dur);
	d->run.events.name[k] =
		strings_intern(&d->run.strings, SPAN("ncclDevKernel_AllReduce_Sum_f32_RING_LL"));
	return k;
}

/* 1000 floats over 4 ranks are 4000 x 6/4 = 6000 bytes: at 1 GB/s 6000 ns.  Without a size it is
 * not known, and without a bandwidth of links it has no roof. */
static void test_collectives(void **state)
{
	struct drawing d;
	struct roof_sum sum = { 0 };
	uint32_t i;

	(void)state;
	begin(&d);
	(void)collective(&d, 0, 1000, 4, 8000);
	(void)collective(&d, 100000, 1000, 4, 16000);
	(void)collective(&d, 200000, 0, 0, 500);
	ask(&d, "mem=1T,link=1G");
	for (i = 0; i < d.roof.row_keys.n; i++) {
		const struct roof_row_key *k = keymap_key(&d.roof.row_keys, i);
		const struct roof_row *row = &d.roof.row[i];

		roof_sum_add(&sum, &d.roof.cost[k->cost], &d.roof.peaks[0], row->calls, row->busy,
			row->own);
	}
	assert_int_equal(sum.calls, 3);
	assert_int_equal(sum.busy, 24500);
	near(roof_sum_at(&sum), 12000, 1e-9);
	near(roof_sum_ratio(&sum), 0.5, 1e-12);
	near(roof_sum_bus(&sum), 0.5e9, 1e-12);
	assert_string_equal(roof_sum_bound(&sum), "link");
	assert_int_equal(roof_sum_why(&sum), ROOF_WHY_COLLECTIVE);
	assert_int_equal(sum.why[ROOF_WHY_COLLECTIVE], 500);
	assert_true(isnan(roof_sum_tflops(&sum)));
	d.roof.peaks[0].link_Bps = NAN;
	sum = (struct roof_sum){ 0 };
	roof_sum_add(&sum, &d.roof.cost[0], &d.roof.peaks[0], 2, 24000, 24000);
	near(roof_sum_bus(&sum), 0.5e9, 1e-12);
	assert_true(isnan(roof_sum_ratio(&sum)));
	assert_null(roof_sum_bound(&sum));
	end(&d);
}

/* 60 FLOP at 1 TFLOP/s are 0.06 ns, 124 bytes at 10 GB/s 12.4 ns: memory is the roof. */
static void test_limits(void **state)
{
	struct drawing d;
	struct roof_limit l;
	const struct roof_cost *c;

	(void)state;
	begin(&d);
	product(&d, 0, 100);
	(void)kernel(&d, d.stream, 10, 1000, 1100);
	ask(&d, "fp32=1T,mem=10G");
	c = find(&d, "aten::mm").cost;
	l = roof_limit_of(&d.roof.peaks[0], c);
	near(l.ns, 12.4, 1e-12);
	near(l.compute_ns, 0.06, 1e-12);
	d.roof.peaks[0].matrix[ROOF_FP32] = 1e9;
	l = roof_limit_of(&d.roof.peaks[0], c);
	near(l.ns, 60, 1e-12);
	/* A product without a peak of its format has no roof: memory alone would be a guess. */
	d.roof.peaks[0].matrix[ROOF_FP32] = d.roof.peaks[0].vector[ROOF_FP32] = NAN;
	assert_true(isnan(roof_limit_of(&d.roof.peaks[0], c).ns));
	end(&d);
}

/* Forward and backward count for MFU; what a checkpoint does again for HFU alone. */
static void test_again(void **state)
{
	struct drawing d;

	(void)state;
	begin(&d);
	product(&d, 0, 100);
	(void)kernel(&d, d.stream, 10, 1000, 1010);
	(void)op(&d, "autograd::engine::evaluate_function: CheckpointFunctionBackward", 200, 600);
	(void)op(&d, "CheckpointFunctionBackward", 210, 590);
	product(&d, 220, 300);
	(void)kernel(&d, d.stream, 230, 1100, 1110);
	(void)op(&d, "autograd::engine::evaluate_function: MmBackward0", 310, 500);
	product(&d, 320, 400);
	(void)kernel(&d, d.stream, 330, 1200, 1210);
	/* A function of the forward pass that backward never calls: it is done again, too. */
	(void)op(&d, "aten::linear", 410, 490);
	product(&d, 420, 480);
	(void)kernel(&d, d.stream, 430, 1300, 1310);
	ask(&d, "fp32=1T,mem=1T");
	assert_int_equal(d.roof.nstep, 1);
	assert_int_equal(d.roof.step[0].flop[ROOF_FP32], 2 * 60);
	assert_int_equal(d.roof.step[0].again[ROOF_FP32], 2 * 60);
	assert_int_equal(d.roof.step[0].own, 40);
	assert_int_equal(d.roof.step[0].own_known, 40);
	end(&d);
}

static void convolved(struct drawing *d, nsec at, const char *name, const char *dims)
{
	uint32_t row = op(d, name, at, at + 40);

	text(d, row, ARG_OP_DIMS, dims);
	text(d, row, ARG_OP_TYPES, "[\"float\", \"float\", \"float\"]");
}

/* Without values a convolution's stride is not known.  Its backward shows what came out: 1 x 4 x 3
 * x 3 of 2 x 3 x 3 products each, of which Winograd's kernel does a quarter.  Of the other filter
 * two backward calls do not agree. */
static void test_outputs_by_backward(void **state)
{
	static const char *const backward = "aten::cudnn_convolution_backward";
	struct drawing d;

	(void)state;
	begin(&d);
	convolved(&d, 0, "aten::convolution", "[[1, 2, 5, 5], [4, 2, 3, 3], []]");
	d.run.events.name[kernel(&d, d.stream, 10, 1000, 1010)] =
		strings_intern(&d.run.strings, SPAN("winogradForwardOutput4x4"));
	convolved(&d, 100, backward, "[[1, 2, 5, 5], [1, 4, 3, 3], [4, 2, 3, 3]]");
	(void)op(&d, "aten::cudnn_convolution_backward_weight", 110, 130);
	(void)kernel(&d, d.stream, 120, 1100, 1110);
	ask(&d, "fp32=1T,mem=1T");
	assert_int_equal(find(&d, "aten::convolution").cost->work.flop, 36 * 36);
	assert_int_equal(find(&d, "aten::convolution").cost->work.done, 36 * 9);
	assert_int_equal(find(&d, "aten::convolution").cost->work.bytes, (50 + 72 + 36) * 4);
	assert_int_equal(
		find(&d, "aten::cudnn_convolution_backward_weight").cost->work.done, 36 * 36);
	assert_int_equal(d.roof.step[0].flop[ROOF_FP32], 2 * 36 * 36);
	end(&d);

	begin(&d);
	convolved(&d, 0, "aten::convolution", "[[1, 2, 5, 5], [4, 2, 3, 3], []]");
	(void)kernel(&d, d.stream, 10, 1000, 1010);
	convolved(&d, 100, backward, "[[1, 2, 5, 5], [1, 4, 3, 3], [4, 2, 3, 3]]");
	(void)op(&d, "aten::cudnn_convolution_backward_weight", 110, 130);
	(void)kernel(&d, d.stream, 120, 1100, 1110);
	convolved(&d, 200, backward, "[[1, 2, 5, 5], [1, 4, 5, 5], [4, 2, 3, 3]]");
	(void)op(&d, "aten::cudnn_convolution_backward_weight", 210, 230);
	(void)kernel(&d, d.stream, 220, 1200, 1210);
	ask(&d, "fp32=1T,mem=1T");
	assert_int_equal(find(&d, "aten::convolution").cost->work.why, ROOF_WHY_NO_VALUES);
	end(&d);
}

static void taped_launch(struct run *tape, uint32_t thread, nsec at, const char *name)
{
	uint32_t row = hand_event(tape, KIND_RUNTIME, thread, "hipLaunchKernel", at, 1);

	hand_arg(tape, row, ARG_LAUNCH_KERNEL,
		(union arg_value){ .sym = strings_intern(&tape->strings, span_of(name)) });
}

static void taped_op(struct run *tape, uint32_t thread, const char *name, nsec start, nsec end,
	const char *dims, const char *types)
{
	uint32_t row = hand_event(tape, KIND_OP, thread, name, start, end - start);

	hand_arg(tape, row, ARG_OP_DIMS,
		(union arg_value){ .sym = strings_intern(&tape->strings, span_of(dims)) });
	hand_arg(tape, row, ARG_OP_TYPES,
		(union arg_value){ .sym = strings_intern(&tape->strings, span_of(types)) });
}

/*
 *	Begin  Block [.......................................]                     End
 *	         linear [ mm [ K1 K2 ] ]  dummy [ attention [ K3 ] ]  odd [ K4 ]
 *
 * The annotation dummy says lengths, too: those of what the capture was made with.
 */
static void tape_graph(struct drawing *d)
{
	static const char three[] = "[[4, 2, 8], [4, 2, 8], [4, 2, 8]]";
	static const char type[] = "[\"c10::Half\", \"c10::Half\", \"c10::Half\"]";
	uint32_t t;

	run_init(&d->tape, ROOF_NEEDS | NEED_GRAPHS | NEED_PYTHON);
	t = hand_thread(&d->tape, 1);
	(void)hand_event(&d->tape, KIND_RUNTIME, t, "hipStreamBeginCapture", 0, 1);
	(void)hand_event(&d->tape, KIND_PYTHON, t, "nn.Module: Block_0", 2, 60);
	(void)hand_event(&d->tape, KIND_OP, t, "aten::linear", 4, 16);
	taped_op(&d->tape, t, "aten::mm", 5, 19, "[[2, 3], [3, 5]]", "[\"float\", \"float\"]");
	taped_launch(&d->tape, t, 6, "K1");
	taped_launch(&d->tape, t, 10, "K2");
	(void)hand_event(&d->tape, KIND_ANNOTATION, t,
		"execute_4_context_1(sq1sk1sqsq1sqsk1)_generation_0(sq0sk0sqsq0sqsk0)", 22, 18);
	taped_op(&d->tape, t, "vllm::unified_attention", 24, 38, three, type);
	taped_launch(&d->tape, t, 26, "K3");
	taped_op(&d->tape, t, "odd::op", 64, 70, "[[4]]", "[\"float\"]");
	taped_launch(&d->tape, t, 66, "K4");
	(void)hand_event(&d->tape, KIND_RUNTIME, t, "hipStreamEndCapture", 80, 1);
	index_build(&d->tape, NEED_ORDER | NEED_LINKS);
	captured_init(&d->captured, &d->tape);
	d->has_tape = true;
}

/* The graph's kernels, and one that the capture knows nothing of. */
static void replay(struct drawing *d, const char *lengths, nsec at, nsec device)
{
	static const char *const name[] = { "K1", "K2", "K3", "K4", "K5" };
	uint64_t id = ++d->correlation;
	uint32_t i;

	(void)hand_event(&d->run, KIND_ANNOTATION, d->thread, lengths, at, 50);
	(void)op(d, "replay", at + 5, at + 45);
	hand_ids(&d->run,
		hand_event(&d->run, KIND_RUNTIME, d->thread, "hipGraphLaunch", at + 10, 2), id, 0);
	for (i = 0; i < 5; i++)
		hand_ids(&d->run,
			hand_event(&d->run, KIND_KERNEL, d->stream, name[i], device + 10 * i,
				(nsec)i + 1),
			id, 0);
}

static sym module_of(const struct drawing *d, const char *name)
{
	uint32_t i;

	for (i = 0; i < d->roof.row_keys.n; i++) {
		const struct roof_row_key *k = keymap_key(&d->roof.row_keys, i);
		const struct roof_key *cost = keymap_key(&d->roof.keys, k->cost);

		if (span_is(strings_get(&d->run.strings, cost->name), name))
			return k->module;
	}
	return 0;
}

/* Each replay is a call of what was captured; lengths are those said around it. */
static void test_replays(void **state)
{
	struct drawing d;
	int64_t flop = 0;
	uint32_t i;

	(void)state;
	begin(&d);
	d.by_module = true;
	tape_graph(&d);
	(void)hand_event(&d.run, KIND_PYTHON, d.thread, "nn.Module: Model_0", 0, 300);
	replay(&d, "execute_4_context_1(sq4sk4sqsq16sqsk16)_generation_0(sq0sk0sqsq0sqsk0)", 0,
		1000);
	replay(&d, "execute_2_context_1(sq2sk6sqsq4sqsk12)_generation_0(sq0sk0sqsq0sqsk0)", 100,
		2000);
	ask(&d, "fp32=1T,mem=1T");
	assert_time(&d, "aten::mm", 2, 2 * (1 + 2), 2 * (1 + 2));
	assert_time(&d, "vllm::unified_attention", 2, 2 * 3, 2 * 3);
	assert_time(&d, "odd::op", 2, 2 * 4, 2 * 4);
	assert_time(&d, "replay", 2, 2 * 5, 2 * 5);
	assert_time(&d, "aten::linear", 0, 0, 0);
	assert_int_equal(find(&d, "aten::mm").cost->work.flop, 60);
	assert_int_equal(find(&d, "odd::op").cost->work.why, ROOF_WHY_NO_FORMULA);
	assert_int_equal(d.roof.step[0].flop[ROOF_FP32], 2 * 60);
	/* 2 heads, 8 + 8 wide: 2 x 16 - 16 and 2 x 12 - 4 half pairs. */
	for (i = 0; i < d.roof.keys.n; i++)
		if (d.roof.cost[i].op && d.roof.cost[i].op->class == ROOF_CLASS_ATTENTION)
			flop += d.roof.cost[i].work.flop;
	assert_int_equal(flop, 2 * 16 * (16 + 20));
	assert_true(span_is(
		strings_get(&d.run.strings, module_of(&d, "aten::mm")), "nn.Module: Block_0"));
	assert_true(span_is(
		strings_get(&d.run.strings, module_of(&d, "odd::op")), "nn.Module: Model_0"));
	end(&d);
}

/* A formula for all that is done below the op around the launch is about the replay, too. */
static void test_replay_in_a_whole(void **state)
{
	struct drawing d;

	(void)state;
	begin(&d);
	tape_graph(&d);
	(void)op(&d, "aten::instance_norm", 0, 200);
	replay(&d, "", 10, 1000);
	ask(&d, "fp32=1T,mem=1T");
	assert_time(&d, "aten::instance_norm", 1, 1 + 2 + 3 + 4 + 5, 15);
	assert_time(&d, "aten::mm", 0, 0, 0);
	end(&d);
}

/* A kernel of which the name has a direction by chance is no copy. */
static void test_kernel_like_a_copy(void **state)
{
	struct drawing d;
	uint32_t row;

	(void)state;
	begin(&d);
	product(&d, 0, 100);
	row = kernel(&d, d.stream, 10, 1000, 1010);
	d.run.events.name[row] = strings_intern(&d.run.strings, SPAN("Rmsnorm2dFwd"));
	ask(&d, "fp32=1T,mem=1T");
	assert_int_equal(find(&d, "aten::mm").cost->work.why, ROOF_WHY_KNOWN);
	end(&d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_direct),
		cmocka_unit_test(test_union_of_a_call),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_calls),
		cmocka_unit_test(test_collectives),
		cmocka_unit_test(test_again),
		cmocka_unit_test(test_outputs_by_backward),
		cmocka_unit_test(test_replays),
		cmocka_unit_test(test_replay_in_a_whole),
		cmocka_unit_test(test_kernel_like_a_copy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
