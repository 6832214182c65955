/* One lock, and three counters of numbers that were filled, taken for work, ended. */
#include "base/ring.h"

#include <assert.h>
#include <pthread.h>

#include "base/xalloc.h"

enum state { FREE, FILLED, WORKED };

struct ring {
	struct ring_steps steps;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	enum state *state; /* by slot */
	size_t nslot;
	size_t filled, claimed, ended; /* so many numbers */
	bool is_filling, is_ending, has_last, is_stopped;
	enum status status; /* of the first failure, with its err */
	struct err err;
	unsigned threads;
	pthread_t *thread; /* NULL: none was begun */
	size_t nthread;
};

size_t ring_slots(unsigned threads)
{
	return threads > 1 ? (size_t)threads + 2 : 1; /* one thread ends what it begins */
}

static enum state *state_of(struct ring *r, size_t i)
{
	return &r->state[i % r->nslot];
}

static void take_failure(struct ring *r, enum status st, const struct err *e)
{
	if (st == OK)
		return;
	if (r->status == OK) {
		r->status = st;
		r->err = *e;
	}
	r->is_stopped = true;
}

/* These three with the lock, which is open while the step is done. */

static bool do_end(struct ring *r)
{
	struct err e;

	if (!r->steps.end || r->is_ending || r->ended == r->filled ||
		*state_of(r, r->ended) != WORKED)
		return false;
	r->is_ending = true;
	(void)pthread_mutex_unlock(&r->lock);
	enum status st = r->steps.end(r->steps.ctx, r->ended, &e);
	(void)pthread_mutex_lock(&r->lock);
	take_failure(r, st, &e);
	r->is_ending = false;
	*state_of(r, r->ended++) = FREE;
	return true;
}

static bool do_work(struct ring *r)
{
	size_t i = r->claimed;

	if (i == r->filled)
		return false;
	r->claimed++;
	(void)pthread_mutex_unlock(&r->lock);
	r->steps.work(r->steps.ctx, i);
	(void)pthread_mutex_lock(&r->lock);
	*state_of(r, i) = WORKED;
	return true;
}

static bool do_fill(struct ring *r)
{
	bool is_last = false;
	struct err e;

	if (r->is_filling || r->has_last || r->filled - r->ended == r->nslot)
		return false;
	r->is_filling = true;
	(void)pthread_mutex_unlock(&r->lock);
	enum status st = r->steps.fill(r->steps.ctx, r->filled, &is_last, &e);
	(void)pthread_mutex_lock(&r->lock);
	take_failure(r, st, &e);
	r->is_filling = false;
	r->has_last = st != OK || is_last;
	if (st == OK)
		*state_of(r, r->filled++) = FILLED;
	return true;
}

/* What is due, or waits for it. */
static void do_next(struct ring *r)
{
	if (do_end(r) || do_work(r) || do_fill(r))
		(void)pthread_cond_broadcast(&r->changed);
	else
		(void)pthread_cond_wait(&r->changed, &r->lock);
}

static bool is_over(const struct ring *r)
{
	return r->is_stopped || (r->has_last && r->ended == r->filled);
}

static void *run(void *arg)
{
	struct ring *r = arg;

	(void)pthread_mutex_lock(&r->lock);
	while (!is_over(r))
		do_next(r);
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->lock);
	return NULL;
}

/* The first alone: most files have no other, and then no thread is worth its start. */
static void begin(struct ring *r)
{
	(void)pthread_mutex_lock(&r->lock);
	(void)do_fill(r);
	unsigned threads = r->has_last ? 1 : r->threads;
	(void)pthread_mutex_unlock(&r->lock);
	r->thread = xcalloc(threads, sizeof(*r->thread));
	while (r->nthread + 1 < threads &&
		pthread_create(&r->thread[r->nthread], NULL, run, r) == 0)
		r->nthread++;
}

struct ring *ring_new(const struct ring_steps *steps, size_t slots, unsigned threads)
{
	struct ring *r = xcalloc(1, sizeof(*r));

	assert(slots >= 1 && threads >= 1);
	r->steps = *steps;
	r->nslot = slots;
	r->threads = threads;
	r->state = xcalloc(slots, sizeof(*r->state));
	(void)pthread_mutex_init(&r->lock, NULL);
	(void)pthread_cond_init(&r->changed, NULL);
	return r;
}

/* Frees what is before number i. */
static void pass_by(struct ring *r, size_t i)
{
	for (; r->ended < i && r->ended < r->filled && *state_of(r, r->ended) == WORKED; r->ended++)
		*state_of(r, r->ended) = FREE;
	(void)pthread_cond_broadcast(&r->changed);
}

static bool is_worked(struct ring *r, size_t i)
{
	return i < r->ended || (i == r->ended && i < r->filled && *state_of(r, i) == WORKED);
}

bool ring_take(struct ring *r, size_t i)
{
	if (!r->thread)
		begin(r);
	(void)pthread_mutex_lock(&r->lock);
	for (pass_by(r, i); !is_worked(r, i) && (!r->has_last || i < r->filled); pass_by(r, i))
		do_next(r);
	bool is_there = i < r->filled;
	(void)pthread_mutex_unlock(&r->lock);
	return is_there;
}

static void join_all(struct ring *r)
{
	for (; r->nthread > 0; r->nthread--)
		(void)pthread_join(r->thread[r->nthread - 1], NULL);
}

void ring_free(struct ring *r)
{
	if (!r)
		return;
	(void)pthread_mutex_lock(&r->lock);
	r->is_stopped = true;
	(void)pthread_cond_broadcast(&r->changed);
	(void)pthread_mutex_unlock(&r->lock);
	join_all(r);
	(void)pthread_cond_destroy(&r->changed);
	(void)pthread_mutex_destroy(&r->lock);
	FREE_ALL(r->thread, r->state, r);
}

enum status ring_run(const struct ring_steps *steps, size_t slots, unsigned threads, struct err *e)
{
	struct ring *r = ring_new(steps, slots, threads);

	begin(r);
	(void)run(r);
	join_all(r);
	enum status st = r->status;
	if (st != OK)
		*e = r->err;
	ring_free(r);
	return st;
}
