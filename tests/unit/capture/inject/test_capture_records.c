/* Records to events: lines byte for byte, what waits for what, what is left out and counted.
 *
 * Times are nanoseconds after a base; the kernel of 1.5 us that starts at 10 us:
 *
 *   call     5 us [----] 7 us          thread 41
 *   device            10 us [---] 11.5 us   stream 7 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "capture/cupti_abi.h"
#include "capture/inject/ranges.h"
#include "capture/inject/records.h"
#include "capture/settings.h"
#include "tests/capture/fake_records.h"

#define BASE INT64_C(1790857026000000000)

enum { BUFFER = 65536 };

struct desk {
	struct jtext text;
	struct emit emit;
	struct symbols symbols;
	struct joins joins;
	struct records records;
	uint8_t buffer[BUFFER];
	size_t n;
	uint32_t version;
};

/* Where the words stand in what was written, or NULL. */
static const char *written(const struct desk *d, const char *words)
{
	return memmem(d->text.p, d->text.n, words, strlen(words));
}

static int api_name(int domain, uint32_t id, const char **name)
{
	*name = fake_api_name(domain == CB_RUNTIME, id);
	return *name ? 0 : 1;
}

static int next_new(uint8_t *buffer, size_t valid, uint8_t **record)
{
	return fake_next(buffer, valid, record, 130001);
}

static int next_old(uint8_t *buffer, size_t valid, uint8_t **record)
{
	return fake_next(buffer, valid, record, 18);
}

static struct desk *desk_new(uint32_t version)
{
	struct desk *d = calloc(1, sizeof(*d));

	assert_non_null(d);
	assert_true(emit_init(&d->emit, &d->text, 40, BASE));
	assert_true(symbols_init(&d->symbols, api_name));
	assert_true(joins_init(&d->joins));
	assert_true(records_init(&d->records));
	(void)strncpy(d->emit.comm, "app", sizeof(d->emit.comm) - 1);
	d->emit.quiet_names = true;
	d->emit.view.n = 1;
	d->emit.view.v[0] = (struct window){ 0, INT64_MAX };
	d->records.emit = &d->emit;
	d->records.names = &d->symbols;
	d->records.joins = &d->joins;
	d->records.version = d->version = version;
	d->records.kinds = INT64_MAX;
	d->records.patience_ns = 1000000;
	return d;
}

static void desk_free(struct desk *d)
{
	records_free(&d->records);
	joins_free(&d->joins);
	symbols_free(&d->symbols);
	emit_free(&d->emit);
	jtext_free(&d->text);
	free(d);
}

static void put(struct desk *d, const unsigned char *record)
{
	size_t n = fake_size(get_KIND(record), d->version);

	assert_true(n > 0 && d->n + n <= BUFFER);
	memcpy(d->buffer + d->n, record, n);
	d->n += n;
}

static void walk(struct desk *d)
{
	records_buffer(&d->records, d->version == 18 ? next_old : next_new, d->buffer, d->n, false);
	d->n = 0;
}

/* The lines so far that are no metadata and no flow; the text is then empty. */
static char *lines(struct desk *d)
{
	char *out = calloc(1, d->text.n + 2), *line, *rest = d->text.p, *end = out;

	assert_non_null(out);
	jtext_put(&d->text, "", 1);
	rest = d->text.p;
	while ((line = strsep(&rest, "\n"))) {
		size_t n = strlen(line);

		if (n && line[n - 1] == ',')
			line[--n] = 0;
		if (!n || strncmp(line, "{\"ph\": \"M\"", 10) == 0 || strstr(line, "\"ac2g\""))
			continue;
		memcpy(end, line, n);
		end += n;
		*end++ = '\n';
	}
	d->text.n = 0;
	return out;
}

static void expect_lines(struct desk *d, const char *want)
{
	char *got = lines(d);

	assert_string_equal(got, want);
	free(got);
}

static struct fake_work kernel_work(void)
{
	return (struct fake_work){ .kind = FAKE_KERNEL,
		.stream = 7,
		.name = "_Z5saxpyifPfS_",
		.duration_ns = 1500,
		.grid = { 1024, 1, 1 },
		.block = { 256, 1, 1 },
		.registers = 32,
		.static_smem = 1024 };
}

static void put_work(struct desk *d, const struct fake_work *w, int64_t start, uint32_t correlation)
{
	unsigned char r[FAKE_RECORD_MAX] = { 0 };

	fake_device_work(r, w, fake_kind_of(w, false), BASE + start, correlation, 41);
	put(d, r);
}

