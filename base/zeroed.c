/* Zeroes, in pages that are there already. */
#include "base/zeroed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { LARGE_BYTES = 128 << 10 }; /* from here on malloc may give fresh pages */

void *zeroed(size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (mul_overflows(n, size, &bytes))
		die_oom(SIZE_MAX);
	if (bytes < LARGE_BYTES)
		p = calloc(1, bytes ? bytes : 1);
	else
		p = malloc(bytes);
	if (!p)
		die_oom(bytes);
	if (bytes >= LARGE_BYTES)
		explicit_bzero(p, bytes); /* compilers turn malloc and memset into calloc */
	return p;
}
