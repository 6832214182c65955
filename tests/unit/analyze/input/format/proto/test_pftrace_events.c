/* What events of Perfetto traces say: classes, annotations, flows, counters, stages of devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "tests/unit/loading.h"
#include "tests/unit/protobuf.h"

enum { BEGIN = 1, END = 2, COUNTER = 4 };

static void load(struct loaded *l, const struct str *trace)
{
	const struct loading how = { .needs = LOADING_ALL | NEED_SAMPLES };

	loading_run(l, (struct span){ trace->s, trace->n }, &how);
}

static void load_fine(struct loaded *l, struct str *trace)
{
	load(l, trace);
	if (l->status != OK)
		print_error("%s\n", l->err.text);
	assert_int_equal(l->status, OK);
	str_free(trace);
}

static void expect(const struct loaded *l, const char *name, nsec start, nsec dur, enum kind kind)
{
	size_t row = loading_row(l, name);

	if (row == SIZE_MAX)
		print_error("no %s\n", name);
	assert_true(row != SIZE_MAX);
	assert_int_equal(l->run.events.start[row], start);
	assert_int_equal(l->run.events.dur[row], dur);
	assert_int_equal(l->run.events.kind[row], kind);
}

static const struct lane *lane_of(const struct loaded *l, const char *name)
{
	return &l->run.lanes.lane[l->run.events.lane[loading_row(l, name)]];
}

static bool is(const struct loaded *l, sym s, const char *text)
{
	return span_is(strings_get(&l->run.strings, s), text);
}

static void annotate_int(struct str *event, const char *key, int64_t v)
{
	struct str note = { 0 };

	pb_text(&note, 10, key);
	pb_varint(&note, 4, (uint64_t)v);
	pb_message(event, 4, &note);
}

/* [[v, v], []] */
static void annotate_dims(struct str *event, const char *key, uint64_t v)
{
	struct str note = { 0 }, list = { 0 }, value = { 0 };

	pb_text(&note, 10, key);
	pb_varint(&value, 4, v);
	pb_message(&list, 12, &value);
	pb_varint(&value, 4, v);
	pb_message(&list, 12, &value);
	pb_message(&note, 12, &list);
	pb_message(&note, 12, &list);
	pb_message(event, 4, &note);
}

static void slice(struct str *t, uint64_t track, const char *name, uint64_t time, uint64_t dur,
	struct str *says)
{
	struct str p = { 0 }, e = { 0 };

	pb_varint(&p, 8, time);
	pb_varint(&e, 9, BEGIN);
	pb_varint(&e, 11, track);
	pb_text(&e, 23, name);
	if (says)
		str_add(&e, says->s, says->n);
	pb_message(&p, 11, &e);
	pb_packet(t, &p);
	pb_event(t, END, track, time + dur, NULL);
	if (says)
		str_free(says);
}

