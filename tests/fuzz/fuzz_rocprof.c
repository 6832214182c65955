/* What rocprofv3 leaves: JSON, CSVs, rocpd.  Whatever the bytes are, loading ends with a run or
 * with one clear error, and the same whether the text comes in tiny windows or at once. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/format/format.h"
#include "analyze/input/load.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t load(const uint8_t *data, size_t size, size_t window)
{
	struct memory_file f = { data, size, 0, 0 };
	struct load_options o = { .needs = (1u << 12) - 1, .threads = 1, .window_bytes = window };
	struct run run;
	struct err e;
	uint64_t digest;
	enum status st;

	err_clear(&e);
	st = load_reader(memory_read, &f, "fuzz", &o, &run, &e);
	if (st != OK) {
		if (e.text[0] == '\0' || e.status != st)
			abort();
		return (uint64_t)-st;
	}
	digest = memory_run_digest(&run);
	run_clear(&run);
	return digest;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span head = { (const char *)data, size < FORMAT_HEAD ? size : FORMAT_HEAD };
	const struct format *format = format_of(head);

	if (!format || strcmp(format->name, "pftrace") == 0)
		return 0;
	if (load(data, size, 64 + (size_t)data[size - 1]) != load(data, size, 0))
		abort();
	return 0;
}
