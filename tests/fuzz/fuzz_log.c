/* Logs of text, given thrice one behind the other: a line that was learnt is read by its shape the
 * next time. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/read_artifact.h"

enum { TIMES = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *text = malloc(TIMES * (size + 1));
	size_t n, kind;
	const struct artifact *const *all = artifact_all(&n);

	for (kind = 0; kind < n && strcmp(all[kind]->name, "text_log") != 0; kind++)
		;
	if (!text || kind == n)
		abort();
	for (size_t i = 0; i < TIMES; i++) {
		memcpy(text + i * (size + 1), data, size);
		text[i * (size + 1) + size] = '\n';
	}
	read_artifact(all[kind], text, TIMES * (size + 1));
	free(text);
	return 0;
}