/* No categories: the class follows from the track, the annotations and the name. */
static void classes(void **state)
{
	struct str t = { 0 }, a = { 0 };
	struct loaded l;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	pb_thread_track(&t, 2, 0, 7, "stream 7");
	annotate_int(&a, "External id", 3);
	annotate_dims(&a, "Input Dims", 128);
	slice(&t, 1, "aten::mm", 10, 90, &a);
	annotate_int(&a, "External id", 4);
	slice(&t, 1, "ProfilerStep#2", 200, 50, &a);
	annotate_int(&a, "Record function id", 4);
	slice(&t, 1, "my region", 300, 5, &a);
	annotate_int(&a, "cbid", 211);
	annotate_int(&a, "correlation", 42);
	slice(&t, 1, "cudaLaunchKernel", 400, 5, &a);
	annotate_int(&a, "cbid", 307);
	annotate_int(&a, "correlation", 43);
	slice(&t, 1, "cuLaunchKernel", 410, 5, &a);
	annotate_int(&a, "Python id", 1);
	slice(&t, 1, "train.py(7): step", 420, 5, &a);
	slice(&t, 1, "Buffer Flush", 430, 5, NULL);
	slice(&t, 1, "who knows", 440, 5, NULL);
	annotate_int(&a, "stream", 7);
	annotate_int(&a, "device", 3);
	annotate_int(&a, "correlation", 42);
	slice(&t, 2, "gemm", 500, 5, &a);
	annotate_int(&a, "stream", 7);
	annotate_int(&a, "correlation", 44);
	annotate_int(&a, "bytes", 4096);
	slice(&t, 2, "Memcpy HtoD", 510, 5, &a);
	annotate_int(&a, "External id", 4);
	slice(&t, 2, "a mark", 520, 5, &a);
	load_fine(&l, &t);
	expect(&l, "aten::mm", 10, 90, KIND_OP);
	expect(&l, "ProfilerStep#2", 200, 50, KIND_ANNOTATION);
	expect(&l, "my region", 300, 5, KIND_ANNOTATION);
	expect(&l, "cudaLaunchKernel", 400, 5, KIND_RUNTIME);
	expect(&l, "cuLaunchKernel", 410, 5, KIND_RUNTIME);
	expect(&l, "train.py(7): step", 420, 5, KIND_PYTHON);
	expect(&l, "Buffer Flush", 430, 5, KIND_OVERHEAD);
	expect(&l, "who knows", 440, 5, KIND_OTHER);
	expect(&l, "gemm", 500, 5, KIND_KERNEL);
	expect(&l, "Memcpy HtoD", 510, 5, KIND_MEMCPY);
	expect(&l, "a mark", 520, 5, KIND_GPU_ANNOTATION);
	assert_int_equal(lane_of(&l, "gemm")->device, 3);
	assert_int_equal(lane_of(&l, "gemm")->stream, 7);
	assert_true(is(&l, l.run.meta.producer, "PyTorch (Perfetto)"));
	loading_release(&l);
}

static sym op_text(const struct loaded *l, const char *name, enum arg arg)
{
	return args_sym(&l->run.args, arg, l->run.events.args[loading_row(l, name)] - 1);
}

/* Values of every type, as Kineto writes them in JSON. */
static void annotations(void **state)
{
	struct str t = { 0 }, a = { 0 }, note = { 0 }, in = { 0 };
	struct loaded l;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	annotate_dims(&a, "Input Dims", 128);
	pb_text(&note, 10, "Input type");
	pb_text(&in, 6, "float \"x\"\n");
	pb_message(&note, 12, &in);
	pb_varint(&in, 2, 1);
	pb_message(&note, 12, &in);
	pb_double(&in, 5, 1.5);
	pb_message(&note, 12, &in);
	pb_message(&a, 4, &note);
	pb_text(&note, 10, "Concrete Inputs"); /* a value of nothing */
	pb_message(&a, 4, &note);
	pb_text(&note, 10, "Call stack");
	pb_text(&note, 6, "a.py(1): f\nb.py(2): g");
	pb_message(&a, 4, &note);
	pb_text(&note, 10, "Input Strides");
	pb_text(&in, 10, "k");
	pb_varint(&in, 3, 9);
	pb_message(&note, 11, &in);
	pb_message(&a, 4, &note);
	slice(&t, 1, "aten::mm", 10, 90, &a);
	load_fine(&l, &t);
	assert_true(is(&l, op_text(&l, "aten::mm", ARG_OP_DIMS), "[[128, 128], []]"));
	assert_true(is(
		&l, op_text(&l, "aten::mm", ARG_OP_TYPES), "[\"float \\\"x\\\"\\n\", true, 1.5]"));
	assert_true(is(&l, op_text(&l, "aten::mm", ARG_OP_CONCRETE), "[]"));
	assert_true(is(&l, op_text(&l, "aten::mm", ARG_OP_STRIDES), "{\"k\": 9}"));
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT); /* a line's end is no oddity here */
	loading_release(&l);
}

