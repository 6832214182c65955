/* Readers of artifacts, given bytes: each ends with a record or with one clear error. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "analyze/input/artifact/artifact.h"

void read_artifact(const struct artifact *kind, const uint8_t *data, size_t size);
