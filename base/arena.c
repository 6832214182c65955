/* Arena allocator: a list of blocks, a bump pointer in the newest.  Blocks double up to a bound, so
 * a small result costs one malloc and a large one few. */
#include "base/arena.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/minmax.h"
#include "base/xalloc.h"

enum { ALIGN = 16, FIRST_BLOCK = 512, LARGEST_BLOCK = 1 << 20 };

struct arena_block {
	struct arena_block *older;
	size_t size; /* bytes of data */
	_Alignas(ALIGN) unsigned char data[];
};

void arena_init(struct arena *a)
{
	*a = (struct arena){ 0 };
}

void arena_clear(struct arena *a)
{
	arena_reset(a, (struct arena_mark){ 0 });
}

static void add_block(struct arena *a, size_t need)
{
	size_t size = a->block ? a->block->size * 2 : FIRST_BLOCK;

	if (size > LARGEST_BLOCK)
		size = LARGEST_BLOCK;
	if (size < need)
		size = need;
	struct arena_block *b = xmalloc(sizeof(*b) + size);
	b->older = a->block;
	b->size = size;
	a->block = b;
	a->used = 0;
	a->total += size;
}

void *arena_alloc(struct arena *a, size_t n)
{
	size_t room = (n + ALIGN - 1) & ~(size_t)(ALIGN - 1);

	if (room < n || room > SIZE_MAX / 2)
		die_oom(n);
	if (!a->block || a->block->size - a->used < room)
		add_block(a, room);
	void *p = a->block->data + a->used;
	a->used += room;
	memset(p, 0, room);
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	size_t bytes;

	if (mul_overflows(count, size, &bytes))
		die_oom(SIZE_MAX);
	return arena_alloc(a, bytes);
}

void *arena_grow(struct arena *a, void *p, size_t n, size_t *cap, size_t size)
{
	if (n < *cap)
		return p;
	*cap = *cap ? *cap * 2 : 8;
	void *to = arena_array(a, *cap, size);
	if (n)
		memcpy(to, p, n * size);
	return to;
}

char *arena_copy(struct arena *a, const char *p, size_t n)
{
	char *s = arena_alloc(a, n + 1);

	if (n)
		memcpy(s, p, n);
	return s;
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;

	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, ap);
	char *s = arena_alloc(a, (size_t)MAX(n, 0) + 1);
	(void)vsnprintf(s, (size_t)MAX(n, 0) + 1, fmt, again);
	va_end(again);
	return s;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	char *s = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return s;
}

bool arena_has(const struct arena *a, const void *p)
{
	uintptr_t at = (uintptr_t)p;

	for (const struct arena_block *b = a->block; b; b = b->older)
		if (at >= (uintptr_t)b->data && at < (uintptr_t)b->data + b->size)
			return true;
	return false;
}

struct arena_mark arena_mark(const struct arena *a)
{
	return (struct arena_mark){ a->block, a->used };
}

void arena_reset(struct arena *a, struct arena_mark mark)
{
	while (a->block && a->block != mark.block) {
		struct arena_block *b = a->block;

		a->block = b->older;
		a->total -= b->size;
		free(b);
	}
	a->used = mark.used;
}

void *array_grow(void *p, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap, bytes;

	if (need <= n)
		return p;
	n += n / 2 + 4; /* few: many inputs have small arrays of each kind */
	if (n < need)
		n = need;
	if (mul_overflows(n, size, &bytes))
		die_oom(SIZE_MAX);
	*cap = n;
	return xrealloc(p, bytes);
}
