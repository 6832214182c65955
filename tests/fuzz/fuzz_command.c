/* Whole commands: reader, analysis, renderer, chart script and sinks in one process, on texts that
 * are changed at random.  What must hold of each is in perform.h. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/invocation.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/perform.h"
#include "tests/fuzz/words.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct invocation v; /* large; read anew each time */

	if (!invocation_open())
		abort();
	if (invocation_read(&v, data, size))
		(void)perform(&v, NULL);
	invocation_clear();
	return 0;
}

/* The first line, or what is behind it; a third of the time as libFuzzer does it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	uint64_t state = seed * 2654435769u + 1;
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t head = end ? (size_t)(end - data) + 1 : 0, kind = words_below(&state, 8), n;
	char line[WORDS_HEAD];

	if (!end || head == size || max <= size)
		return LLVMFuzzerMutate(data, size, max);
	if (kind == 0) {
		n = words_head(line, (struct span){ (const char *)data, head - 1 }, &state);
		return mutate_splice(data, size, max, 0, head, line, n);
	}
	if (kind < 6)
		return head + mutate_text(data + head, size - head, max - head, &state);
	return head + LLVMFuzzerMutate(data + head, size - head, max - head);
}
