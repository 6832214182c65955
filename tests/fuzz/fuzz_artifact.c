/* Readers of artifacts: whatever the bytes are, each ends with a record or with one clear error.
 * The first line names the reader, so that bytes no probe would let through reach it, too, and
 * seeds theirs, wherever the list has it; of what names none the first byte chooses. */
#include "tests/fuzz/read_artifact.h"
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n, i;
	const struct artifact *const *all = artifact_all(&n);
	struct span text = { (const char *)data, size }, name, rest;

	if (span_cut(text, '\n', &name, &rest) &&
		(i = FIRST(k, n, span_is(name, all[k]->name))) < n)
		read_artifact(all[i], (const uint8_t *)rest.p, rest.n);
	else if (size > 1)
		read_artifact(all[data[0] % n], data + 1, size - 1);
	return 0;
}
