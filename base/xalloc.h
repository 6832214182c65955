/* Memory outside arenas: as malloc(3) has it, but out of memory ends the program (base/xalloc.h),
 * so nothing here returns NULL, for 0 bytes neither.  The caller frees.
 *
 * xmalloc   n bytes
 * xcalloc   n objects of `size` bytes, all zero; large ones that threads share: base/zeroed.h
 * xstrndup  the first n bytes of s, or all of it when it is shorter, NUL-terminated
 * xrealloc  the block p with room for n bytes, moved or not; p may be NULL
 * FREE_ALL  frees each of these pointers */
#pragma once

#include <stddef.h>
#include <stdlib.h>

#include "base/compiler.h"

void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
char *xstrndup(const char *s, size_t n);
void *xrealloc(void *p, size_t n);

#define FREE_ALL(...)                                                      \
	do {                                                               \
		void *const all_[] = { __VA_ARGS__ };                      \
                                                                           \
		for (size_t all_i_ = 0; all_i_ < COUNT_OF(all_); all_i_++) \
			free(all_[all_i_]);                                \
	} while (0)

/* To be called once, before memory is asked for, where files are read: the heap begins with large
 * pages, where the system gives them.  Half of the milliseconds that a file of some megabytes takes
 * is the kernel's, who hands out memory page by page. */
void heap_prepare(void);

/* Bytes that the heap has from the system and nobody uses. */
size_t heap_spare(void);

/* ---- the one place where running out of memory ends the program ---- */

/* Says that wanted_bytes could not be had, in a line that begins so, and exits 2. */
#define DIE_OOM_WORDS "traceq: out of memory"
NO_RETURN void die_oom(size_t wanted_bytes);
