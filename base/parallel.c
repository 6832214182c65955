/*
 * Jobs on threads: a counter says which is next, and every thread takes from it until none is left.
 */
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/minmax.h"
#include "base/zeroed.h"

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

static void *work(void *arg)
{
	struct crew *c = arg;
	size_t i;

	while ((i = atomic_fetch_add(&c->next, 1)) < c->n)
		c->job(c->ctx, i);
	return NULL;
}

/* Beside the caller, for n jobs; returns how many there are. */
static size_t start(pthread_t *thread, size_t n, unsigned threads, void *(*body)(void *), void *arg)
{
	size_t started = 0;

	while (started < THREADS_MAX && started + 1 < threads && started + 1 < n &&
		pthread_create(&thread[started], NULL, body, arg) == 0)
		started++;
	return started;
}

void parallel_run(size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx)
{
	struct crew c = { .job = job, .ctx = ctx, .n = n };
	pthread_t thread[THREADS_MAX];
	size_t started = start(thread, n, threads, work, &c);

	(void)work(&c);
	for (size_t i = 0; i < started; i++)
		(void)pthread_join(thread[i], NULL);
}

/*
 * In order: one lock, and a counter of jobs that were begun; a thread takes the next where there is
 * room.
 */

struct ordered_jobs {
	void (*job)(void *ctx, size_t i);
	void *ctx;
	size_t n, most; /* most: begun and not yet passed by */
	pthread_mutex_t lock;
	pthread_cond_t changed;
	bool *done;
	size_t next, at; /* the first that is not begun; the one that is looked at */
	bool is_over;
	pthread_t thread[THREADS_MAX];
	size_t nthread;
};

/* With the lock, which is open while the job is done. */
static bool do_next(struct ordered_jobs *a)
{
	size_t i = a->next;

	if (a->is_over || i == a->n || i >= a->at + a->most)
		return false;
	a->next++;
	(void)pthread_mutex_unlock(&a->lock);
	a->job(a->ctx, i);
	(void)pthread_mutex_lock(&a->lock);
	a->done[i] = true;
	(void)pthread_cond_broadcast(&a->changed);
	return true;
}

static void *work_in_order(void *arg)
{
	struct ordered_jobs *a = arg;

	(void)pthread_mutex_lock(&a->lock);
	while (!a->is_over && a->next < a->n)
		if (!do_next(a))
			(void)pthread_cond_wait(&a->changed, &a->lock);
	(void)pthread_mutex_unlock(&a->lock);
	return NULL;
}

struct ordered_jobs *ordered_jobs_new(
	size_t n, unsigned threads, void (*job)(void *ctx, size_t i), void *ctx)
{
	struct ordered_jobs *a = zeroed(1, sizeof(*a));

	*a = (struct ordered_jobs){
		.job = job,
		.ctx = ctx,
		.n = n,
		.most = (threads ? threads : 1) + (size_t)1,
		.done = zeroed(n, sizeof(*a->done)),
	};
	(void)pthread_mutex_init(&a->lock, NULL);
	(void)pthread_cond_init(&a->changed, NULL);
	a->nthread = start(a->thread, n, threads, work_in_order, a);
	return a;
}

void ordered_jobs_take(struct ordered_jobs *a, size_t i)
{
	(void)pthread_mutex_lock(&a->lock);
	if (i > a->at) {
		a->at = i;
		(void)pthread_cond_broadcast(&a->changed);
	}
	while (!a->done[i])
		if (!do_next(a))
			(void)pthread_cond_wait(&a->changed, &a->lock);
	(void)pthread_mutex_unlock(&a->lock);
}

void ordered_jobs_free(struct ordered_jobs *a)
{
	if (!a)
		return;
	(void)pthread_mutex_lock(&a->lock);
	a->is_over = true;
	(void)pthread_cond_broadcast(&a->changed);
	(void)pthread_mutex_unlock(&a->lock);
	for (size_t i = 0; i < a->nthread; i++)
		(void)pthread_join(a->thread[i], NULL);
	(void)pthread_cond_destroy(&a->changed);
	(void)pthread_mutex_destroy(&a->lock);
	free(a->done);
	free(a);
}
