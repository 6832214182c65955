/* Replays: what a trace of the capture says, which graph a replay is, and what its kernels get. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analyze/trace/graphs/captured.h"
#include "analyze/trace/index.h"
#include "analyze/trace/links/links.h"
#include "analyze/trace/graphs/replay.h"
#include "tests/unit/handmade.h"

enum { NEEDS = CAPTURED_NEEDS | NEED_SHAPES, LONG = 100000 };

static sym text(struct run *r, const char *s)
{
	return strings_intern(&r->strings, span_of(s));
}

/* A run of captures, in which time goes on by itself. */
struct tape {
	struct run run;
	struct captured captured;
	uint32_t thread;
	nsec now;
};

static void begin_tape(struct tape *t)
{
	*t = (struct tape){ .now = 10 };
	run_init(&t->run, NEEDS);
	t->thread = hand_thread(&t->run, 1);
}

static uint32_t tape_call(struct tape *t, const char *name, const char *kernel)
{
	uint32_t row = hand_event(&t->run, KIND_RUNTIME, t->thread, name, t->now, 1);

	if (kernel)
		hand_arg(&t->run, row, ARG_LAUNCH_KERNEL,
			(union arg_value){ .sym = text(&t->run, kernel) });
	t->now += 2;
	return row;
}

/* An op of one launch, "A": op_A launches A; "?" launches what nobody says. */
static uint32_t tape_op(struct tape *t, const char *op, const char *kernel)
{
	uint32_t row = hand_event(&t->run, KIND_OP, t->thread, op, t->now, 4);

	hand_arg(&t->run, row, ARG_OP_DIMS, (union arg_value){ .sym = text(&t->run, op + 3) });
	t->now++;
	(void)tape_call(t, "cudaLaunchKernel", kernel[0] == '?' ? NULL : kernel);
	t->now++;
	return row;
}

/* One graph, of a layer of the model: an op for each kernel. */
static void tape_layer(struct tape *t, const char *kernels, const char *layer)
{
	size_t i;

	(void)tape_call(t, "cudaStreamBeginCapture", NULL);
	if (layer)
		(void)hand_event(&t->run, KIND_ANNOTATION, t->thread, layer, t->now++, 30);
	for (i = 0; kernels[i]; i++) {
		char op[] = { 'o', 'p', '_', kernels[i], '\0' }, kernel[] = { kernels[i], '\0' };

		(void)tape_op(t, op, kernel);
	}
	(void)tape_call(t, "cudaStreamEndCapture", NULL);
}

static void end_tape(struct tape *t)
{
	index_build(&t->run, NEED_ORDER | NEED_LINKS);
	captured_init(&t->captured, &t->run);
}

static void clear_tape(struct tape *t)
{
	captured_clear(&t->captured);
	run_clear(&t->run);
}

/* A run of replays. */
struct show {
	struct run run;
	uint32_t thread, stream;
	nsec now;
	uint64_t correlation;
	uint32_t first[8]; /* kernel of each replay */
	size_t n;
};

static void begin_show(struct show *s)
{
	*s = (struct show){ .now = 1000, .correlation = 1 };
	run_init(&s->run, NEEDS);
	s->thread = hand_thread(&s->run, 1);
	s->stream = hand_stream(&s->run, 0, 7);
}

static uint32_t show_kernel(struct show *s, const char *name, nsec at)
{
	uint32_t row = hand_event(&s->run, KIND_KERNEL, s->stream, name, at, 5);

	hand_ids(&s->run, row, s->correlation, 0);
	return row;
}

static void show_replay(struct show *s, const char *kernels)
{
	uint32_t launch =
		hand_event(&s->run, KIND_RUNTIME, s->thread, "cudaGraphLaunch", s->now, 2);
	size_t i;

	hand_ids(&s->run, launch, s->correlation, 0);
	s->first[s->n++] = (uint32_t)s->run.events.n;
	for (i = 0; kernels[i]; i++) {
		char name[] = { kernels[i], '\0' };

		(void)show_kernel(s, name, s->now + 10 + 10 * (nsec)i);
	}
	s->correlation++;
	s->now += LONG;
}

