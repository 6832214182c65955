/* The heap's first megabytes, asked for at once. */
#include "base/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
/* Enough for traces of some ten megabytes; what larger ones need beyond is no longer what takes
 * time. malloc writes into its first page when it begins, which therefore lies in front of the
 * large ones. */
enum { LARGE_PAGE = 2 << 20, IN_LARGE_PAGES = 16 << 20, FIRST_PAGE = 4096 };

/* From here on arrays that grow are moved by the kernel instead of copied. */
enum { MAPPED_FROM = 1 << 20 };

static char *next_large(const char *p)
{
	return (char *)(((uintptr_t)p + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE);
}

void heap_prepare(void)
{
	const char *begin = sbrk(0);

	if (brk(next_large(begin + FIRST_PAGE) - FIRST_PAGE) != 0)
		return;
	(void)mallopt(M_TOP_PAD, 0);
	(void)mallopt(M_MMAP_THRESHOLD, 2 * IN_LARGE_PAGES);
	/* What is freed stays, and threads share it. */
	(void)mallopt(M_TRIM_THRESHOLD, INT32_MAX);
	(void)mallopt(M_ARENA_MAX, 1);
	char *all = malloc(IN_LARGE_PAGES + LARGE_PAGE);
	if (all)
		(void)madvise(next_large(all), IN_LARGE_PAGES, MADV_HUGEPAGE);
	free(all);
	(void)mallopt(M_MMAP_THRESHOLD, MAPPED_FROM);
	(void)mallopt(M_TOP_PAD, 32 * FIRST_PAGE);
}
#else
void heap_prepare(void)
{
}
#endif
