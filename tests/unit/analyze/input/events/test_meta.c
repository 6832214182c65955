/* Metadata: Kineto's keys before and behind the events, at depth 1 only, whatever their types. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/loading.h"

#define X      "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":2,\"ts\":10,\"dur\":5}"
#define EVENTS "\"traceEvents\":[" X "]"

static const char keys[] =
	"\"schemaVersion\": 1, \"deviceProperties\": [\n"
	"{\"id\": 0, \"name\": \"NVIDIA H100 80GB HBM3\", \"totalGlobalMem\": 84929347584, \"computeMajor\": 9, \"computeMinor\": 0, \"maxThreadsPerMultiprocessor\": 2048, \"warpSize\": 32, \"numSms\": 132},\n"
	"{\"id\": 1, \"name\": \"\"}],\n"
	"\"record_shapes\": 1, \"with_stack\": true, \"profile_memory\": 0, \"with_flops\": false,\n"
	"\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": 3, \"world_size\": 8, \"pg_config\": [{\"rank\": 99}], \"nccl_version\": \"2.21.5\"},\n"
	"\"cuda_runtime_version\": 12040, \"cuda_driver_version\": 12080, \"cupti_version\": 24, \"trace_id\": \"9A4D\",\n"
	"\"displayTimeUnit\": \"ms\", \"baseTimeNanoseconds\": 1751410836000000000, \"host_name\": \"node \\\"7\\\"\",\n"
	"\"traceName\": \"/tmp/t\\u00e9.json\", \"job\": {\"rank\": 55, \"record_shapes\": 0, \"traceEvents\": [1]}";

static bool is_text(const struct loaded *l, sym id, const char *text)
{
	return span_is(strings_get(&l->run.strings, id), text);
}

static void check_keys(const struct loaded *l)
{
	const struct meta *m = &l->run.meta;

	assert_int_equal(l->run.events.n, 1);
	assert_int_equal(loading_problem(l), PROBLEM_COUNT);
	assert_int_equal(m->schema_version, 1);
	assert_true(is_text(l, m->producer, "PyTorch (Kineto)"));
	assert_int_equal(m->ngpu, 2);
	assert_true(is_text(l, m->gpu[0].name, "NVIDIA H100 80GB HBM3"));
	assert_int_equal(m->gpu[0].memory_bytes, 84929347584);
	assert_int_equal(m->gpu[0].sms, 132);
	assert_int_equal(m->gpu[0].major, 9);
	assert_int_equal(m->gpu[0].minor, 0);
	assert_int_equal(m->gpu[0].max_threads_per_sm, 2048);
	assert_int_equal(m->gpu[1].id, 1);
	assert_int_equal(m->gpu[1].name, 0);
	assert_int_equal(m->gpu[1].sms, -1);
	assert_int_equal(m->record_shapes, YES);
	assert_int_equal(m->with_stack, YES);
	assert_int_equal(m->profile_memory, NO);
	assert_int_equal(m->with_flops, NO);
	assert_int_equal(m->with_modules, NOT_SAID);
	assert_true(is_text(l, m->backend, "nccl"));
	assert_int_equal(m->rank, 3);
	assert_int_equal(m->world_size, 8);
	assert_true(is_text(l, m->nccl_version, "2.21.5"));
	assert_true(is_text(l, m->cuda_runtime, "12040"));
	assert_true(is_text(l, m->cuda_driver, "12080"));
	assert_true(is_text(l, m->trace_id, "9A4D"));
	assert_true(m->has_base);
	assert_int_equal(m->base_ns, 1751410836000000000);
	assert_true(is_text(l, m->host_name, "node \"7\""));
	assert_true(is_text(l, m->trace_name, "/tmp/t\xc3\xa9.json"));
}

static void before_and_behind(void **state)
{
	SCOPED_STR text = { 0 };
	struct loaded l;

	(void)state;
	str_addf(&text, "{%s, " EVENTS "}", keys);
	loading_text(&l, text.s);
	check_keys(&l);
	loading_release(&l);
	str_reset(&text);
	str_addf(&text, "{" EVENTS ", %s}", keys);
	loading_text(&l, text.s);
	check_keys(&l);
	loading_release(&l);
}

/* Values of unexpected types are "not said", and no error. */
static void odd_types(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l,
		"{\"schemaVersion\":\"x\",\"deviceProperties\":{},\"distributedInfo\":[1],"
		"\"baseTimeNanoseconds\":NaN,\"traceName\":null,\"trace_id\":17," EVENTS "}");
	assert_int_equal(l.run.meta.schema_version, -1);
	assert_int_equal(l.run.meta.ngpu, 0);
	assert_int_equal(l.run.meta.rank, -1);
	assert_false(l.run.meta.has_base);
	assert_int_equal(l.run.meta.trace_name, 0);
	assert_true(is_text(&l, l.run.meta.trace_id, "17"));
	loading_release(&l);
	loading_text(&l, "{\"deviceProperties\":[],\"distributedInfo\":{\"rank\":0}," EVENTS "}");
	assert_int_equal(l.run.meta.ngpu, 0);
	assert_int_equal(l.run.meta.rank, 0);
	assert_int_equal(l.run.meta.world_size, -1);
	assert_int_equal(l.run.meta.backend, 0);
	loading_release(&l);
	loading_text(&l, "{\"deviceProperties\":[1,{\"id\":4},null]," EVENTS "}");
	assert_int_equal(l.run.meta.ngpu, 1);
	assert_int_equal(l.run.meta.gpu[0].id, 4);
	loading_release(&l);
}

