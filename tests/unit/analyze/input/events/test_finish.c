/* What is known at the end of the file: names of lanes wherever the M events stand, devices known
 * by name only, lanes by number and by text, kernels without a time, and the span. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/loading.h"

#define OP(name, pid, tid, ts, dur)                                                           \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid \
	",\"ts\":" #ts ",\"dur\":" #dur "},"
#define KERNEL(name, pid, tid, ts, dur, args)                                                 \
	"{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid \
	",\"ts\":" #ts ",\"dur\":" #dur ",\"args\":{" args "}},"
#define BARE(name, pid, tid, ts, dur)                                                    \
	"{\"ph\":\"X\",\"name\":\"" name "\",\"pid\":" pid ",\"tid\":" tid ",\"ts\":" ts \
	",\"dur\":" dur "},"
#define COPY(name, details)                                                         \
	"{\"args\":{\"memcpy_details\":\"" details "\"},\"dur\":1,\"name\":\"" name \
	"\",\"ph\":\"X\",\"pid\":1,\"tid\":14,\"ts\":5},"
#define M(what, pid, tid, key, value)                                                 \
	"{\"ph\":\"M\",\"name\":\"" what "\",\"pid\":" pid "," tid "\"args\":{\"" key \
	"\":\"" value "\"}},"

static const struct lane *lane_of(const struct loaded *l, const char *event)
{
	size_t row = loading_row(l, event);

	assert_true(row != SIZE_MAX);
	return &l->run.lanes.lane[l->run.events.lane[row]];
}

static bool is_text(const struct loaded *l, sym id, const char *text)
{
	return span_is(strings_get(&l->run.strings, id), text);
}

/* Before and behind their events, repeated (the last wins), for a pid as number and as text. */
static void names(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" M("process_name", "41200", "", "name", "python3") M("thread_name", "41200",
			"\"tid\":7,", "name",
			"first") OP("a", "41200", "7", 1, 1) OP("b", "\"41200\"", "\"7\"", 2,
			1) OP("c", "41200", "8", 3, 1) OP("d", "5", "7", 3, 1) M("thread_name",
			"\"41200\"", "\"tid\":\"8\",", "name", "thread 8 (late)")
			M("process_labels", "41200", "\"tid\":0,", "labels", "CPU")
				M("thread_name", "41200", "\"tid\":7,", "name", "last") "{}]");
	assert_int_equal(l.run.lanes.n, 3);
	assert_ptr_equal(lane_of(&l, "a"), lane_of(&l, "b"));
	assert_true(is_text(&l, lane_of(&l, "a")->thread_name, "last"));
	assert_true(is_text(&l, lane_of(&l, "a")->process_name, "python3"));
	assert_true(is_text(&l, lane_of(&l, "a")->process_labels, "CPU"));
	assert_true(is_text(&l, lane_of(&l, "c")->thread_name, "thread 8 (late)"));
	assert_int_equal(lane_of(&l, "d")->thread_name, 0);
	assert_int_equal(lane_of(&l, "d")->process_name, 0);
	loading_release(&l);
}

static void repeated_names(void **state)
{
	SCOPED_STR text = { 0 };
	struct loaded l;
	int i;

	(void)state;
	str_adds(&text, "[" OP("a", "1", "2", 1, 1));
	for (i = 0; i < 62000; i++)
		str_addf(&text,
			"{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":2,\"args\":{\"name\":\"n%d\"}},",
			i % 3);
	str_adds(&text, "{}]");
	loading_text(&l, text.s);
	assert_int_equal(l.run.events.n, 1);
	assert_int_equal(l.run.lanes.n, 1);
	assert_true(is_text(&l, l.run.lanes.lane[0].thread_name, "n1")); /* 61999 % 3 */
	loading_release(&l);
}

