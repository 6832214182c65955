/*
 * Slots in a ring: filled, worked on, ended.
 */
#include "analyze/input/format/relay.h"

#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/xalloc.h"

enum state { FREE, FILLED, WORKED };

struct running {
	const struct relay *relay;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum state *state;
	size_t nslot;
	uint64_t filled, claimed, ended; /* windows so far */
	bool filling, ending, no_more, failed;
	struct err *err; /* of the first failure */
	unsigned threads;
};

size_t relay_slots(unsigned threads)
{
	return threads > 1 ? (size_t)threads + 2 : 1;
}

static void take_failure(struct running *w, enum status st, const struct err *e)
{
	if (st == OK)
		return;
	if (!w->failed)
		*w->err = *e;
	w->failed = true;
}

static bool do_end(struct running *w)
{
	size_t slot = (size_t)(w->ended % w->nslot);
	struct err e;
	enum status st;

	if (w->ending || w->ended == w->filled || w->state[slot] != WORKED)
		return false;
	w->ending = true;
	pthread_mutex_unlock(&w->lock);
	st = w->relay->end(w->relay->ctx, slot, &e);
	pthread_mutex_lock(&w->lock);
	take_failure(w, st, &e);
	w->state[slot] = FREE;
	w->ending = false;
	w->ended++;
	return true;
}

static bool do_work(struct running *w)
{
	size_t slot = (size_t)(w->claimed % w->nslot);

	if (w->claimed == w->filled)
		return false;
	w->claimed++;
	pthread_mutex_unlock(&w->lock);
	w->relay->work(w->relay->ctx, slot);
	pthread_mutex_lock(&w->lock);
	w->state[slot] = WORKED;
	return true;
}

static bool do_fill(struct running *w)
{
	size_t slot = (size_t)(w->filled % w->nslot);
	struct err e;
	enum status st;
	bool last = false;

	if (w->filling || w->no_more || w->filled - w->ended == w->nslot)
		return false;
	w->filling = true;
	pthread_mutex_unlock(&w->lock);
	st = w->relay->fill(w->relay->ctx, slot, &last, &e);
	pthread_mutex_lock(&w->lock);
	take_failure(w, st, &e);
	w->state[slot] = FILLED;
	w->filling = false;
	w->no_more = st != OK || last;
	w->filled++;
	return true;
}

static bool is_over(const struct running *w)
{
	return w->failed || (w->no_more && w->ended == w->filled);
}

static void *run(void *arg)
{
	struct running *w = arg;

	pthread_mutex_lock(&w->lock);
	while (!is_over(w)) {
		if (do_end(w) || do_work(w) || do_fill(w))
			pthread_cond_broadcast(&w->changed);
		else
			pthread_cond_wait(&w->changed, &w->lock);
	}
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* The first window alone: most files have no other, and then no thread is worth its start. */
static void first_window(struct running *w)
{
	pthread_mutex_lock(&w->lock);
	(void)do_fill(w);
	while (w->no_more && !is_over(w) && (do_work(w) || do_end(w)))
		;
	pthread_mutex_unlock(&w->lock);
}

static void run_threads(struct running *w)
{
	pthread_t *thread = xcalloc(w->threads, sizeof(*thread));
	unsigned n = 0, i;

	while (n + 1 < w->threads && pthread_create(&thread[n], NULL, run, w) == 0)
		n++;
	(void)run(w);
	for (i = 0; i < n; i++)
		(void)pthread_join(thread[i], NULL);
	free(thread);
}

enum status relay_run(const struct relay *r, unsigned threads, struct err *e)
{
	struct running w = { .relay = r, .err = e, .threads = threads };

	assert(threads >= 1);
	w.nslot = relay_slots(threads);
	w.state = xcalloc(w.nslot, sizeof(*w.state));
	(void)pthread_mutex_init(&w.lock, NULL);
	(void)pthread_cond_init(&w.changed, NULL);
	first_window(&w);
	if (!is_over(&w))
		run_threads(&w);
	free(w.state);
	(void)pthread_cond_destroy(&w.changed);
	(void)pthread_mutex_destroy(&w.lock);
	return w.failed ? e->status : OK;
}
