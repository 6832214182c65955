/* Perfetto traces: whatever the packets are, loading ends with a run or with one clear error, the
 * same for any windows and threads.  The input is a trace, or, behind a byte below 0x0a, packets
 * that are put into one: a fuzzer finds lengths hard. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/input/format/format.h"
#include "analyze/input/load.h"
#include "base/str.h"
#include "tests/fuzz/memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t load(struct span t, size_t window, unsigned threads)
{
	struct memory_file f = { (const uint8_t *)t.p, t.n, 0, 0 };
	struct load_options o = {
		.needs = t.n & 1 ? NEED_LINKS : (1u << 12) - 1,
		.threads = threads,
		.window_bytes = window,
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

/* Packets of as many bytes as the first of each says, each a field of the trace. */
static void put_packets(struct str *to, const uint8_t *data, size_t size)
{
	while (size > 1) {
		size_t n = data[0] & 0x7f;

		data++;
		size--;
		n = n < size ? n : size;
		str_addc(to, 0x0a);
		str_addc(to, (char)n);
		str_add(to, (const char *)data, n);
		data += n;
		size -= n;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A first packet that makes it a trace: what is not is another target's. */
	static const char first[] = "\x0a\x08\xe2\x03\x05\x08\x01\x2a\x01x";
	SCOPED_STR t = { 0 };
	struct span text;
	uint64_t digest;

	str_add(&t, first, sizeof(first) - 1);
	if (size && data[0] < 0x0a)
		put_packets(&t, data + 1, size - 1);
	else if (size)
		str_add(&t, (const char *)data, size);
	text = (struct span){ t.s, t.n };
	digest = load(text, 1 << 20, 1);
	if (load(text, 64 + t.n % 700, 1) != digest)
		abort();
	if (t.n % 16 == 0 && load(text, 100, 2) != digest)
		abort();
	return 0;
}
