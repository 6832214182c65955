/*
 * Profiles of XLA.
 */
#include "tests/fuzz/format_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	format_input_try("xplane", data, size);
	return 0;
}
