/* Buffers of the fake CUPTI. */
#include "tests/capture/fake_lanes.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_records.h"

enum { LANES = 512, TORN_BYTES = 64 };

static struct lane lanes[LANES];
static atomic_int nlanes;
static _Thread_local struct lane *mine;
/* One pair for the process, the last that was registered; a thread may be at it meanwhile. */
static _Atomic(cupti_request_fn) request;
static _Atomic(cupti_complete_fn) complete;
static atomic_bool is_gone, has_work;
static atomic_long nrecords;

long lanes_setting(const char *name, long otherwise)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 10) : otherwise;
}

uint32_t lanes_version(void)
{
	return (uint32_t)lanes_setting("FAKE_CUPTI_VERSION", 130001);
}

void lanes_start(cupti_request_fn lends, cupti_complete_fn takes)
{
	atomic_store(&complete, takes);
	atomic_store(&request, lends);
}

void lanes_complete(uint8_t *buffer, size_t size, size_t valid)
{
	cupti_complete_fn f = atomic_load(&complete);

	f(NULL, 0, buffer, size, valid);
}

bool lanes_are_ready(void)
{
	return atomic_load(&request);
}

void lanes_end(void)
{
	atomic_store(&is_gone, true);
}

struct lane *lanes_mine(void)
{
	int i;

	if (mine)
		return mine;
	i = atomic_fetch_add(&nlanes, 1);
	if (i >= LANES) {
		fprintf(stderr, "fake cupti: too many threads\n");
		abort();
	}
	mine = &lanes[i];
	(void)pthread_mutex_init(&mine->lock, NULL);
	mine->tid = (uint32_t)syscall(SYS_gettid);
	atomic_store(&mine->is_there, true);
	return mine;
}

static void give_back(struct lane_buffer *b)
{
	uint8_t *p = b->p;

	b->p = NULL;
	if (p)
		lanes_complete(p, b->size, b->used);
}

/* What is not done has no times; CUPTI gives the record once, as it is. */
static void leave_unfinished(struct lane_buffer *b, int64_t now)
{
	uint8_t *p = NULL;

	if (b->busy_until <= now)
		return;
	while (fake_next(b->p, b->used, &p, lanes_version()) == CUPTI_OK && p)
		if (get_KIND(p) == ACT_KERNEL && (int64_t)get_KERNEL_END(p) > now)
			fake_without_times(p);
}

/* Full: it goes at once, or waits for its work. */
static void put_aside(struct lane *l)
{
	if (l->now.busy_until && l->nfull < LANE_FULL)
		l->full[l->nfull++] = l->now;
	else
		give_back(&l->now);
	l->now.p = NULL;
}

/* Room for n bytes in the thread's buffer; NULL when there is no buffer to be had. */
static uint8_t *room(struct lane *l, size_t n)
{
	cupti_request_fn f = atomic_load(&request);
	size_t records = 0;
	uint8_t *p;

	if (l->now.p && l->now.size - l->now.used < n)
		put_aside(l);
	if (!l->now.p) {
		l->now = (struct lane_buffer){ 0 };
		f(&l->now.p, &l->now.size, &records);
		if (!l->now.p || l->now.size < n) {
			l->now.p = NULL;
			return NULL;
		}
	}
	p = l->now.p + l->now.used;
	l->now.used += n;
	return p;
}

void lanes_put(struct lane *l, const unsigned char *record)
{
	lanes_put_until(l, record, 0);
}

void lanes_put_until(struct lane *l, const unsigned char *record, int64_t until)
{
	uint32_t kind = get_KIND(record);
	size_t n = fake_size(kind, lanes_version());
	long torn = lanes_setting("FAKE_TORN", 0);
	uint8_t *p;

	if (!lanes_are_ready() || atomic_load(&is_gone))
		return;
	(void)pthread_mutex_lock(&l->lock);
	if (torn && atomic_fetch_add(&nrecords, 1) + 1 == torn) {
		p = room(l, TORN_BYTES);
		if (p)
			memset(p, 0, TORN_BYTES);
	}
	p = room(l, n);
	if (p) {
		memcpy(p, record, n - fake_tail());
		memset(p + n - fake_tail(), 0xa5, fake_tail());
		if (until > l->now.busy_until)
			l->now.busy_until = until;
		atomic_store(&has_work, true);
	}
	(void)pthread_mutex_unlock(&l->lock);
}

bool lanes_have_work(void)
{
	return atomic_load(&has_work);
}

/* Under the lane's lock. */
static void flush_lane(struct lane *l, bool is_forced, int64_t now)
{
	int i, kept = 0;

	for (i = 0; i < l->nfull; i++) {
		if (!is_forced && l->full[i].busy_until > now) {
			l->full[kept++] = l->full[i];
			continue;
		}
		leave_unfinished(&l->full[i], now);
		give_back(&l->full[i]);
	}
	l->nfull = kept;
	if (!l->now.p || !l->now.used || (!is_forced && l->now.busy_until > now))
		return;
	leave_unfinished(&l->now, now);
	give_back(&l->now);
}

bool lanes_flush(bool is_forced, int64_t now)
{
	int i, n = atomic_load(&nlanes);

	if (atomic_load(&is_gone))
		return false;
	for (i = 0; i < n; i++) {
		struct lane *l = &lanes[i];

		if (!atomic_load(&l->is_there))
			continue;
		(void)pthread_mutex_lock(&l->lock);
		flush_lane(l, is_forced, now);
		(void)pthread_mutex_unlock(&l->lock);
	}
	return true;
}