/* Numbers, texts, nothing; canonical decimals are numbers, others are not. */
static void keys_of_lanes(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" OP("int", "1", "9007199254740993", 1, 1) OP("text", "1", "\"9007199254740993\"",
			1, 1) OP("padded", "1", "\"09\"", 1, 1) OP("nine", "1", "9", 1,
			1) OP("negative", "-1", "-19360192", 1, 1) OP("rank", "\"[TP00-DP01] 83\"",
			"1", 1, 1) OP("empty", "\"\"", "\"\"", 1,
			1) "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"none\",\"ts\":1,\"dur\":1}," OP("escaped",
			"\"\\u0031\"", "\"\\u0039\"", 1, 1) "{}]");
	assert_ptr_equal(lane_of(&l, "int"), lane_of(&l, "text"));
	assert_int_equal(lane_of(&l, "int")->tid_number, 9007199254740993);
	assert_ptr_not_equal(lane_of(&l, "padded"), lane_of(&l, "nine"));
	assert_int_equal(lane_of(&l, "padded")->tid_number, LANE_NO_NUMBER);
	assert_int_equal(lane_of(&l, "negative")->pid_number, -1);
	assert_int_equal(lane_of(&l, "negative")->tid_number, -19360192);
	assert_true(is_text(&l, lane_of(&l, "rank")->pid, "[TP00-DP01] 83"));
	assert_ptr_equal(lane_of(&l, "empty"), lane_of(&l, "none"));
	assert_ptr_equal(lane_of(&l, "escaped"), lane_of(&l, "nine"));
	loading_release(&l);
}

/* args.device and args.stream decide; else pid and tid, "stream 7" being 7. */
static void device_lanes(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" KERNEL("new", "0", "7", 1, 1, "\"device\":0,\"stream\":7")
			KERNEL("old", "0", "\"stream 7\"", 2, 1, "\"device\":0,\"stream\":7")
				KERNEL("bare", "1", "\"stream 20\"", 3, 1, "") KERNEL(
					"other", "83", "13", 4, 1, "\"device\":2,\"stream\":13")
					KERNEL("sync lane", "0", "\"stream 7 (sync)\"", 5, 1, "")
						OP("host", "0", "7", 6, 1) "{}]");
	assert_true(lane_of(&l, "new")->is_device);
	assert_int_equal(lane_of(&l, "new")->device, 0);
	assert_int_equal(lane_of(&l, "new")->stream, 7);
	assert_int_equal(lane_of(&l, "old")->stream, 7);
	assert_int_equal(lane_of(&l, "bare")->device, 1);
	assert_int_equal(lane_of(&l, "bare")->stream, 20);
	assert_int_equal(lane_of(&l, "other")->device, 2);
	assert_int_equal(lane_of(&l, "other")->stream, 13);
	assert_int_equal(lane_of(&l, "sync lane")->stream, 7);
	/* A host process whose pid is a GPU's number: another lane. */
	assert_false(lane_of(&l, "host")->is_device);
	assert_int_equal(lane_of(&l, "host")->device, -1);
	assert_ptr_not_equal(lane_of(&l, "host"), lane_of(&l, "new"));
	loading_release(&l);
}

/* No categories: devices are processes named so, and streams hold the work; rows of ops beside them
 * say it again. */
static void jax(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\"traceEvents\":[" M(
			"process_name", "1", "", "name", "/device:GPU:1") M("process_name", "701",
			"", "name", "/host:CPU") M("thread_name", "1", "\"tid\":14,", "name",
			"Stream #14(Compute)") M("thread_name", "1", "\"tid\":3,", "name",
			"XLA Ops") M("thread_name", "1", "\"tid\":4,", "name", "Steps")
			BARE("fusion.3", "1", "14", "10.000001", "2.5") BARE(
				"MemcpyH2D", "1", "14", "13", "1e-06")
				BARE("copy.1", "1", "3", "15", "1") BARE("0", "1", "4", "10", "10")
					BARE("PjitFunction", "701", "5", "1", "30") "{}]}");
	assert_true(lane_of(&l, "fusion.3")->is_device);
	assert_int_equal(lane_of(&l, "fusion.3")->device, 1);
	assert_int_equal(lane_of(&l, "fusion.3")->stream, 14);
	assert_int_equal(l.run.events.kind[loading_row(&l, "fusion.3")], KIND_KERNEL);
	assert_int_equal(l.run.events.kind[loading_row(&l, "MemcpyH2D")], KIND_MEMCPY);
	assert_int_equal(l.run.events.kind[loading_row(&l, "copy.1")], KIND_GPU_ANNOTATION);
	assert_int_equal(l.run.events.kind[loading_row(&l, "0")], KIND_GPU_ANNOTATION);
	assert_int_equal(l.run.events.kind[loading_row(&l, "PjitFunction")], KIND_OTHER);
	assert_false(lane_of(&l, "PjitFunction")->is_device);
	assert_int_equal(l.run.kind_count[KIND_KERNEL], 1);
	assert_int_equal(l.run.kind_count[KIND_OTHER], 1);
	assert_int_equal(l.run.events.start[loading_row(&l, "fusion.3")], 10000);
	assert_int_equal(l.run.first_ns, 1000);
	assert_int_equal(l.run.last_ns, 31000);
	assert_true(is_text(&l, l.run.meta.producer, "JAX/TensorFlow"));
	loading_release(&l);
}

