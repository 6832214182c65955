/* One format under a fuzzer: whatever the bytes are, reading ends with rows or with one clear
 * error, and the size of windows changes nothing. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct format;

/* Reads the bytes as that format, whatever they begin with; aborts on what must not be. */
void format_input_try(const struct format *format, const uint8_t *data, size_t size);
