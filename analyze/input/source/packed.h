/*
 * Names of packed files: only to find what lies beside one (source/magic.h knows what a file is).
 */
#pragma once

#include "base/base.h"

/* How much of a path is its name unpacked: "a.db" of "a.db.gz"; all of it where it is not packed.
 */
size_t packed_stem(const char *path);