static void end_show(struct show *s, const struct captured *captured, size_t n)
{
	index_build(&s->run, NEED_ORDER | NEED_LINKS);
	replay_attach(&s->run, captured, n);
}

/* The op of the i-th kernel of a replay. */
static struct span op_of(const struct show *s, size_t replay, size_t i)
{
	const struct run *r = &s->run;
	uint32_t op = r->links->op[r->events.args[s->first[replay] + i] - 1];

	return op == NO_ROW ? SPAN("-") : run_name(r, op);
}

#define assert_span(got, want)                                    \
	do {                                                      \
		struct span g = (got);                            \
		assert_int_equal(g.n, sizeof(want) - 1);          \
		assert_memory_equal(g.p, want, sizeof(want) - 1); \
	} while (0)

static void tape_graph(struct tape *t, const char *kernels)
{
	tape_layer(t, kernels, NULL);
}

/*
 *	capture_16_FULL [..............................................]
 *	  outer  [.....................................................     began before the capture
 *	    Begin  block [..............]  End   launch (runs)
 *	             linear [........]
 *	               mm [....]
 *	                 L    M       copy
 */
static void calls_and_launches(void **state)
{
	struct tape t;
	struct captured *c = &t.captured;
	uint32_t block, linear, mm, real, kernel;

	(void)state;
	begin_tape(&t);
	(void)hand_event(&t.run, KIND_ANNOTATION, t.thread, "capture_16_FULL", 0, 200);
	(void)hand_event(&t.run, KIND_OP, t.thread, "outer", 1, 150);
	(void)tape_call(&t, "hipStreamBeginCapture", NULL);
	block = hand_event(&t.run, KIND_ANNOTATION, t.thread, "block", 20, 60);
	linear = hand_event(&t.run, KIND_OP, t.thread, "linear", 21, 30);
	mm = hand_event(&t.run, KIND_OP, t.thread, "mm", 22, 12);
	(void)hand_event(&t.run, KIND_OP, t.thread, "empty", 36, 1); /* launches nothing */
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipLaunchKernel", 24, 4);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipModuleLaunchKernel", 25, 2); /* within
	                                                                                   */
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipExtModuleLaunchKernel", 40, 4);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipMemcpyAsync", 60, 4);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipStreamIsCapturing", 66, 1);
	real = hand_event(&t.run, KIND_RUNTIME, t.thread, "hipLaunchKernel", 70, 1);
	kernel = hand_event(&t.run, KIND_KERNEL, hand_stream(&t.run, 0, 3), "ran", 75, 1);
	hand_ids(&t.run, real, 9, 0);
	hand_ids(&t.run, kernel, 9, 0);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipStreamEndCapture", 90, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "hipLaunchKernel", 95, 1);
	end_tape(&t);

	assert_int_equal(c->ngraph, 1);
	assert_int_equal(c->graph[0].size, 16);
	assert_int_equal(c->graph[0].n, 3);
	assert_int_equal(c->launch[0].kind, KIND_KERNEL);
	assert_int_equal(c->launch[1].kind, KIND_KERNEL);
	assert_int_equal(c->launch[2].kind, KIND_MEMCPY);
	assert_int_equal(c->ncall, 3);
	assert_int_equal(c->call[0].row, block);
	assert_int_equal(c->call[0].up, NO_ROW);
	assert_int_equal(c->call[1].row, linear);
	assert_int_equal(c->call[1].up, 0);
	assert_int_equal(c->call[c->launch[0].call].row, mm);
	assert_int_equal(c->call[c->launch[1].call].row, linear);
	assert_int_equal(c->call[c->launch[2].call].row, block);
	clear_tape(&t);
}

