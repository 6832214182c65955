/* Execution traces: whatever the bytes are, they are calls that can be joined with a trace and
 * asked for what needs what, or one clear error.  Behind a zero byte a trace may follow the
 * execution trace. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/depgraph/datadeps.h"
#include "analyze/input/exectrace/exectrace_read.h"
#include "analyze/input/load.h"
#include "analyze/trace/links/etjoin.h"
#include "analyze/trace/run.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char trace[] =
	"{\"traceEvents\": [{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1,"
	" \"tid\": 1, \"ts\": 1, \"dur\": 5, \"args\": {\"Record function id\": 1}},"
	"{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": 1,"
	" \"tid\": 1, \"ts\": 2, \"dur\": 1, \"args\": {\"correlation\": 1}},"
	"{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": 0, \"tid\": 7, \"ts\": 3,"
	" \"dur\": 9, \"args\": {\"device\": 0, \"stream\": 7, \"correlation\": 1}}]}";

static void join(struct run *run, const struct exectrace *et)
{
	struct datadeps deps;
	struct depend d;
	size_t i;

	etjoin_attach(run, et, 1);
	for (i = 0; i < run->etjoin->nrow; i++)
		if (run->etjoin->node_of[i] != ET_NONE && run->etjoin->node_of[i] >= et->n)
			abort();
	depend_init(&d, run, NULL);
	datadeps_init(&deps, &d);
	for (i = 0; i < deps.nafter; i++)
		if (deps.after[i] >= deps.nop)
			abort();
	datadeps_clear(&deps);
	depend_clear(&d);
}

static void load_and_join(const uint8_t *data, size_t size, const struct exectrace *et)
{
	struct memory_file f = { data, size, 0, 0 };
	struct load_options o = { .needs = ETJOIN_NEEDS | NEED_CALLS | NEED_SYNC, .threads = 1 };
	struct run run;
	struct err e;

	err_clear(&e);
	if (load_reader(memory_read, &f, "t", &o, &run, &e) != OK)
		return;
	if (run.has_trace)
		join(&run, et);
	run_clear(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = size ? memchr(data, 0, size) : NULL;
	size_t n = zero ? (size_t)(zero - data) : size;
	struct exectrace et;
	struct err e;
	enum status st;

	err_clear(&e);
	exectrace_init(&et);
	st = exectrace_parse(&et, (struct span){ (const char *)data, n }, &e);
	if (st != OK && e.text[0] == '\0')
		abort();
	if (st == OK && zero)
		load_and_join(zero + 1, size - n - 1, &et);
	else if (st == OK)
		load_and_join((const uint8_t *)trace, sizeof(trace) - 1, &et);
	exectrace_clear(&et);
	return 0;
}
