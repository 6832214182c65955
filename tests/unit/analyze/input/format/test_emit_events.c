/* Emitting: the same events as JSON text and through an emitter give the same run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "analyze/input/events/finish.h"
#include "analyze/input/events/meta.h"
#include "analyze/input/events/scan.h"
#include "analyze/input/format/emit_events.h"
#include "tests/fuzz/memory_file.h"
#include "tests/unit/loading.h"

static const char text[] =
	"{\"cuda_runtime_version\": \"12040\", \"traceEvents\": [\n"
	"{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 500, \"tid\": 0, \"args\": {\"name\": "
	"\"python\"}},\n"
	"{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": 500, \"tid\": 501, \"args\": {\"name\": "
	"\"main\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 500, \"tid\": 501, \"ts\": "
	"1.000, \"dur\": 20.000, \"args\": {\"External id\": 7, \"Input Dims\": \"[[2, 3]]\"}},\n"
	"{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 500, "
	"\"tid\": 501, \"ts\": 5.000, \"dur\": 2.000, \"args\": {\"correlation\": 4294967297}},\n"
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 3, \"tid\": 7, \"ts\": 10.000, "
	"\"dur\": 4.000, \"args\": {\"device\": 3, \"stream\": 7, \"correlation\": 4294967297, "
	"\"grid\": [4, 2, 1], \"est. achieved occupancy %\": 37.5}},\n"
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"gemm\", \"pid\": 3, \"tid\": 7, \"ts\": 20.000, "
	"\"dur\": 4.000, \"args\": {\"device\": 3, \"stream\": 7, \"registers per thread\": -1}},\n"
	"{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": 500, \"tid\": 501, \"ts\": 11.000, \"args\": "
	"{\"Bytes\": -512}},\n"
	"{\"ph\": \"s\", \"cat\": \"ac2g\"}, {\"ph\": \"s\", \"cat\": \"ac2g\"}, {\"ph\": \"s\", \"cat\": "
	"\"ac2g\"}\n]}";

#define T(literal) ((struct span){ literal "                ", sizeof(literal) - 1 })

static void begin(struct emitter *m, char ph, struct span cat, struct span name, bool on_device)
{
	emit_begin(m, ph, cat, name);
	if (on_device) {
		emit_lane(m, T("3"), T("7"));
		emit_int(m, emit_key(m, "device"), 3);
		emit_int(m, emit_key(m, "stream"), 7);
	} else {
		emit_lane(m, T("500"), T("501"));
	}
}

/* The events of the text; by_number: names by their numbers; ends_later: slices by emit_pending. */
static void emit_all(struct emitter *m, bool by_number, bool ends_later, uint32_t row[4])
{
	struct phrase lane = { 0 };

	emit_process_name(m, T("500"), T("python"));
	emit_thread_name(m, T("500"), T("501"), T("main"));
	begin(m, 'X', T("cpu_op"), T("aten::mm"), false);
	emit_int(m, emit_key(m, "External id"), 7);
	emit_text(m, emit_key(m, "Input Dims"), T("[[2, 3]]"));
	if (ends_later)
		row[0] = emit_pending(m, 1000, -1);
	else
		emit_end(m, 1000, 20000, -1);
	begin(m, 'X', T("cuda_runtime"), T("cudaLaunchKernel"), false);
	emit_lane_memo(m, T("500"), T("501"), &lane);
	emit_uint(m, emit_key(m, "correlation"), 4294967297);
	if (ends_later)
		row[1] = emit_pending(m, 5000, -1);
	else
		emit_end(m, 5000, 2000, -1);
	begin(m, 'X', T("kernel"), T("gemm"), true);
	emit_uint(m, emit_key(m, "correlation"), 4294967297);
	emit_vec3(m, emit_key(m, "grid"), 4, 2, 1);
	emit_real(m, emit_key(m, "est. achieved occupancy %"), 37.5);
	if (ends_later)
		row[2] = emit_pending(m, 10000, -1);
	else
		emit_end(m, 10000, 4000, -1);
	begin(m, 'X', (struct span){ NULL, 0 }, T("gemm"), true);
	emit_category(m, T("kernel"));
	if (by_number)
		emit_named(m, emit_name_number(m, T("gemm")));
	emit_int(m, emit_key(m, "registers per thread"), -1);
	if (ends_later)
		row[3] = emit_pending(m, 20000, -1);
	else
		emit_end(m, 20000, 4000, -1);
	begin(m, 'i', (struct span){ NULL, 0 }, T("[memory]"), false);
	emit_int(m, emit_key(m, "Bytes"), -512);
	emit_end(m, 11000, 0, -1);
	emit_count(m, 's', T("ac2g"));
	emit_counts(m, 's', T("ac2g"), 2);
	emit_member(m, "cuda_runtime_version", T("12040"), true);
}