static void put_call(struct desk *d, uint32_t id, int64_t start, uint32_t correlation, int failed)
{
	unsigned char r[FAKE_RECORD_MAX];

	fake_call(r, ACT_RUNTIME, id, BASE + start, BASE + start + 2000, 41, correlation, failed);
	put(d, r);
}

static void put_device(struct desk *d)
{
	unsigned char r[FAKE_RECORD_MAX];

	/* As before 13.0: the name is not ours to free. */
	fake_device(r, 28);
	put(d, r);
}

#define OCCUPANCY                                                                                     \
	"\"occupancy\": {\"activeBlocksPerMultiprocessor\": 8, \"limitingFactors\": \"WARPS|REGS\", " \
	"\"blockLimitRegs\": 8, \"blockLimitSharedMem\": 114, \"blockLimitWarps\": 8, "               \
	"\"blockLimitBlocks\": 32, \"allocatedRegistersPerBlock\": 8192, "                            \
	"\"allocatedSharedMemPerBlock\": 2048}, "
#define KERNEL_ARGS                                                                                     \
	"\"registers per thread\": 32, \"shared memory\": 1024, \"blocks per SM\": 7.757575757575758, " \
	"\"warps per SM\": 62.06060606060606, \"grid\": [1024, 1, 1], \"block\": [256, 1, 1], "         \
	"\"est. achieved occupancy %\": 97, " OCCUPANCY                                                 \
	"\"graph id\": 0, \"graph node id\": 0, \"channel\": 8, "                                       \
	"\"channel_type\": 1}}\n"
#define KERNEL_LINE                                                                                     \
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"pid\": 0, \"tid\": 7, \"ts\": 10.000, \"dur\": 1.500, " \
	"\"name\": \"saxpy(int, float, float*, float*)\", \"args\": {\"queued\": 0, \"device\": 0, "    \
	"\"context\": 1, \"stream\": 7, \"correlation\": 5, " KERNEL_ARGS
#define CALL_LINE                                                                              \
	"{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"pid\": 40, \"tid\": 41, \"ts\": 5.000, " \
	"\"dur\": 2.000, \"name\": \"cudaLaunchKernel\", \"args\": {\"cbid\": 505, \"correlation\": 5}}\n"

static void a_launch(void **state)
{
	static const uint32_t versions[] = { 130001, 18 };
	struct fake_work w = kernel_work();
	size_t i;

	(void)state;
	for (i = 0; i < 2; i++) {
		struct desk *d = desk_new(versions[i]);

		put_device(d);
		put_work(d, &w, 10000, 5);
		put_call(d, 505, 5000, 5, 0);
		walk(d);
		assert_non_null(written(d,
			"{\"ph\": \"s\", \"id\": 5, \"pid\": 40, \"tid\": 41, "
			"\"ts\": 5.000, \"cat\": \"ac2g\", \"name\": \"ac2g\"}"));
		assert_non_null(written(d,
			"{\"ph\": \"f\", \"id\": 5, \"pid\": 0, \"tid\": 7, "
			"\"ts\": 10.000, \"cat\": \"ac2g\", \"name\": \"ac2g\", "
			"\"bp\": \"e\"}"));
		expect_lines(d, KERNEL_LINE CALL_LINE);
		assert_int_equal(d->emit.kernels, 1);
		assert_int_equal(d->records.launches, 1);
		desk_free(d);
	}
}

static void copies_and_sets(void **state)
{
	struct desk *d = desk_new(130001);
	struct fake_work w = { .kind = FAKE_COPY,
		.stream = 7,
		.bytes = 4096,
		.duration_ns = 512,
		.copy_kind = 2,
		.source = 3,
		.target = 2 };

	(void)state;
	put_work(d, &w, 0, 1);
	w.kind = FAKE_PEER;
	w.copy_kind = 10;
	w.target = 3;
	w.duration_ns = 0;
	put_work(d, &w, 1000, 2);
	w.kind = FAKE_SET;
	w.duration_ns = 2048;
	put_work(d, &w, 2000, 3);
	walk(d);
	expect_lines(d,
		"{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"pid\": 0, \"tid\": 7, \"ts\": 0.000, \"dur\": 0.512, "
		"\"name\": \"Memcpy DtoH (Device -> Pinned)\", \"args\": {\"device\": 0, \"context\": 1, "
		"\"stream\": 7, \"correlation\": 1, \"bytes\": 4096, \"memory bandwidth (GB/s)\": 8, "
		"\"graph id\": 0, \"graph node id\": 0, \"channel\": 2, \"channel_type\": 2}}\n"
		"{\"ph\": \"X\", \"cat\": \"gpu_memcpy\", \"pid\": 0, \"tid\": 7, \"ts\": 1.000, \"dur\": 0.000, "
		"\"name\": \"Memcpy PtoP (Device -> Device)\", \"args\": {\"fromDevice\": 0, \"inDevice\": 0, "
		"\"toDevice\": 1, \"fromContext\": 1, \"inContext\": 1, \"toContext\": 2, \"stream\": 7, "
		"\"correlation\": 2, \"bytes\": 4096, \"graph id\": 0, \"graph node id\": 0, \"channel\": 0, "
		"\"channel_type\": 0}}\n"
		"{\"ph\": \"X\", \"cat\": \"gpu_memset\", \"pid\": 0, \"tid\": 7, \"ts\": 2.000, \"dur\": 2.048, "
		"\"name\": \"Memset (Device)\", \"args\": {\"device\": 0, \"context\": 1, \"stream\": 7, "
		"\"correlation\": 3, \"bytes\": 4096, \"memory bandwidth (GB/s)\": 2, \"graph id\": 0, "
		"\"graph node id\": 0, \"channel\": 0, \"channel_type\": 0}}\n");
	desk_free(d);
}