/* TPUs have no streams: rows of ops hold the work, whatever streams another device has. */
static void jax_without_streams(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" M("process_name", "3", "", "name", "/device:TPU:0") M("process_name", "1", "",
			"name", "/device:GPU:0") M("thread_name", "1", "\"tid\":2,", "name",
			"Stream #2(Compute)") M("thread_name", "3", "\"tid\":3,", "name", "XLA Ops")
			M("thread_name", "3", "\"tid\":1,", "name", "XLA Modules") BARE(
				"fusion.3", "3", "3", "10", "2") BARE("gemm", "1", "2", "10", "2")
				BARE("jit_step", "3", "1", "10", "2") "{}]");
	assert_int_equal(l.run.events.kind[loading_row(&l, "fusion.3")], KIND_KERNEL);
	assert_int_equal(l.run.events.kind[loading_row(&l, "gemm")], KIND_KERNEL);
	assert_int_equal(l.run.events.kind[loading_row(&l, "jit_step")], KIND_GPU_ANNOTATION);
	loading_release(&l);
}

/* The bytes of copies stand in a text of XLA's own. */
static void jax_copies(void **state)
{
	const int64_t *bytes;
	struct loaded l;
	size_t row;

	(void)state;
	loading_text(&l,
		"{\"traceEvents\":[" M("process_name", "1", "", "name", "/device:GPU:0")
			M("thread_name", "1", "\"tid\":14,", "name", "Stream #14(MemcpyH2D)") COPY(
				"MemcpyH2D",
				"kind_src:pinned kind_dst:device size:4096 dest:0 async:1")
				COPY("MemcpyD2D", "size:8 dest:0 async:1") COPY("MemcpyP2P",
					"size:99999999999999999999") COPY("MemcpyD2H", "no word")
					BARE("MemcpyD2H 2", "1", "14", "9", "1") "{}]}");
	bytes = l.run.args.col[ARG_DEVICE_BYTES].i64;
	row = loading_row(&l, "MemcpyH2D");
	assert_int_equal(l.run.events.kind[row], KIND_MEMCPY);
	assert_int_equal(bytes[l.run.events.args[row] - 1], 4096);
	row = loading_row(&l, "MemcpyD2D");
	assert_int_equal(bytes[l.run.events.args[row] - 1], 8);
	row = loading_row(&l, "MemcpyP2P");
	assert_int_equal(bytes[l.run.events.args[row] - 1], ARG_UNKNOWN);
	row = loading_row(&l, "MemcpyD2H");
	assert_int_equal(bytes[l.run.events.args[row] - 1], ARG_UNKNOWN);
	assert_int_equal(l.run.events.args[loading_row(&l, "MemcpyD2H 2")], NO_ARGS);
	loading_release(&l);
}

static void ascend(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" M("process_name", "9", "", "name", "Ascend Hardware")
			M("thread_name", "9", "\"tid\":2,", "name", "Stream 2")
				BARE("MatMul", "9", "2", "\"1752140000000000.123\"", "12.345") BARE(
					"call", "3", "3", "\"1752140000000001.000\"", "2") "{}]");
	assert_int_equal(l.run.events.start[loading_row(&l, "MatMul")], 1752140000000000123);
	assert_int_equal(l.run.events.dur[loading_row(&l, "MatMul")], 12345);
	assert_int_equal(l.run.events.kind[loading_row(&l, "MatMul")], KIND_KERNEL);
	assert_int_equal(lane_of(&l, "MatMul")->stream, 2);
	assert_int_equal(l.run.events.kind[loading_row(&l, "call")], KIND_OTHER);
	loading_release(&l);
}

/* Tasks that wait for another stream, or tell one, are no work; what kernels are called decides
 * nothing. */
