/* Profiles of XLA. */
#include "analyze/input/format/format.h"
#include "tests/fuzz/format_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	format_input_try(&format_xplane, data, size);
	return 0;
}
