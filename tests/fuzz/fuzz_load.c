/* Whole files: whatever the bytes are, loading ends with a run or with one clear error, and every
 * scanner and inflater says the same.  Windows are tiny, so that every cut is somewhere odd. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/events/scan.h"
#include "analyze/input/load.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t load(const uint8_t *data, size_t size, const char *scanner, size_t window)
{
	unsigned needs = size & 2 ? NEED_LINKS : (1u << 12) - 1;
	struct memory_file f = { data, size, 0, 0 };
	struct load_options o = {
		.needs = needs, .threads = 1, .scanner = scanner, .window_bytes = window
	};
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
	const struct scanner *const *s = scanner_all();
	size_t window = size ? 64 + (size_t)data[size - 1] * 8 : 64;
	uint64_t first = load(data, size, s[0]->name, window);

	for (s++; *s; s++)
		if (load(data, size, (*s)->name, window) != first)
			abort();
	return 0;
}