static void ascend_tasks(void **state)
{
	static const struct {
		const char *name;
		enum kind kind;
	} tasks[] = {
		{ "EVENT_WAIT", KIND_SYNC },
		{ "NOTIFY_WAIT_SQE", KIND_SYNC },
		{ "NOTIFY_RECORD", KIND_SYNC },
		{ "CAPTURE_RECORD", KIND_SYNC },
		{ "PLACE_HOLDER_SQE", KIND_SYNC },
		{ "MEMCPY_ASYNC", KIND_MEMCPY },
		{ "SDMA_SQE", KIND_MEMCPY },
		{ "KERNEL_AICORE", KIND_KERNEL },
		{ "aclnnAdd_EVENT_WAIT", KIND_KERNEL },
	};
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" M("process_name", "9", "", "name", "Ascend Hardware") M("thread_name", "9",
			"\"tid\":2,", "name", "Stream 2") BARE("EVENT_WAIT", "9", "2", "1", "1")
			BARE("NOTIFY_WAIT_SQE", "9", "2", "3", "1") BARE("NOTIFY_RECORD", "9", "2",
				"5", "1") BARE("CAPTURE_RECORD", "9", "2", "7", "1")
				BARE("PLACE_HOLDER_SQE", "9", "2", "9", "1") BARE("MEMCPY_ASYNC",
					"9", "2", "11", "1") BARE("SDMA_SQE", "9", "2", "13", "1")
					BARE("KERNEL_AICORE", "9", "2", "15", "1") BARE(
						"aclnnAdd_EVENT_WAIT", "9", "2", "17", "1") "{}]");
	for (size_t i = 0; i < COUNT_OF(tasks); i++)
		assert_int_equal(l.run.events.kind[loading_row(&l, tasks[i].name)], tasks[i].kind);
	loading_release(&l);
}

/* Old traces: device work without a known category has a stream and a correlation. */
static void guessed_kinds(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"["
		"{\"ph\":\"X\",\"cat\":\"new_gpu_thing\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{\"stream\":7,\"correlation\":3}},"
		"{\"ph\":\"X\",\"cat\":\"new_gpu_thing\",\"name\":\"Memcpy HtoD\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{\"stream\":7,\"correlation\":4}},"
		"{\"ph\":\"X\",\"cat\":\"new_thing\",\"name\":\"h\",\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1,\"args\":{\"stream\":7}}]");
	assert_int_equal(l.run.events.kind[0], KIND_KERNEL);
	assert_int_equal(l.run.events.kind[1], KIND_MEMCPY);
	assert_int_equal(l.run.events.kind[2], KIND_OTHER);
	assert_int_equal(l.run.args.col[ARG_DEVICE_CORRELATION].id[l.run.events.args[1] - 1], 4);
	loading_release(&l);
}

/* First start and last end of slices with a category other than Trace. */
static void span_of_run(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[{\"ph\":\"X\",\"cat\":\"Trace\",\"name\":\"t\",\"pid\":\"Spans\",\"tid\":\"PyTorch Profiler\",\"ts\":1,\"dur\":9000}," BARE(
			"bare", "1", "1", "2", "8000") OP("a", "1", "1", 100, 50) OP("b", "1", "1",
			-20,
			5) "{\"ph\":\"i\",\"s\":\"g\",\"name\":\"Record Window End\",\"pid\":\"\",\"tid\":\"\",\"ts\":9999}]");
	assert_int_equal(l.run.first_ns, -20000);
	assert_int_equal(l.run.last_ns, 150000);
	assert_true(l.run.saw_window_end);
	loading_release(&l);
	loading_text(&l,
		"{\"traceEvents\":[" BARE("bare", "1", "1", "2", "8000")
			BARE("more", "1", "1", "5", "1") "{}]}");
	assert_int_equal(l.run.first_ns, 2000);
	assert_int_equal(l.run.last_ns, 8002000);
	loading_release(&l);
	loading_text(&l, "{\"traceEvents\":[]}");
	assert_true(l.run.first_ns > l.run.last_ns);
	loading_release(&l);
}

#define EPOCH                                                                                                               \
	"{\"ph\":\"X\",\"cat\":\"Trace\",\"name\":\"t\",\"pid\":1,\"tid\":1,\"ts\":1419116250000000,\"dur\":9},"            \
	"{\"ph\":\"X\",\"cat\":\"python_function\",\"name\":\"p\",\"pid\":1,\"tid\":1,\"ts\":1419116254000000,\"dur\":90}," \
	"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":1419116254000010,\"dur\":50},"          \
	"{\"ph\":\"i\",\"name\":\"[memory]\",\"pid\":1,\"tid\":1,\"ts\":1419116253000000,\"args\":{\"Bytes\":5}},"

/* What lasts a day and ten times what begins otherwise is left out; an hour, or half of a long
 * recording, is not. */
static void days_long(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"[" OP("a", "1", "1", 10, 50) OP("years", "1", "1", 12, 1e15)
			OP("hour", "1", "2", 20, 3.6e9) "{}]");
	assert_int_equal(loading_row(&l, "years"), SIZE_MAX);
	assert_int_not_equal(loading_row(&l, "hour"), SIZE_MAX);
	assert_int_equal(l.run.tally.count[PROBLEM_STRAY], 1);
	assert_int_equal(l.run.last_ns, INT64_C(3600000020000));
	loading_release(&l);
	loading_text(&l, "[" OP("a", "1", "1", 0, 9e10) OP("b", "1", "1", 18e10, 1) "{}]");
	assert_int_equal(l.run.tally.count[PROBLEM_STRAY], 0);
	assert_int_equal(l.run.events.n, 2);
	loading_release(&l);
}