/* Arrays in arrays without end: the event is there, its argument is cut, and it is said. */
static void nested_too_deep(void **state)
{
	struct str t = { 0 }, note = { 0 }, outer = { 0 };
	struct loaded l;
	int i;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	pb_varint(&note, 4, 1);
	for (i = 0; i < 100; i++) {
		pb_message(&outer, 12, &note);
		note = outer;
		outer = (struct str){ 0 };
	}
	pb_text(&note, 10, "Input Dims");
	pb_message(&outer, 4, &note);
	slice(&t, 1, "aten::mm", 10, 90, &outer);
	load_fine(&l, &t);
	expect(&l, "aten::mm", 10, 90, KIND_OP);
	assert_int_equal(loading_problem(&l), PROBLEM_TOO_DEEP);
	loading_release(&l);
}

/* Flows are counted, one for each id, packed or not. */
static void flows(void **state)
{
	struct str t = { 0 }, a = { 0 };
	struct loaded l;

	(void)state;
	pb_thread_track(&t, 1, 500, 501, "thread 501");
	pb_fixed64(&a, 47, 1);
	pb_fixed64(&a, 47, 2);
	pb_fixed64(&a, 48, 1);
	pb_text(&a, 47, "0123456789abcdef"); /* two of them */
	slice(&t, 1, "x", 10, 5, &a);
	load_fine(&l, &t);
	assert_int_equal(l.run.kind_count[KIND_FLOW], 5);
	loading_release(&l);
}

/* The older spelling: phases, durations in us, lanes of their own, async events that count. */
static void older_spelling(void **state)
{
	static const struct {
		char phase;
		uint64_t time;
		int64_t dur;
		const char *name;
	} events[] = { { 'X', 1000, 5, "complete" }, { 'B', 10000, 0, "begun" },
		{ 'E', 12000, 0, NULL }, { 'i', 13000, 0, "[memory]" }, { 'b', 14000, 0, "async" },
		{ 's', 15000, 0, "flow" } };
	struct str t = { 0 }, p = { 0 }, e = { 0 }, old = { 0 };
	struct loaded l;
	size_t i;

	(void)state;
	for (i = 0; i < COUNT_OF(events); i++) {
		pb_varint(&p, 8, events[i].time);
		if (events[i].name)
			pb_text(&e, 23, events[i].name);
		pb_text(&e, 22, "a");
		pb_text(&e, 22, "b");
		pb_varint(&old, 2, (uint64_t)events[i].phase);
		if (events[i].dur)
			pb_varint(&old, 3, (uint64_t)events[i].dur);
		pb_varint(&old, 18, 900);
		pb_varint(&old, 19, 901);
		pb_message(&e, 6, &old);
		pb_message(&p, 11, &e);
		pb_packet(&t, &p);
	}
	load_fine(&l, &t);
	expect(&l, "complete", 1000, 5000, KIND_OTHER);
	expect(&l, "begun", 10000, 2000, KIND_OTHER);
	assert_int_equal(lane_of(&l, "complete")->pid_number, 900);
	assert_int_equal(lane_of(&l, "begun")->tid_number, 901);
	assert_int_equal(l.run.kind_count[KIND_MEMORY], 1);
	assert_int_equal(l.run.kind_count[KIND_ASYNC], 1);
	assert_int_equal(l.run.kind_count[KIND_FLOW], 1);
	assert_true(is(&l, l.run.cat[0].cat, "a,b"));
	loading_release(&l);
}

/* Counters of NVML's names become samples; others are counted. */
static void counters(void **state)
{
	struct str t = { 0 }, p = { 0 }, k = { 0 }, c = { 0 }, e = { 0 };
	struct loaded l;

	(void)state;
	pb_varint(&k, 1, 9);
	pb_text(&k, 2, "power (W)");
	pb_text(&c, 2, "nvml");
	pb_message(&k, 8, &c);
	pb_message(&p, 60, &k);
	pb_packet(&t, &p);
	pb_varint(&p, 8, 1000);
	pb_varint(&e, 9, COUNTER);
	pb_varint(&e, 11, 9);
	pb_double(&e, 44, 312.5);
	pb_message(&p, 11, &e);
	pb_packet(&t, &p);
	pb_event(&t, COUNTER, 77, 2000, NULL);
	load_fine(&l, &t);
	assert_int_equal(l.run.kind_count[KIND_COUNTER], 2);
	assert_non_null(l.run.record);
	loading_release(&l);
}

