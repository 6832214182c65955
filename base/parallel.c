/*
 * Jobs on threads: a counter says which is next, and every thread takes from it until none is left.
 */
#include "base/parallel.h"

#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

enum { THREADS_MAX = 64 };

struct crew {
	void (*job)(void *ctx, size_t i);
	void *ctx;
	size_t n;
	atomic_size_t next;
};

/* Those that this process may use: a job of a cluster has some of the machine's. */
static long cores_allowed(void)
{
	cpu_set_t allowed;

	return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed)
								    : sysconf(_SC_NPROCESSORS_ONLN);
}

unsigned parallel_cores(unsigned threads)
{
	long cores = threads ? (long)threads : cores_allowed();

	return (unsigned)MAX(cores, 1);
}

unsigned parallel_threads(unsigned threads, size_t items)
{
	return items < PARALLEL_ITEMS_MIN ? 1 : parallel_cores(threads);
}

unsigned parallel_share(unsigned threads, size_t n, unsigned *each)
{
	unsigned all = parallel_cores(threads), files = (unsigned)MIN(n, all);

	*each = n > 1 ? all / files : threads;
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

void latch_init(struct latch *l)
{
	l->is_open = false;
	(void)pthread_mutex_init(&l->lock, NULL);
	(void)pthread_cond_init(&l->opened, NULL);
}

void latch_open(struct latch *l)
{
	(void)pthread_mutex_lock(&l->lock);
	l->is_open = true;
	(void)pthread_cond_broadcast(&l->opened);
	(void)pthread_mutex_unlock(&l->lock);
}

void latch_wait(struct latch *l)
{
	(void)pthread_mutex_lock(&l->lock);
	while (!l->is_open)
		(void)pthread_cond_wait(&l->opened, &l->lock);
	(void)pthread_mutex_unlock(&l->lock);
}

void latch_clear(struct latch *l)
{
	(void)pthread_cond_destroy(&l->opened);
	(void)pthread_mutex_destroy(&l->lock);
}