/* Of 400 events in 400 us one is left out that begins a day later, and one that began before. Two
 * sessions, of which neither is nearly all, are a recording. */
static void days_away(void **state)
{
	const nsec us = 1000, day = INT64_C(86400000000000);
	struct str text = { 0 };
	struct loaded l;

	(void)state;
	for (int sessions = 1; sessions <= 2; sessions++) {
		str_reset(&text);
		str_adds(&text, "[");
		for (int i = 0; i < 400; i++)
			str_addf(&text,
				"{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,"
				"\"ts\":%lld,\"dur\":1},",
				(long long)((sessions == 2 && i >= 200) || i == 399
						? 2 * day + i * us
						: i == 0 ? 0
							 : day + i * us) /
					1000);
		str_adds(&text, "{}]");
		loading_text(&l, text.s);
		assert_int_equal(l.run.tally.count[PROBLEM_STRAY], sessions == 1 ? 2 : 0);
		assert_int_equal(l.run.first_ns, sessions == 1 ? day + us : 0);
		assert_int_equal(
			l.run.last_ns, sessions == 1 ? day + 399 * us : 2 * day + 400 * us);
		loading_release(&l);
	}
	str_free(&text);
}

/* A kernel at 0 where all else is far away has no time: out of the numbers and of the span. */
static void kernels_at_zero(void **state)
{
	struct loading how = { .needs = NEED_LINKS };
	struct loaded l;

	(void)state;
	loading_text(&l, "[" EPOCH KERNEL("lost", "0", "7", 0, 5, "\"stream\":7") "{}]");
	assert_int_equal(loading_row(&l, "lost"), SIZE_MAX);
	assert_int_equal(l.run.tally.count[PROBLEM_ZERO_TIME_KERNEL], 1);
	assert_int_equal(l.run.first_ns, 1419116254000000000);
	assert_int_equal(l.run.last_ns, 1419116254000090000);
	loading_release(&l);
	/* The span is the same whatever else was asked for. */
	loading_run(&l, SPAN("[" EPOCH KERNEL("lost", "0", "7", 0, 5, "\"stream\":7") "{}]"), &how);
	assert_int_equal(l.run.first_ns, 1419116254000000000);
	loading_release(&l);
	/* Where time begins at 0, a kernel may, too. */
	loading_text(&l,
		"[" OP("a", "1", "1", 3, 50) KERNEL("kept", "0", "7", 0, 5, "\"stream\":7") "{}]");
	assert_true(loading_row(&l, "kept") != SIZE_MAX);
	assert_int_equal(loading_problem(&l), PROBLEM_COUNT);
	assert_int_equal(l.run.first_ns, 0);
	assert_int_equal(l.run.last_ns, 53000);
	loading_release(&l);
	/* Nothing else is there to compare with. */
	loading_text(&l, "[" KERNEL("kept", "0", "7", 0, 5, "\"stream\":7") "{}]");
	assert_true(loading_row(&l, "kept") != SIZE_MAX);
	assert_int_equal(l.run.first_ns, 0);
	assert_int_equal(l.run.last_ns, 5000);
	loading_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names),
		cmocka_unit_test(repeated_names),
		cmocka_unit_test(keys_of_lanes),
		cmocka_unit_test(device_lanes),
		cmocka_unit_test(jax),
		cmocka_unit_test(jax_without_streams),
		cmocka_unit_test(jax_copies),
		cmocka_unit_test(ascend),
		cmocka_unit_test(ascend_tasks),
		cmocka_unit_test(guessed_kinds),
		cmocka_unit_test(span_of_run),
		cmocka_unit_test(days_long),
		cmocka_unit_test(days_away),
		cmocka_unit_test(kernels_at_zero),
	};

	return cmocka_run_group_tests_name("finish", tests, NULL, NULL);
}