struct emitted {
	struct run run;
	uint32_t row[4];
};

static void run_emitter(struct emitted *to, unsigned needs, bool by_number, bool ends_later)
{
	static const nsec end[] = { 21000, 7000, 14000, 24000 };
	struct plan plan;
	struct gathered g;
	struct emitter m;
	struct emit_sink sink = { &plan, &to->run, &g, NULL };
	struct err e;
	size_t i;

	run_init(&to->run, needs);
	plan_init(&plan, to->run.args.needs, scanner_pick("portable"), to->run.strings.seed);
	to->run.kinds_kept = plan.kinds_kept;
	gathered_init(&g);
	emitter_init(&m, &plan);
	emit_all(&m, by_number, ends_later, to->row);
	assert_int_equal(emit_merge(&sink, &m, &e), OK);
	for (i = 0; ends_later && i < 4; i++) {
		struct events *ev = &to->run.events;
		uint32_t row = to->row[i];

		assert_true(row < EMIT_UNKEPT_FIRST);
		assert_int_equal(ev->flags[row], EVENT_OPEN);
		ev->flags[row] = 0;
		ev->dur[row] = end[i] - ev->start[row];
		if (end[i] > to->run.last_ns)
			to->run.last_ns = end[i];
	}
	finish_run(&to->run, &g);
	meta_decode(&to->run, &g);
	emitter_clear(&m);
	gathered_clear(&g);
}

static void as_json(void **state)
{
	struct loading how = { .needs = LOADING_ALL };
	struct loaded l;
	int i;

	(void)state;
	loading_run(&l, (struct span){ text, sizeof(text) - 1 }, &how);
	assert_int_equal(l.status, OK);
	assert_int_equal(l.run.kind_count[KIND_FLOW], 3);
	for (i = 0; i < 4; i++) {
		struct emitted by;

		run_emitter(&by, LOADING_ALL, i & 1, i & 2);
		assert_int_equal(by.run.events.n, 5);
		by.run.nevent += 2; /* names are events of JSON alone */
		assert_true(memory_run_digest(&by.run) == memory_run_digest(&l.run));
		assert_int_equal(by.run.first_ns, l.run.first_ns);
		assert_int_equal(by.run.last_ns, l.run.last_ns);
		assert_memory_equal(by.run.kind_count, l.run.kind_count, sizeof(l.run.kind_count));
		assert_int_equal(by.run.meta.cuda_runtime != 0, 1);
		assert_int_equal(by.run.lanes.n, l.run.lanes.n);
		run_clear(&by.run);
	}
	loading_release(&l);
}

/* A begin whose kind is not kept has no row, and says what its end does to the span. */
static void what_is_not_kept(void **state)
{
	struct plan plan;
	struct emitter m;

	(void)state;
	plan_init(&plan, 0, scanner_pick("portable"), 1);
	emitter_init(&m, &plan);
	begin(&m, 'X', T("python_function"), T("f"), false);
	assert_int_equal(emit_pending(&m, 5, -1), EMIT_UNKEPT);
	begin(&m, 'X', T("cpu_op"), T("f"), false);
	assert_int_equal(emit_pending(&m, 5, -1), 0);
	assert_int_equal(m.batch.events.n, 1);
	assert_int_equal(m.batch.kind_count[KIND_PYTHON], 1);
	emitter_clear(&m);
}

/* A line's end in a text is no oddity where texts are no JSON. */
static void plain_texts(void **state)
{
	struct plan plan;
	struct emitter m;
	struct run run;
	struct gathered g;
	struct emit_sink sink = { &plan, &run, &g, NULL };
	struct err e;

	(void)state;
	run_init(&run, 0);
	plan_init(&plan, 0, scanner_pick("portable"), run.strings.seed);
	run.kinds_kept = plan.kinds_kept;
	gathered_init(&g);
	emitter_init(&m, &plan);
	begin(&m, 'X', T("cpu_op"), T("a\nb"), false);
	emit_end(&m, 5, 1, -1);
	assert_int_equal(emit_merge(&sink, &m, &e), OK);
	assert_int_equal(run.tally.count[PROBLEM_CONTROL_CHARACTER], 0);
	assert_true(span_is(run_name(&run, 0), "a\nb"));
	emitter_clear(&m);
	gathered_clear(&g);
	run_clear(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_json),
		cmocka_unit_test(what_is_not_kept),
		cmocka_unit_test(plain_texts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
