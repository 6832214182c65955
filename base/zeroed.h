/* Arrays of zeroes outside arenas. */
#pragma once

#include <stddef.h>

/*
 * n objects of `size` bytes, all zero; n may be 0.  The caller frees.  Out of memory ends the
 * program.
 *
 * calloc's large arrays are one shared page of zeroes wherever they are read before they are
 * written, as a counter is; the first write then has to take the shared page away from all other
 * threads, which costs them and us more than filling the array does.  Here pages are written first.
 */
void *zeroed(size_t n, size_t size);