static void waits(void **state)
{
	struct desk *d = desk_new(18);
	struct fake_work w = {
		.kind = FAKE_EVENT_RECORD, .stream = 9, .event = 5, .duration_ns = 1000
	};
	unsigned char context[FAKE_RECORD_MAX];
	struct fake_work k = kernel_work();

	(void)state;
	fake_context(context);
	put(d, context);
	put_work(d, &w, 0, 3);
	put_work(d, &w, 0, 8); /* after the wait: not what it waits for */
	w.kind = FAKE_STREAM_WAIT;
	w.stream = 7;
	put_work(d, &w, 1000, 6);
	walk(d);
	expect_lines(d, ""); /* stream 7 has not been seen */
	assert_int_equal(d->records.nheld, 1);
	w.kind = FAKE_SYNC_STREAM;
	put_work(d, &w, 2000, 7);
	put_work(d, &k, 10000, 5);
	put_call(d, 505, 5000, 5, 0);
	walk(d);
	assert_int_equal(d->records.nheld, 0);
	assert_non_null(written(d, "\"name\": \"stream 7 (sync)\""));
	assert_non_null(written(d,
		"\"tid\": 1000007, \"ts\": 2.000, \"dur\": 1.000, \"name\": \"Stream Sync\", \"args\": "
		"{\"cuda_sync_kind\": \"Stream Sync\", \"stream\": 7, \"correlation\": 7, \"device\": 0, "
		"\"context\": 1}}"));
	assert_non_null(written(d,
		"\"tid\": 7, \"ts\": 1.000, \"dur\": 1.000, \"name\": \"Stream Wait Event\", \"args\": "
		"{\"cuda_sync_kind\": \"Stream Wait Event\", \"wait_on_stream\": 9, "
		"\"wait_on_cuda_event_record_corr_id\": 3, \"wait_on_cuda_event_id\": 5, \"stream\": 7, "));
	/* One on a stream that never does anything is left out in the end, and counted. */
	w.kind = FAKE_STREAM_WAIT;
	w.stream = 33;
	put_work(d, &w, 3000, 9);
	walk(d);
	records_settle(&d->records, BASE, true);
	assert_int_equal(d->records.left_out, 1);
	desk_free(d);
}

/* Device work whose call is in a later buffer waits for it: only then its range is known. */
static void ranges_join(void **state)
{
	struct desk *d = desk_new(130001);
	struct fake_work w = kernel_work();
	unsigned char external[FAKE_RECORD_MAX];
	char module[] = "_Z5saxpyifPfS_";
	struct ranges *ranges = calloc(1, sizeof(*ranges));
	struct range_text text = { 0 };
	bool owned;

	(void)state;
	assert_non_null(ranges);
	assert_true(ranges_init(ranges, 1 << 20));
	text.name = ranges_name(ranges, "step", 4, &owned);
	(void)ranges_push(ranges, &text);
	text.name = ranges_name(ranges, "forward", 7, &owned);
	(void)ranges_push(ranges, &text);
	(void)ranges_pop(ranges, NULL);
	(void)ranges_pop(ranges, NULL);
	d->records.ranges = ranges;
	d->records.has_external = true;
	put_device(d);
	w.name = module;
	put_work(d, &w, 10000, 5);
	walk(d);
	expect_lines(d, "");
	memset(module, 'x', strlen(module)); /* the module is gone, its names too */
	fake_external(external, EXTERNAL_RANGES, 2, 5);
	put(d, external);
	put_call(d, 505, 5000, 5, 0);
	walk(d);
	assert_non_null(
		written(d, "\"name\": \"cudaLaunchKernel\", \"args\": {\"External id\": 2, "));
	assert_non_null(written(d,
		"\"name\": \"saxpy(int, float, float*, float*)\", \"args\": "
		"{\"External id\": 2, "));
	d->text.n = 0;
	records_settle(&d->records, BASE, true);
	jtext_put(&d->text, "", 1);
	assert_non_null(written(d,
		"{\"ph\": \"X\", \"cat\": \"gpu_user_annotation\", \"pid\": 0, \"tid\": 7, \"ts\": 9.999, "
		"\"dur\": 1.503, \"name\": \"forward\", \"args\": {\"External id\": 2}}"));
	assert_non_null(written(d, "\"name\": \"step\", \"args\": {\"External id\": 1}}"));
	desk_free(d);
	free(ranges->info);
	free(ranges->open);
	intern_free(&ranges->names);
	free(ranges->lanes->first);
	free(ranges->lanes);
	(void)pthread_key_delete(ranges->key);
	free(ranges);
}