/* --- what PyTorch says of devices since 2026 --- */

static void put_sequence(struct str *packet, uint64_t id, uint64_t flags)
{
	pb_varint(packet, 10, id);
	if (flags)
		pb_varint(packet, 13, flags);
}

static void put_extra(struct str *stage, const char *name, const char *value)
{
	struct str extra = { 0 };

	pb_text(&extra, 1, name);
	pb_text(&extra, 2, value);
	pb_message(stage, 6, &extra);
}

static void put_dim(struct str *launch, uint32_t field, uint64_t x, uint64_t y)
{
	struct str dim = { 0 };

	pb_varint(&dim, 1, x);
	pb_varint(&dim, 2, y);
	pb_varint(&dim, 3, 1);
	pb_message(launch, field, &dim);
}

static void render_stages(void **state)
{
	struct str t = { 0 }, p = { 0 }, in = { 0 }, s = { 0 }, launch = { 0 }, arg = { 0 };
	struct loaded l;
	uint32_t grid[3];
	size_t row;

	(void)state;
	put_sequence(&p, 1, 1);
	pb_interned(&in, 2, 1, "gemm<float>");
	pb_interned(&in, 24, 1, "Kernel");
	pb_interned(&in, 24, 2, "Memcpy");
	pb_interned(&in, 24, 100, "stream 007");
	pb_interned(&in, 1001, 1, "registers_per_thread");
	pb_message(&p, 12, &in);
	pb_packet(&t, &p);
	pb_varint(&p, 8, 1000);
	put_sequence(&p, 1, 2);
	pb_varint(&s, 1, 42);
	pb_varint(&s, 2, 300);
	pb_varint(&s, 11, 3);
	pb_varint(&s, 13, 100);
	pb_varint(&s, 14, 1);
	pb_varint(&s, 20, 1);
	put_dim(&launch, 1, 128, 2);
	put_dim(&launch, 2, 256, 1);
	pb_varint(&arg, 1, 1);
	pb_varint(&arg, 4, 168);
	pb_message(&launch, 3, &arg);
	pb_message(&s, 21, &launch);
	put_extra(&s, "correlation", "42");
	put_extra(&s, "graph id", "5");
	pb_message(&p, 53, &s);
	pb_packet(&t, &p);
	pb_varint(&p, 8, 2000);
	put_sequence(&p, 1, 2);
	pb_varint(&s, 1, 43);
	pb_varint(&s, 2, 50);
	pb_varint(&s, 11, 3);
	pb_varint(&s, 13, 100);
	pb_varint(&s, 14, 2);
	put_extra(&s, "bytes", "4096");
	pb_message(&p, 53, &s);
	pb_packet(&t, &p);
	load_fine(&l, &t);
	expect(&l, "gemm<float>", 1000, 300, KIND_KERNEL);
	expect(&l, "Memcpy", 2000, 50, KIND_MEMCPY);
	assert_int_equal(lane_of(&l, "Memcpy")->device, 3);
	assert_int_equal(lane_of(&l, "Memcpy")->stream, 7);
	row = l.run.events.args[loading_row(&l, "gemm<float>")] - 1;
	args_vec3(&l.run.args, ARG_DEVICE_GRID, row, grid);
	assert_int_equal(grid[0], 128);
	assert_int_equal(grid[1], 2);
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_REGISTERS, row), 168);
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_GRAPH, row), 5);
	assert_int_equal(l.run.args.col[ARG_DEVICE_CORRELATION].id[row], 42);
	row = l.run.events.args[loading_row(&l, "Memcpy")] - 1;
	assert_int_equal(args_i64(&l.run.args, ARG_DEVICE_BYTES, row), 4096);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes),
		cmocka_unit_test(annotations),
		cmocka_unit_test(nested_too_deep),
		cmocka_unit_test(flows),
		cmocka_unit_test(older_spelling),
		cmocka_unit_test(counters),
		cmocka_unit_test(render_stages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