/* Two threads capture at once: each launch is in the graph of its own. */
static void threads_side_by_side(void **state)
{
	struct tape t;
	uint32_t other;

	(void)state;
	begin_tape(&t);
	other = hand_thread(&t.run, 2);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "cudaStreamBeginCapture", 0, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, other, "cudaStreamBeginCapture", 2, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, other, "cudaLaunchKernel", 4, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "cudaLaunchKernel", 6, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, other, "cudaStreamEndCapture", 8, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, other, "cudaLaunchKernel", 10, 1); /* autograd's */
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "cudaStreamEndCapture", 12, 1);
	(void)hand_event(&t.run, KIND_RUNTIME, t.thread, "cudaLaunchKernel", 14, 1);
	end_tape(&t);
	assert_int_equal(t.captured.ngraph, 2);
	assert_int_equal(t.captured.graph[0].n, 2);
	assert_int_equal(t.captured.graph[1].n, 1);
	clear_tape(&t);
}

static void sizes_in_names(void **state)
{
	(void)state;
	assert_int_equal(captured_size(SPAN("capture_8192_PIECEWISE")), 8192);
	assert_int_equal(captured_size(SPAN("capture_4")), 4);
	assert_int_equal(
		captured_size(SPAN("execute_8192_context_9(sq8)_generation_37(sq37)")), 8192);
	assert_int_equal(captured_size(SPAN("execute_context_2(5)_generation_3(3)")), 8);
	assert_int_equal(captured_size(SPAN("execute_context_2")), -1);
	assert_int_equal(captured_size(SPAN("execute_model")), -1);
	assert_int_equal(captured_size(SPAN("capture_12b")), -1);
	assert_int_equal(captured_size(SPAN("ProfilerStep#12")), -1);
}

/* Ops, shapes, the op around the launch as before, and nothing in the run's own tables. */
static void kernels_get_their_ops(void **state)
{
	struct tape t;
	struct show s;
	uint32_t step, op;
	size_t events;

	(void)state;
	begin_tape(&t);
	tape_graph(&t, "AB");
	end_tape(&t);
	begin_show(&s);
	step = hand_event(&s.run, KIND_ANNOTATION, s.thread, "step", 0, LONG);
	show_replay(&s, "AB");
	events = s.run.events.n;
	end_show(&s, &t.captured, 1);

	assert_int_equal(s.run.events.n, events);
	assert_int_equal(s.run.replay->n, 2);
	assert_span(op_of(&s, 0, 0), "op_A");
	assert_span(op_of(&s, 0, 1), "op_B");
	op = s.run.links->op[s.run.events.args[s.first[0]] - 1];
	assert_int_equal(s.run.events.dur[op], 0);
	assert_int_equal(s.run.events.kind[op], KIND_OP);
	assert_span(strings_get(&s.run.strings,
			    args_sym(&s.run.args, ARG_OP_DIMS, s.run.events.args[op] - 1)),
		"A");
	assert_int_equal(s.run.replay->op[s.run.events.args[s.first[0]] - 1], step);
	assert_int_equal(s.run.replay->launches, 1);
	assert_int_equal(s.run.replay->kernels, 2);
	assert_int_equal(s.run.replay->by_name, 2);
	assert_int_equal(s.run.replay->by_place, 0);
	assert_int_equal(s.run.replay->alike, 0);
	run_clear(&s.run);
	clear_tape(&t);
}

/* A graph that begins as another does, one that lacks a kernel, and one that is nowhere. */
static void graphs_that_begin_alike(void **state)
{
	struct tape t;
	struct show s;

	(void)state;
	begin_tape(&t);
	tape_graph(&t, "ABC");
	tape_graph(&t, "ABCDE");
	end_tape(&t);
	begin_show(&s);
	show_replay(&s, "ABCDE");
	show_replay(&s, "ABC");
	show_replay(&s, "ABCE");
	show_replay(&s, "XYZ");
	show_replay(&s, "ABCXE");
	end_show(&s, &t.captured, 1);
	assert_span(op_of(&s, 0, 4), "op_E");
	assert_span(op_of(&s, 1, 2), "op_C");
	assert_span(op_of(&s, 2, 3), "op_E");
	assert_span(op_of(&s, 3, 0), "-");
	assert_span(op_of(&s, 4, 3), "-");
	assert_span(op_of(&s, 4, 4), "op_E");
	assert_int_equal(s.run.replay->kernels, 20);
	assert_int_equal(s.run.replay->by_name, 5 + 3 + 4 + 4);
	assert_int_equal(s.run.replay->unfit, 1);
	assert_int_equal(s.run.replay->alike, 0);
	run_clear(&s.run);
	clear_tape(&t);
}

