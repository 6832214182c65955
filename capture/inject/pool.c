/* Buffers for CUPTI. */
#include "capture/inject/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/inject/hold.h"

enum { WASTE_BYTES = 32768, WASTE_SLOTS = 4096 };

bool pool_init(struct pool *p, size_t buffer_bytes, size_t cap_bytes)
{
	*p = (struct pool){ .buffer_bytes = (buffer_bytes + 4095) / 4096 * 4096,
		.cap_bytes = cap_bytes,
		.waste_slots = WASTE_SLOTS };
	(void)pthread_mutex_init(&p->lock, NULL);
	p->waste_bytes = p->buffer_bytes == WASTE_BYTES ? WASTE_BYTES + 4096 : WASTE_BYTES;
	p->slots = cap_bytes / p->buffer_bytes + 1;
	p->done = calloc(p->slots, sizeof(*p->done));
	p->spare = calloc(p->slots, sizeof(*p->spare));
	p->waste = calloc(p->waste_slots, sizeof(*p->waste));
	return p->done && p->spare && p->waste;
}

/* Cleared pages, already there; NULL without memory. */
static uint8_t *map(size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Under the lock: takes its share of the cap, or says that there is none left. */
static bool reserve(struct pool *p)
{
	if (p->total_bytes + p->buffer_bytes > p->cap_bytes)
		return false;
	p->total_bytes += p->buffer_bytes;
	return true;
}

static uint8_t *lend_waste(struct pool *p, size_t *size)
{
	uint8_t *b = NULL;

	(void)pthread_mutex_lock(&p->lock);
	p->dropped_buffers += !p->is_closed;
	if (!p->is_closed)
		losses_add(&p->lost, (uint32_t)gettid());
	if (p->nwaste)
		b = p->waste[--p->nwaste];
	(void)pthread_mutex_unlock(&p->lock);
	if (p->may_refuse && !b)
		return NULL;
	if (!b)
		b = map(p->waste_bytes);
	*size = b ? p->waste_bytes : 0;
	return b;
}

uint8_t *pool_lend(struct pool *p, size_t *size)
{
	uint8_t *b = NULL;
	bool make = false;

	*size = 0;
	(void)pthread_mutex_lock(&p->lock);
	if (!p->is_closed && p->nspare)
		b = p->spare[--p->nspare];
	else if (!p->is_closed)
		make = reserve(p);
	(void)pthread_mutex_unlock(&p->lock);
	if (make) {
		b = map(p->buffer_bytes);
		if (!b) {
			(void)pthread_mutex_lock(&p->lock);
			p->total_bytes -= p->buffer_bytes;
			(void)pthread_mutex_unlock(&p->lock);
		}
	}
	if (!b)
		return lend_waste(p, size);
	*size = p->buffer_bytes;
	return b;
}

void pool_take_back(struct pool *p, uint8_t *buffer, size_t size, size_t valid)
{
	if (!buffer)
		return;
	if (valid > size)
		valid = size;
	if (size == p->waste_bytes)
		memset(buffer, 0, valid);
	HOLD(&p->lock);
	if (size == p->waste_bytes) {
		p->dropped_bytes += valid;
		if (p->nwaste < p->waste_slots)
			p->waste[p->nwaste++] = buffer;
	} else if (p->ndone < p->slots) {
		p->done[(p->done_at + p->ndone++) % p->slots] = (struct pool_item){ buffer, valid };
	}
}

bool pool_next(struct pool *p, struct pool_item *item)
{
	HOLD(&p->lock);
	bool found = p->ndone > 0;
	if (found) {
		*item = p->done[p->done_at];
		p->done_at = (p->done_at + 1) % p->slots;
		p->ndone--;
	}
	return found;
}

size_t pool_waiting(struct pool *p)
{
	HOLD(&p->lock);
	return p->ndone;
}

void pool_recycle(struct pool *p, const struct pool_item *item)
{
	memset(item->p, 0, item->valid);
	(void)pthread_mutex_lock(&p->lock);
	bool keep = p->nspare < POOL_KEEP && !p->is_closed;
	if (keep)
		p->spare[p->nspare++] = item->p;
	else
		p->total_bytes -= p->buffer_bytes;
	(void)pthread_mutex_unlock(&p->lock);
	if (!keep)
		(void)munmap(item->p, p->buffer_bytes);
}

void pool_prepare(struct pool *p)
{
	for (;;) {
		(void)pthread_mutex_lock(&p->lock);
		bool want = p->nspare < POOL_SPARE && p->nspare < p->slots && !p->is_closed &&
			reserve(p);
		(void)pthread_mutex_unlock(&p->lock);
		if (!want)
			return;
		uint8_t *b = map(p->buffer_bytes);
		(void)pthread_mutex_lock(&p->lock);
		if (b)
			p->spare[p->nspare++] = b;
		else
			p->total_bytes -= p->buffer_bytes;
		(void)pthread_mutex_unlock(&p->lock);
		if (!b)
			return;
	}
}

void pool_close(struct pool *p)
{
	HOLD(&p->lock);
	p->is_closed = true;
}

/* ---- losses by thread: a table that is looked through, since losses are few or their threads are
 * ---- */

void losses_add(struct losses *l, uint32_t tid)
{
	size_t i;

	for (i = 0; i < l->n && l->thread[i].tid != tid;)
		i++;
	if (i == LOSSES_THREADS) {
		l->others++;
		return;
	}
	if (i == l->n)
		l->thread[l->n++].tid = tid;
	l->thread[i].count++;
}

void losses_put(const struct losses *l, struct jtext *t)
{
	JTEXT_LIT(t, "{");
	for (size_t i = 0; i < l->n; i++)
		jtext_f(t, "%s\"%u\": %lu", i ? ", " : "", l->thread[i].tid, l->thread[i].count);
	if (l->others)
		jtext_f(t, ", \"others\": %lu", l->others);
	JTEXT_LIT(t, "}");
}

void losses_say(const struct losses *l, char *text, size_t size)
{
	uint64_t all = l->others;
	size_t most = 0;

	text[0] = 0;
	for (size_t i = 0; i < l->n; i++) {
		all += l->thread[i].count;
		if (l->thread[i].count > l->thread[most].count)
			most = i;
	}
	if (l->n)
		(void)snprintf(text, size, " (of %zu%s threads; most of thread %u: %lu of %lu)",
			l->n, l->others ? " and more" : "", l->thread[most].tid,
			l->thread[most].count, all);
}
