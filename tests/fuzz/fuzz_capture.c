/* The walker of CUPTI's records: whatever they hold, what comes out is a document our reader finds
 * nothing wrong with.  The input is a version, then records: a kind, a length, bytes of the record
 * behind its kind; pointers are ours. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/load.h"
#include "analyze/trace/run.h"
#include "capture/cupti_abi.h"
#include "capture/inject/records.h"
#include "capture/settings.h"
#include "tests/capture/fake_records.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BUFFER = 32768 };

static const uint32_t versions[] = { 18, 22, 26, 28, 130001 };
static const uint8_t kinds[] = { ACT_MEMCPY, ACT_MEMSET, ACT_DRIVER, ACT_RUNTIME, ACT_DEVICE,
	ACT_CONTEXT, ACT_KERNEL, ACT_OVERHEAD, ACT_MEMCPY2, ACT_CUDA_EVENT, ACT_SYNC, ACT_EXTERNAL,
	ACT_MEMORY2, ACT_GRAPH, 77 };

#define NEXT(name, version)                                              \
	static int name(uint8_t *buffer, size_t valid, uint8_t **record) \
	{                                                                \
		return fake_next(buffer, valid, record, version);        \
	}
NEXT(next_0, 18)
NEXT(next_1, 22)
NEXT(next_2, 26)
NEXT(next_3, 28)
NEXT(next_4, 130001)
static const records_next_fn nexts[] = { next_0, next_1, next_2, next_3, next_4 };

static int api_name(int domain, uint32_t id, const char **name)
{
	*name = fake_api_name(domain == CB_RUNTIME, id % 600);
	return *name ? 0 : 1;
}

static void set_pointers(uint8_t *r, uint32_t version)
{
	static const char *const names[] = { "_Z5saxpyifPfS_", "\"\\\xff\x01", "", "_ZN" };
	uint64_t name = (uint64_t)(uintptr_t)names[r[8] % 4], none = 0;

	switch (get_KIND(r)) {
	case ACT_KERNEL: memcpy(r + AT_KERNEL_NAME, r[9] ? &name : &none, sizeof(name)); break;
	case ACT_DEVICE: memcpy(r + AT_DEVICE_NAME, &name, sizeof(name)); break;
	case ACT_OVERHEAD:
		if (version >= CUPTI_V12_4)
			memcpy(r + AT_OVERHEAD_DATA, &none, sizeof(none));
		break;
	default: break;
	}
}

/* Records from the input; the last one may be cut. */
static size_t build(uint8_t *buffer, const uint8_t *data, size_t size, uint32_t version)
{
	size_t n = 0;

	while (size >= 2) {
		uint32_t kind = kinds[data[0] % sizeof(kinds)];
		size_t record = fake_size(kind, version), given = data[1];

		data += 2;
		size -= 2;
		if (given > size)
			given = size;
		if (!record || n + record > BUFFER)
			break;
		memset(buffer + n, 0, record);
		memcpy(buffer + n, &kind, sizeof(kind));
		memcpy(buffer + n + 4, data, given < record - 4 ? given : record - 4);
		set_pointers(buffer + n, version);
		data += given;
		size -= given;
		n += record;
	}
	return n;
}

static void read_back(const struct jtext *t)
{
	struct load_options o = { .threads = 1 };
	struct memory_file f = { 0 };
	static const enum problem ours[] = { PROBLEM_TRUNCATED_JSON, PROBLEM_SKIPPED_EVENT,
		PROBLEM_REPAIRED_QUOTE, PROBLEM_REPAIRED_ESCAPE, PROBLEM_CONTROL_CHARACTER,
		PROBLEM_INVALID_UTF8, PROBLEM_COMMA, PROBLEM_NOT_AN_OBJECT, PROBLEM_NO_PHASE,
		PROBLEM_NO_DURATION, PROBLEM_NEGATIVE_DURATION };
	struct jtext doc = { 0 };
	size_t i;
	struct run run;
	struct err e;

	JTEXT_LIT(&doc, "{\"traceEvents\": [\n");
	jtext_put(&doc, t->p ? t->p : "", t->n);
	JTEXT_LIT(&doc, "\n]}\n");
	f.data = (const uint8_t *)doc.p;
	f.size = doc.n;
	if (load_reader(memory_read, &f, "capture", &o, &run, &e) != OK)
		abort();
	/* Repairs and skipped events are ours to have caused; odd times are the input's. */
	for (i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (run.tally.count[ours[i]])
			abort();
	run_clear(&run);
	jtext_free(&doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t buffer[BUFFER];
	struct emit *emit = calloc(1, sizeof(*emit));
	struct records r;
	static struct symbols symbols; /* names may stay: making the tables is most of a run */
	struct joins joins;
	struct jtext text = { 0 };
	unsigned v = size ? data[0] % 5 : 0;
	size_t n;

	if (!emit || size < 2 || !emit_init(emit, &text, 40, 0) ||

		(!symbols.api_name && !symbols_init(&symbols, api_name)) || !joins_init(&joins) ||
		!records_init(&r)) {
		free(emit);
		return 0;
	}
	emit->quiet_names = true;
	emit->view.n = 1;
	emit->view.v[0] =
		(struct window){ data[1] & 1 ? 1000 : 0, data[1] & 2 ? 1 << 20 : INT64_MAX };
	r.emit = emit;
	r.names = &symbols;
	r.joins = &joins;
	r.version = versions[v];
	r.kinds = INT64_MAX;
	n = build(buffer, data + 2, size - 2, versions[v]);
	records_buffer(&r, nexts[v], buffer, data[1] & 4 && n ? n - 1 : n, false);
	records_buffer(&r, nexts[v], buffer, n, false);
	records_settle(&r, INT64_MAX, true);
	if (r.nheld != 0)
		abort();
	read_back(&text);
	records_free(&r);
	joins_free(&joins);
	emit_free(emit);
	jtext_free(&text);
	free(emit);
	return 0;
}