/* Without names: as many kernels in the same order, which is said; else none. */
static void unnamed_launches(void **state)
{
	struct tape t;
	struct show s;

	(void)state;
	begin_tape(&t);
	tape_graph(&t, "??");
	tape_graph(&t, "?????");
	end_tape(&t);
	begin_show(&s);
	show_replay(&s, "AB");
	show_replay(&s, "ABC");
	end_show(&s, &t.captured, 1);
	assert_int_equal(s.run.replay->by_name, 0);
	assert_int_equal(s.run.replay->by_place, 2);
	assert_int_equal(s.run.replay->unfit, 1);
	assert_span(op_of(&s, 0, 1), "op_?");
	assert_span(op_of(&s, 1, 0), "-");
	run_clear(&s.run);
	clear_tape(&t);
}

static uint32_t call_of(const struct show *s, size_t replay)
{
	return replay_call(s->run.replay, &s->run, s->first[replay]);
}

/* Layers are captured one after the other, and replayed so, in each annotation from the first on.
 */
static void layers_in_order(void **state)
{
	struct tape t;
	struct show s;

	(void)state;
	begin_tape(&t);
	tape_layer(&t, "A", "layer 0");
	t.now += 40;
	tape_layer(&t, "A", "layer 1");
	t.now += 40;
	tape_layer(&t, "A", "layer 2");
	end_tape(&t);
	begin_show(&s);
	(void)hand_event(&s.run, KIND_ANNOTATION, s.thread, "one", 1000, 3 * LONG - 10);
	(void)hand_event(&s.run, KIND_ANNOTATION, s.thread, "two", 1000 + 3 * LONG, 2 * LONG);
	show_replay(&s, "A");
	show_replay(&s, "A");
	show_replay(&s, "A");
	show_replay(&s, "A");
	show_replay(&s, "A");
	end_show(&s, &t.captured, 1);
	assert_int_equal(s.run.replay->alike, 5);
	assert_int_equal(s.run.replay->n, 6);
	assert_int_not_equal(call_of(&s, 0), call_of(&s, 1));
	assert_int_not_equal(call_of(&s, 1), call_of(&s, 2));
	assert_int_equal(call_of(&s, 3), call_of(&s, 0));
	assert_int_equal(call_of(&s, 4), call_of(&s, 1));
	run_clear(&s.run);
	clear_tape(&t);
}

/* A batch of 6 is padded to the graph of 8, one of 3 to that of 4; one of 20 fits none. */
static void sizes_choose(void **state)
{
	static const char *const execute[] = { "execute_6_context_0", "execute_3_context_0",
		"execute_8_context_0", "execute_20_context_0" };
	static const char *const capture[] = { "capture_8_FULL", "capture_4_FULL" };
	struct tape t;
	struct show s;
	size_t i;

	(void)state;
	begin_tape(&t);
	for (i = 0; i < 2; i++) {
		(void)hand_event(&t.run, KIND_ANNOTATION, t.thread, capture[i], t.now++, 20);
		tape_graph(&t, "A");
		t.now += 30;
	}
	end_tape(&t);
	assert_int_equal(t.captured.graph[0].size, 8);
	assert_int_equal(t.captured.graph[1].size, 4);
	begin_show(&s);
	for (i = 0; i < 4; i++) {
		(void)hand_event(&s.run, KIND_ANNOTATION, s.thread, execute[i], s.now - 5, 100);
		show_replay(&s, "A");
	}
	end_show(&s, &t.captured, 1);
	assert_int_equal(s.run.replay->alike, 0);
	assert_int_not_equal(call_of(&s, 0), call_of(&s, 1));
	assert_int_equal(call_of(&s, 2), call_of(&s, 0));
	run_clear(&s.run);
	clear_tape(&t);
}

