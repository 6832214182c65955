/*
 * Zeroes, in pages that are there already.
 */
#include "base/zeroed.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/die.h"

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
	if (bytes >= LARGE_BYTES) {
		__asm__ volatile("" : "+r"(p)); /* or compilers turn the two into calloc */
		memset(p, 0, bytes);
	}
	return p;
}