/* A call that never comes is waited for only so long. */
static void patience(void **state)
{
	struct desk *d = desk_new(130001);
	struct fake_work w = kernel_work();

	(void)state;
	d->records.has_external = true;
	put_device(d);
	put_work(d, &w, 10000, 5);
	walk(d);
	records_settle(&d->records, BASE + 10000, false);
	assert_int_equal(d->records.nheld, 1);
	records_settle(&d->records, BASE + 10000000, false);
	assert_int_equal(d->records.nheld, 0);
	expect_lines(d, KERNEL_LINE);
	desk_free(d);
}

static void memory(void **state)
{
	struct desk *d = desk_new(130001);
	struct fake_work w = { .kind = FAKE_ALLOC, .bytes = 1000, .event = 1 };

	(void)state;
	put_work(d, &w, 0, 1);
	w.kind = FAKE_FREE;
	w.bytes = 300;
	put_work(d, &w, 1000, 2);
	walk(d);
	expect_lines(d,
		"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", "
		"\"pid\": 40, \"tid\": 40, \"ts\": 0.000, \"args\": {\"Device Type\": 1, \"Device Id\": 0, "
		"\"Addr\": 139637976727553, \"Bytes\": 1000, \"Total Allocated\": 1000}}\n"
		"{\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\", "
		"\"pid\": 40, \"tid\": 40, \"ts\": 1.000, \"args\": {\"Device Type\": 1, \"Device Id\": 0, "
		"\"Addr\": 139637976727553, \"Bytes\": -300, \"Total Allocated\": 700}}\n");
	desk_free(d);
}

static void left_out(void **state)
{
	struct desk *d = desk_new(130001);
	struct fake_work w = kernel_work();
	unsigned char r[FAKE_RECORD_MAX] = { 0 };

	(void)state;
	d->emit.view.v[0] = (struct window){ BASE + 4000, BASE + 20000 };
	put_work(d, &w, 3000, 4);  /* before the window */
	put_work(d, &w, 19000, 5); /* it ends after, but its call is recorded */
	put_call(d, 505, 5000, 5, 0);
	put_work(d, &w, 21000, 6);
	put_call(d, 505, 19000, 6, 0); /* ends after the window: neither is */
	put_call(d, 17, 6000, 7, 0);   /* cudaGetDevice: noise */
	put_call(d, 20, 7000, 8, 2);   /* a call that failed */
	fake_device_work(r, &w, ACT_KERNEL, BASE + 10000, 9, 41);
	fake_without_times(r);
	put(d, r);
	d->n -= 8; /* the last record is cut */
	put_work(d, &w, 5000, 10);
	d->n -= 1;
	walk(d);
	assert_int_equal(d->emit.kernels, 1);
	assert_int_equal(d->records.work, 4);
	assert_int_equal(d->records.incomplete, 1);
	assert_non_null(written(d, "\"correlation\": 8, \"returnValue\": 2}}"));
	assert_null(written(d, "cudaGetDevice"));
	desk_free(d);
}

static void devices(void **state)
{
	struct desk *d = desk_new(130001);

	(void)state;
	put_device(d);
	device_records_find(&d->records, next_new, d->buffer, d->n, false);
	assert_true(d->emit.device[0].is_known);
	assert_string_equal(d->emit.device[0].name, "Fake \"H200\"");
	assert_string_equal(d->emit.device[0].uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
	assert_int_equal(d->emit.device[0].limits.sms, 132);
	desk_free(d);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_launch),
		cmocka_unit_test(copies_and_sets),
		cmocka_unit_test(waits),
		cmocka_unit_test(ranges_join),
		cmocka_unit_test(patience),
		cmocka_unit_test(memory),
		cmocka_unit_test(left_out),
		cmocka_unit_test(devices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
