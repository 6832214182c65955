/*
 * Jobs on threads: a counter says which is next, and every thread takes from it until none is left.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct crew {
	void (*job)(void *ctx, size_t i);
	void *ctx;
	size_t n;
	atomic_size_t next;
};

unsigned parallel_cores(unsigned threads)
{
	long cores = threads ? (long)threads : sysconf(_SC_NPROCESSORS_ONLN);

	return (unsigned)MAX(cores, 1);
}

unsigned parallel_threads(unsigned threads, size_t items)
{
	return items < PARALLEL_ITEMS_MIN ? 1 : parallel_cores(threads);
}

unsigned parallel_share(unsigned threads, size_t n, unsigned *each)
{
	unsigned all = parallel_cores(threads), files = (unsigned)MIN(n, all);

	*each = files ? all / files : all;
	return files;
}

static void *work(void *arg)
{
	struct crew *c = arg;
	size_t i;

	while ((i = atomic_fetch_add(&c->next, 1)) < c->n)
		c->job(c->ctx, i);
	return NULL;
}

void parallel_run(size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx)
{
	struct crew c = { .job = job, .ctx = ctx, .n = n };
	pthread_t thread[THREADS_MAX];
	size_t started = 0;

	while (started < THREADS_MAX && started + 1 < threads && started + 1 < n &&
		pthread_create(&thread[started], NULL, work, &c) == 0)
		started++;
	(void)work(&c);
	for (size_t i = 0; i < started; i++)
		(void)pthread_join(thread[i], NULL);
}
