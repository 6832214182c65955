/*
 * One lock, and a counter of jobs that were begun; a thread takes the next where there is room.
 */
#include "base/ordered_jobs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/zeroed.h"

enum { THREADS_MAX = 64 };

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

static void *work(void *arg)
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

	a->job = job;
	a->ctx = ctx;
	a->n = n;
	a->most = (threads ? threads : 1) + (size_t)1;
	a->done = zeroed(n, sizeof(*a->done));
	(void)pthread_mutex_init(&a->lock, NULL);
	(void)pthread_cond_init(&a->changed, NULL);
	while (a->nthread < THREADS_MAX && a->nthread + 1 < threads && a->nthread + 1 < n &&
		pthread_create(&a->thread[a->nthread], NULL, work, a) == 0)
		a->nthread++;
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
	size_t i;

	if (!a)
		return;
	(void)pthread_mutex_lock(&a->lock);
	a->is_over = true;
	(void)pthread_cond_broadcast(&a->changed);
	(void)pthread_mutex_unlock(&a->lock);
	for (i = 0; i < a->nthread; i++)
		(void)pthread_join(a->thread[i], NULL);
	(void)pthread_cond_destroy(&a->changed);
	(void)pthread_mutex_destroy(&a->lock);
	free(a->done);
	free(a);
}
