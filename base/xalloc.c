/* Memory that is there, or the program ends. */
#include "base/xalloc.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/io_temp.h"

void *xmalloc(size_t n)
{
	return xrealloc(NULL, n);
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);
	size_t bytes;

	if (!p)
		die_oom(mul_overflows(n, size, &bytes) ? SIZE_MAX : bytes);
	return p;
}

void *xrealloc(void *p, size_t n)
{
	void *q = realloc(p, n ? n : 1);

	if (!q)
		die_oom(n);
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

/* ---- the heap's first megabytes, asked for at once ---- */

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

size_t heap_spare(void)
{
#if __GLIBC_PREREQ(2, 33)
	return mallinfo2().fordblks;
#else
	return (unsigned)mallinfo().fordblks;
#endif
}
#else
void heap_prepare(void)
{
}

size_t heap_spare(void)
{
	return 0;
}
#endif

/* ---- */

/* Out of memory: no caller could do anything sensible, so the program ends here, with exit status 2
 * ("no answer"), by plain write(2) since stdio may need memory itself. */

void die_oom(size_t wanted_bytes)
{
	char line[96];
	int n = snprintf(
		line, sizeof(line), DIE_OOM_WORDS " (%zu more bytes wanted)\n", wanted_bytes);

	io_temp_drop_all();
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		_exit(2);
	_exit(2);
}
