/*
 * The one place where running out of memory ends the program.
 */
#ifndef BASE_DIE_H
#define BASE_DIE_H

#include <stddef.h>

#include "base/compiler.h"

/* Says that wanted_bytes could not be had, in a line that begins so, and exits 2. */
#define DIE_OOM_WORDS "traceq: out of memory"
NO_RETURN void die_oom(size_t wanted_bytes);

#endif