/* Graph ids say which replays are of one graph, ids of nodes in which order it was captured. */
static void ids_of_graphs_and_nodes(void **state)
{
	static const int64_t graph[] = { 7, 9, 7 };
	struct tape t;
	struct show s;
	size_t i, k;

	(void)state;
	begin_tape(&t);
	tape_graph(&t, "??");
	tape_graph(&t, "??");
	end_tape(&t);
	begin_show(&s);
	for (i = 0; i < 3; i++) {
		show_replay(&s, "AB");
		for (k = 0; k < 2; k++) {
			uint32_t row = s.first[i] + (uint32_t)k;

			hand_arg(&s.run, row, ARG_DEVICE_GRAPH,
				(union arg_value){ .i64 = graph[i] });
			hand_arg(&s.run, row, ARG_DEVICE_GRAPH_NODE,
				(union arg_value){ .i64 = graph[i] * 1000 + 2 - (int64_t)k });
		}
	}
	end_show(&s, &t.captured, 1);
	/* B began last, but is the first node; which of the two graphs it is makes no difference.
	 */
	assert_true(replay_call(s.run.replay, &s.run, s.first[0]) >
		replay_call(s.run.replay, &s.run, s.first[0] + 1));
	assert_int_equal(call_of(&s, 2), call_of(&s, 0));
	assert_int_not_equal(call_of(&s, 1), call_of(&s, 0));
	assert_int_equal(s.run.replay->alike, 0);
	run_clear(&s.run);
	clear_tape(&t);
}

/* Of captures of several ranks a run takes its own. */
static void ranks_of_captures(void **state)
{
	struct tape t[2];
	struct captured both[2];
	struct show s;
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		begin_tape(&t[i]);
		t[i].run.meta.rank = (int64_t)i;
		tape_graph(&t[i], i ? "A" : "AB");
		end_tape(&t[i]);
		both[i] = t[i].captured;
	}
	begin_show(&s);
	s.run.meta.rank = 1;
	show_replay(&s, "AB");
	end_show(&s, both, 2);
	assert_int_equal(s.run.replay->graphs, 1);
	assert_int_equal(s.run.replay->by_name, 1);
	run_clear(&s.run);
	clear_tape(&t[0]);
	clear_tape(&t[1]);
}

/* A trace without graph launches, and a launch that is no graph's. */
static void nothing_replayed(void **state)
{
	struct tape t;
	struct show s;

	(void)state;
	begin_tape(&t);
	tape_graph(&t, "A");
	end_tape(&t);
	begin_show(&s);
	(void)hand_launch(&s.run, s.thread, s.stream, 10, 20, 5, 1);
	end_show(&s, &t.captured, 1);
	assert_int_equal(s.run.replay->launches, 0);
	assert_int_equal(s.run.replay->kernels, 0);
	assert_int_equal(s.run.replay->n, 0);
	run_clear(&s.run);
	clear_tape(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_and_launches),
		cmocka_unit_test(threads_side_by_side),
		cmocka_unit_test(sizes_in_names),
		cmocka_unit_test(kernels_get_their_ops),
		cmocka_unit_test(graphs_that_begin_alike),
		cmocka_unit_test(unnamed_launches),
		cmocka_unit_test(layers_in_order),
		cmocka_unit_test(sizes_choose),
		cmocka_unit_test(ids_of_graphs_and_nodes),
		cmocka_unit_test(ranks_of_captures),
		cmocka_unit_test(nothing_replayed),
	};

	return cmocka_run_group_tests_name("replay", tests, NULL, NULL);
}