static void last_wins(void **state)
{
	struct loaded l;

	(void)state;
	loading_text(&l, "{\"traceName\":\"one\"," EVENTS ",\"traceName\":\"two\"}");
	assert_true(is_text(&l, l.run.meta.trace_name, "two"));
	loading_release(&l);
}

static void other_keys(void **state)
{
	SCOPED_STR text = { 0 };
	struct loaded l;
	size_t i, found = 0;

	(void)state;
	loading_text(
		&l, "{\"my \\\"key\\\"\":\"v\\n\",\"loss\":0.5,\"deep\":{\"x\":1}," EVENTS "}");
	for (i = 0; i < l.run.meta.nentry; i++) {
		found += is_text(&l, l.run.meta.entry[i].key, "my \"key\"") &&
			is_text(&l, l.run.meta.entry[i].value, "v\n");
		found += is_text(&l, l.run.meta.entry[i].key, "loss") &&
			is_text(&l, l.run.meta.entry[i].value, "0.5");
	}
	assert_int_equal(found, 2);
	loading_release(&l);
	str_adds(&text, "{");
	for (i = 0; i < 100000; i++) /* a bounded number is kept */
		str_addf(&text, "\"k%zu\":%zu,", i, i);
	str_adds(&text, EVENTS "}");
	loading_text(&l, text.s);
	assert_true(l.run.meta.nentry > 100 && l.run.meta.nentry <= 1024);
	assert_int_equal(l.run.events.n, 1);
	loading_release(&l);
}

static void producers(void **state)
{
	static const char *const rows[][2] = {
		{ "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]}",
			"PyTorch (Kineto)" },
		{ "[{\"ph\":\"X\",\"cat\":\"Operator\",\"ts\":1,\"dur\":1}]", "PyTorch (Kineto)" },
		{ "[{\"ph\":\"B\",\"cat\":\"py-spy\",\"ts\":1}]", "py-spy" },
		{ "[{\"ph\":\"X\",\"cat\":\"async_npu\",\"ts\":1,\"dur\":1}]",
			"Ascend (torch_npu)" },
		{ "[{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,"
		  "\"args\":{\"name\":\"/device:GPU:0\"}},"
		  "{\"ph\":\"X\",\"pid\":1,\"ts\":1,\"dur\":1}]",
			"JAX/TensorFlow" },
		{ "{\"viztracer_metadata\":{},\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]}",
			"VizTracer" },
		{ "{\"beginningOfTime\":1,\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]}",
			"clang -ftime-trace" },
		{ "{\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"node\",\"ts\":1,\"dur\":1}]}",
			"Node.js" },
		{ "{\"traceEvents\":[{\"ph\":\"M\",\"cat\":\"__metadata\",\"name\":\"x\"}]}",
			"Chrome" },
		{ "{\"traceEvents\":[{\"ph\":\"X\",\"ts\":1,\"dur\":1}]}", "Chrome trace format" },
	};
	struct loaded l;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		loading_text(&l, rows[i][0]);
		assert_true(is_text(&l, l.run.meta.producer, rows[i][1]));
		loading_release(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(before_and_behind),
		cmocka_unit_test(odd_types),
		cmocka_unit_test(last_wins),
		cmocka_unit_test(other_keys),
		cmocka_unit_test(producers),
	};

	return cmocka_run_group_tests_name("meta", tests, NULL, NULL);
}
