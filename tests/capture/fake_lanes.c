/*
 * Buffers of the fake CUPTI.
 */
#include "tests/capture/fake_lanes.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/cupti_abi.h"
#include "tests/capture/fake_records.h"

enum { LANES = 512 };

static struct lane lanes[LANES];
static atomic_int nlanes;
static _Thread_local struct lane *mine;
/* One pair for the process, the last that was registered; a thread may be at it meanwhile. */
static _Atomic(cupti_request_fn) request;
static _Atomic(cupti_complete_fn) complete;
static atomic_bool is_gone;

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

static void give_back(struct lane *l)
{
	uint8_t *b = l->buffer;

	l->buffer = NULL;
	if (b)
		lanes_complete(b, l->size, l->used);
}

/* Room for n bytes in the thread's buffer; NULL when there is no buffer to be had. */
static uint8_t *room(struct lane *l, size_t n)
{
	cupti_request_fn f = atomic_load(&request);
	size_t records = 0;
	uint8_t *p;

	if (l->buffer && l->size - l->used < n)
		give_back(l);
	if (!l->buffer) {
		f(&l->buffer, &l->size, &records);
		l->used = 0;
		if (!l->buffer || l->size < n) {
			l->buffer = NULL;
			return NULL;
		}
	}
	p = l->buffer + l->used;
	l->used += n;
	return p;
}

void lanes_put(struct lane *l, const unsigned char *record)
{
	uint32_t kind = get_KIND(record);
	size_t n = fake_size(kind, lanes_version());
	uint8_t *p;

	if (!lanes_are_ready() || atomic_load(&is_gone))
		return;
	(void)pthread_mutex_lock(&l->lock);
	p = room(l, n);
	if (p) {
		memcpy(p, record, n - fake_tail());
		memset(p + n - fake_tail(), 0xa5, fake_tail());
	}
	(void)pthread_mutex_unlock(&l->lock);
}

bool lanes_flush(void)
{
	int i, n = atomic_load(&nlanes);

	if (atomic_load(&is_gone))
		return false;
	for (i = 0; i < n; i++) {
		struct lane *l = &lanes[i];

		if (!atomic_load(&l->is_there))
			continue;
		(void)pthread_mutex_lock(&l->lock);
		if (l->buffer && l->used)
			give_back(l);
		(void)pthread_mutex_unlock(&l->lock);
	}
	return true;
}
