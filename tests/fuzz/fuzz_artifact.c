/* Readers of artifacts: whatever the bytes are, each ends with a record or with one clear error.
 * The first byte chooses the reader, so that bytes no probe would let through reach it, too. */
#include "tests/fuzz/read_artifact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n;
	const struct artifact *const *all = artifact_all(&n);

	if (size > 1)
		read_artifact(all[data[0] % n], data + 1, size - 1);
	return 0;
}
