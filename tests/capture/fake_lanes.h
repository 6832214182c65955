/* Buffers of the fake CUPTI: asked for on the program's threads, one in flight for each, flushed
 * from anywhere. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/cupti.h"

/* A buffer, and when the last of the device work in it is done. */
struct lane_buffer {
	uint8_t *p;
	size_t size, used;
	int64_t busy_until;
};

enum { LANE_FULL = 64 };

/* One thread's buffers. */
struct lane {
	_Atomic bool is_there; /* its lock may be taken */
	pthread_mutex_t lock;
	struct lane_buffer now;             /* p is NULL: none */
	struct lane_buffer full[LANE_FULL]; /* with work in them that is not done */
	int nfull;
	uint32_t tid;
};

/* A number of the environment, and FAKE_CUPTI_VERSION. */
long lanes_setting(const char *name, long otherwise);
uint32_t lanes_version(void);

/* Who lends buffers and takes them back; before that nothing is recorded. */
void lanes_start(cupti_request_fn request, cupti_complete_fn complete);
bool lanes_are_ready(void);
/* A buffer goes to whoever takes them back. */
void lanes_complete(uint8_t *buffer, size_t size, size_t valid);
/* From now on nothing is recorded or flushed. */
void lanes_end(void);

/* This thread's. */
struct lane *lanes_mine(void);
/* Adds a record of the size its kind has in this version.  until: when what it is about is done; a
 * buffer is not given back before that. */
void lanes_put_until(struct lane *l, const unsigned char *record, int64_t until);
void lanes_put(struct lane *l, const unsigned char *record);
/* Gives buffers back in which all work is done, as cuptiActivityFlushAll does (its documentation:
 * without FORCED no buffer that has an incomplete record).  Forced: all of them, and what is not
 * done by `now` has no times then and never will.  False after the end. */
bool lanes_flush(bool is_forced, int64_t now);
/* Something was recorded: FlushAll has something to wait for. */
bool lanes_have_work(void);
